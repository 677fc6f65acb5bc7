#include "tests/movegen.hpp"

#include "movegen/movegen.hpp"

namespace damka::tests {

void moves(const Rules& rules, const Position& p, MoveList& list) {
    visit_narrow(rules, [&](auto v) { Generator<decltype(v)>::moves(rules, p, list); });
}

bool captures(const Rules& rules, const Position& p, MoveList& list) {
    return visit_narrow(rules,
                        [&](auto v) { return Generator<decltype(v)>::captures(rules, p, list); });
}

void quiets(const Rules& rules, const Position& p, MoveList& list) {
    visit_narrow(rules, [&](auto v) { Generator<decltype(v)>::quiets(rules, p, list); });
}

bool can_capture(const Rules& rules, const Position& p, Side side) {
    return visit_narrow(
        rules, [&](auto v) { return Generator<decltype(v)>::can_capture(rules, p, side); });
}

std::uint64_t count_moves(const Rules& rules, const Position& p) {
    return visit_narrow(rules, [&](auto v) { return Generator<decltype(v)>::count(rules, p); });
}

Position make(const Rules& rules, const Position& p, const Move& m) {
    return damka::make(rules, p, m);
}

void children(const Rules& rules, const Position& p,
              const std::function<void(const Position&, const Move&)>& f) {
    visit_narrow(rules, [&](auto v) { Generator<decltype(v)>::children(rules, p, f); });
}

void routes(const Rules& rules, const Position& p, const Move& m,
            const std::function<bool(const Route&)>& f) {
    walk_routes(rules, with_words<Wide>(p), with_words<Wide>(m), f);
}

Route first_route(const Rules& rules, const Position& p, const Move& m) {
    return damka::first_route(rules, with_words<Wide>(p), with_words<Wide>(m));
}

Squares squares_of(const Rules& rules) {
    return visit_narrow(rules, [](auto v) {
        using Shape = typename decltype(v)::Shape;
        return Squares{Shape::kBoard, Shape::kTop, Shape::kBottom};
    });
}

}  // namespace damka::tests
