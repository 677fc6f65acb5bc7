// The Python class `Move`: an immutable value in squares, not bits.
#pragma once

#include <cstdint>
#include <string>

#include "bindings/python.hpp"
#include "movegen/capture_limits.hpp"
#include "movegen/routes.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::bindings {

namespace nb = nanobind;

// Position of a capture of several pieces, from which its route is computed on demand. Most routes
// are never read, and a crowded position has thousands.
struct Origin {
    WidePosition position;
    Rules rules;
};

struct MoveValue {
    std::uint8_t start, end;
    bool king;                            // the mover was a king before the move
    bool crowns;                          // the mover is a man and a king afterwards
    bool has_route;                       // selects the union's member
    std::uint8_t taken;                   // number of captured pieces
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

// Converts a legal move of `p`.
MoveValue to_value(const Rules& rules, const WidePosition& p, const WideMove& move);

// Converts a value whose squares are on the board.
WideMove to_bits(const Layout& layout, const MoveValue& value) noexcept;

// Returns the Python object for a legal move of `p`. Quiet moves, and captures of one piece by a
// short jump, are shared objects; others are new.
nb::object to_python(const Rules& rules, const WidePosition& p, const WideMove& move);

template <class Bits>
MoveValue to_value(const Rules& rules, const PositionOf<Bits>& p, const MoveOf<Bits>& move) {
    return to_value(rules, with_words<Wide>(p), with_words<Wide>(move));
}

template <class Bits>
nb::object to_python(const Rules& rules, const PositionOf<Bits>& p, const MoveOf<Bits>& move) {
    return to_python(rules, with_words<Wide>(p), with_words<Wide>(move));
}

// The shared move objects of a board, by bits: faster to look up than by a Move. The pointers are
// borrowed from `all`.
struct SharedMoves {
    PyObject* man[kDirections][kMaxBits];             // by direction and end
    PyObject* king[kMaxBits][kMaxBits];               // by start and end
    PyObject* man_capture[2][kDirections][kMaxBits];  // by side, direction and end
    PyObject* king_capture[kDirections][kMaxBits];
    int steps[kDirections];  // in bits
    PyObject* all;           // a list owned by the module and by every Board of these rules
};

// Created on first use; a board must exist before its moves.
const SharedMoves& shared_moves(const Rules& rules);

// Raises damka.errors.PositionTooComplexError.
[[noreturn]] void raise_too_complex();

// Whether every capture list since construction was complete.
class CaptureListGuard {
   public:
    // Raises PositionTooComplexError if not.
    void check() const {
        if (capture_limits().unfinished != before_) raise_too_complex();
    }

   private:
    std::uint64_t before_ = capture_limits().unfinished;
};

void bind_move(nb::module_& m);

}  // namespace damka::bindings
