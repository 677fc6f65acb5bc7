// How a weak level plays below its strength. The search asks at every position.
//
// A weak level errs as people do: it judges roughly, it does not follow an exchange to its end, and
// it overlooks captures, more easily those that start far from where the last piece was moved, go
// backwards, or take several pieces. Which ones it overlooks depends on the seed alone, so that it
// fails to see the same jump throughout one search.
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
    int noise = 0;           // the most error of the evaluation, in hundredths of a man
    int follow = 1000;       // captures followed beyond the search's depth
    int overlook = 0;        // chance in 1000 that a capture is not seen at all …
    int overlook_far = 0;    // … more when it starts far from the last move
    int overlook_back = 0;   // … more when a man captures backwards
    int overlook_chain = 0;  // … more for every piece it takes after the first

    constexpr bool misses_captures() const noexcept {
        return (overlook | overlook_far | overlook_back | overlook_chain) != 0;
    }

    // Keeps entries of different handicaps apart in the transposition table.
    constexpr std::uint64_t salt() const noexcept {
        std::uint64_t s = 0;
        for (const int value :
             {noise, follow, overlook, overlook_far, overlook_back, overlook_chain}) {
            s = zobrist::mix(s ^ static_cast<std::uint64_t>(value));
        }
        return noise || misses_captures() ? zobrist::mix(s ^ seed) : s;
    }

    // The evaluation's error for a position.
    constexpr int error(std::uint64_t key) const noexcept {
        if (noise == 0) return 0;
        const auto width = static_cast<std::uint64_t>(2 * noise + 1);
        return static_cast<int>((zobrist::mix(key ^ seed) >> 32) % width) - noise;
    }

    // Whether the capture `m` of `side` is overlooked after the other side's move to the bit
    // `last`.
    template <class Bits>
    constexpr bool overlooks(const MoveOf<Bits>& m, Side side, int last,
                             const BoardMap<Bits>& map) const noexcept {
        int chance = overlook + overlook_chain * (count(m.captured) - 1);
        const int down = map.row[m.to] - map.row[m.from];
        if (!m.king && (side == Side::white ? down > 0 : down < 0)) chance += overlook_back;
        // More than a few rows away it is easier to miss.
        if (std::abs(m.from - last) > map.nearby) chance += overlook_far;
        const std::uint64_t jump =
            zobrist::mix(folded(m.captured) ^ zobrist::piece(side, m.king, m.from));
        return static_cast<int>((zobrist::mix(jump ^ seed) >> 32) % 1000) < chance;
    }
};

}  // namespace damka
