// Moves as numbers, for programs that learn: an index for every legal move of a position, which is
// the same wherever the move is legal.
//
// A move's index is (start - 1) * n + end - 1 for squares 1 … n. Where several captures have the
// same start and end, the first by captured squares has that index and the others are "further"
// moves: those of a whole position are numbered from n * n on, in the order of start, end and
// captured squares. kFurther of them have a number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "position/move.hpp"
#include "position/position.hpp"

namespace damka {

inline constexpr int kFurther = 128;

// How many indices there are on a board.
constexpr int index_count(const Layout& layout) noexcept {
    return layout.squares * layout.squares + kFurther;
}

using MoveIndex = std::uint16_t;
static_assert(kMaxSquares * kMaxSquares + kFurther <= 0xffff);

template <class Bits>
class MoveIndexer {
   public:
    // The one for the board of these rules, whose words must have these bits.
    static const MoveIndexer& of(const Rules& rules);

    // Writes the indices of the `n` moves from `list` on, which are all moves of a position, to
    // `indices`. False if there are more further captures than have a number; nothing that has been
    // written means anything then.
    bool index(const MoveOf<Bits>* list, std::size_t n, MoveIndex* indices) const {
        bool several = false;  // captures that may have the same ends
        for (std::size_t i = 0; i < n; ++i) {
            const MoveOf<Bits>& m = list[i];
            indices[i] = static_cast<MoveIndex>(start_[m.from] + end_[m.to]);
            several |= (m.captured & (m.captured - 1)) != 0;
        }
        return !several || n == 1 || number_further(list, n, indices);
    }

    // The bits between which a move with an index less than n * n leads.
    int from(int index) const noexcept { return layout_.bit(1 + index / squares()); }
    int to(int index) const noexcept { return layout_.bit(1 + index % squares()); }

   private:
    explicit MoveIndexer(const Layout& layout);

    int squares() const noexcept { return layout_.squares; }
    bool number_further(const MoveOf<Bits>* list, std::size_t n, MoveIndex* indices) const;
    bool comes_before(Bits a, Bits b) const;

    const Layout& layout_;
    // What the bits of a move add to its index.
    std::array<MoveIndex, 8 * sizeof(Bits)> start_{};
    std::array<MoveIndex, 8 * sizeof(Bits)> end_{};
};

}  // namespace damka
