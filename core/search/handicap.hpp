// Handicap of a weak level, applied at every position of the search.
//
// A weak level makes human errors: its evaluation is rough, it does not follow exchanges to the
// end, and it overlooks captures, especially those that start far from the last move, go backwards,
// or capture several pieces. The overlooked captures depend only on the seed, so the same jump is
// overlooked throughout one search.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"

namespace damka {

struct Handicap {
    std::uint64_t seed = 0;
    int noise = 0;           // largest evaluation error, in hundredths of a man
    int follow = 1000;       // plies of captures followed in quiescence search
    int overlook = 0;        // chance in 1000 of overlooking a capture
    int overlook_far = 0;    // … more when it starts far from the last move
    int overlook_back = 0;   // … more when a man captures backwards
    int overlook_chain = 0;  // … more for every captured piece after the first

    constexpr bool misses_captures() const noexcept {
        return (overlook | overlook_far | overlook_back | overlook_chain) != 0;
    }

    // Distinguishes entries of different handicaps in the transposition table.
    constexpr std::uint64_t salt() const noexcept {
        std::uint64_t s = 0;
        for (const int value :
             {noise, follow, overlook, overlook_far, overlook_back, overlook_chain}) {
            s = zobrist::mix(s ^ static_cast<std::uint64_t>(value));
        }
        return noise || misses_captures() ? zobrist::mix(s ^ seed) : s;
    }

    // The evaluation error for a position.
    constexpr int error(std::uint64_t key) const noexcept {
        if (noise == 0) return 0;
        const auto width = static_cast<std::uint64_t>(2 * noise + 1);
        return static_cast<int>((zobrist::mix(key ^ seed) >> 32) % width) - noise;
    }

    // Whether the capture `m` of `side` is overlooked after the opponent's move to the bit `last`.
    template <class Bits>
    constexpr bool overlooks(const MoveOf<Bits>& m, Side side, int last,
                             const BoardMap<Bits>& map) const noexcept {
        int chance = overlook + overlook_chain * (count(m.captured) - 1);
        const int down = map.row[m.to] - map.row[m.from];
        if (!m.king && (side == Side::white ? down > 0 : down < 0)) chance += overlook_back;
        if (std::abs(m.from - last) > map.nearby) chance += overlook_far;
        const std::uint64_t jump =
            zobrist::mix(folded(m.captured) ^ zobrist::piece(side, m.king, m.from));
        return static_cast<int>((zobrist::mix(jump ^ seed) >> 32) % 1000) < chance;
    }
};

}  // namespace damka
