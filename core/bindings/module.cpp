#include <nanobind/nanobind.h>

NB_MODULE(_core, m) { m.doc() = "The Damka kernel."; }
