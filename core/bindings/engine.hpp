// The native half of damka.engine.
#pragma once

#include <nanobind/nanobind.h>

namespace damka::bindings {

void bind_engine(nanobind::module_& m);

}  // namespace damka::bindings
