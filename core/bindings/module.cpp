
#include "bindings/arrays.hpp"
#include "bindings/board.hpp"
#include "bindings/engine.hpp"
#include "bindings/evaluation.hpp"
#include "bindings/move.hpp"
#include "bindings/pdn.hpp"
#include "bindings/python.hpp"
#include "bindings/tablebase.hpp"
#include "bindings/training.hpp"
#include "movegen/capture_search.hpp"

namespace {

// Lets other threads of Python run while captures are searched for; the search itself touches no
// object of Python.
void without_lock(void (*search)(void*), void* data) {
    if (!damka::bindings::holds_lock()) return search(data);
    const damka::bindings::WithoutLock release;
    search(data);
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The Damka kernel.";
    // What a program still holds when it ends is its own business; nothing is printed about it.
    nanobind::set_leak_warnings(false);
    damka::set_capture_runner(without_lock);
    damka::bindings::bind_move(m);
    damka::bindings::bind_board(m);
    damka::bindings::bind_batch(m);
    damka::bindings::bind_engine(m);
    damka::bindings::bind_pdn(m);
    damka::bindings::bind_tablebase(m);
    damka::bindings::bind_training(m);
    damka::bindings::bind_evaluation(m);
}
