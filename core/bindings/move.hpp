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

// Where a capture of several pieces can be played: enough to find its routes when asked. Most are
// never asked, and a crowded board has thousands.
struct Origin {
    WidePosition position;
    Rules rules;
};

struct MoveValue {
    std::uint8_t start, end;
    bool king;                            // the mover was a king before the move
    bool crowns;                          // the mover is a man and a king afterwards
    bool has_route;                       // which of the union's members is there
    std::uint8_t taken;                   // how many
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
MoveValue to_value(const Rules& rules, const WidePosition& p, const WideMove& move);

// The kernel's form of a value whose squares are on the board.
WideMove to_bits(const Layout& layout, const MoveValue& value) noexcept;

// The Python object for a legal move of `p`. Quiet moves, and captures of one piece by a short
// jump, are objects made once for a board; others are new.
nb::object to_python(const Rules& rules, const WidePosition& p, const WideMove& move);

template <class Bits>
MoveValue to_value(const Rules& rules, const PositionOf<Bits>& p, const MoveOf<Bits>& move) {
    return to_value(rules, with_words<Wide>(p), with_words<Wide>(move));
}

template <class Bits>
nb::object to_python(const Rules& rules, const PositionOf<Bits>& p, const MoveOf<Bits>& move) {
    return to_python(rules, with_words<Wide>(p), with_words<Wide>(move));
}

// The shared move objects of one board, by bits: quicker to find than by a Move. What a pointer
// leads to is borrowed from `all`.
struct SharedMoves {
    PyObject* man[kDirections][kMaxBits];             // by direction and the end
    PyObject* king[kMaxBits][kMaxBits];               // by start and end
    PyObject* man_capture[2][kDirections][kMaxBits];  // by side, direction and the end
    PyObject* king_capture[kDirections][kMaxBits];
    int steps[kDirections];  // in bits
    PyObject* all;           // a list, which the module keeps, and every Board of these rules too
};

// Makes them when they are first needed; there must be a board before there is a move.
const SharedMoves& shared_moves(const Rules& rules);

// Raises damka.errors.PositionTooComplexError.
[[noreturn]] void raise_too_complex();

// Whether the kernel has listed all captures that it has been asked for since this was made.
class CapturesListed {
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
