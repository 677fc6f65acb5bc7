// A variant of the generator compiled into what uses it, for boards that are played so much that calls
// through a table of functions would count.
#pragma once

#include "ground.hpp"
#include "kernel.hpp"
#include "movegen.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// One variant, known while compiling.
template <class V>
struct KernelFor : Generator<V> {
    using typename Generator<V>::Bits;
    using typename Generator<V>::Move;
    using typename Generator<V>::Position;

    [[gnu::always_inline]] static bool can_capture(const Rules& rules, const Position& p,
                                                   Side side) noexcept {
        using G = Generator<V>;
        if (is_over(rules, p)) return false;
        const auto pieces = G::pieces_of(p, side);
        return side == Side::white ? G::template can_capture<Side::white>(rules, pieces)
                                   : G::template can_capture<Side::black>(rules, pieces);
    }

    [[gnu::always_inline]] static constexpr Position make(const Rules& rules, const Position& p,
                                                          const Move& m) noexcept {
        return damka::make(rules, p, m);
    }
};

// Calls f with the kernel that the search by these rules is compiled for, and returns what it
// returns: the commonest variants have a search of their own.
template <class F>
decltype(auto) with_kernel(const Rules& rules, F&& f) {
    const bool common = !rules.all_squares && rules.width == rules.height &&
                        rules.capture_lines == kDiagonal && rules.move_lines == kDiagonal;
    if (common && rules.flying_kings && rules.men_capture_back) {
        if (rules.width == 10) return f(KernelFor<Variant<Board10, true, true>>{});
        if (rules.width == 8) return f(KernelFor<Variant<Board8, true, true>>{});
    }
    if (common && !rules.flying_kings && !rules.men_capture_back && rules.width == 8) {
        return f(KernelFor<Variant<Board8, false, false>>{});
    }
    return with_word(rules, [&](auto zero) { return f(KernelOf<decltype(zero)>::of(rules)); });
}

}  // namespace damka
