// How much the search prunes and reduces, tuned by matches (docs/experiments/search.md).
// Depths are in plies, margins in hundredths of a man.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "eval/margins.hpp"

namespace damka::pruning {

// Reverse futility pruning: up to this many plies from the leaves, far above beta.
inline constexpr int kReverseFutilityDepth = 4;
inline constexpr int kReverseFutility = 70;  // for every ply

// ProbCut: what a shallow search puts above beta by a margin, the deep one puts above beta.
// The margin itself is the evaluation's: see margins.hpp.
inline constexpr int kProbCutDepth = 5;  // from here on
inline constexpr int kProbCutShare =
    50;  // the shallow search's depth in hundredths of the deep one

// Futility pruning: this far below alpha with nothing to capture, a quiet move will not help.
inline constexpr int kFutilityDepth = 3;
inline constexpr int kFutility = 60;  // for every ply

// Late-move reductions, whose size belongs to the evaluation (margins.hpp) …
inline constexpr int kLmrDepth = 3;
inline constexpr int kLmrFirst = 2;    // the first move that is late
inline constexpr int kLmrFirstPv = 3;  // … in a line with an open window
// … and is a ply less or more by the history of the move.
inline constexpr int kHistoryDivisor = 700;

// The reduction by depth and move number.
class LmrTable {
   public:
    explicit LmrTable(const Margins& margins) {
        for (std::size_t depth = 1; depth < kMost; ++depth) {
            for (std::size_t i = 1; i < kMost; ++i) {
                const double late = margins.lmr_scale * std::log(depth) * std::log(i);
                plies_[depth][i] = static_cast<std::int8_t>((margins.lmr_base + late) / 100);
            }
        }
    }

    int of(int depth, std::size_t i) const {
        return plies_[std::min(static_cast<std::size_t>(depth), kMost - 1)][std::min(i, kMost - 1)];
    }

   private:
    static constexpr std::size_t kMost = 64;
    std::array<std::array<std::int8_t, kMost>, kMost> plies_{};
};

// The most by which a threatened capture lowers the evaluation.
inline constexpr int kThreatMargin = 150;

}  // namespace damka::pruning
