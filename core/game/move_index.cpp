#include "game/move_index.hpp"

#include <algorithm>
#include <numeric>

namespace damka {

namespace {

// Whether a capture's squares come first: both lists ascend.
bool comes_before(const Layout& layout, Wide a, Wide b) {
    // The first square that only one of them has decides, and the end of a list before any square.
    Wide rest_a = a;
    Wide rest_b = b;
    for (int square = 1; square <= layout.squares; ++square) {
        const Wide one = Wide{1} << layout.bit(square);
        const bool in_a = (a & one) != 0;
        const bool in_b = (b & one) != 0;
        rest_a &= ~one;
        rest_b &= ~one;
        if (in_a != in_b) return in_a ? rest_b != 0 : rest_a == 0;
    }
    return false;
}

}  // namespace

bool index_moves(const Layout& layout, const std::vector<WideMove>& list,
                 std::vector<std::int32_t>& indices) {
    const std::size_t n = list.size();
    indices.resize(n);
    bool several = false;  // captures that may have the same ends
    for (std::size_t i = 0; i < n; ++i) {
        const WideMove& m = list[i];
        indices[i] = (layout.square(m.from) - 1) * layout.squares + layout.square(m.to) - 1;
        several = several || (m.captured & (m.captured - 1)) != 0;
    }
    if (!several) return true;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (indices[a] != indices[b]) return indices[a] < indices[b];
        return comes_before(layout, list[a].captured, list[b].captured);
    });
    int further = 0;
    std::int32_t last = -1;
    for (const std::size_t i : order) {
        const std::int32_t ends = indices[i];
        if (ends == last) indices[i] = layout.squares * layout.squares + further++;
        last = ends;
    }
    return further <= kFurther;
}

}  // namespace damka
