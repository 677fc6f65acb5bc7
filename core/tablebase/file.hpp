// File format of endgame tables.
//
//     header     "DAMKATB\n", version, fingerprint of the rules, material, size of the file
//     half       for each side to move (a single one if both have the same values):
//                  of values, the values, the length of every symbol
//     checksum   of all the above
//     index      for each half: every block's offset and checksum
//     data       the blocks
//     checksum   of the whole file
//
// All numbers are little-endian. A probe reads only the header and the required blocks, each of
// which has its own checksum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/values.hpp"

namespace damka {

class TableError : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

inline constexpr char kTableMagic[] = {'D', 'A', 'M', 'K', 'A', 'T', 'B', '\n'};
inline constexpr std::uint32_t kTableVersion = 1;
// Longest supported distance to the end, which search scores can represent.
inline constexpr int kMaxTablePlies = 2400;

// A hash of the rules that affect the value of any endgame.
inline std::uint64_t table_fingerprint(const Rules& rules) noexcept {
    std::uint64_t h = zobrist::mix(kTableVersion);
    add_fields(rules, false, [&](std::uint64_t value) { h = zobrist::mix(h ^ value); });
    return h;
}

// Statistics of a table for one side to move.
struct TableCounts {
    std::uint64_t positions = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    int longest_win = 0;  // plies
    int longest_loss = 0;

    void add(TableValue v, bool losing) noexcept {
        ++positions;
        if (v == kTableDraw) {
            ++draws;
        } else if (SuccessorValues::lost(v, losing)) {
            ++losses;
            longest_loss = std::max(longest_loss, v - 1);
        } else {
            ++wins;
            longest_win = std::max(longest_win, v - 1);
        }
    }

    void add(const TableCounts& more) noexcept {
        positions += more.positions;
        wins += more.wins;
        draws += more.draws;
        losses += more.losses;
        longest_win = std::max(longest_win, more.longest_win);
        longest_loss = std::max(longest_loss, more.longest_loss);
    }

    friend bool operator==(const TableCounts&, const TableCounts&) = default;
};

}  // namespace damka
