// The learned evaluation and self-play: patterns against a reference and after moves, and the
// evaluation's symmetry, with random rules and positions.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "movegen/movegen_table.hpp"
#include "search/selfplay.hpp"
#include "tests/check.hpp"
#include "tests/search.hpp"

namespace damka::tests {

namespace {

Rules random_board(Random& random) { return random.chance(10) ? canadian() : random_rules(random); }

// With a network or without.
std::shared_ptr<const Weights> random_weights(const Rules& rules, Random& random) {
    const Weights::Sizes sizes = Weights::Sizes::of(Regions::of(rules));
    std::vector<std::int16_t> numbers(sizes.all() + (random.chance(50) ? sizes.net : 0));
    for (std::int16_t& number : numbers)
        number = static_cast<std::int16_t>(random.below(200)) - 100;
    return std::make_shared<const Weights>(rules, numbers.data(), numbers.size(), 2, 20);
}

// The man on a square from `view`: 0 none, 1 own, 2 enemy.
template <class Bits>
unsigned man_at(const Rules& rules, const PositionOf<Bits>& p, std::size_t view, std::size_t row,
                std::size_t column) {
    const Regions r = Regions::of(rules);
    const bool turned = view % 2 == 1;
    if (turned) row = r.height - 1 - row;
    if (turned != (view >= 2)) column = r.per_row - 1 - column;
    // Squares are numbered as on the board with the playing corner on the left.
    Rules plain = rules;
    plain.dark_left = true;
    const Layout& layout = layout_of(plain);
    const int bit = layout.bit(static_cast<int>(row * r.per_row + column) + 1);
    const unsigned own = turned ? 1 : 0;
    return p.men[own] >> bit & 1 ? 1 : p.men[own ^ 1] >> bit & 1 ? 2 : 0;
}

template <class Bits>
void pattern_test(const Rules& rules, Random& random) {
    const BoardMap<Bits> map(rules);
    const PatternsOf<Bits> patterns(rules, map);
    const Regions& r = patterns.regions();
    CHECK(!r.regions.empty() && r.regions.size() <= Regions::kMax);
    CHECK(r.lanes.size() <= Regions::kMaxLanes);
    const auto p = random_position<Bits>(rules, random);
    typename PatternsOf<Bits>::Indices indices;
    patterns.indices(p, indices);
    std::size_t n = 0;
    for (std::size_t view = 0; view < r.views; ++view) {
        for (const Regions::Region& region : r.regions) {
            std::uint32_t state = 0;
            for (std::size_t row = 0; row < r.rows; ++row) {
                for (std::size_t i = 0; i < r.columns; ++i) {
                    state = 3 * state +
                            man_at(rules, p, view, region.row + row, r.lanes[region.lane] + i);
                }
            }
            CHECK(indices[n++] == state);
        }
    }
}

std::vector<std::int16_t> net_numbers(std::size_t squares, unsigned most, Random& random) {
    std::vector<std::int16_t> numbers(net::Rows{squares}.numbers());
    for (std::int16_t& number : numbers) {
        number = static_cast<std::int16_t>(static_cast<int>(random.below(2 * most)) -
                                           static_cast<int>(most));
    }
    return numbers;
}

// An accumulator updated by moves equals a refreshed one.
template <class Bits>
void pattern_update_test(const Rules& rules, Random& random) {
    const BoardMap<Bits> map(rules);
    const PatternsOf<Bits> patterns(rules, map);
    const std::vector<std::int16_t> numbers = net_numbers(patterns.squares(), 2000, random);
    const NetworkOf<Bits> net(patterns, map.board, numbers.data());
    const AccumulatorsOf<Bits> accumulators(patterns, map.board, &net);
    const auto p = random_position<Bits>(rules, random);
    Accumulator before;
    accumulators.refresh(p, before);
    const auto movegen = MoveGenTableOf<Bits>::of(rules);
    typename MoveGenTableOf<Bits>::MoveList moves;
    movegen.moves(rules, p, moves);
    for (const auto& m : moves) {
        Accumulator after, seen;
        accumulators.update(before, p, m, after);
        accumulators.refresh(movegen.make(rules, p, m), seen);
        const auto end =
            seen.states.begin() + static_cast<std::ptrdiff_t>(patterns.regions().indices());
        CHECK(std::equal(seen.states.begin(), end, after.states.begin()));
        CHECK(std::memcmp(&seen.sums, &after.sums, sizeof seen.sums) == 0);
    }
}

// The network's output equals a reference sum over its rows.
template <class Bits>
void net_test(const Rules& rules, Random& random) {
    const BoardMap<Bits> map(rules);
    const PatternsOf<Bits> patterns(rules, map);
    const net::Rows rows{patterns.squares()};
    const std::vector<std::int16_t> numbers = net_numbers(patterns.squares(), 300, random);
    const NetworkOf<Bits> net(patterns, map.board, numbers.data());
    const auto p = random_position<Bits>(rules, random);
    net::Views sums;
    net.refresh(p, sums);
    const net::Value worth = net(p.turn, sums);
    int opening = 0, ending = 0;
    for (std::size_t i = 0; i < net::kHidden; ++i) {
        const auto weight = [&](std::size_t row) { return int{numbers[row * net::kHidden + i]}; };
        for (const Side view : {Side::white, Side::black}) {
            int seen = weight(rows.bias()) + (p.turn == view ? weight(rows.turn()) : 0);
            for (const Side owner : {Side::white, Side::black}) {
                for_each(map.board, [&](int bit) {
                    const std::size_t square = patterns.square(bit, view);
                    if (p.men[index(owner)] >> bit & 1) {
                        seen += weight(rows.piece(false, owner != view, square));
                    }
                    if (p.kings[index(owner)] >> bit & 1) {
                        seen += weight(rows.piece(true, owner != view, square));
                    }
                });
            }
            const int counted = std::max(seen, 0) * (view == p.turn ? 1 : -1);
            opening += counted * weight(rows.opening());
            ending += counted * weight(rows.ending());
        }
    }
    CHECK(worth.opening == opening / net::kOutput && worth.ending == ending / net::kOutput);
}

// With random weights of any size.
template <class Bits>
void wild_net_test(const Rules& rules, Random& random) {
    const Weights::Sizes sizes = Weights::Sizes::of(Regions::of(rules));
    std::vector<std::int16_t> numbers(sizes.all() + sizes.net);
    for (std::int16_t& n : numbers)
        n = static_cast<std::int16_t>(random.chance(50) ? 32767 : -32768);
    const auto weights =
        std::make_shared<const Weights>(rules, numbers.data(), numbers.size(), 64, 20);
    const EvaluationOf<Bits> evaluation(rules, weights);
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(evaluation(random_position<Bits>(rules, random), kNoLimit));
    }
}

template <class Bits>
void score_test(const Rules& rules, Random& random) {
    const auto weights = random_weights(rules, random);
    const EvaluationOf<Bits> evaluation(rules, weights);
    CHECK(evaluation.salt() == weights->hash() && EvaluationOf<Bits>(rules).salt() == 0);
    const Layout& layout = layout_of(rules);
    for (int i = 0; i < 10; ++i) {
        const auto p = random_position<Bits>(rules, random);
        auto turned = empty_position<Bits>(other(p.turn));
        for (int square = 1; square <= layout.squares; ++square) {
            const int bit = layout.bit(square);
            const Bits there = Bits{1} << layout.bit(layout.squares + 1 - square);
            for (const unsigned side : {0u, 1u}) {
                if (p.men[side] >> bit & 1) turned.men[side ^ 1] |= there;
                if (p.kings[side] >> bit & 1) turned.kings[side ^ 1] |= there;
            }
        }
        CHECK(evaluation(p, kNoLimit) == evaluation(turned, kNoLimit));
        CHECK(std::abs(evaluation(p, 2)) <= std::abs(evaluation(p, kNoLimit)));
    }
}

template <class Bits>
void self_play_test(const Rules& rules, Random& random) {
    SelfPlaySettings settings;
    settings.players[0] = {random_weights(rules, random), {}};
    for (auto& player : settings.players) player.limits.nodes = 60;
    settings.pairs = random.chance(50);
    settings.seed = random.next();
    settings.opening_nodes = 30;
    settings.opening_bound = 300;
    settings.random_moves = 20;
    settings.record = true;
    settings.table_bytes = TranspositionTable::kMinBytes;
    const DrawRules draws{.repetition = 3, .same_move = 0, .no_progress_plies = 30, .material = {}};
    SelfPlayOf<Bits> games(rules, draws, settings, search_by);
    SelfPlayOf<Bits> again(rules, draws, settings, search_by);
    const StopToken never;
    const MoveGenTableOf<Bits> movegen = MoveGenTableOf<Bits>::of(rules);
    const auto played = games.play(1, never);
    const auto repeated = again.play(1, never);
    CHECK(played.has_value() == repeated.has_value());
    if (!played) return;
    CHECK(played->result == repeated->result && played->plies == repeated->plies);
    for (const Sample& sample : played->samples) {
        const auto p = with_words<Bits>(sample.position);
        CHECK(!movegen.can_capture(rules, p, Side::white) &&
              !movegen.can_capture(rules, p, Side::black));
    }
    StopToken stopped;
    stopped.stop();
    CHECK(!games.play(2, stopped));
}

}  // namespace

void weights_tests() {
    Random random(7);
    for (int i = 0; i < 200; ++i) {
        const Rules rules = random_board(random);
        with_word(rules, [&](auto zero) { pattern_test<decltype(zero)>(rules, random); });
        with_word(rules, [&](auto zero) { pattern_update_test<decltype(zero)>(rules, random); });
        with_word(rules, [&](auto zero) { net_test<decltype(zero)>(rules, random); });
    }
    for (int i = 0; i < 6; ++i) {
        const Rules rules = random_board(random);
        with_word(rules, [&](auto zero) { score_test<decltype(zero)>(rules, random); });
        with_word(rules, [&](auto zero) { self_play_test<decltype(zero)>(rules, random); });
        with_word(rules, [&](auto zero) { wild_net_test<decltype(zero)>(rules, random); });
    }
    const std::vector<std::int16_t> few(7);
    bool rejected = false;
    try {
        const Weights weights(american(), few.data(), few.size(), 1, 24);
    } catch (const std::invalid_argument&) {
        rejected = true;
    }
    CHECK(rejected);
}

}  // namespace damka::tests
