// Conversion of scores for the table, which stores distances to a win from the position; the search
// counts them from the root.
#pragma once

#include "search/limits.hpp"
#include "search/transposition.hpp"

namespace damka {

constexpr int to_table(int score, int ply) {
    return score > kSureWin ? score + ply : score < -kSureWin ? score - ply : score;
}

constexpr int from_table(int score, int ply) {
    return score > kSureWin ? score - ply : score < -kSureWin ? score + ply : score;
}

// Whether an entry with the score `score` at this ply is sufficient for the window; `left` plies
// remain before a draw.
constexpr bool causes_cutoff(const Entry& entry, int score, int alpha, int beta, int depth,
                             int left) {
    // The entry's search may have had more plies left before the draw.
    const int size = entry.score < 0 ? -entry.score : entry.score;
    const bool far = size > kSureWin && kWin - size > left;
    return entry.depth >= depth && !far &&
           (entry.bound == Bound::exact || (entry.bound == Bound::lower && score >= beta) ||
            (entry.bound == Bound::upper && score <= alpha));
}

}  // namespace damka
