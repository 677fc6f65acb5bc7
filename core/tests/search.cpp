// The search and what it stands on: the table, the evaluation, the tree. By rules and positions
// drawn at random, so that the sanitizers see every path.
#include "search.hpp"

#include <atomic>
#include <cstdlib>
#include <vector>

#include "check.hpp"

namespace damka::tests {

namespace {

// --- the table ---

void table_tests() {
    Table table(Table::kMinBytes);
    CHECK(table.bytes() == Table::kMinBytes);
    CHECK(table.probe(5) == nullptr);
    table.store(5, 77, -1234, 9, Bound::exact);
    const Entry* entry = table.probe(5);
    CHECK(entry && entry->move == 77 && entry->score == -1234 && entry->depth == 9);

    // A bound without a move keeps the move found before.
    table.store(5, 0, 10, 3, Bound::upper);
    CHECK(table.probe(5)->move == 77 && table.probe(5)->score == 10);

    // In a full cluster, a shallow entry of an earlier search makes room for the new one.
    const std::uint64_t apart = Table::kMinBytes;  // keys that share a cluster
    for (std::uint64_t i = 0; i < 4; ++i) table.store(i * apart, 1, 0, 20 - static_cast<int>(i), Bound::lower);
    table.grow_older();
    table.store(1 * apart, 1, 0, 1, Bound::lower);
    table.store(9 * apart, 1, 0, 2, Bound::lower);
    CHECK(table.probe(3 * apart) == nullptr);
    CHECK(table.probe(9 * apart) && table.probe(1 * apart) && table.probe(0));
    table.clear();
    CHECK(table.probe(9 * apart) == nullptr);
}

// --- the evaluation ---

// The same position as the other side sees it.
Position turned(const Rules& rules, const Position& p) {
    const Layout& layout = layout_of(rules);
    Position t = empty_position(other(p.turn));
    for (int square = 1; square <= layout.squares; ++square) {
        const int bit = layout.bit(square);
        const std::uint64_t there = std::uint64_t{1} << layout.bit(layout.squares + 1 - square);
        for (const unsigned side : {0u, 1u}) {
            if (p.men[side] >> bit & 1) t.men[side ^ 1] |= there;
            if (p.kings[side] >> bit & 1) t.kings[side ^ 1] |= there;
        }
    }
    t.key = t.compute_key();
    return t;
}

void evaluation_tests() {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const Rules rules = any_rules(random);
        const Evaluation evaluation(rules);
        for (int j = 0; j < 20; ++j) {
            const Position p = any_position(rules, random);
            const Position t = turned(rules, p);
            const int left = static_cast<int>(random.below(100));
            CHECK(evaluation(p, left) == evaluation(t, left));
            CHECK(std::abs(evaluation(p, left)) < kSureWin);
            CHECK(evaluation.drawish(p) == evaluation.drawish(t));
            CHECK(std::abs(evaluation(p, 3)) <= std::abs(evaluation(p, kInfinite)));
            Position passed = p;
            passed.turn = other(p.turn);
            CHECK(evaluation(passed, left) == -evaluation(p, left));

            MoveList quiet;
            Kernel::of(rules).quiets(rules, p, quiet);
            CHECK(evaluation.can_step(p) == !quiet.empty());
        }
    }
}

// --- the tree ---

class Patience : public Observer {
   public:
    explicit Patience(int polls) : polls_(polls) {}
    bool poll() override { return polls_-- <= 0; }
    void deeper(const Analysis& a) override {
        CHECK(a.depth > depth_);
        depth_ = a.depth;
    }

   private:
    int polls_;
    int depth_ = 0;
};

DrawRules any_draws(Random& random) {
    return {.repetition = static_cast<int>(random.below(2)) * 3,
            .same_move = static_cast<int>(random.below(2)) * 3,
            .no_progress_plies = static_cast<int>(random.below(20)) * 2};
}

Blindness any_blindness(Random& random) {
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

bool among(const MoveList& list, const Move& move) {
    for (const Move& m : list) {
        if (m == move) return true;
    }
    return false;
}

// Plays a few moves with small searches; every line is one of legal moves.
void any_game(Random& random, Table& table) {
    const Rules rules = any_rules(random);
    const Kernel kernel = Kernel::of(rules);
    const DrawRules draws = any_draws(random);
    Search search(rules, draws, table);
    const std::atomic<bool> stop{false};
    Situation now{random.chance(50) ? start_position(rules) : any_position(rules, random), {}, 0, {}};
    for (int ply = 0; ply < 12; ++ply) {
        const Blindness blindness = any_blindness(random);
        Patience patience(static_cast<int>(random.below(4)));
        const std::uint64_t nodes = 50 + random.below(3000);
        const Analysis a = search.run(now, {.depth = 30, .nodes = nodes}, blindness, stop, patience);
        CHECK(a.nodes <= nodes);
        MoveList legal;
        kernel.moves(rules, now.position, legal);
        CHECK(a.line.empty() == legal.empty());
        if (a.line.empty()) {
            CHECK(a.score == -kWin);
            return;
        }
        CHECK(among(legal, a.line[0]));
        if (!blindness.misses_captures()) {
            Position p = now.position;
            for (const Move& m : a.line) {
                MoveList moves;
                kernel.moves(rules, p, moves);
                CHECK(among(moves, m));
                p = kernel.make(rules, p, m);
            }
        }
        const Move& m = a.line[0];
        if (m.king && !m.captured) {
            now.past.push_back(now.position.key);
        } else {
            now.past.clear();
        }
        now.no_progress = static_cast<int>(now.past.size());
        now.position = kernel.make(rules, now.position, m);
        if (draws.no_progress_plies && now.no_progress >= draws.no_progress_plies) return;
    }
}

void stop_tests() {
    Table table(Table::kMinBytes);
    Search search(dama64(), {.repetition = 3, .same_move = 0, .no_progress_plies = 30}, table);
    const std::atomic<bool> stopped{true};
    Observer nobody;
    const Situation start{start_position(dama64()), {}, 0, {}};
    const Analysis a = search.run(start, {}, {}, stopped, nobody);
    CHECK(a.line.size() >= 1 && a.nodes < 10'000);
}

}  // namespace

void search_tests() {
    table_tests();
    evaluation_tests();
    Table table(std::size_t{1} << 20);
    Random random(2);
    for (int i = 0; i < 150; ++i) any_game(random, table);
    stop_tests();
}

}  // namespace damka::tests
