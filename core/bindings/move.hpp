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

// Where a capture of several pieces can be played: enough to find its routes when asked. Most are
// never asked, and a crowded board has thousands.
struct Origin {
    Position position;
    Rules rules;
};

struct MoveValue {
    std::uint8_t start, end;
    bool king;           // the mover was a king before the move
    bool crowns;         // the mover is a man and a king afterwards
    bool has_route;      // which of the union's members is there
    std::uint8_t taken;  // how many
    std::uint8_t captures[kMaxCaptured];  // ascending
    union {
        Route known;
        Origin origin;
    };

    MoveValue() noexcept {}
    bool is_capture() const noexcept { return taken != 0; }
    Route route() const;
    std::string hub() const;
    std::string text() const;
    std::size_t hash() const noexcept;
    friend bool operator==(const MoveValue& a, const MoveValue& b) noexcept;
};

// The value of a legal move of `p`.
MoveValue to_value(const Rules& rules, const Position& p, const Move& move);

// The kernel's form of a value whose squares are on the board.
Move to_bits(const Layout& layout, const MoveValue& value) noexcept;

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
