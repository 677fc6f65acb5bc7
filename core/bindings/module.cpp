#include <nanobind/nanobind.h>

#include "board.hpp"
#include "engine.hpp"
#include "move.hpp"
#include "tablebase.hpp"
#include "training.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The Damka kernel.";
    // What a program still holds when it ends is its own business; nothing is printed about it.
    nanobind::set_leak_warnings(false);
    damka::bindings::bind_move(m);
    damka::bindings::bind_board(m);
    damka::bindings::bind_engine(m);
    damka::bindings::bind_tablebase(m);
    damka::bindings::bind_training(m);
}
