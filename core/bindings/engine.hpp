// The native half of damka.engine.
#pragma once

#include <memory>

#include "bindings/python.hpp"
#include "position/draw_counters.hpp"
#include "search/search.hpp"

namespace damka::bindings {

// The signal behind a Python `Stop`, or one that is never set behind None.
const StopToken& signal_of(nanobind::handle object);

// Search::by, which is long to compile, for other files.
std::unique_ptr<Search> search_by(const Rules& rules, const DrawRules& draws, Table& table,
                                  std::shared_ptr<const Weights> weights);

void bind_engine(nanobind::module_& m);

}  // namespace damka::bindings
