// Combinations of squares and their numbers (combinatorial number system).
//
// The number of the squares a < b < … is C(a,1) + C(b,2) + …
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "position/geometry.hpp"
#include "tablebase/material.hpp"

namespace damka {

// Binomial coefficients.
class Binomials {
   public:
    static constexpr int kMax = kMaxSquares;

    constexpr Binomials() noexcept {
        for (std::size_t n = 0; n <= kMax; ++n) {
            of_[n][0] = 1;
            for (std::size_t k = 1; k <= kMaxTablePieces && n > 0; ++k) {
                of_[n][k] = of_[n - 1][k - 1] + of_[n - 1][k];
            }
        }
    }

    constexpr std::uint64_t operator()(int n, int k) const noexcept {
        return of_[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
    }

   private:
    std::array<std::array<std::uint64_t, kMaxTablePieces + 1>, kMax + 1> of_{};
};

inline constexpr Binomials choose{};

// The number of the combination `set` of squares from `among`.
template <class Bits>
std::uint64_t combination_number(Bits set, Bits among) noexcept {
    std::uint64_t number = 0;
    int k = 1;
    for (; set; set &= set - 1) {
        const Bits below = (set & (~set + 1)) - 1;
        number += choose(count(among & below), k++);
    }
    return number;
}

// Iterates over the combinations of k squares in the order of their numbers.
template <class Bits>
class CombinationOf {
   public:
    void begin(Bits from, int k) noexcept {
        k_ = k;
        n_ = 0;
        if (k == 0) {
            set_ = Bits{0};
            return;
        }
        for (; from; from &= from - 1) squares_[n_++] = from & (~from + 1);
        reset();
    }

    // Moves to the combination with this number.
    void seek(std::uint64_t number) noexcept {
        std::size_t at = n_;
        for (unsigned i = static_cast<unsigned>(k_); i-- > 0;) {
            const int k = static_cast<int>(i) + 1;
            do --at;
            while (choose(static_cast<int>(at), k) > number);
            number -= choose(static_cast<int>(at), k);
            at_[i] = at;
        }
        gather();
    }

    // Moves to the next combination; after the last one returns to the first and returns false.
    bool next() noexcept {
        for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) {
            const std::size_t end = i + 1 < static_cast<unsigned>(k_) ? at_[i + 1] : n_;
            if (at_[i] + 1 < end) {
                ++at_[i];
                while (i-- > 0) at_[i] = i;
                gather();
                return true;
            }
        }
        reset();
        return false;
    }

    Bits set() const noexcept { return set_; }

   private:
    void reset() noexcept {
        for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) at_[i] = i;
        gather();
    }

    void gather() noexcept {
        set_ = Bits{0};
        for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) set_ |= squares_[at_[i]];
    }

    int k_ = 0;
    std::size_t n_ = 0;
    std::array<std::size_t, kMaxTablePieces> at_{};
    std::array<Bits, kMaxSquares> squares_;
    Bits set_{0};
};

}  // namespace damka
