// The Python class `Move`: an immutable value in squares, not bits.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "moves.hpp"
#include "position.hpp"
#include "routes.hpp"
#include "rules.hpp"

namespace damka::bindings {

namespace nb = nanobind;

struct MoveValue {
    std::uint8_t start, end;
    bool king;    // the mover was a king before the move
    bool crowns;  // the mover is a man and a king afterwards
    std::uint8_t taken;  // how many
    Route route;
    std::uint8_t captures[kMaxCaptured];  // ascending

    bool is_capture() const noexcept { return taken != 0; }
    std::string hub() const;
    std::string text() const;
    std::size_t hash() const noexcept;
    friend bool operator==(const MoveValue& a, const MoveValue& b) noexcept;
};

// The value of a legal move of `p`; captures get their first route.
MoveValue to_value(const Rules& rules, const Position& p, const Move& move);

// The Python object for a legal move of `p`. Quiet moves, and captures of one piece by a short
// jump, are objects made once when the module is imported; others are new.
nb::object to_python(const Rules& rules, const Position& p, const Move& move);

// Moves as the pieces of a quiet move: quicker than going by a Move.
struct QuietMoves {
    PyObject* man[kDirections][64];  // by direction and the bit of the end; borrowed
    PyObject* king[64][64];          // by the bits of start and end; borrowed
};

const QuietMoves& quiet_moves_of(const Rules& rules) noexcept;

void bind_move(nb::module_& m);

}  // namespace damka::bindings
