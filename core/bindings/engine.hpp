// Native part of damka.engine.
#pragma once

#include <memory>

#include "bindings/python.hpp"
#include "position/draw_counters.hpp"
#include "search/search.hpp"

namespace damka::bindings {

// Returns the token of a Python `Stop`; for None, one that is never set.
const StopToken& signal_of(nanobind::handle object);

// Wraps Search::create, so that its slow instantiation is compiled once.
std::unique_ptr<Search> search_by(const Rules& rules, const DrawRules& draws,
                                  TranspositionTable& table,
                                  std::shared_ptr<const Weights> weights);

void bind_engine(nanobind::module_& m);

}  // namespace damka::bindings
