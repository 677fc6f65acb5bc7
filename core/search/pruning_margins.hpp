// Pruning margins and reductions, tuned by matches (docs/experiments/search.md).
// Depths are in plies, margins in hundredths of a man.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "eval/margins.hpp"

namespace damka::pruning {

// The most pieces at the root of a search without pruning and reductions.
inline constexpr int kFullWidthPieces = 5;

// Reverse futility pruning: maximum depth, and margin above beta.
inline constexpr int kReverseFutilityDepth = 4;
inline constexpr int kReverseFutility = 70;  // per ply

// ProbCut: a shallow search above beta by a margin predicts a deep one above beta. The margin
// depends on the evaluation (margins.hpp).
inline constexpr int kProbCutDepth = 5;   // minimum depth
inline constexpr int kProbCutShare = 50;  // depth of the shallow search, in percent

// Futility pruning of quiet moves: maximum depth, and margin below alpha.
inline constexpr int kFutilityDepth = 3;
inline constexpr int kFutility = 60;  // per ply

// Late-move reductions; their size depends on the evaluation (margins.hpp).
inline constexpr int kLmrDepth = 3;
inline constexpr int kLmrFirst = 2;    // first reduced move number
inline constexpr int kLmrFirstPv = 3;  // … in an open window
// History values per ply of additional or smaller reduction.
inline constexpr int kHistoryDivisor = 700;

// The reduction by depth and move number.
class LmrTable {
   public:
    explicit LmrTable(const Margins& margins) {
        for (std::size_t depth = 1; depth < kMax; ++depth) {
            for (std::size_t i = 1; i < kMax; ++i) {
                const double late = margins.lmr_scale * std::log(depth) * std::log(i);
                plies_[depth][i] = static_cast<std::int8_t>((margins.lmr_base + late) / 100);
            }
        }
    }

    int of(int depth, std::size_t i) const {
        return plies_[std::min(static_cast<std::size_t>(depth), kMax - 1)][std::min(i, kMax - 1)];
    }

   private:
    static constexpr std::size_t kMax = 64;
    std::array<std::array<std::int8_t, kMax>, kMax> plies_{};
};

// Largest penalty of a threatened capture on the evaluation.
inline constexpr int kThreatMargin = 150;

}  // namespace damka::pruning
