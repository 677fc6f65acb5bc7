// Native part of damka.engine.Evaluation: static evaluation.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "bindings/python.hpp"
#include "eval/evaluate.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

// The evaluation for some rules in their board's word type. Immutable.
struct EvaluationValue {
    template <class Bits>
    using Of = std::unique_ptr<const EvaluationOf<Bits>>;

    Rules rules;
    std::variant<Of<std::uint64_t>, Of<Wide>> evaluation;

    // In hundredths of a man, from the side to move.
    int operator()(const WidePosition& p) const;

    // Raises ValueError for other rules.
    void require(const Rules& of) const;
};

void bind_evaluation(nanobind::module_& m);

}  // namespace damka::bindings
