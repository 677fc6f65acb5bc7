// Perft functions of movegen.hpp, in a separate file because they are slow to compile.
#include "movegen/movegen.hpp"
#include "movegen/perft.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

std::uint64_t perft(const Rules& rules, const Position& p, int depth,
                    const std::function<bool()>& poll) {
    return visit_narrow(
        rules, [&](auto v) { return damka::perft<decltype(v)>(rules, p, depth, Poll::of(poll)); });
}

std::uint64_t perft_start(const Rules& rules, int depth, std::size_t table_bytes) {
    return visit(rules, [&](auto v) {
        const auto p = start_position<typename decltype(v)::Bits>(rules);
        if (!table_bytes) return damka::perft<decltype(v)>(rules, p, depth);
        PerftTable table(table_bytes);
        return damka::perft<decltype(v)>(rules, p, depth, Poll{}, &table);
    });
}

std::uint64_t perft_any(const Rules& rules, const Position& p, int depth) {
    if (rules.width == 10) return damka::perft<AnyVariant<Board10>>(rules, p, depth);
    return damka::perft<AnyVariant<Board8>>(rules, p, depth);
}

}  // namespace damka::tests
