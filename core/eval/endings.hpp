// How endings of few pieces end, by material: measured, not judged.
//
// The shares come from random quiet positions of nine families of rules, whose results are known
// from tablebases or from searches that prove them (tools/endings.py). House rules use those of the
// nearest family. On small boards with flying kings it also matters which side has a king on the
// main road, where it can rarely be caught.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "position/rules.hpp"

namespace damka {

class Endings {
   public:
    static constexpr int kPieces = 8;  // the most pieces of an ending

    struct Ending {
        std::int8_t won = 0;  // percent of White's wins, and of its losses
        std::int8_t lost = 0;
        std::int16_t share = 0;  // of the score, in 256ths
        std::int16_t bonus = 0;  // added to White's score, in hundredths of a man

        constexpr int adjust(int score) const { return score * share / 256 + bonus; }
        constexpr int decided() const { return won + lost; }
        constexpr int balance() const { return won - lost; }
    };

    // Kings and men of one side.
    struct Force {
        int kings, men;
    };

    // Null where the aim is not to capture everything.
    static std::unique_ptr<const Endings> of(const Rules& rules);

    // `road` is 1 if only White has kings on the main road, -1 if only Black has, otherwise 0. Both
    // sides have a piece, one has a king, and there are at most kPieces pieces.
    const Ending& operator()(Force white, Force black, int road) const {
        return endings_[static_cast<std::size_t>(road + 1)][place(white)][place(black)];
    }

   private:
    // A force of up to seven pieces.
    static constexpr std::size_t kForces = (kPieces - 1) * (kPieces + 2) / 2;

    static constexpr std::size_t place(Force force) {
        const int pieces = force.kings + force.men;
        return static_cast<std::size_t>((pieces - 1) * (pieces + 2) / 2 + force.kings);
    }

    // `data` are the shares without a difference on the main road, then, if that matters, those
    // with only Black's and only White's kings on it.
    explicit Endings(std::string_view data);

    std::array<std::array<std::array<Ending, kForces>, kForces>, 3> endings_{};
};

}  // namespace damka
