// Native part of damka.training: learned weights, self-play and features.
#pragma once

#include <memory>

#include "bindings/python.hpp"
#include "eval/weights.hpp"

namespace damka::bindings {

// Returns the weights of a Python object, null for None; raises TypeError for any other object.
std::shared_ptr<const Weights> weights_of(nanobind::handle object);

void bind_training(nanobind::module_& m);

}  // namespace damka::bindings
