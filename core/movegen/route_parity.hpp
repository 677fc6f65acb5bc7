// Parity: a jump over a piece leads from one square to another. Over a whole route every square is
// left as often as it is entered, except for the first and the last one. So the parities of the
// squares of all jumps add up to those two: a system of linear equations modulo two. Where captured
// pieces stay on the board it does not depend on the order of the jumps, and tells which pieces a
// route can leave out and where it can end.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "position/geometry.hpp"

namespace damka {

// Vectors modulo two that have been reduced by each other, and the reduction of others by them.
template <class Bits>
class ParityBasis {
   public:
    void add(Bits v) noexcept {
        v = reduce(v);
        if (!v) return;
        const int pivot = width_of(v) - 1;
        rows_[static_cast<std::size_t>(pivot)] = v;
        pivots_ |= Bits{1} << pivot;
    }

    Bits reduce(Bits v) const noexcept {
        for (Bits m = v & pivots_; m; m = v & pivots_) {
            v ^= rows_[static_cast<std::size_t>(width_of(m) - 1)];
        }
        return v;
    }

   private:
    Bits pivots_{0};
    std::array<Bits, kMaxBits> rows_;  // by pivot; the others are unset
};

// The equations of some routes: one can end where the square, reduced, is `target`.
template <class Bits>
struct ParityEquations {
    ParityBasis<Bits> basis;
    Bits target{0};

    // Those of `stops` where such a route can end.
    Bits ends(Bits stops) const noexcept {
        Bits found{0};
        for_each(stops, [&](int bit) {
            if (basis.reduce(Bits{1} << bit) == target) found |= Bits{1} << bit;
        });
        return found;
    }
};

// The jumps of one capturer as vectors of parities.
template <class Bits>
class RouteParity {
   public:
    // A jump over `piece` can lead from any of `before` to any of `behind`; neither is empty.
    void add_jumps(int piece, Bits before, Bits behind) {
        Options& options = options_[static_cast<std::size_t>(piece)];
        const Bits u = before & (~before + 1);
        const Bits v = behind & (~behind + 1);
        if (!options.one) options.one = u | v;
        const auto differs = [&](Bits difference) {
            if (difference) options.differences.push_back(difference);
        };
        differs(options.one ^ (u | v));
        for_each(before ^ u, [&](int bit) { differs(u | Bits{1} << bit); });
        for_each(behind ^ v, [&](int bit) { differs(v | Bits{1} << bit); });
    }

    // One of the jumps over `piece`.
    Bits one(int piece) const noexcept { return options_[static_cast<std::size_t>(piece)].one; }

    // For routes from one of the squares `at` over all of `pieces`.
    ParityEquations<Bits> equations(Bits at, Bits pieces) const noexcept {
        ParityEquations<Bits> result;
        const Bits one = at & (~at + 1);
        Bits sum = one;
        for_each(at ^ one, [&](int bit) { result.basis.add(one | Bits{1} << bit); });
        for_each(pieces, [&](int piece) {
            const Options& options = options_[static_cast<std::size_t>(piece)];
            sum ^= options.one;
            for (const Bits difference : options.differences) result.basis.add(difference);
        });
        result.target = result.basis.reduce(sum);
        return result;
    }

   private:
    // The jumps over one piece: one of them, and how the others differ.
    struct Options {
        Bits one{0};
        std::vector<Bits> differences;
    };

    std::array<Options, kMaxBits> options_;  // by bit
};

}  // namespace damka
