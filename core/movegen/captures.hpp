// The captures of one side, for every variant: see capture_walk.hpp.
#pragma once

#include <cstdint>

#include "movegen/jump_masks.hpp"
#include "position/move.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// Lists the legal captures of side S, whose men can capture as `jumps` says. The list must be
// empty.
template <class V, Side S>
void list_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                   const JumpMasks<V, S, false>& jumps,
                   MoveListOf<typename V::Bits>& list) noexcept;

// The number of them.
template <class V, Side S>
std::uint64_t count_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                             const JumpMasks<V, S, false>& jumps) noexcept;

}  // namespace damka
