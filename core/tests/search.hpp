// Non-template wrapper of the search, so that its templates are compiled once for all tests.
#pragma once

#include <memory>

#include "search/search.hpp"

namespace damka::tests {

std::unique_ptr<Search> search_by(const Rules& rules, const DrawRules& draws,
                                  TranspositionTable& table,
                                  std::shared_ptr<const Weights> weights = nullptr);

}  // namespace damka::tests
