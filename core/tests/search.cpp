// The search and its parts: table, evaluation, tree. Rules and positions are random, so that the
// sanitizers cover every path.
#include "search/search.hpp"
#include "eval/evaluate.hpp"
#include "game/game_status.hpp"
#include "movegen/movegen_for.hpp"
#include "search/game_draws.hpp"

#include <atomic>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/check.hpp"
#include "tests/search.hpp"

namespace damka {

// Simulates a torn write by two threads: one half of an entry from each.
struct Tearing {
    static void take_check(TranspositionTable& table, const TranspositionTable& other,
                           std::uint64_t key) {
        first(table, key).check_ = first(other, key).check_.load();
    }

    static void take_data(TranspositionTable& table, const TranspositionTable& other,
                          std::uint64_t key) {
        first(table, key).data_ = first(other, key).data_.load();
    }

   private:
    static TranspositionTable::Slot& first(const TranspositionTable& table, std::uint64_t key) {
        return table.cluster(key).slots[0];
    }
};

}  // namespace damka

namespace damka::tests {

namespace {

// --- the table ---

void table_tests() {
    TranspositionTable table(TranspositionTable::kMinBytes);
    CHECK(table.bytes() == TranspositionTable::kMinBytes);
    const auto contains = [&](std::uint64_t key) { return table.probe(key).bound != Bound::none; };
    CHECK(!contains(0) && !contains(5));
    table.store(5, 77, -1234, 9, Bound::exact);
    const Entry entry = table.probe(5);
    CHECK(entry.bound == Bound::exact && entry.move == 77 && entry.score == -1234 &&
          entry.depth == 9);

    // A bound without a move preserves the earlier move.
    table.store(5, 0, 10, 3, Bound::upper);
    CHECK(table.probe(5).move == 77 && table.probe(5).score == 10);

    // In a full cluster, a new entry replaces a shallow one of an earlier search.
    const std::uint64_t apart = TranspositionTable::kMinBytes;  // keys that share a cluster
    for (std::uint64_t i = 0; i < 4; ++i)
        table.store(i * apart, 1, 0, 20 - static_cast<int>(i), Bound::lower);
    table.new_search();
    table.store(1 * apart, 1, 0, 1, Bound::lower);
    table.store(9 * apart, 1, 0, 2, Bound::lower);
    CHECK(!contains(3 * apart));
    CHECK(contains(9 * apart) && contains(1 * apart) && contains(0));
    table.clear();
    CHECK(!contains(9 * apart));
}

// A torn entry is not returned; a completely written one is.
void torn_entry_tests() {
    const std::uint64_t ours = 5, theirs = 5 + TranspositionTable::kMinBytes;  // share a cluster
    const auto tear = [&](auto first_half, auto second_half) {
        TranspositionTable table(TranspositionTable::kMinBytes),
            other(TranspositionTable::kMinBytes);
        const auto contains = [&](std::uint64_t key) {
            return table.probe(key).bound != Bound::none;
        };
        table.store(ours, 77, -1234, 9, Bound::exact);
        other.store(theirs, 3, 250, 4, Bound::lower);
        CHECK(contains(ours) && !contains(theirs));
        first_half(table, other, ours);
        CHECK(!contains(ours) && !contains(theirs));
        second_half(table, other, ours);
        CHECK(!contains(ours) && contains(theirs));
    };
    tear(Tearing::take_check, Tearing::take_data);
    tear(Tearing::take_data, Tearing::take_check);
}

// --- random rules and positions ---

Rules random_kind(Random& random) {
    Rules r = random_rules(random);
    r.rows_behind = 0;
    r.height = r.width;
    r.all_squares = false;
    switch (random.below(8)) {
        case 0: r.width = r.height = 6; break;
        case 1: r.width = r.height = 12; break;
        case 2:
            r.width = 10;
            r.height = 8;
            break;
        case 3:
            r.width = r.height = 8;
            r.all_squares = true;
            r.rows_behind = 1;
            break;
        default: r.width = r.height = random.chance(50) ? 8 : 10;
    }
    r.rows = r.all_squares || r.width == 6 ? 2 : 3;
    r.move_lines = !r.all_squares ? kDiagonal : random.chance(50) ? kOrthogonal : kEveryWay;
    r.capture_lines = kDiagonal;
    if (!r.ranking.early) {  // which requires diagonal captures
        if (r.all_squares || random.chance(30)) r.capture_lines = kEveryWay;
    }
    if (r.all_squares) {
        r.ranking = {};
        if (random.chance(50)) r.capture_lines = kOrthogonal;
    }
    r.objective = random.chance(60)   ? Objective::normal
                  : random.chance(50) ? Objective::losing
                                      : Objective::breakthrough;
    r.capture_is_free = random.chance(20);
    r.king_streak = random.chance(20) ? 1 + static_cast<int>(random.below(3)) : 0;
    return r;
}

// A random position without men on their crowning row.
template <class Bits>
PositionOf<Bits> random_setting(const Rules& rules, Random& random) {
    const Layout& layout = layout_of(rules);
    const int row = layout.squares / rules.height;
    PositionOf<Bits> p{};
    p.turn = random.chance(50) ? Side::white : Side::black;
    const unsigned density = 5 + random.below(45);
    const bool crowned = rules.objective != Objective::breakthrough;
    for (int square = 1; square <= layout.squares; ++square) {
        if (!random.chance(density)) continue;
        const unsigned side = random.below(2);
        const bool last = (square - 1) / row == (side == 0 ? 0 : rules.height - 1);
        if (last && !crowned) continue;
        auto& kind = crowned && (last || random.chance(30)) ? p.kings : p.men;
        kind[side] |= Bits{1} << layout.bit(square);
    }
    p.key = p.compute_key();
    return p;
}

// --- the evaluation ---

// The same position from the other side's view.
template <class Bits>
PositionOf<Bits> turned(const Rules& rules, const PositionOf<Bits>& p) {
    const Layout& layout = layout_of(rules);
    PositionOf<Bits> t{};
    t.turn = other(p.turn);
    for (int square = 1; square <= layout.squares; ++square) {
        const int bit = layout.bit(square);
        const Bits there = Bits{1} << layout.bit(layout.squares + 1 - square);
        for (const unsigned side : {0u, 1u}) {
            if (p.men[side] >> bit & 1) t.men[side ^ 1] |= there;
            if (p.kings[side] >> bit & 1) t.kings[side ^ 1] |= there;
        }
    }
    t.key = t.compute_key();
    return t;
}

template <class Bits>
void evaluation_test(const Rules& rules, Random& random) {
    const EvaluationOf<Bits> evaluation(rules);
    for (int j = 0; j < 12; ++j) {
        const PositionOf<Bits> p = random_setting<Bits>(rules, random);
        const PositionOf<Bits> t = turned(rules, p);
        const int left = static_cast<int>(random.below(100));
        CHECK(evaluation(p, left) == evaluation(t, left));
        CHECK(std::abs(evaluation(p, left)) < kSureWin);
        CHECK(evaluation.drawish(p) == evaluation.drawish(t));
        CHECK(std::abs(evaluation(p, 3)) <= std::abs(evaluation(p, kInfinite)));
        PositionOf<Bits> passed = p;
        passed.turn = other(p.turn);
        if (rules.objective != Objective::breakthrough) {  // where the side to move decides a race
            CHECK(evaluation(passed, left) == -evaluation(p, left));
        }
        MoveListOf<Bits> quiet;
        MoveGenTableOf<Bits>::of(rules).quiets(rules, p, quiet);
        CHECK(evaluation.can_step(p) == !quiet.empty());
        with_movegen(rules, [&]<class K>(const K& movegen) {
            if constexpr (K::kStandard && std::is_same_v<typename K::Bits, Bits>) {
                CHECK(movegen.can_step(p) == !quiet.empty());
            }
        });
        const Bits kings = p.kings[index(p.turn)];
        if (!kings) continue;
        const Bits still = Bits{1} << lowest(kings);
        bool another = false;
        for (const MoveOf<Bits>& m : quiet) another = another || !(still >> m.from & 1);
        CHECK(evaluation.can_step(p, still) == another);
    }
}

void evaluation_tests() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const Rules rules = random_kind(random);
        with_word(rules, [&](auto zero) { evaluation_test<decltype(zero)>(rules, random); });
    }
}

// --- draws by material ---

void material_tests() {
    const Rules rules = american();
    MaterialDraw two_on_one{.plies = 4, .strong = {}, .weak = {}, .pieces = {}};
    two_on_one.strong.kings = {2, 2};
    two_on_one.weak.kings = {1, 1};
    MaterialDraw unchanged = two_on_one;
    unchanged.strong.kings = {0, 2};
    unchanged.unchanged = true;
    MaterialDraw few{.plies = 0, .strong = {}, .weak = {}, .pieces = {0, 2}};
    MaterialDraw road = two_on_one;
    road.main_road = true;
    const BoardMap<std::uint64_t> map(rules);
    const MaterialDrawCounterOf<std::uint64_t> balance({two_on_one, unchanged, few, road},
                                                       map.road);
    CHECK(count(map.road) == 8);

    const auto read = [&](const char* text) {
        Position p{};
        CHECK(read_pieces(layout_of(rules), text, Side::white, p));
        return p;
    };
    //                          1   2   3   4   5   6   7   8
    const Position start = read("....b.......B...............wW..");
    const MaterialCounts none = balance.begin(start);
    CHECK(balance.remaining(none) == kNoLimit - 0 || none.plies[1] == 0);
    const Position three = read("............B...............WW..");
    const MaterialCounts first = balance.begin(three);
    CHECK(first.any && first.plies[0] == 0 && first.plies[1] == 0);
    CHECK(first.plies[2] == MaterialCounts::kUnmet && first.plies[3] == MaterialCounts::kUnmet);
    CHECK(balance.remaining(first) == 4 && !balance.drawn_at_rest(first));

    MaterialCounts next;
    const Move quiet{0, 3, 4, true, false};
    balance.advance(first, quiet, three, next);
    CHECK(next.plies[0] == 1 && next.plies[1] == 1 && balance.remaining(next) == 3);
    CHECK(balance.salt(next, 16) != balance.salt(first, 16));
    CHECK(balance.salt(next, 2) == balance.salt(first, 2));
    const Move crowning{0, 3, 4, false, true};
    balance.advance(first, crowning, three, next);
    CHECK(next.plies[0] == 1 && next.plies[1] == 0);
    const Move capture{1, 3, 4, true, false};
    balance.advance(first, capture, three, next);
    CHECK(next.plies[0] == 0);

    const Position left = read("............B...............W...");
    const MaterialCounts last = balance.begin(left);
    CHECK(balance.drawn_at_rest(last));
    const Position on_road = read("...B........................WW..");
    CHECK(balance.begin(on_road).plies[3] == 0);
}

// --- the tree ---

class PollLimit : public Observer {
   public:
    explicit PollLimit(int polls) : polls_(polls) {}
    bool poll() override { return polls_-- <= 0; }
    void on_depth(const Analysis& a) override {
        CHECK(a.depth > depth_);
        depth_ = a.depth;
    }

   private:
    int polls_;
    int depth_ = 0;
};

DrawRules random_draws(Random& random) {
    DrawRules draws{.repetition = static_cast<int>(random.below(2)) * 3,
                    .same_move = static_cast<int>(random.below(2)) * 3,
                    .no_progress_plies = static_cast<int>(random.below(20)) * 2,
                    .material = {}};
    if (random.chance(30)) draws.game_plies = 1 + static_cast<int>(random.below(20));
    draws.pieces_only = random.chance(30);
    draws.moves_anywhere = random.chance(30);
    const auto span = [&]() -> Span {
        const int least = static_cast<int>(random.below(3));
        return random.chance(50) ? Span{} : Span{least, least + static_cast<int>(random.below(9))};
    };
    for (unsigned n = random.chance(50) ? 0 : random.below(4); n > 0; --n) {
        draws.material.push_back({.plies = 2 * static_cast<int>(random.below(8)),
                                  .strong = {span(), span(), span()},
                                  .weak = {span(), span(), span()},
                                  .pieces = span(),
                                  .main_road = random.chance(20),
                                  .unchanged = random.chance(30)});
    }
    return draws;
}

Handicap random_handicap(Random& random) {
    if (random.chance(40)) return {};
    const auto chance = [&] { return static_cast<int>(random.below(400)); };
    return {.seed = random.next(),
            .noise = static_cast<int>(random.below(60)),
            .follow = static_cast<int>(random.below(6)),
            .overlook = chance(),
            .overlook_far = chance(),
            .overlook_back = chance(),
            .overlook_chain = chance()};
}

template <class Bits>
bool among(const MoveListOf<Bits>& list, const MoveOf<Bits>& move) {
    for (const MoveOf<Bits>& m : list) {
        if (m == move) return true;
    }
    return false;
}

// Plays a few moves with small searches; every line consists of legal moves.
template <class Bits>
void random_game(const Rules& rules, Random& random, TranspositionTable& table) {
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(rules);
    const DrawRules draws = random_draws(random);
    const auto search = search_by(rules, draws, table);
    const StopToken signal;
    PositionOf<Bits> position =
        random.chance(50) ? start_position<Bits>(rules) : random_setting<Bits>(rules, random);
    RootReplay replay(rules, draws, with_words<Wide>(position));
    for (int ply = 0; ply < 12; ++ply) {
        const Handicap handicap = random_handicap(random);
        PollLimit extensions(static_cast<int>(random.below(4)));
        const std::uint64_t nodes = 50 + random.below(3000);
        const SearchRoot now = replay.root();
        const Analysis a =
            search->run({now, {.depth = 30, .nodes = nodes}, handicap}, signal, extensions);
        CHECK(a.nodes <= nodes);
        MoveListOf<Bits> legal;
        movegen.moves(rules, position, legal);
        CHECK(a.line.empty() == legal.empty());
        if (a.line.empty()) {
            CHECK(std::abs(a.score) == kWin);
            return;
        }
        const MoveOf<Bits> m = with_words<Bits>(a.line[0]);
        CHECK(among(legal, m));
        if (!handicap.misses_captures()) {
            PositionOf<Bits> p = position;
            for (const WideMove& expected : a.line) {
                MoveListOf<Bits> moves;
                movegen.moves(rules, p, moves);
                CHECK(among(moves, with_words<Bits>(expected)));
                p = movegen.make(rules, p, with_words<Bits>(expected));
            }
        }
        position = movegen.make(rules, position, m);
        replay.push(with_words<Wide>(m), with_words<Wide>(position));
        const int progress = replay.root().counts.progress;
        CHECK(replay.root().past.size() ==
              static_cast<std::size_t>(replay.root().counts.reversible));
        CHECK(progress <= replay.root().counts.reversible);
        if (draws.no_progress_plies && progress >= draws.no_progress_plies) return;
        if (GameDraws::is_drawn(draws, replay.root())) return;
    }
}

// The search's score must equal that of a full enumeration, except for draws.
template <class Bits>
int full_width_search(const Rules& rules, const PositionOf<Bits>& p, int plies) {
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(rules);
    MoveListOf<Bits> moves;
    movegen.moves(rules, p, moves);
    if (moves.empty()) return rules.objective == Objective::losing ? kWin : -kWin;
    if (plies == 0) return 0;
    int best = -kInfinite;
    for (const MoveOf<Bits>& m : moves) {
        const int reply = full_width_search(rules, movegen.make(rules, p, m), plies - 1);
        best = std::max(best, reply > 0 ? 1 - reply : reply < 0 ? -1 - reply : 0);
    }
    return best;
}

template <class Bits>
void mate_test(const Rules& rules, Random& random, TranspositionTable& table) {
    const PositionOf<Bits> p = random_setting<Bits>(rules, random);
    if (count(p.occupied()) > 7) return;
    constexpr int kPlies = 3;
    const int exact = full_width_search(rules, p, kPlies);
    const StopToken signal;
    Observer observer;
    const auto search = search_by(rules, {}, table);
    const RootReplay replay(rules, {}, with_words<Wide>(p));
    const Analysis a = search->run({replay.root(), {.depth = kPlies + 2}}, signal, observer);
    if (exact) {
        CHECK(a.score == exact);
    } else {
        CHECK(std::abs(a.score) < kWin - kPlies);
    }
}

// The value of a game to a few plies, with its draws.
template <class Bits>
int full_width_game(const GameRules& game, std::vector<GameSnapshot>& steps,
                    const GameSnapshot& now, int plies) {
    const GameResult result = game.result(now.position, now.status, steps);
    if (result.is_draw()) return 0;
    if (result.is_over()) return result.winner == now.position.turn ? kWin : -kWin;
    if (plies == 0) return 0;
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(game.rules());
    MoveListOf<Bits> moves;
    movegen.moves(game.rules(), with_words<Bits>(now.position), moves);
    int best = -kInfinite;
    steps.push_back(now);
    for (const MoveOf<Bits>& m : moves) {
        const WideMove move = with_words<Wide>(m);
        GameSnapshot next{make(game.rules(), now.position, move), now.status};
        game.move(next.status, move, next.position, 0);
        const int reply = full_width_game<Bits>(game, steps, next, plies - 1);
        best = std::max(best, reply > 0 ? 1 - reply : reply < 0 ? -1 - reply : 0);
    }
    steps.pop_back();
    return best;
}

// After some moves, wins that a draw of the whole game prevents are not found, and others are.
template <class Bits>
int game_draw_test(const Rules& rules, Random& random, TranspositionTable& table) {
    constexpr int kPlies = 3;
    const PositionOf<Bits> start = random_setting<Bits>(rules, random);
    if (count(start.occupied()) > 7) return 0;
    const int before = static_cast<int>(random.below(12));
    DrawRules draws;
    draws.repetition = random.chance(50) ? 2 + static_cast<int>(random.below(2)) : 0;
    draws.same_move = random.chance(70) ? 2 + static_cast<int>(random.below(2)) : 0;
    draws.pieces_only = draws.moves_anywhere = true;
    if (random.chance(50)) draws.game_plies = before + 1 + static_cast<int>(random.below(2));
    const GameRules game(rules, draws, false);
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(rules);
    std::vector<GameSnapshot> steps;
    GameSnapshot now{with_words<Wide>(start), game.begin(with_words<Wide>(start))};
    RootReplay replay(rules, draws, now.position);
    for (int ply = 0; ply < before; ++ply) {
        if (game.result(now.position, now.status, steps).is_over()) return 0;
        MoveListOf<Bits> moves;
        movegen.moves(rules, with_words<Bits>(now.position), moves);
        // Often back where the piece came from.
        WideMove move = with_words<Wide>(moves[random.below(static_cast<unsigned>(moves.size()))]);
        if (steps.size() > 1 && random.chance(70)) {
            const WideMove& last = steps.back().status.last_move;
            for (const MoveOf<Bits>& m : moves) {
                if (m.from == last.to && m.to == last.from) move = with_words<Wide>(m);
            }
        }
        steps.push_back(now);
        now.position = make(rules, now.position, move);
        game.move(now.status, move, now.position, 0);
        replay.push(move, now.position);
    }
    if (game.result(now.position, now.status, steps).is_over()) {
        CHECK(GameDraws::is_drawn(draws, replay.root()) ||
              !game.result(now.position, now.status, steps).is_draw());
        return 0;
    }
    CHECK(!GameDraws::is_drawn(draws, replay.root()));
    SearchRoot root{now.position, now.status.counts, now.status.material, {}, {}};
    root.add_history(draws, now.status, steps);
    CHECK(root.past == replay.root().past && root.plies == replay.root().plies);
    CHECK(root.past_pieces == replay.root().past_pieces && root.moves == replay.root().moves);

    const int exact = full_width_game<Bits>(game, steps, now, kPlies);
    const int free = full_width_search(rules, with_words<Bits>(now.position), kPlies);
    const StopToken signal;
    Observer observer;
    const auto search = search_by(rules, draws, table);
    const Analysis a = search->run({root, {.depth = kPlies + 2}}, signal, observer);
    if (exact) {
        CHECK(a.score == exact);
    } else {
        CHECK(std::abs(a.score) < kWin - kPlies);
    }
    return exact != free;
}

void stop_tests() {
    TranspositionTable table(TranspositionTable::kMinBytes);
    const DrawRules draws{.repetition = 3, .same_move = 0, .no_progress_plies = 30, .material = {}};
    const auto search = search_by(dama64(), draws, table);
    StopToken stopped;
    stopped.stop();
    Observer observer;
    const RootReplay start(dama64(), draws, start_position<Wide>(dama64()));
    const Analysis a = search->run({start.root()}, stopped, observer);
    CHECK(a.line.size() >= 1 && a.nodes < 10'000);
}

}  // namespace

std::unique_ptr<Search> search_by(const Rules& rules, const DrawRules& draws,
                                  TranspositionTable& table,
                                  std::shared_ptr<const Weights> weights) {
    return Search::create(rules, draws, table, std::move(weights));
}

void search_tests() {
    table_tests();
    torn_entry_tests();
    evaluation_tests();
    material_tests();
    TranspositionTable table(std::size_t{1} << 20);
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        const Rules rules = random_kind(random);
        with_word(rules, [&](auto zero) {
            using Bits = decltype(zero);
            if (i % 2) random_game<Bits>(rules, random, table);
            mate_test<Bits>(rules, random, table);
        });
    }
    int different = 0;
    for (int i = 0; i < 3000; ++i) {
        const Rules rules = random_kind(random);
        with_word(rules, [&](auto zero) {
            different += game_draw_test<decltype(zero)>(rules, random, table);
        });
    }
    CHECK(different > 10);
    stop_tests();
}

}  // namespace damka::tests
