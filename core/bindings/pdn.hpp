// Native part of `damka.pdn`: reading PDN games.
#pragma once

#include "bindings/python.hpp"

namespace damka::bindings {

namespace nb = nanobind;

void bind_pdn(nb::module_& m);

}  // namespace damka::bindings
