// The native half of the Python class `Board`: a position, the moves that led there, the rules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bindings/move.hpp"
#include "bindings/python.hpp"
#include "game/game_status.hpp"
#include "movegen/movegen.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

struct BoardValue {
    struct Ply : GameStep {
        nb::object move;  // none: a huff
    };

    nb::object rules_object;  // the damka.Rules it was made with
    nb::object move_list;     // keeps its shared moves alive
    Rules rules;
    std::shared_ptr<const GameRules> game_rules;
    WidePosition position;
    GameStatus status;
    std::vector<Ply> plies;
};

// One of "wbWB." for each square from 1.
std::string pieces_text(const Rules& rules, const WidePosition& position);

// The board behind a Python object; raises TypeError when it is none.
BoardValue& board_of(nb::handle object);

void bind_board(nb::module_& m);
void bind_perft(nb::class_<BoardValue>& cls);

}  // namespace damka::bindings
