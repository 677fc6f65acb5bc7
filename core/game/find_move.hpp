// Finds the legal move that matches a requested one.
#pragma once

#include <cstdint>
#include <optional>

#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

enum class Allow : std::uint8_t {
    legal,
    offences,  // also a quiet move where a capture is compulsory
};

// Returns the legal move of `p` equal to `requested` (including whether a king makes it), or
// nullopt. If there are too many captures to list, a legal move may be missed;
// `capture_limits().unfinished` reports that.
std::optional<WideMove> find_move(const Rules& rules, const WidePosition& p,
                                  const WideMove& requested, Allow allow);

// Returns the pieces that may be huffed after the move `m` from `before`, under rules with huffing:
// those that had to capture, on their squares after the move. The same limit applies.
Wide offences_after(const Rules& rules, const WidePosition& before, const WideMove& m);

}  // namespace damka
