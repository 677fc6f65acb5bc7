// Compile-time variants of the generator, and the directions that they fix.
#pragma once

#include <bit>
#include <cstdint>

#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/rules.hpp"

namespace damka {

// The four sets of directions.
enum class DirectionSet : std::uint8_t { man_moves, man_captures, king_moves, king_captures };

constexpr Directions ways_of(const Rules& rules, Side side, DirectionSet set) noexcept {
    switch (set) {
        case DirectionSet::man_moves: return rules.man_moves(side);
        case DirectionSet::man_captures: return rules.man_captures(side);
        case DirectionSet::king_moves: return rules.move_lines;
        default: return rules.capture_lines;
    }
}

// Fixed at compile time because it is hot: the board's shape, flying or short kings, whether men
// capture backwards, and the lines of captures; pieces move on diagonals. All other fields of Rules
// are read at run time.
template <class ShapeType, bool Flying, bool Back, Directions Captures = kDiagonal>
struct Variant {
    using Shape = ShapeType;
    using Bits = typename ShapeType::Bits;
    using Move = MoveOf<Bits>;

    static constexpr bool kFixed = true;
    static constexpr bool kCanFly = Flying;
    static constexpr bool kCanHop = !Flying;
    static constexpr bool kOnlyDiagonal = Captures == kDiagonal;
    static constexpr bool flies(const Rules&) noexcept { return Flying; }
    static constexpr bool mixes(const Rules&) noexcept { return Captures == kEveryWay; }

    static constexpr Directions ways(Side side, DirectionSet set) noexcept {
        Rules rules;
        rules.men_capture_back = Back;
        rules.capture_lines = Captures;
        return ways_of(rules, side, set);
    }
};

// One instantiation per shape for less common rules, with everything else read at run time.
template <class ShapeType>
struct AnyVariant {
    using Shape = ShapeType;
    using Bits = typename ShapeType::Bits;
    using Move = MoveOf<Bits>;

    static constexpr bool kFixed = false;
    static constexpr bool kCanFly = true;
    static constexpr bool kCanHop = true;
    static constexpr bool kOnlyDiagonal = false;
    static constexpr bool flies(const Rules& rules) noexcept { return rules.flying_kings; }
    static constexpr bool mixes(const Rules& rules) noexcept {
        return rules.capture_lines == kEveryWay;
    }
};

// Calls f(way) for the directions in which a piece of side S may move or capture.
template <class V, Side S, DirectionSet G, class F>
constexpr void for_ways(const Rules& rules, F&& f) {
    if constexpr (V::kFixed) {
        constexpr Directions ways = V::ways(S, G);
        if constexpr (ways >> 0 & 1) f(Way<0>{});
        if constexpr (ways >> 1 & 1) f(Way<1>{});
        if constexpr (ways >> 2 & 1) f(Way<2>{});
        if constexpr (ways >> 3 & 1) f(Way<3>{});
        if constexpr (ways >> 4 & 1) f(Way<4>{});
        if constexpr (ways >> 5 & 1) f(Way<5>{});
        if constexpr (ways >> 6 & 1) f(Way<6>{});
        if constexpr (ways >> 7 & 1) f(Way<7>{});
    } else {
        for (Directions ways = ways_of(rules, S, G); ways; ways &= ways - 1) {
            f(AnyWay{std::countr_zero(ways)});
        }
    }
}

// The pieces as the side to move sees them.
template <class Bits>
struct Turn {
    Bits men, kings, enemy_men, enemy_kings;

    constexpr Bits enemies() const noexcept { return enemy_men | enemy_kings; }
    constexpr Bits occupied() const noexcept { return men | kings | enemy_men | enemy_kings; }
};

}  // namespace damka
