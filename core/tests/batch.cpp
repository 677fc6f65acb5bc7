// Batches of games: results independent of threads, illegal actions, corrupted states.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "game/batch.hpp"
#include "game/move_index.hpp"
#include "game/observation.hpp"
#include "movegen/movegen_table.hpp"
#include "tests/check.hpp"

namespace damka::tests {

namespace {

struct Round {
    std::vector<std::int64_t> actions;
    std::vector<float> rewards;
    std::vector<std::uint8_t> ended;

    explicit Round(std::size_t games) : actions(games), rewards(games), ended(games) {}

    std::optional<std::size_t> step(Batch& games) {
        return games.step(actions.data(), nullptr, rewards.data(), ended.data());
    }
};

std::unique_ptr<Batch> games_of(const Rules& rules, const DrawRules& draws, std::size_t games,
                                unsigned threads, BatchOptions options = {}) {
    return Batch::of(std::make_shared<const GameRules>(rules, draws, false), games, threads,
                     std::move(options));
}

std::unique_ptr<Batch> games_of(const Rules& rules, std::size_t games, unsigned threads,
                                BatchOptions options = {}) {
    DrawRules draws;
    draws.repetition = 3;
    draws.no_progress_plies = 30;
    return games_of(rules, draws, games, threads, std::move(options));
}

void choose(Batch& batch, Random& random, std::vector<std::int64_t>& actions) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::uint8_t* row = batch.mask() + i * batch.actions();
        std::vector<std::int64_t> legal;
        for (std::size_t action = 0; action < batch.actions(); ++action) {
            if (row[action]) legal.push_back(static_cast<std::int64_t>(action));
        }
        CHECK(!legal.empty());
        actions[i] = legal[random.below(static_cast<unsigned>(legal.size()))];
    }
}

bool alike(Batch& a, Batch& b) {
    const std::size_t cells = a.size() * a.actions();
    if (!std::equal(a.mask(), a.mask() + cells, b.mask())) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a.position(i) == b.position(i))) return false;
    }
    return a.save() == b.save();
}

void games_by(const Rules& rules) {
    constexpr std::size_t kGames = 150;
    const auto one = games_of(rules, kGames, 1);
    const auto three = games_of(rules, kGames, 3);
    Round played(kGames);
    Round again(kGames);
    Random random(7);
    int ends = 0;
    for (int step = 0; step < 200; ++step) {
        choose(*one, random, played.actions);
        again.actions = played.actions;
        CHECK(!played.step(*one));
        CHECK(!again.step(*three));
        CHECK(played.rewards == again.rewards && played.ended == again.ended);
        for (const std::uint8_t over : played.ended) ends += over;
        if (step % 40 == 0) CHECK(alike(*one, *three));
    }
    CHECK(alike(*one, *three));
    CHECK(ends > 0);

    // An illegal action changes nothing, wherever it is.
    choose(*one, random, played.actions);
    for (const std::int64_t wrong :
         {std::int64_t{-1}, static_cast<std::int64_t>(one->actions()), std::int64_t{1} << 40}) {
        std::vector<std::int64_t> actions = played.actions;
        actions[kGames - 1] = wrong;
        actions[70] = wrong;
        CHECK(three->step(actions.data(), nullptr, played.rewards.data(), played.ended.data()) ==
              70u);
        CHECK(alike(*one, *three));
    }

    // A state can be loaded; a corrupted one is rejected or is a valid state.
    const std::vector<std::uint64_t> state = one->save();
    const auto other = games_of(rules, kGames, 2);
    CHECK(other->load(state));
    CHECK(alike(*one, *other));
    for (int i = 0; i < 300; ++i) {
        std::vector<std::uint64_t> damaged = state;
        for (unsigned changes = 1 + random.below(3); changes; --changes) {
            const std::size_t at = random.below(static_cast<unsigned>(damaged.size()));
            damaged[at] = random.chance(50) ? random.next() : damaged[at] ^ 1u << random.below(31);
        }
        if (random.chance(20)) damaged.resize(random.below(static_cast<unsigned>(state.size())));
        static_cast<void>(other->load(damaged));
        choose(*other, random, again.actions);
        CHECK(!again.step(*other));
    }
}

// Positions from random games.
std::vector<WidePosition> starts_of(const Rules& rules) {
    const auto games = games_of(rules, 20, 1);
    Round played(20);
    Random random(3);
    for (int step = 0; step < 6; ++step) {
        choose(*games, random, played.actions);
        CHECK(!played.step(*games));
    }
    std::vector<WidePosition> starts;
    for (std::size_t i = 0; i < games->size(); ++i) starts.push_back(games->position(i));
    return starts;
}

void starts_and_limits(const Rules& rules) {
    constexpr std::size_t kGames = 100;
    constexpr std::uint32_t kMaxPlies = 9;
    const std::vector<WidePosition> starts = starts_of(rules);
    const auto is_start = [&](const WidePosition& p) {
        return std::any_of(starts.begin(), starts.end(), [&](const auto& s) { return s == p; });
    };
    const BatchOptions options{starts, 5, kMaxPlies};
    const auto one = games_of(rules, kGames, 1, options);
    const auto three = games_of(rules, kGames, 3, options);
    CHECK(alike(*one, *three));
    for (std::size_t i = 0; i < kGames; ++i) CHECK(is_start(one->position(i)));
    CHECK(!(one->position(0) == one->position(1)) || !(one->position(0) == one->position(2)));
    Round played(kGames);
    Round again(kGames);
    Random random(11);
    std::vector<std::uint8_t> reasons(kGames);
    std::vector<std::int64_t> plies(kGames);
    for (int step = 1; step <= 40; ++step) {
        choose(*one, random, played.actions);
        again.actions = played.actions;
        CHECK(!played.step(*one));
        CHECK(!again.step(*three));
        CHECK(played.rewards == again.rewards && played.ended == again.ended);
        one->reasons(reasons.data());
        one->plies(plies.data());
        std::size_t ends = 0;
        for (std::size_t i = 0; i < kGames; ++i) {
            CHECK((reasons[i] != 0) == (played.ended[i] != 0));
            CHECK(plies[i] < kMaxPlies && (plies[i] == 0) == (played.ended[i] != 0));
            if (reasons[i] == Batch::kTruncated) CHECK(played.rewards[i] == 0.0F);
            if (played.ended[i]) CHECK(is_start(one->position(i)));
            ends += played.ended[i];
        }
        CHECK(one->final_count() == ends && three->final_count() == ends);
        const std::size_t size = observation_size(rules);
        std::vector<std::int64_t> games(ends);
        std::vector<std::int64_t> others(ends);
        std::vector<std::uint8_t> observations(ends * size);
        std::vector<std::uint8_t> planes(ends * size);
        CHECK(!one->finals(ends + 1, games.data(), observations.data()));
        CHECK(one->finals(ends, games.data(), observations.data()));
        CHECK(three->finals(ends, others.data(), planes.data()));
        CHECK(games == others && observations == planes);
        CHECK(std::is_sorted(games.begin(), games.end()));
    }
    CHECK(alike(*one, *three));
    const auto other = games_of(rules, kGames, 2, options);
    CHECK(other->load(one->save()));
    CHECK(alike(*one, *other));

    // Unselected games do not change.
    std::vector<std::uint8_t> where(kGames);
    where[3] = 1;
    choose(*one, random, played.actions);
    for (std::size_t i = 0; i < kGames; ++i) {
        if (i != 3) played.actions[i] = -1;
    }
    CHECK(!one->step(played.actions.data(), where.data(), played.rewards.data(),
                     played.ended.data()));
    CHECK(!(one->position(3) == other->position(3)));
    one->reset(where.data());
    CHECK(is_start(one->position(3)));
    CHECK(one->position(4) == other->position(4));
    one->reset(nullptr, 8);
    const auto fresh = games_of(rules, kGames, 1, {starts, 8, kMaxPlies});
    CHECK(alike(*one, *fresh));
}

// The move of an index, and the position after it.
template <class Bits>
std::pair<WidePosition, WideMove> move_of_index(const Rules& rules, const WidePosition& before,
                                                std::int64_t action) {
    const auto p = with_words<Bits>(before);
    MoveListOf<Bits> moves;
    MoveGenTableOf<Bits>::of(rules).moves(rules, p, moves);
    std::vector<MoveIndex> indices(moves.size());
    CHECK(MoveIndexer<Bits>::of(rules).index(moves.begin(), moves.size(), indices.data()));
    const auto at = static_cast<std::size_t>(std::ranges::find(indices, action) - indices.begin());
    CHECK(at < moves.size());
    const WideMove move = with_words<Wide>(moves[at]);
    return {make(rules, before, move), move};
}

std::pair<WidePosition, WideMove> move_of_index(const Rules& rules, const WidePosition& before,
                                                std::int64_t action) {
    return rules.width == 12 ? move_of_index<Wide>(rules, before, action)
                             : move_of_index<std::uint64_t>(rules, before, action);
}

// Draws of the whole game: games end as GameRules says, also after saving and loading.
void literal_draws(const Rules& rules) {
    constexpr std::size_t kGames = 40;
    DrawRules draws;
    draws.repetition = 2;
    draws.pieces_only = true;
    draws.same_move = 3;
    draws.moves_anywhere = true;
    draws.game_plies = 60;
    auto batch = games_of(rules, draws, kGames, 2);
    const GameRules game(rules, draws, false);
    struct Played {
        std::vector<GameSnapshot> steps;
        GameSnapshot now;
    };
    const WidePosition start = start_position<Wide>(rules);
    std::vector<Played> played(kGames, Played{{}, {start, game.begin(start)}});
    Round round(kGames);
    Random random(5);
    std::array<int, Batch::kTruncated + 1> ends{};
    std::vector<std::uint8_t> reasons(kGames);
    for (int step = 0; step < 300; ++step) {
        choose(*batch, random, round.actions);
        CHECK(!round.step(*batch));
        batch->reasons(reasons.data());
        for (std::size_t i = 0; i < kGames; ++i) {
            Played& each = played[i];
            const auto [p, move] = move_of_index(rules, each.now.position, round.actions[i]);
            each.steps.push_back(each.now);
            each.now.position = p;
            game.move(each.now.status, move, p, 0);
            const GameResult result = game.result(p, each.now.status, each.steps);
            CHECK(static_cast<std::uint8_t>(result.ending) == reasons[i]);
            ++ends[reasons[i]];
            if (result.is_over()) each = {{}, {start, game.begin(start)}};
        }
        if (step % 7 == 0) {
            const std::vector<std::uint64_t> state = batch->save();
            batch = games_of(rules, draws, kGames, 1);
            CHECK(batch->load(state) && batch->save() == state);
        }
    }
    CHECK(ends[static_cast<std::size_t>(Ending::same_move)] > 0);
    CHECK(ends[static_cast<std::size_t>(Ending::move_limit)] > 0);
}

}  // namespace

void batch_tests() {
    for (const Rules& rules : {american(), international(), canadian(), turkish()}) {
        games_by(rules);
        starts_and_limits(rules);
    }
    literal_draws(american());
    literal_draws(canadian());
}

}  // namespace damka::tests
