#include "bindings/evaluation.hpp"

#include <utility>

#include "bindings/board.hpp"
#include "bindings/ruleset.hpp"
#include "bindings/training.hpp"
#include "position/board_map.hpp"

namespace damka::bindings {

using namespace nb::literals;

int EvaluationValue::operator()(const WidePosition& p) const {
    return std::visit(
        [&]<class Bits>(const Of<Bits>& by) { return (*by)(with_words<Bits>(p), kNoLimit); },
        evaluation);
}

void EvaluationValue::require(const Rules& of) const {
    if (!(of == rules)) throw nb::value_error("the board and the evaluation have different rules");
}

namespace {

void init_evaluation(EvaluationValue* self, nb::handle rules, nb::handle weights) {
    const Rules r = read_rules(rules);
    std::shared_ptr<const Weights> w = weights_of(weights);
    with_word(r, [&](auto zero) {
        using Bits = decltype(zero);
        new (self) EvaluationValue{r, std::make_unique<const EvaluationOf<Bits>>(r, std::move(w))};
    });
}

int of_board(const EvaluationValue& self, nb::handle board) {
    nb::ft_object_guard guard(board);
    const BoardValue& b = board_of(board);
    self.require(b.rules);
    return self(b.position);
}

}  // namespace

void bind_evaluation(nb::module_& m) {
    nb::class_<EvaluationValue>(m, "Evaluation",
                                R"(A static evaluation: the native part of damka.engine.Evaluation.

`weights` are learned weights; None selects the general evaluation.)")
        .def("__init__", &init_evaluation, "rules"_a, "weights"_a.none(),
             nb::sig("def __init__(self, rules: Rules, weights: Weights | None) -> None"))
        .def("of_board", &of_board, "board"_a, nb::sig("def of_board(self, board: Board) -> int"),
             R"(Return the evaluation for the side to move, in hundredths of a man.

Raises ValueError for a board with other rules.)");
}

}  // namespace damka::bindings
