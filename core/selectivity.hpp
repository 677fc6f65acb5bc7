// How much the search leaves out, tuned by matches (bench/RESULTS.md).
// Depths are in plies, margins in hundredths of a man.
#pragma once

namespace damka::selectivity {

// Far ahead with nothing hanging, so many plies will not change it.
inline constexpr int kSurelyDepth = 4;
inline constexpr int kSurely = 100;  // for every ply

// What a shallow search puts above beta by a margin, the deep one puts above beta.
inline constexpr int kProbableDepth = 5;     // from here on
inline constexpr int kProbable = 30;         // the margin, and so much more
inline constexpr int kProbablePerPly = 8;    // for every ply of depth
inline constexpr int kProbableShare = 50;    // the shallow search's depth in hundredths of the deep one

// Behind by so much with nothing hanging, a quiet move will not help.
inline constexpr int kFutileDepth = 3;
inline constexpr int kFutile = 60;  // for every ply

// Late moves are searched less deeply: by base + scale * log(depth) * log(number), in hundredths.
inline constexpr int kLateDepth = 3;
inline constexpr int kLateFirst = 2;           // the first move that is late
inline constexpr int kLateFirstPrincipal = 3;  // … in a line with an open window
inline constexpr int kLateBase = 50;
inline constexpr int kLateScale = 35;

// Who is threatened with a capture stands worse than the evaluation says, by so much at the most.
inline constexpr int kFear = 150;

}  // namespace damka::selectivity
