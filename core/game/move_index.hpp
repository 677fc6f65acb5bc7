// Moves as numbers, for programs that learn: an index for every legal move of a position, which is
// the same wherever the move is legal.
//
// A move's index is (start - 1) * n + end - 1 for squares 1 … n. Where several captures have the
// same start and end, the first by captured squares has that index and the others are "further"
// moves: those of a whole position are numbered from n * n on, in the order of start, end and
// captured squares. kFurther of them have a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/move.hpp"
#include "position/position.hpp"

namespace damka {

inline constexpr int kFurther = 128;

// How many indices there are on a board.
constexpr int index_count(const Layout& layout) noexcept {
    return layout.squares * layout.squares + kFurther;
}

// Sets `indices` to those of the moves in `list`, one for each. False if there are more further
// captures than have a number; the list then has no indices.
bool index_moves(const Layout& layout, const std::vector<WideMove>& list,
                 std::vector<std::int32_t>& indices);

}  // namespace damka
