// Reading a Python `damka.Rules` into the kernel's record.
#pragma once

#include <memory>

#include "bindings/python.hpp"
#include "game/game_status.hpp"
#include "position/draw_counters.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

namespace nb = nanobind;

// Raises ValueError for an unsupported value.
Rules read_rules(nb::handle rules);

// Reads the draw rules of a Python `damka.Rules`.
DrawRules read_draws(nb::handle rules);

// Returns the state shared by all boards of a Python `damka.Rules`. Raises as read_rules.
std::shared_ptr<const GameRules> game_rules_of(nb::handle rules);

// "W" or "B"; raises ValueError for anything else.
Side read_side(nb::handle side);

inline const char* side_name(Side side) noexcept { return side == Side::white ? "W" : "B"; }

}  // namespace damka::bindings
