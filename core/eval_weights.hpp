// The weights of a learned evaluation, and what a position is worth by them.
//
// The worth is linear in the weights: every pattern, every trait, and every king by its square has
// one for the opening and one for the ending, mixed by the number of pieces left. A pattern's weight
// is the sum of what has been learned for the whole region and for its pairs of neighbouring rows,
// which are met often enough to know states of the region that were met never.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "eval_patterns.hpp"
#include "geometry.hpp"
#include "ground.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

class Weights {
   public:
    // In parts of a hundredth of a man.
    struct Pair {
        std::int16_t opening = 0;
        std::int16_t ending = 0;
    };
    static constexpr int kParts = 8;

    // How many numbers each part has on a board, in the order in which they stand in a file: an
    // opening's and an ending's for each.
    struct Sizes {
        std::size_t whole, pairs, traits, kings;

        static Sizes of(const Regions& r) {
            const std::size_t square = std::size_t{r.row_states} * r.row_states;
            return {2 * r.regions.size() * r.states, 2 * r.regions.size() * (r.rows - 1) * square,
                    2 * kTraits, 2 * r.height * r.per_row};
        }
        std::size_t all() const { return whole + pairs + traits + kings; }
    };

    // `numbers` as `Sizes` tells; those of whole regions and of pairs are counted in `step` parts.
    // Throws std::invalid_argument when there are too few or too many of them.
    Weights(const Rules& rules, const std::int16_t* numbers, std::size_t size, int step,
            int full_board)
        : regions_(Regions::of(rules)), full_board_(full_board) {
        const Sizes sizes = Sizes::of(regions_);
        if (size != sizes.all() || step < 1 || step > 64 || full_board < 1) {
            throw std::invalid_argument("weights: not as many as this board needs");
        }
        const std::int16_t* pairs = numbers + sizes.whole;
        const std::int16_t* rest = pairs + sizes.pairs;
        expand(numbers, pairs, step);
        for (Pair& trait : traits_) {
            trait = {rest[0], rest[1]};
            rest += 2;
        }
        kings_.resize(sizes.kings / 2);
        for (Pair& king : kings_) {
            king = {rest[0], rest[1]};
            rest += 2;
        }
        hash_ = 0;
        for (std::size_t i = 0; i < size; ++i) {
            hash_ = zobrist::mix(hash_ ^ static_cast<std::uint16_t>(numbers[i]));
        }
    }

    const Regions& regions() const { return regions_; }
    // From so many pieces on, only the opening's weights count.
    int full_board() const { return full_board_; }
    // Tells apart in one transposition table what different weights know.
    std::uint64_t hash() const { return hash_; }
    const Pair* table(std::size_t region) const { return &tables_[region * regions_.states]; }
    const Pair& trait(std::size_t i) const { return traits_[i]; }
    const Pair& king(std::size_t square) const { return kings_[square]; }

   private:
    static std::int16_t clamped(int value) {
        return static_cast<std::int16_t>(value > 32767 ? 32767 : value < -32767 ? -32767 : value);
    }

    void expand(const std::int16_t* whole, const std::int16_t* pairs, int step) {
        const std::size_t base = regions_.row_states;
        tables_.resize(regions_.regions.size() * regions_.states);
        for (std::size_t region = 0; region < regions_.regions.size(); ++region) {
            for (std::size_t state = 0; state < regions_.states; ++state) {
                const std::size_t at = region * regions_.states + state;
                int opening = whole[2 * at];
                int ending = whole[2 * at + 1];
                std::size_t left = state;
                // From the last pair of rows up.
                for (std::size_t i = regions_.rows - 1; i-- > 0; left /= base) {
                    const std::size_t pair =
                        (region * (regions_.rows - 1) + i) * base * base + left % (base * base);
                    opening += pairs[2 * pair];
                    ending += pairs[2 * pair + 1];
                }
                tables_[at] = {clamped(step * opening), clamped(step * ending)};
            }
        }
    }

    const Regions regions_;
    const int full_board_;
    std::uint64_t hash_ = 0;
    std::vector<Pair> tables_;  // table after table
    std::array<Pair, kTraits> traits_;
    std::vector<Pair> kings_;  // by square, as White sees it
};

template <class Bits>
class LearnedOf {
   public:
    using Patterns = PatternsOf<Bits>;

    LearnedOf(const Rules& rules, const Ground<Bits>& ground, std::shared_ptr<const Weights> weights)
        : patterns_(rules, ground), weights_(std::move(weights)) {}

    // The worth to White, in hundredths of a man.
    int operator()(const PositionOf<Bits>& p) const {
        typename Patterns::Indices indices;
        patterns_.indices(p, indices);
        int opening = 0;
        int ending = 0;
        const auto add = [&](const Weights::Pair& weight, int times) {
            opening += weight.opening * times;
            ending += weight.ending * times;
        };
        const std::size_t regions = patterns_.regions().regions.size();
        const std::size_t views = patterns_.regions().views;
        for (std::size_t view = 0, n = 0; view < views; ++view) {
            const int sign = view % 2 == 0 ? 1 : -1;
            for (std::size_t region = 0; region < regions; ++region, ++n) {
                add(weights_->table(region)[indices[n]], sign);
            }
        }
        typename Patterns::Traits traits;
        patterns_.traits(p, traits);
        for (std::size_t i = 0; i < kTraits; ++i) add(weights_->trait(i), traits[i]);
        for (const Side side : {Side::white, Side::black}) {
            for_each(p.kings[index(side)], [&](int bit) {
                add(weights_->king(patterns_.square(bit, side)), side == Side::white ? 1 : -1);
            });
        }
        const int full = weights_->full_board();
        const int pieces = count(p.occupied());
        const int left = pieces < full ? pieces : full;
        return (opening * left + ending * (full - left)) / (full * Weights::kParts);
    }

    std::uint64_t hash() const { return weights_->hash(); }

   private:
    const Patterns patterns_;
    const std::shared_ptr<const Weights> weights_;
};

}  // namespace damka
