// Whether one route can take every piece that is left: conditions that a path through all of them
// has to meet.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "position/geometry.hpp"

namespace damka {

// Whether a route can take all of `rest` at all, as far as two necessary conditions tell. `onward`
// has, by bit, the pieces that can be jumped right after each of `rest`, and `first` those that can
// be jumped now.
template <class Bits>
class AllInOneRoute {
   public:
    AllInOneRoute(Bits rest, Bits first, const Bits* onward) noexcept
        : rest_(rest), first_(first & rest), onward_(onward) {}

    bool possible() noexcept { return each_follows_another() && is_chain(); }

   private:
    static constexpr int kNow = kMaxBits;   // the state itself among the pieces
    static constexpr int kFirstNumber = 1;  // … which a walk in depth begins with

    // Every piece is jumped after another one, or first, and no two after the same: a matching.
    bool each_follows_another() noexcept {
        Bits open = rest_;
        const auto pair_up = [&](int before, Bits next) {
            const Bits free = next & open;
            if (!free) return;
            const int piece = lowest(free);
            open &= ~(Bits{1} << piece);
            before_[static_cast<std::size_t>(piece)] = before;
        };
        for_each(rest_, [&](int p) { before_[static_cast<std::size_t>(p)] = -1; });
        pair_up(kNow, first_);
        for_each(rest_, [&](int p) { pair_up(p, onward_[p] & rest_); });
        // What is left open is matched by changing pairs along a path, from a piece without a next.
        Bits matched{0};
        bool now = false;
        for_each(rest_ & ~open, [&](int p) {
            const int b = before_[static_cast<std::size_t>(p)];
            if (b == kNow)
                now = true;
            else
                matched |= Bits{1} << b;
        });
        int lacking = count(open);
        if (!now && lacking) {
            met_ = 0;
            if (augment(kNow)) --lacking;
        }
        for (Bits loose = rest_ & ~matched; loose && lacking; loose &= loose - 1) {
            met_ = 0;
            if (augment(lowest(loose))) --lacking;
        }
        return lacking == 0;
    }

    bool augment(int before) noexcept {
        const Bits next = before == kNow ? first_ : onward_[before] & rest_;
        for (Bits n = next & ~met_; n;
             n = next & ~met_ & ~((n & (~n + 1)) | ((n & (~n + 1)) - 1))) {
            const int piece = lowest(n);
            met_ |= Bits{1} << piece;
            int& other = before_[static_cast<std::size_t>(piece)];
            if (other < 0 || augment(other)) {
                other = before;
                return true;
            }
        }
        return false;
    }

    // Pieces that are connected with the others by one piece alone are reached and left over that
    // piece (an articulation point): a route visits at most one such part from each, as its last.
    bool is_chain() noexcept {
        for_each(rest_, [&](int p) {
            near_[static_cast<std::size_t>(p)] = 0;
            number_[static_cast<std::size_t>(p)] = 0;
        });
        for_each(rest_, [&](int p) {
            const Bits next = onward_[p] & rest_;
            near_[static_cast<std::size_t>(p)] |= next;
            for_each(next, [&](int q) { near_[static_cast<std::size_t>(q)] |= Bits{1} << p; });
        });
        near_[kNow] = first_;
        counter_ = 0;
        chain_ = true;
        lowest_number(kNow);
        return chain_;
    }

    // The least number that can be come back to from below `v` in a walk in depth.
    int lowest_number(int v) noexcept {
        const int own = ++counter_;
        int least = own;
        if (v != kNow) {
            number_[static_cast<std::size_t>(v)] = own;
            if (first_ >> v & 1) least = kFirstNumber;
        }
        int parts = 0;
        for (Bits n = near_[static_cast<std::size_t>(v)]; n && chain_; n &= n - 1) {
            const int w = lowest(n);
            const int known = number_[static_cast<std::size_t>(w)];
            const int low = known ? known : lowest_number(w);
            if (!known && low >= own && ++parts > 1) chain_ = false;
            least = std::min(least, low);
        }
        return least;
    }

    const Bits rest_;
    const Bits first_;
    const Bits* onward_;
    Bits met_{0};
    int counter_ = 0;
    bool chain_ = true;
    std::array<int, kMaxBits> before_;  // by piece, the one jumped before it; -1: none
    std::array<Bits, kMaxBits + 1> near_;
    std::array<int, kMaxBits> number_;
};

}  // namespace damka
