// Iteration over the positions of a material.
#pragma once

#include <algorithm>
#include <cstdint>

#include "position/position.hpp"
#include "tablebase/combination.hpp"
#include "tablebase/index.hpp"

namespace damka {

// Iterates over the positions of an index in order.
template <class Bits>
class CursorOf {
   public:
    using Position = PositionOf<Bits>;

    // The index must outlive the cursor, which starts without a position.
    explicit CursorOf(const IndexOf<Bits>& index) : index_(index) {
        own_men_.begin(index.masks_.squares_of_men(Side::white), index.material_.own.men);
    }

    void seek(std::uint64_t number) {
        const auto& m = index_.material_;
        unsigned state = 0;
        if (const unsigned states = index_.per_placement(); states > 1) {
            state = static_cast<unsigned>(number % states);
            number /= states;
        }
        const std::uint64_t kings = number % index_.kings_;
        const std::uint64_t men = number / index_.kings_;
        if (men != men_) {
            const auto& starts = index_.starts_;
            const auto after = std::upper_bound(starts.begin(), starts.end(), men);
            own_men_.seek(static_cast<std::uint64_t>(after - starts.begin()) - 1);
            place_their_men();
            their_men_.seek(men - *(after - 1));
            place_own_kings();
            men_ = men;
        }
        // Most steps are short, and setting up the last kings' squares costs more than moving them.
        if (const std::uint64_t number_of_own = kings / index_.their_kings();
            number_of_own != own_kings_at_) {
            own_kings_.seek(number_of_own);
            own_kings_at_ = number_of_own;
            their_kings_.begin(free_ & ~own_kings_.set(), m.their.kings);
        }
        their_kings_.seek(kings % index_.their_kings());
        state_ = state;
        gather();
    }

    // Moves to the next position; from the last one to the first.
    void next() {
        if (++state_ < index_.per_placement()) return gather_streaks();
        state_ = 0;
        const auto& m = index_.material_;
        if (!their_kings_.next()) {
            ++own_kings_at_;
            if (!own_kings_.next()) {
                ++men_;
                if (!their_men_.next()) {
                    if (!own_men_.next()) men_ = 0;
                    place_their_men();
                }
                place_own_kings();
                own_kings_at_ = 0;
            }
            their_kings_.begin(free_ & ~own_kings_.set(), m.their.kings);
        }
        gather();
    }

    // White is to move; the key is unset.
    const Position& position() const noexcept { return position_; }

   private:
    static constexpr std::uint64_t kUnset = ~std::uint64_t{0};

    void place_their_men() {
        their_men_.begin(index_.masks_.squares_of_men(Side::black) & ~own_men_.set(),
                         index_.material_.their.men);
    }

    void place_own_kings() {
        free_ = index_.masks_.board & ~(own_men_.set() | their_men_.set());
        own_kings_.begin(free_, index_.material_.own.kings);
        own_kings_at_ = kUnset;
    }

    void gather() {
        position_.men = {own_men_.set(), their_men_.set()};
        position_.kings = {own_kings_.set(), their_kings_.set()};
        if (index_.per_placement() > 1) gather_streaks();
    }

    void gather_streaks() {
        const unsigned their = index_.states_[1];
        position_.streaks = {index_.streak_of(position_.kings[0], state_ / their),
                             index_.streak_of(position_.kings[1], state_ % their)};
    }

    const IndexOf<Bits>& index_;
    CombinationOf<Bits> own_men_, their_men_, own_kings_, their_kings_;
    Bits free_{0};
    std::uint64_t men_ = kUnset;           // number of the men's placement
    std::uint64_t own_kings_at_ = kUnset;  // number of White's kings' placement
    unsigned state_ = 0;
    Position position_ = empty_position<Bits>();
};

}  // namespace damka
