// Positions and moves as NumPy arrays, and batches of games.
#pragma once

#include "bindings/board.hpp"

namespace damka::bindings {

// Adds `tensor`, `legal_mask` and the index of moves to the class `Board`.
void bind_arrays(nb::class_<BoardValue>& cls);

// Binds the native half of `damka.Boards`.
void bind_batch(nb::module_& m);

}  // namespace damka::bindings
