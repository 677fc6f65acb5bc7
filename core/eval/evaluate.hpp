// Static evaluation of a quiet position, for any rules.
//
// In hundredths of a man, from the side to move. All differences between games are derived from the
// rules' parameters when an evaluation is constructed: the value of a king from its range, its
// landing squares, its capture lines and whether men may capture it; piece-square values from the
// shape of the board. The terms:
//
//   material     men and kings;
//   places       one table per side for men and one for kings, with a value for the opening and one
//                for the ending, mixed by the number of men left: advancement, the centre, the
//                guard of the back row; a king's control of the middle or of the main road;
//   formation    men that support each other; balance of the wings;
//   endings      the score is adjusted to how often such endings are won (endings.hpp);
//   progress     in a won ending: trades, and a lone king confined and kept off its safe squares;
//   draws        an advantage is scaled down close to a draw by a counting rule.
//
// Where the aim is to lose all pieces, men count against their side, mobility counts for it, and
// the other terms are omitted. Where the first king wins, men that cannot be stopped count as well
// (race.hpp).
//
// Weights learned from games (weights.hpp) replace material, places and formation. The terms about
// endings and draws stay.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "eval/endings.hpp"
#include "eval/margins.hpp"
#include "eval/race.hpp"
#include "eval/weights.hpp"
#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

template <class Bits>
class EvaluationOf {
   public:
    using Position = PositionOf<Bits>;

    // `weights` must be for such a board; null selects the general evaluation.
    explicit EvaluationOf(const Rules& rules, std::shared_ptr<const Weights> weights = nullptr)
        : map_(rules),
          race_(map_),
          endings_(Endings::of(rules)),
          objective_(rules.objective),
          near_(map_.per_row),
          flying_(rules.flying_kings),
          plain_steps_(!map_.all) {
        king_ = king_value(rules);
        start_men_ = std::max(2, 2 * rules.rows * map_.per_row);
        fill_place_values();
        if (weights) {
            learned_ = std::make_unique<LearnedOf<Bits>>(rules, map_, std::move(weights));
        }
    }
    EvaluationOf(const EvaluationOf&) = delete;  // race_ and learned_ store references to it
    EvaluationOf& operator=(const EvaluationOf&) = delete;

    // The value of `p` if the side to move has no capture. A draw by a counting rule is `remaining`
    // plies away.
    int operator()(const Position& p, int remaining) const {
        Accumulator accumulator;
        if (learned_) learned_->accumulators().refresh(p, accumulator);
        return (*this)(p, remaining, accumulator);
    }

    // The same with the accumulator of `p`, if `has_accumulator()`.
    [[gnu::always_inline]] int operator()(const Position& p, int remaining,
                                          const Accumulator& accumulator) const {
        int score = learned_ ? (*learned_)(p, accumulator) : general(p);
        if (p.kings[0] && p.kings[1]) score = ending_score(p, score);
        if (remaining < kNearDraw) {
            score = score * (remaining + 4) / (kNearDraw + 4);
        }
        // Branchless: the side to move is unpredictable.
        const int black = -static_cast<int>(p.turn == Side::black);
        return (score ^ black) - black;
    }

    // Whether it needs an accumulator.
    bool has_accumulator() const { return learned_ != nullptr; }
    const AccumulatorsOf<Bits>& accumulators() const { return learned_->accumulators(); }

    // The search margins tuned for this evaluation.
    Margins margins() const { return learned_ ? learned_->margins() : Margins{}; }

    // Distinguishes entries of different weights in one transposition table; 0 without weights.
    std::uint64_t salt() const { return learned_ ? learned_->hash() : 0; }

    // Whether neither side can be expected to win: kings on both sides, few pieces, and such
    // endings are commonly drawn. Short kings may take too long for a proof while men are left.
    bool drawish(const Position& p) const {
        if (!flying_ && (p.men[0] | p.men[1]) && count(p.occupied()) > kShortDraws) return false;
        const Endings::Ending* ending = ending_of(p);
        return ending && ending->decided() <= kDrawish;
    }

    // Whether weights can be fitted to the result of `p`: not where the score is adjusted.
    bool fits(const Position& p) const { return !ending_of(p); }

    // Whether a piece of the side to move, other than those on `still`, can step to an empty square
    // (ignoring captures).
    [[gnu::always_inline]] bool can_step(const Position& p, Bits still = Bits{0}) const {
        const Bits empty = map_.board ^ p.occupied();
        const Bits kings = p.kings[index(p.turn)] & ~still;
        const Bits men = p.men[index(p.turn)];
        // Branchless: the side to move is unpredictable.
        const Bits black = Bits{0} - Bits{index(p.turn)};
        const Bits up = kings | (men & ~black);
        const Bits down = kings | (men & black);
        if (plain_steps_) {
            return (((up >> near_) | (up >> (near_ + 1)) | (down << near_) |
                     (down << (near_ + 1))) &
                    empty) != 0;
        }
        Bits reached{0};
        for (const auto& step : map_.moves) {
            // All pieces that can step may step sideways.
            reached |= step.of(step.rows < 0 ? up : step.rows > 0 ? down : up | down);
        }
        return (reached & empty) != 0;
    }

    const BoardMap<Bits>& map() const { return map_; }
    // Within this many plies of a draw by a counting rule the evaluation is scaled down, and the
    // search distinguishes positions by their counters.
    static constexpr int kNearDraw = 16;

   private:
    static constexpr int kMan = 100;
    // In percent: at most so many endings are decided, and at least so many more won than lost.
    static constexpr int kDrawish = 40;
    static constexpr int kHunt = 50;
    static constexpr int kTrade = 10;      // per piece off the board
    static constexpr int kShortDraws = 5;  // pieces
    static constexpr int kFreedom = 4;     // per extra step, where the aim is to lose
    static constexpr std::size_t kBytes = sizeof(Bits) == 8 ? 8 : 10;  // 77 bits and fewer

    // Two values in one integer: the opening's in the high half, the ending's in the low.
    using Pair = std::int32_t;
    static constexpr Pair pair(int first, int last) { return first * 65536 + last; }
    static constexpr int opening(Pair p) { return (p + 0x8000) >> 16; }
    static constexpr int ending(Pair p) { return static_cast<std::int16_t>(p & 0xffff); }

    // The value for White without learned weights.
    [[gnu::noinline]] int general(const Position& p) const {
        const Pair sum = places(p);
        const int men = count(p.men[0] | p.men[1]);
        const int late = std::max(0, start_men_ - men);
        const int score = (opening(sum) * (start_men_ - late) + ending(sum) * late) / start_men_;
        switch (objective_) {
            case Objective::losing:
                return score + kFreedom * (steps(p, Side::white) - steps(p, Side::black));
            case Objective::breakthrough:
                return score + formation(p.men[0]) - formation(p.men[1]) + race_(p);
            default: return score + formation(p.men[0]) - formation(p.men[1]);
        }
    }

    static bool captures_on_all_lines(const Rules& rules) {
        return (rules.capture_lines & kDiagonal) && (rules.capture_lines & kOrthogonal);
    }

    int king_value(const Rules& rules) const {
        if (objective_ == Objective::losing) {
            // A short king counts against its side; a flying one can sacrifice itself anywhere.
            return rules.flying_kings ? 50 : -150;
        }
        if (!rules.flying_kings) {
            return rules.men_take_kings ? 165 : 210;
        }
        if (map_.all || captures_on_all_lines(rules)) {
            return 400;
        }
        return rules.land_adjacent ? 260 : 300;
    }

    [[gnu::always_inline]] Pair places(const Position& p) const {
        // On a small board the last bytes of a word are empty.
        if (kBytes == 8 && map_.bits <= 40) {
            return places<5>(p);
        }
        if (kBytes == 8 && map_.bits <= 56) {
            return places<7>(p);
        }
        return places<kBytes>(p);
    }

    template <std::size_t kUsed>
    [[gnu::always_inline]] Pair places(const Position& p) const {
        Pair sum = 0;
        for (std::size_t byte = 0; byte < kUsed; ++byte) {
            const auto at = [byte](Bits b) {
                return static_cast<std::size_t>(b >> (8 * byte) & 0xff);
            };
            sum += places_[0][byte][at(p.men[0])] - places_[1][byte][at(p.men[1])];
        }
        if (!(p.kings[0] | p.kings[1])) return sum;
        for (std::size_t byte = 0; byte < kUsed; ++byte) {
            const auto at = [byte](Bits b) {
                return static_cast<std::size_t>(b >> (8 * byte) & 0xff);
            };
            sum += places_[2][byte][at(p.kings[0])] - places_[3][byte][at(p.kings[1])];
        }
        return sum;
    }

    // `row` counts from the man's own back row.
    Pair man_place(int row, int column) const {
        switch (objective_) {
            case Objective::losing: return pair(-kMan, -kMan);
            case Objective::breakthrough: return racing_place(row, column);
            default: return fighting_place(row, column);
        }
    }

    Pair fighting_place(int row, int column) const {
        const int last = map_.height - 1;
        const int side = map_.width - 1;
        const int from_middle = std::abs(2 * column - side);  // `side` at the edge
        int first = -2 * row;  // early on, an advanced man is a target
        int late = 4 * row;
        if (row == 0) {
            first += 11;
            late += 2;
        } else {
            first += 4 - 8 * from_middle / side;
            late += 2 - 4 * from_middle / side;
        }
        if (row == last - 1) {
            late += flying_ ? 30 : 12;
        } else if (row == last - 2) {
            late += flying_ ? 12 : 5;
        }
        return pair(kMan + first, kMan + late);
    }

    // Advanced men are worth more, and men on the back row guard it.
    Pair racing_place(int row, int column) const {
        const int side = map_.width - 1;
        const int from_middle = std::abs(2 * column - side);
        const int guard = row == 0 ? 20 : 0;
        const int value = kMan + row * row + guard + 4 - 8 * from_middle / side;
        return pair(value, value + 2 * row * row);
    }

    Pair king_place(int row, int column) const {
        if (objective_ == Objective::losing) {
            return pair(king_, king_);
        }
        int value = 8 - 16 * out(row, column) / scale();
        // The main road is the same from either side.
        if (flying_ && !map_.all && map_.width == map_.height && row + column == map_.width - 1) {
            value += 14;
        }
        return pair(king_ + value, king_ + value);
    }

    // Distance from the middle, up to `scale()` at the edge.
    int scale() const { return std::max(map_.width, map_.height) - 1; }

    int out(int row, int column) const {
        const int across = map_.width - 1;
        const int along = map_.height - 1;
        return std::max(std::abs(2 * column - across) * scale() / across,
                        std::abs(2 * row - along) * scale() / along);
    }

    void fill_place_values() {
        for (std::size_t byte = 0; byte < kBytes; ++byte) {
            for (std::size_t bits = 1; bits < 256; ++bits) {
                const auto low = static_cast<std::size_t>(lowest(std::uint64_t{bits}));
                const std::size_t bit = 8 * byte + low;
                const std::size_t rest = bits & (bits - 1);
                for (std::size_t table = 0; table < 4; ++table) {
                    places_[table][byte][bits] = places_[table][byte][rest];
                }
                if (!(map_.board >> bit & 1)) {
                    continue;
                }
                const int row = map_.row[bit];
                const int column = map_.column[bit];
                // A half-turn of the board maps Black's men to White's.
                const int across = map_.width - 1 - column;
                const int up = map_.height - 1 - row;
                places_[0][byte][bits] += man_place(up, column);
                places_[1][byte][bits] += man_place(row, across);
                places_[2][byte][bits] += king_place(row, column);
                places_[3][byte][bits] += king_place(up, across);
            }
        }
    }

    // The number of steps of a side's pieces to neighbouring squares.
    int steps(const Position& p, Side side) const {
        const Bits empty = map_.board & ~p.occupied();
        const Bits kings = p.kings[index(side)];
        int n = 0;
        for (const auto& step : map_.moves) {
            const bool back = side == Side::white ? step.rows > 0 : step.rows < 0;
            n += count(step.of(back ? kings : kings | p.men[index(side)]) & empty);
        }
        return n;
    }

    int formation(Bits men) const {
        int chains = 0;
        if (plain_steps_) {
            chains = count(men & (men << near_)) + count(men & (men << (near_ + 1)));
        } else {
            for (const auto& step : map_.behind) chains += count(men & step.of(men));
        }
        const int skew = std::abs(count(men & map_.left) - count(men & ~map_.left));
        return 2 * chains - 2 * skew;
    }

    // How such endings end, if both sides have a king and few pieces are left; otherwise null.
    const Endings::Ending* ending_of(const Position& p) const {
        if (!endings_ || !p.kings[0] || !p.kings[1]) return nullptr;
        if (count(p.occupied()) > Endings::kPieces) return nullptr;
        const auto force = [&](unsigned side) {
            return Endings::Force{count(p.kings[side]), count(p.men[side])};
        };
        const int road = static_cast<int>((p.kings[0] & map_.road) != 0) -
                         static_cast<int>((p.kings[1] & map_.road) != 0);
        return &(*endings_)(force(0), force(1), road);
    }

    [[gnu::noinline]] int ending_score(const Position& p, int score) const {
        const Endings::Ending* ending = ending_of(p);
        if (!ending) return score;
        score = ending->adjust(score);
        if (std::abs(ending->balance()) < kHunt) return score;
        // Progress in a won ending: trades, and a lone king confined.
        const Side ahead = ending->balance() > 0 ? Side::white : Side::black;
        const Bits prey = p.kings[index(other(ahead))];
        int progress = kTrade * (Endings::kPieces - count(p.occupied()));
        if (p.pieces(other(ahead)) == prey && count(prey) == 1) {
            progress += hunt(p.kings[index(ahead)], lowest(prey));
        }
        return score + (ahead == Side::white ? progress : -progress);
    }

    // Bonus for confining the lone king on `prey`.
    int hunt(Bits kings, int prey) const {
        const int row = map_.row[static_cast<std::size_t>(prey)];
        const int column = map_.column[static_cast<std::size_t>(prey)];
        int value = 4 * out(row, column);
        if (flying_) {
            value -= !map_.all && (map_.road >> prey & 1) ? 40 : 0;
        } else if (!map_.all) {
            // The double corners, where a king can shuttle.
            const int corner = std::min(row + column, map_.height + map_.width - 2 - row - column);
            value -= corner <= 1 ? 30 : 0;
        }
        for_each(kings, [&](int bit) {
            const auto at = static_cast<std::size_t>(bit);
            value -= 4 * std::max(std::abs(map_.row[at] - row), std::abs(map_.column[at] - column));
        });
        return 80 + value;
    }

    const BoardMap<Bits> map_;
    const Race<Bits> race_;
    const std::unique_ptr<const Endings> endings_;
    std::unique_ptr<const LearnedOf<Bits>> learned_;
    Objective objective_;
    int near_;
    bool flying_;
    bool plain_steps_;  // two shifts forward and two back, the same for every row
    int king_ = 0;
    int start_men_ = 24;
    std::array<std::array<std::array<Pair, 256>, kBytes>, 4> places_{};
};

using Evaluation = EvaluationOf<std::uint64_t>;

}  // namespace damka
