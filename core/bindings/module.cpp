#include "bindings/arrays.hpp"
#include "bindings/board.hpp"
#include "bindings/engine.hpp"
#include "bindings/evaluation.hpp"
#include "bindings/move.hpp"
#include "bindings/pdn.hpp"
#include "bindings/python.hpp"
#include "bindings/tablebase.hpp"
#include "bindings/training.hpp"

// nanobind's module initialisation, for the main interpreter only.
NB_MODULE(_core_in_main, m) {
    m.doc() = "The Damka kernel.";
    // Objects may be alive at exit: do not warn about leaks.
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

// The kernel has per-process state: classes, shared moves, threads. A second interpreter would
// replace that of the first one, whose next call would crash.
extern "C" NB_EXPORT PyObject* PyInit__core() {
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError,
                        "damka does not support subinterpreters: import it in the main "
                        "interpreter, and use threads or processes");
        return nullptr;
    }
    return PyInit__core_in_main();
}
