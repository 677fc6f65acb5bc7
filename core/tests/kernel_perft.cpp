// The counts of kernel.hpp, apart because they take as long to compile as all the rest.
#include "kernel.hpp"
#include "movegen.hpp"
#include "perft.hpp"

namespace damka::tests {

std::uint64_t perft(const Rules& rules, const Position& p, int depth,
                    const std::function<bool()>& poll) {
    return visit_narrow(
        rules, [&](auto v) { return Perft<decltype(v)>::run(rules, p, depth, poll); });
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

}  // namespace damka::tests
