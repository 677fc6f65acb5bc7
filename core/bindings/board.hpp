// Native part of the Python class `Board`: position, move stack and rules.
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
    struct Ply : GameSnapshot {
        nb::object move;  // none: a huff
    };

    nb::object rules_object;  // the Python Rules
    nb::object move_list;     // keeps its shared moves alive
    Rules rules;
    std::shared_ptr<const GameRules> game_rules;
    WidePosition position;
    GameStatus status;
    std::vector<Ply> plies;
};

// Returns one of "wbWB." for each square, from square 1.
std::string pieces_text(const Rules& rules, const WidePosition& position);

// Returns the board of a Python object; raises TypeError for any other object.
BoardValue& board_of(nb::handle object);

void bind_board(nb::module_& m);
void bind_perft(nb::class_<BoardValue>& cls);

}  // namespace damka::bindings
