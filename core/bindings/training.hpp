// The native half of damka.training: learned weights, self-play, and what the weights see.
#pragma once

#include <memory>

#include "bindings/python.hpp"
#include "eval/weights.hpp"

namespace damka::bindings {

// The weights behind a Python object, or none behind None; raises TypeError for anything else.
std::shared_ptr<const Weights> weights_of(nanobind::handle object);

void bind_training(nanobind::module_& m);

}  // namespace damka::bindings
