// Short jumps of all pieces at once, by direction.
#pragma once

#include <cstdint>

#include "position/geometry.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// The squares from which a man of side S, or a short king, can jump, for the whole board by
// direction. A piece that has just jumped can also continue from them, except back: its previous
// square counts as occupied here, and it can only return to it around a ring.
template <class V, Side S, bool King>
struct JumpMasks {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

    Bits from[V::kOnlyDiagonal ? 4 : kDirections];

    template <class F>
    static constexpr void for_ways(const Rules& rules, F&& f) {
        damka::for_ways<V, S, King ? DirectionSet::king_captures : DirectionSet::man_captures>(
            rules, f);
    }

    constexpr JumpMasks(const Rules& rules, Bits targets, Bits empty) noexcept {
        for_ways(rules, [&](auto way) { from[way.value] = Shape::leapers(way, targets, empty); });
    }

    constexpr Bits any(const Rules& rules) const noexcept {
        Bits all{0};
        for_ways(rules, [&](auto way) { all |= from[way.value]; });
        return all;
    }

    // The landing squares of the jumps of `movers` in one direction.
    template <class AWay>
    constexpr Bits landings(AWay way, Bits movers) const noexcept {
        return Shape::leap(way, movers & from[way.value]);
    }
};

// The directions of these jumps, and of the jumps back.
template <class V, Side S, bool King>
constexpr Directions jump_ways(const Rules& rules) noexcept {
    constexpr DirectionSet kSet = King ? DirectionSet::king_captures : DirectionSet::man_captures;
    if constexpr (V::kFixed) {
        constexpr Directions kWays = V::ways(S, kSet);
        return kWays;
    } else {
        return ways_of(rules, S, kSet);
    }
}

template <class V, Side S, bool King>
constexpr Directions jump_ways_back(const Rules& rules) noexcept {
    if constexpr (V::kFixed) {
        constexpr Directions kWays = opposite_ways(jump_ways<V, S, King>(Rules{}));
        return kWays;
    } else {
        return opposite_ways(jump_ways<V, S, King>(rules));
    }
}

template <class V, Side S>
constexpr typename V::Bits crowning_row() noexcept {
    return S == Side::white ? V::Shape::kTop : V::Shape::kBottom;
}

template <class Bits>
constexpr Bits man_targets(const Rules& rules, const Turn<Bits>& t) noexcept {
    return rules.men_take_kings ? t.enemies() : t.enemy_men;
}

// The length of the shortest ring of short jumps.
template <class V>
constexpr int ring_of(const Rules& rules) noexcept {
    return V::mixes(rules) ? 3 : 4;
}

// The square jumped over between two bits.
template <class Shape>
constexpr typename Shape::Bits between(int from, int to) noexcept {
    return typename Shape::Bits{1} << (static_cast<unsigned>(from + to) / 2);
}

}  // namespace damka
