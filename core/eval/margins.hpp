// Search margins that depend on the reliability of an evaluation.
//
// The best margins differ from game to game and were tuned by matches. They belong to the weights
// of a learned evaluation (weights.hpp) and are stored in its file.
#pragma once

#include <initializer_list>
#include <stdexcept>

namespace damka {

struct Margins {
    // ProbCut: margin by which a shallow search must exceed beta, in hundredths of a man.
    int probcut = 30;
    int probcut_per_ply = 8;  // added per ply of depth
    // Late moves are reduced by base + scale * log(depth) * log(number), in hundredths of a ply.
    int lmr_base = 80;
    int lmr_scale = 55;

    static constexpr int kMax = 500;

    friend bool operator==(const Margins&, const Margins&) = default;

    // Throws std::invalid_argument for a margin out of range.
    void check() const {
        for (const int each : {probcut, probcut_per_ply, lmr_base, lmr_scale}) {
            if (each < 0 || each > kMax)
                throw std::invalid_argument("margins: each must be from 0 to 500");
        }
    }
};

}  // namespace damka
