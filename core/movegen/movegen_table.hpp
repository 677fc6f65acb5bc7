// The generator's variant for a rule set as a function table, for code that is compiled once for
// all rules.
#pragma once

#include <cstdint>

#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// The rules must be for boards of this word size.
template <class Word>
struct MoveGenTableOf {
    using Bits = Word;
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using MoveList = MoveListOf<Bits>;

    void (*moves)(const Rules&, const Position&, MoveList&);
    void (*quiets)(const Rules&, const Position&, MoveList&);
    bool (*captures)(const Rules&, const Position&, MoveList&);
    void (*known_captures)(const Rules&, const Position&, MoveList&);
    bool (*can_capture)(const Rules&, const Position&, Side);
    Position (*make)(const Rules&, const Position&, const Move&);

    // Compile-time knowledge about the rules, as in StaticMoveGen.
    static constexpr bool kStandard = false;

    static MoveGenTableOf of(const Rules& rules);
};

using MoveGen = MoveGenTableOf<std::uint64_t>;

}  // namespace damka
