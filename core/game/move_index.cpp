#include "game/move_index.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

namespace damka {

namespace {

// Up to this many indices, comparing all pairs is faster than sorting.
constexpr std::size_t kMaxPairwise = 16;

bool all_differ(const MoveIndex* indices, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        if (std::find(indices, indices + i, indices[i]) != indices + i) return false;
    }
    return true;
}

}  // namespace

template <class Bits>
MoveIndexer<Bits>::MoveIndexer(const Layout& layout) : layout_(layout) {
    for (int square = 1; square <= layout.squares; ++square) {
        const auto bit = static_cast<std::size_t>(layout.bit(square));
        if (bit >= start_.size()) continue;  // a bit of a wider board
        start_[bit] = static_cast<MoveIndex>((square - 1) * layout.squares);
        end_[bit] = static_cast<MoveIndex>(square - 1);
    }
}

template <class Bits>
const MoveIndexer<Bits>& MoveIndexer<Bits>::of(const Rules& rules) {
    static std::array<std::unique_ptr<const MoveIndexer>, kLayouts> indexers;
    static std::array<std::once_flag, kLayouts> once;
    const std::size_t number = layout_number(rules);
    std::call_once(once[number],
                   [&] { indexers[number].reset(new MoveIndexer(layout_of(rules))); });
    return *indexers[number];
}

// Compares captures by their ascending lists of squares.
template <class Bits>
bool MoveIndexer<Bits>::precedes(Bits a, Bits b) const {
    // The first square in only one of the lists decides; the end of a list sorts before any square.
    Bits rest_a = a;
    Bits rest_b = b;
    for (int square = 1; square <= layout_.squares; ++square) {
        const Bits one = Bits{1} << layout_.bit(square);
        const bool in_a = (a & one) != 0;
        const bool in_b = (b & one) != 0;
        rest_a &= ~one;
        rest_b &= ~one;
        if (in_a != in_b) return in_a ? rest_b != 0 : rest_a == 0;
    }
    return false;
}

template <class Bits>
bool MoveIndexer<Bits>::number_extra(const MoveOf<Bits>* list, std::size_t n,
                                     MoveIndex* indices) const {
    if (n <= kMaxPairwise && all_differ(indices, n)) return true;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (indices[a] != indices[b]) return indices[a] < indices[b];
        return precedes(list[a].captured, list[b].captured);
    });
    int extra = 0;
    int last = -1;
    for (const std::size_t i : order) {
        const int ends = indices[i];
        if (ends == last) {
            indices[i] = static_cast<MoveIndex>(layout_.squares * layout_.squares + extra++);
        }
        last = ends;
    }
    return extra <= kExtraIndices;
}

template class MoveIndexer<std::uint64_t>;
template class MoveIndexer<Wide>;

}  // namespace damka
