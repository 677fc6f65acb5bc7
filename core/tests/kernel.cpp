#include "kernel.hpp"

#include "movegen.hpp"
#include "perft.hpp"

namespace damka::tests {

std::uint64_t perft(const Rules& rules, const Position& p, int depth,
                    const std::function<bool()>& poll) {
    return visit_narrow(rules, [&](auto v) { return Perft<decltype(v)>::run(rules, p, depth, poll); });
}

std::uint64_t perft_start(const Rules& rules, int depth, std::size_t table_bytes) {
    return visit(rules, [&](auto v) {
        const auto p = start_position<typename decltype(v)::Bits>(rules);
        if (!table_bytes) return Perft<decltype(v)>::run(rules, p, depth);
        PerftTable table(table_bytes);
        return Perft<decltype(v)>::run(rules, p, depth, [] { return false; }, &table);
    });
}

std::uint64_t perft_any(const Rules& rules, const Position& p, int depth) {
    if (rules.width == 10) return Perft<AnyVariant<Board10>>::run(rules, p, depth);
    return Perft<AnyVariant<Board8>>::run(rules, p, depth);
}

void moves(const Rules& rules, const Position& p, MoveList& list) {
    visit_narrow(rules, [&](auto v) { Generator<decltype(v)>::moves(rules, p, list); });
}

bool captures(const Rules& rules, const Position& p, MoveList& list) {
    return visit_narrow(rules, [&](auto v) { return Generator<decltype(v)>::captures(rules, p, list); });
}

void quiets(const Rules& rules, const Position& p, MoveList& list) {
    visit_narrow(rules, [&](auto v) { Generator<decltype(v)>::quiets(rules, p, list); });
}

bool can_capture(const Rules& rules, const Position& p, Side side) {
    return visit_narrow(rules,
                 [&](auto v) { return Generator<decltype(v)>::can_capture(rules, p, side); });
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
    visit_narrow(rules, [&](auto v) { Routes<decltype(v)>(rules, p, m).walk(f); });
}

Route first_route(const Rules& rules, const Position& p, const Move& m) {
    return visit_narrow(rules, [&](auto v) { return Routes<decltype(v)>(rules, p, m).first(); });
}

Squares squares_of(const Rules& rules) {
    return visit_narrow(rules, [](auto v) {
        using Shape = typename decltype(v)::Shape;
        return Squares{Shape::kBoard, Shape::kTop, Shape::kBottom};
    });
}

}  // namespace damka::tests
