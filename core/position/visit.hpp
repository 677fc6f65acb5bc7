// Dispatch from run-time rules and sides to compiled variants.
#pragma once

#include "position/geometry.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// Calls f with the compiled variant for `rules`, whose board fits in 64 bits, and returns f's
// result.
template <class F>
decltype(auto) visit_narrow(const Rules& rules, F&& f) {
    const auto with_shape = [&]<class Shape>(Shape) -> decltype(auto) {
        if (rules.flying_kings) {
            if (rules.men_capture_back) return f(Variant<Shape, true, true>{});
            return f(Variant<Shape, true, false>{});
        }
        if (rules.men_capture_back) return f(Variant<Shape, false, true>{});
        return f(Variant<Shape, false, false>{});
    };
    if (rules.all_squares) return f(AnyVariant<FullBoard8>{});
    const bool diagonal = rules.capture_lines == kDiagonal;
    if (rules.width == 6) return f(AnyVariant<Board6>{});
    if (rules.width == 8) return diagonal ? with_shape(Board8{}) : f(AnyVariant<Board8>{});
    if (rules.height == 8) return f(AnyVariant<Board10x8>{});
    if (diagonal) return with_shape(Board10{});
    if (rules.flying_kings && rules.men_capture_back) {
        return f(Variant<Board10, true, true, kEveryWay>{});
    }
    return f(AnyVariant<Board10>{});
}

// The same for every board size.
template <class F>
decltype(auto) visit(const Rules& rules, F&& f) {
    if (rules.width == 12) return f(AnyVariant<Board12>{});
    return visit_narrow(rules, f);
}

// A side known at compile time.
template <Side S>
struct SideConstant {
    static constexpr Side value = S;
};

// Calls f(SideConstant<S>{}) and returns its result.
template <class F>
decltype(auto) with_side(Side side, F&& f) {
    if (side == Side::white) return f(SideConstant<Side::white>{});
    return f(SideConstant<Side::black>{});
}

}  // namespace damka
