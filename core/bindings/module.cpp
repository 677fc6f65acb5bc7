#include "bindings/arrays.hpp"
#include "bindings/board.hpp"
#include "bindings/engine.hpp"
#include "bindings/evaluation.hpp"
#include "bindings/move.hpp"
#include "bindings/pdn.hpp"
#include "bindings/python.hpp"
#include "bindings/tablebase.hpp"
#include "bindings/training.hpp"

NB_MODULE(_core, m) {
    m.doc() = "The Damka kernel.";
    // What a program still holds when it ends is its own business; nothing is printed about it.
    nanobind::set_leak_warnings(false);
    damka::bindings::bind_move(m);
    damka::bindings::bind_board(m);
    damka::bindings::bind_batch(m);
    damka::bindings::bind_engine(m);
    damka::bindings::bind_pdn(m);
    damka::bindings::bind_tablebase(m);
    damka::bindings::bind_training(m);
    damka::bindings::bind_evaluation(m);
}
