// Reading a Python `damka.Rules` into the kernel's record.
#pragma once

#include <nanobind/nanobind.h>

#include "position/rules.hpp"

namespace damka::bindings {

namespace nb = nanobind;

// Raises ValueError for a value that the kernel does not play.
Rules read_rules(nb::handle rules);

// "W" or "B"; raises ValueError for anything else.
Side read_side(nb::handle side);

inline const char* side_name(Side side) noexcept { return side == Side::white ? "W" : "B"; }

}  // namespace damka::bindings
