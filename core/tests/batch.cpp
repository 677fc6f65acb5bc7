// Many games at once: the same on any number of threads, refused actions, states of every kind.
#include <algorithm>
#include <memory>
#include <vector>

#include "game/batch.hpp"
#include "tests/check.hpp"

namespace damka::tests {

namespace {

struct Round {
    std::vector<std::int64_t> actions;
    std::vector<float> rewards;
    std::vector<std::uint8_t> ended;

    explicit Round(std::size_t games) : actions(games), rewards(games), ended(games) {}
};

std::unique_ptr<Batch> games_of(const Rules& rules, std::size_t games, unsigned threads) {
    DrawRules draws;
    draws.repetition = 3;
    draws.no_progress_plies = 30;
    return Batch::of(std::make_shared<const GameRules>(rules, draws, false), games, threads);
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
        CHECK(!one->step(played.actions.data(), played.rewards.data(), played.ended.data()));
        CHECK(!three->step(again.actions.data(), again.rewards.data(), again.ended.data()));
        CHECK(played.rewards == again.rewards && played.ended == again.ended);
        for (const std::uint8_t over : played.ended) ends += over;
        if (step % 40 == 0) CHECK(alike(*one, *three));
    }
    CHECK(alike(*one, *three));
    CHECK(ends > 0);

    // An action that is not legal, wherever it is, changes nothing.
    choose(*one, random, played.actions);
    for (const std::int64_t wrong :
         {std::int64_t{-1}, static_cast<std::int64_t>(one->actions()), std::int64_t{1} << 40}) {
        std::vector<std::int64_t> actions = played.actions;
        actions[kGames - 1] = wrong;
        actions[70] = wrong;
        CHECK(three->step(actions.data(), played.rewards.data(), played.ended.data()) == 70u);
        CHECK(alike(*one, *three));
    }

    // A state is read again; one that is damaged is refused or is a state as well.
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
        CHECK(!other->step(again.actions.data(), again.rewards.data(), again.ended.data()));
    }
}

}  // namespace

void batch_tests() {
    for (const Rules& rules : {american(), international(), canadian(), turkish()}) games_by(rules);
}

}  // namespace damka::tests
