// Reading games in Portable Draughts Notation: the kernel's half of `damka.pdn`.
#pragma once

#include "bindings/python.hpp"

namespace damka::bindings {

namespace nb = nanobind;

void bind_pdn(nb::module_& m);

}  // namespace damka::bindings
