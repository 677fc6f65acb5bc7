// A move that somebody wants to make, found by what it does.
#pragma once

#include <cstdint>
#include <optional>

#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

enum class Allow : std::uint8_t {
    legal,
    offences,  // a quiet move where a capture is due as well
};

// The move of `p` that is equal to `wanted`, which says as well whether a king makes it; none
// where the rules do not know it. Where captures are too many to list it may not be found:
// `capture_limits().unfinished` tells.
std::optional<WideMove> find_move(const Rules& rules, const WidePosition& p, const WideMove& wanted,
                                  Allow allow);

// The pieces that may be huffed, where the rules huff, after the move `m` from `before`: those that
// had to capture, where they then stand. The same holds where captures are too many to list.
Wide offences_after(const Rules& rules, const WidePosition& before, const WideMove& m);

}  // namespace damka
