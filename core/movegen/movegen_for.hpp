// One generator variant inlined into its caller, for the most common boards, where calls through a
// function table would cost measurable time.
#pragma once

#include "movegen/movegen.hpp"
#include "movegen/movegen_table.hpp"
#include "position/board_map.hpp"
#include "position/position.hpp"
#include "position/rule_traits.hpp"
#include "position/rules.hpp"

namespace damka {

// One variant known at compile time, for otherwise standard rules.
template <class V>
struct StaticMoveGen : Generator<V> {
    using typename Generator<V>::Bits;
    using typename Generator<V>::Move;
    using typename Generator<V>::Position;

    static constexpr bool kStandard = true;

    [[gnu::always_inline]] static bool can_capture(const Rules& rules, const Position& p,
                                                   Side side) noexcept {
        return Generator<V>::side_can_capture(rules, p, side);
    }

    // Whether the side to move has a quiet move; men move diagonally.
    [[gnu::always_inline]] static bool can_step(const Position& p) noexcept {
        using Shape = typename V::Shape;
        const Bits empty = Shape::kBoard ^ p.occupied();
        const Bits kings = p.kings[index(p.turn)];
        const Bits men = p.men[index(p.turn)];
        // Branchless: the side to move is unpredictable.
        const Bits black = Bits{0} - Bits{index(p.turn)};
        const Bits up = kings | (men & ~black);
        const Bits down = kings | (men & black);
        return ((Shape::template step<0>(up) | Shape::template step<1>(up) |
                 Shape::template step<2>(down) | Shape::template step<3>(down)) &
                empty) != 0;
    }

    [[gnu::always_inline]] static constexpr Position make(const Rules&, const Position& p,
                                                          const Move& m) noexcept {
        return make_standard(p, m);
    }
};

// Calls f with the generator that the search for these rules is compiled with, and returns f's
// result. The most common variants have a search of their own.
template <class F>
decltype(auto) with_movegen(const Rules& rules, F&& f) {
    const bool common = is_standard(rules) && !rules.all_squares && rules.width == rules.height &&
                        rules.capture_lines == kDiagonal;
    if (common && rules.flying_kings && rules.men_capture_back) {
        if (rules.width == 10) return f(StaticMoveGen<Variant<Board10, true, true>>{});
        if (rules.width == 8) return f(StaticMoveGen<Variant<Board8, true, true>>{});
    }
    if (common && !rules.flying_kings && !rules.men_capture_back && rules.width == 8) {
        return f(StaticMoveGen<Variant<Board8, false, false>>{});
    }
    return with_word(rules,
                     [&](auto zero) { return f(MoveGenTableOf<decltype(zero)>::of(rules)); });
}

}  // namespace damka
