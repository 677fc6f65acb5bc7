// The native half of the Python class `Board`: a position, the moves that led there, the rules.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "bindings/move.hpp"
#include "movegen/movegen.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

struct BoardValue {
    struct Ply {
        WidePosition before;
        nb::object move;
    };

    nb::object rules_object;  // the damka.Rules it was made with
    nb::object move_list;     // keeps its shared moves alive
    Rules rules;
    WidePosition position;
    std::vector<Ply> plies;
};

// The board behind a Python object; raises TypeError when it is none.
BoardValue& board_of(nb::handle object);

void bind_board(nb::module_& m);
void bind_perft(nb::class_<BoardValue>& cls);

}  // namespace damka::bindings
