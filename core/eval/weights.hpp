// The weights of a learned evaluation, and the evaluation with them.
//
// The evaluation is linear in the weights: every pattern, every trait, and every king by its square
// has one for the opening and one for the ending, interpolated by the number of pieces left. A
// pattern's weight is the sum of the learned weights of the whole region and of its pairs of
// neighbouring rows, which occur often enough to cover states of the region that never occurred. A
// small network (network.hpp) may cover relations beyond one region.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "eval/accumulator.hpp"
#include "eval/margins.hpp"
#include "eval/network.hpp"
#include "eval/patterns.hpp"
#include "memory/large_pages.hpp"
#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

class Weights {
   public:
    // In parts of a hundredth of a man.
    struct Pair {
        std::int16_t opening = 0;
        std::int16_t ending = 0;
    };
    static constexpr int kParts = 8;

    // A pair packed into one integer; up to kSummands may be added before unpacking.
    using Packed = std::int32_t;
    static constexpr int kSummands = 8;

    static constexpr Pair unpacked(Packed sum) {
        const auto ending = static_cast<std::int16_t>(sum & 0xffff);
        return {static_cast<std::int16_t>((sum - ending) >> 16), ending};
    }

    // The number of pairs (opening, ending) of each part for a board, in file order.
    struct Sizes {
        std::size_t whole, pairs, traits, kings;
        std::size_t net;  // numbers of the network, if any; not pairs

        static Sizes of(const Regions& r) {
            const std::size_t square = std::size_t{r.row_states} * r.row_states;
            return {2 * r.regions.size() * r.states, 2 * r.regions.size() * (r.rows - 1) * square,
                    2 * kTraits, 2 * r.height * r.per_row,
                    net::Rows{r.height * r.per_row}.numbers()};
        }
        // All numbers except the network's.
        std::size_t all() const { return whole + pairs + traits + kings; }
    };

    // `numbers` are in the order of `Sizes`; those of whole regions and of pairs are in units of
    // `step` parts. The network's numbers are optional. Throws std::invalid_argument for a wrong
    // number of them, or a margin out of range.
    Weights(const Rules& rules, const std::int16_t* numbers, std::size_t size, int step,
            int full_board, const Margins& margins = {})
        : regions_(Regions::of(rules)), full_board_(full_board), margins_(margins) {
        margins.check();
        const Sizes sizes = Sizes::of(regions_);
        const bool netted = size == sizes.all() + sizes.net;
        if ((size != sizes.all() && !netted) || step < 1 || step > 64 || full_board < 1) {
            throw std::invalid_argument("weights: wrong number of weights for this board");
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
        if (netted) net_.assign(rest, rest + sizes.net);
        hash_ = 0;
        for (std::size_t i = 0; i < size; ++i) {
            hash_ = zobrist::mix(hash_ ^ static_cast<std::uint16_t>(numbers[i]));
        }
        if (margins != Margins{}) {
            for (const int each :
                 {margins.probcut, margins.probcut_per_ply, margins.lmr_base, margins.lmr_scale}) {
                hash_ = zobrist::mix(hash_ ^ static_cast<std::uint16_t>(each));
            }
        }
    }

    const Regions& regions() const { return regions_; }
    // At this many pieces or more, only the opening's weights count.
    int full_board() const { return full_board_; }
    // The search margins tuned for these weights.
    const Margins& margins() const { return margins_; }
    // Distinguishes entries of different weights in one transposition table.
    std::uint64_t hash() const { return hash_; }
    const Packed* table(std::size_t region) const { return &tables_[region * regions_.states]; }
    const Pair& trait(std::size_t i) const { return traits_[i]; }
    const Pair& king(std::size_t square) const { return kings_[square]; }
    // In the order of net::Rows; null without a network.
    const std::int16_t* net() const { return net_.empty() ? nullptr : net_.data(); }

   private:
    // Saturates at the weight of five men.
    static constexpr Packed packed(int opening, int ending) {
        constexpr int kMax = 32767 / kSummands;
        return std::clamp(opening, -kMax, kMax) * 65536 + std::clamp(ending, -kMax, kMax);
    }

    void expand(const std::int16_t* whole, const std::int16_t* pairs, int step) {
        const std::size_t base = regions_.row_states;
        tables_ = make_pages<Packed>(regions_.regions.size() * regions_.states);
        for (std::size_t region = 0; region < regions_.regions.size(); ++region) {
            for (std::size_t state = 0; state < regions_.states; ++state) {
                const std::size_t at = region * regions_.states + state;
                int opening = whole[2 * at];
                int ending = whole[2 * at + 1];
                std::size_t left = state;
                // From the last pair of rows upwards.
                for (std::size_t i = regions_.rows - 1; i-- > 0; left /= base) {
                    const std::size_t pair =
                        (region * (regions_.rows - 1) + i) * base * base + left % (base * base);
                    opening += pairs[2 * pair];
                    ending += pairs[2 * pair + 1];
                }
                tables_[at] = packed(step * opening, step * ending);
            }
        }
    }

    const Regions regions_;
    const int full_board_;
    const Margins margins_;
    std::uint64_t hash_ = 0;
    Pages<Packed> tables_;  // one table after the other
    std::array<Pair, kTraits> traits_;
    std::vector<Pair> kings_;  // by square, as White sees it
    std::vector<std::int16_t> net_;
};

template <class Bits>
class LearnedOf {
   public:
    using Patterns = PatternsOf<Bits>;

    LearnedOf(const Rules& rules, const BoardMap<Bits>& map, std::shared_ptr<const Weights> weights)
        : patterns_(rules, map),
          weights_(std::move(weights)),
          net_(weights_->net()
                   ? std::make_unique<const NetworkOf<Bits>>(patterns_, map.board, weights_->net())
                   : nullptr),
          accumulators_(patterns_, map.board, net_.get()) {
        for (std::size_t i = 0; i < kTraits; ++i) traits_[i] = packed_pair(weights_->trait(i));
        if (weights_->regions().views == 2) regions_ = weights_->regions().regions.size();
        const auto parts = static_cast<std::uint64_t>(weights_->full_board() * Weights::kParts);
        inverse_ = (std::uint64_t{1} << kInverseBits) / parts + 1;
        for (std::size_t i = 0; i < weights_->regions().regions.size(); ++i) {
            tables_.push_back(weights_->table(i));
        }
    }
    LearnedOf(const LearnedOf&) = delete;  // accumulators_ refers to patterns_ and net_
    LearnedOf& operator=(const LearnedOf&) = delete;

    const AccumulatorsOf<Bits>& accumulators() const { return accumulators_; }

    // The score for White, in hundredths of a man; `accumulator` is that of `p`.
    [[gnu::always_inline]] int operator()(const PositionOf<Bits>& p,
                                          const Accumulator& accumulator) const {
        // The opening's in the high half, the ending's in the low.
        std::int64_t sum = 0;
        patterns_.for_traits(p, [&](Trait trait, int value) {
            sum += traits_[static_cast<std::size_t>(trait)] * value;
        });
        int opening = 0;
        int ending = 0;
        const std::uint32_t* states = accumulator.states.data();
        // Region counts known to the compiler: those of 10 × 10 and 8 × 8 boards with pieces on one
        // colour.
        if (regions_ == 4) {
            look<4>(states, opening, ending);
        } else if (regions_ == 3) {
            look<3>(states, opening, ending);
        } else {
            for (std::size_t view = 0; view < patterns_.regions().views; view += 2) {
                look<0>(states + view * tables_.size(), opening, ending);
            }
        }
        if (net_) {
            const net::Value worth = (*net_)(p.turn, accumulator.sums);
            const int sign = p.turn == Side::white ? 1 : -1;
            opening += sign * worth.opening;
            ending += sign * worth.ending;
        }
        if (!(p.kings[0] | p.kings[1])) return mixed(p, sum, opening, ending);
        for (const Side side : {Side::white, Side::black}) {
            for_each(p.kings[index(side)], [&](int bit) {
                const Weights::Pair& king = weights_->king(patterns_.square(bit, side));
                sum += (side == Side::white ? 1 : -1) * packed_pair(king);
            });
        }
        return mixed(p, sum, opening, ending);
    }

    std::uint64_t hash() const { return weights_->hash(); }
    const Margins& margins() const { return weights_->margins(); }

   private:
    // Adds White's view and Black's; kRegions per view, 0 for any number.
    template <std::size_t kRegions>
    [[gnu::always_inline]] void look(const std::uint32_t* white, int& opening, int& ending) const {
        const std::size_t regions = kRegions ? kRegions : tables_.size();
        const std::uint32_t* black = white + regions;
        Weights::Packed sum = 0;
        const auto add = [&] {
            const Weights::Pair pair = Weights::unpacked(sum);
            opening += pair.opening;
            ending += pair.ending;
            sum = 0;
        };
        static_assert(2 * kRegions <= Weights::kSummands);
#pragma GCC unroll 4
        for (std::size_t region = 0; region < regions; ++region) {
            sum += tables_[region][white[region]] - tables_[region][black[region]];
            if (!kRegions) add();
        }
        add();
    }

    // Interpolates between opening and ending by the number of pieces left; adds the packed parts
    // in `sum`.
    int mixed(const PositionOf<Bits>& p, std::int64_t sum, int opening, int ending) const {
        const auto low = static_cast<std::int32_t>(sum & 0xffffffff);
        ending += low;
        opening += static_cast<std::int32_t>((sum - low) >> 32);
        const int full = weights_->full_board();
        const int pieces = count(p.occupied());
        const int left = pieces < full ? pieces : full;
        return per_parts(std::int64_t{opening} * left + std::int64_t{ending} * (full - left));
    }

    // Divides by full board times parts without a division instruction; exact where the number
    // times the divisor is below 2^38.
    int per_parts(std::int64_t n) const {
        const std::int64_t sign = n >> 63;
        const auto size = static_cast<std::uint64_t>((n ^ sign) - sign);
        const auto quotient = static_cast<std::int64_t>(size * inverse_ >> kInverseBits);
        return static_cast<int>((quotient ^ sign) - sign);
    }

    static std::int64_t packed_pair(const Weights::Pair& pair) {
        return std::int64_t{pair.opening} * (std::int64_t{1} << 32) + pair.ending;
    }

    const Patterns patterns_;
    const std::shared_ptr<const Weights> weights_;
    const std::unique_ptr<const NetworkOf<Bits>> net_;
    const AccumulatorsOf<Bits> accumulators_;
    static constexpr int kInverseBits = 38;

    std::array<std::int64_t, kTraits> traits_;
    std::uint64_t inverse_ = 0;
    std::size_t regions_ = 0;  // per view, of two views
    std::vector<const Weights::Packed*> tables_;
};

}  // namespace damka
