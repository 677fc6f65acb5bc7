// What a search may leave out when it trusts an evaluation.
//
// How reliable scores are differs from game to game, and so do the margins that matches have found
// best. They belong to the weights of a learned evaluation (weights.hpp) and are kept in its file.
#pragma once

#include <initializer_list>
#include <stdexcept>

namespace damka {

struct Margins {
    // ProbCut: a shallow search that beats beta by this, in hundredths of a man, …
    int probcut = 30;
    int probcut_per_ply = 8;  // … and this more for every ply of depth, stands for the deep one.
    // Late moves are reduced by base + scale * log(depth) * log(number), in hundredths of a ply.
    int lmr_base = 80;
    int lmr_scale = 55;

    static constexpr int kMost = 500;

    friend bool operator==(const Margins&, const Margins&) = default;

    // Throws std::invalid_argument where one is out of range.
    void check() const {
        for (const int each : {probcut, probcut_per_ply, lmr_base, lmr_scale}) {
            if (each < 0 || each > kMost)
                throw std::invalid_argument("margins: each from 0 to 500");
        }
    }
};

}  // namespace damka
