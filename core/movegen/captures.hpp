// Captures of one side, for every variant; implemented in capture_walk.hpp.
#pragma once

#include <cstdint>

#include "movegen/jump_masks.hpp"
#include "position/move.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"

namespace damka {

// Lists the legal captures of side S; `jumps` are the jumps of its men. The list must be empty.
template <class V, Side S>
void list_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                   const JumpMasks<V, S, false>& jumps,
                   MoveListOf<typename V::Bits>& list) noexcept;

// The number of legal captures.
template <class V, Side S>
std::uint64_t count_captures(const Rules& rules, const Turn<typename V::Bits>& t,
                             const JumpMasks<V, S, false>& jumps) noexcept;

}  // namespace damka
