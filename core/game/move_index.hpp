// Move indices for reinforcement learning: a number for every legal move of a position, the same
// wherever the move is legal.
//
// A move's index is (start - 1) * n + end - 1 for squares 1 … n. Of several captures with the same
// start and end, the first by captured squares has that index; the others are numbered from
// n * n on for the whole position, in the order of start, end and captured squares.
// There are kExtraIndices such indices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "position/move.hpp"
#include "position/position.hpp"

namespace damka {

inline constexpr int kExtraIndices = 128;

// The number of indices on a board.
constexpr int index_count(const Layout& layout) noexcept {
    return layout.squares * layout.squares + kExtraIndices;
}

using MoveIndex = std::uint16_t;
static_assert(kMaxSquares * kMaxSquares + kExtraIndices <= 0xffff);

template <class Bits>
class MoveIndexer {
   public:
    // Returns the indexer for the board of these rules, which must fit the word type.
    static const MoveIndexer& of(const Rules& rules);

    // Writes the indices of the `n` moves from `list` on, which must be all moves of a position, to
    // `indices`. Returns false, with `indices` meaningless, if there are not enough extra indices.
    bool index(const MoveOf<Bits>* list, std::size_t n, MoveIndex* indices) const {
        bool several = false;  // captures may share their start and end
        for (std::size_t i = 0; i < n; ++i) {
            const MoveOf<Bits>& m = list[i];
            indices[i] = static_cast<MoveIndex>(start_[m.from] + end_[m.to]);
            several |= (m.captured & (m.captured - 1)) != 0;
        }
        return !several || n == 1 || number_extra(list, n, indices);
    }

    // The start and end bits of a move with an index less than n * n.
    int from(int index) const noexcept { return layout_.bit(1 + index / squares()); }
    int to(int index) const noexcept { return layout_.bit(1 + index % squares()); }

   private:
    explicit MoveIndexer(const Layout& layout);

    int squares() const noexcept { return layout_.squares; }
    bool number_extra(const MoveOf<Bits>* list, std::size_t n, MoveIndex* indices) const;
    bool precedes(Bits a, Bits b) const;

    const Layout& layout_;
    // The contribution of each bit to an index.
    std::array<MoveIndex, 8 * sizeof(Bits)> start_{};
    std::array<MoveIndex, 8 * sizeof(Bits)> end_{};
};

}  // namespace damka
