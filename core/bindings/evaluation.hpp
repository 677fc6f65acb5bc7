// The native half of damka.engine.Evaluation: what positions are worth, without a search.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "bindings/python.hpp"
#include "eval/evaluate.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

// The evaluation by some rules, in words that their board fits in. Immutable.
struct EvaluationValue {
    template <class Bits>
    using Of = std::unique_ptr<const EvaluationOf<Bits>>;

    Rules rules;
    std::variant<Of<std::uint64_t>, Of<Wide>> evaluation;

    // In hundredths of a man, as the side to move sees it.
    int operator()(const WidePosition& p) const;

    // Raises ValueError for positions by other rules.
    void require(const Rules& of) const;
};

void bind_evaluation(nanobind::module_& m);

}  // namespace damka::bindings
