// The patterns of a position and the sums of its network, updated incrementally.
//
// A pattern's state is a sum over the men of its region, and the network's hidden layer is a sum
// over all pieces. A move changes only the terms of its squares: a few additions instead of a
// refresh.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "eval/network.hpp"
#include "eval/patterns.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"

namespace damka {

// The states of all regions, in the order of `PatternsOf::indices`, padded with 0; then the
// network's sums, if there is a network.
struct Accumulator {
    // The lanes of one vector instruction.
    using Group = std::uint32_t __attribute__((vector_size(16), may_alias));
    static constexpr std::size_t kGroup = sizeof(Group) / sizeof(std::uint32_t);

    alignas(64) std::array<std::uint32_t, Regions::kMax * Regions::kMaxViews> states;
    alignas(64) net::Views sums;

    Group& group(std::size_t i) { return *reinterpret_cast<Group*>(&states[kGroup * i]); }
    const Group& group(std::size_t i) const {
        return *reinterpret_cast<const Group*>(&states[kGroup * i]);
    }
};

template <class Bits>
class AccumulatorsOf {
   public:
    using Patterns = PatternsOf<Bits>;
    using Position = PositionOf<Bits>;

    // Stores references to `patterns` and `net`, which may be null.
    AccumulatorsOf(const Patterns& patterns, Bits board, const NetworkOf<Bits>* net)
        : patterns_(patterns),
          net_(net),
          groups_((patterns.regions().indices() + Accumulator::kGroup - 1) / Accumulator::kGroup),
          counts_(std::make_unique<Accumulator[]>(2 * kPlaces + 1)) {
        for (const unsigned side : {0u, 1u}) {
            for_each(board, [&](int bit) {
                Position single = empty_position<Bits>();
                single.men[side] = Bits{1} << bit;
                refresh_patterns(single, counts_[side * kPlaces + static_cast<std::size_t>(bit)]);
            });
        }
    }

    void refresh(const Position& p, Accumulator& accumulator) const {
        refresh_patterns(p, accumulator);
        if (net_) net_->refresh(p, accumulator.sums);
    }

    // Sets `after` to the accumulator after the move `m` from `p`, whose accumulator is `before`.
    [[gnu::always_inline]] void update(const Accumulator& before, const Position& p,
                                       const MoveOf<Bits>& m, Accumulator& after) const {
        // The number of groups on 10 x 10 and 8 x 8 boards with pieces on one colour.
        if (groups_ == 2) [[likely]] {
            update<2>(before, p, m, after);
        } else {
            update<0>(before, p, m, after);
        }
        if (net_) update_net(before, p, m, after);
    }

   private:
    static constexpr std::size_t kPlaces = 8 * sizeof(Bits);
    static constexpr std::size_t kZero = 2 * kPlaces;

    void refresh_patterns(const Position& p, Accumulator& accumulator) const {
        typename Patterns::Indices indices;
        patterns_.indices(p, indices);
        accumulator.states.fill(0);
        std::copy_n(indices.begin(), patterns_.regions().indices(), accumulator.states.begin());
    }

    template <std::size_t kGroups>
    [[gnu::always_inline]] void update(const Accumulator& before, const Position& p,
                                       const MoveOf<Bits>& m, Accumulator& after) const {
        const std::size_t groups = kGroups ? kGroups : groups_;
        const unsigned own = index(p.turn);
        // Kings are not part of patterns.
        const Accumulator& from = counts_[m.king ? kZero : own * kPlaces + m.from];
        const Accumulator& to = counts_[m.king || m.crowns ? kZero : own * kPlaces + m.to];
#pragma GCC unroll 2
        for (std::size_t i = 0; i < groups; ++i) {
            after.group(i) = before.group(i) - from.group(i) + to.group(i);
        }
        for_each(m.captured & p.men[own ^ 1], [&](int bit) {
            const Accumulator& taken = counts_[(own ^ 1) * kPlaces + static_cast<std::size_t>(bit)];
#pragma GCC unroll 2
            for (std::size_t i = 0; i < groups; ++i) after.group(i) -= taken.group(i);
        });
    }

    [[gnu::always_inline]] void update_net(const Accumulator& before, const Position& p,
                                           const MoveOf<Bits>& m, Accumulator& after) const {
        const Side foe = other(p.turn);
        const net::Views& from = net_->piece(p.turn, m.king, m.from);
        const net::Views& to = net_->piece(p.turn, m.king || m.crowns, m.to);
#pragma GCC unroll 2
        for (std::size_t view = 0; view < 2; ++view) {
#pragma GCC unroll 8
            for (std::size_t i = 0; i < net::kGroups; ++i) {
                after.sums[view][i] = before.sums[view][i] - from[view][i] + to[view][i];
            }
        }
        for_each(m.captured, [&](int bit) {
            const bool king = (p.kings[index(foe)] >> bit & 1) != 0;
            net::subtract(after.sums, net_->piece(foe, king, bit));
        });
    }

    const Patterns& patterns_;
    const NetworkOf<Bits>* const net_;
    const std::size_t groups_;
    const std::unique_ptr<Accumulator[]> counts_;  // a man's term, by side and square; then 0
};

}  // namespace damka
