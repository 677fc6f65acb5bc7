// The evaluation, version 1: what a quiet position is worth, for any rules.
//
// In hundredths of a man, as the side to move sees it. Everything that differs between games is
// derived from the rules' own parameters when an Evaluation is made: the worth of a king from how
// far it goes, where it may land and whether men may take it; the worth of a place from the shape
// of the board. The terms:
//
//   material     men and kings;
//   places       one table a side for men and one for kings, with a value for the opening and one
//                for the ending, mixed by the number of men left: advancement, the centre, the
//                guard of the back row; a king's control of the middle or of the main road;
//   formation    men that stand behind one another; men spread evenly over both wings;
//   hunting      a lone king is driven: come near it, keep it from where it is safe;
//   drawishness  an advantage counts a fraction where experience says that it does not win;
//   no progress  an advantage melts as the rules' count without progress nears its limit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "geometry.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

class Evaluation {
public:
    explicit Evaluation(const Rules& rules)
        : near_(rules.width / 2), size_(rules.width), flying_(rules.flying_kings) {
        Rules plain = rules;
        plain.dark_left = true;  // the mirror image is worth the same
        const Layout& layout = layout_of(plain);
        for (int square = 1; square <= layout.squares; ++square) {
            const auto bit = static_cast<std::size_t>(layout.bit(square));
            const int row = (square - 1) / near_;
            const int column = 2 * ((square - 1) % near_) + (size_ - 1 - row) % 2;
            row_[bit] = static_cast<std::int8_t>(row);
            column_[bit] = static_cast<std::int8_t>(column);
            board_ |= std::uint64_t{1} << bit;
            if (row + column == size_ - 1) {
                road_ |= std::uint64_t{1} << bit;
            }
            if (column < size_ / 2) {
                left_ |= std::uint64_t{1} << bit;
            }
        }
        hunters_ = !flying_ ? 2 : rules.land_adjacent ? 3 : size_ > 8 ? 4 : 3;
        king_ = worth_of_king(rules);
        start_men_ = std::max(2, rules.rows * rules.width);
        fill_places();
    }

    // The value of `p` when the side to move has no capture to make. `remaining` plies are left
    // before the count without progress makes a draw.
    int operator()(const Position& p, int remaining) const {
        Pair sum = 0;
        for (std::size_t byte = 0; byte < kBytes; ++byte) {
            const auto at = [byte](std::uint64_t b) {
                return static_cast<std::size_t>(b >> (8 * byte) & 0xff);
            };
            sum += places_[0][byte][at(p.men[0])] - places_[1][byte][at(p.men[1])];
            sum += places_[2][byte][at(p.kings[0])] - places_[3][byte][at(p.kings[1])];
        }
        const int men = count(p.men[0] | p.men[1]);
        const int late = std::max(0, start_men_ - men);
        int score = (opening(sum) * (start_men_ - late) + ending(sum) * late) / start_men_;
        score += formation(p.men[0]) - formation(p.men[1]);

        const bool white_ahead = score >= 0;
        const Side ahead = white_ahead ? Side::white : Side::black;
        // Nobody is ahead at 0, and the mirror image must score the same.
        if (score != 0 && (p.kings[0] | p.kings[1])) {
            score = ending_score(p, ahead, std::abs(score)) * (white_ahead ? 1 : -1);
        }
        if (remaining < kMelting) {
            score = score * (remaining + 4) / (kMelting + 4);
        }
        return p.turn == Side::white ? score : -score;
    }

    // By how much an advantage of `ahead` is to be divided; 1 where it is a real one.
    int divisor(const Position& p, Side ahead) const {
        const std::uint64_t own_men = p.men[index(ahead)];
        const int own = count(p.pieces(ahead));
        const int foe_kings = count(p.kings[index(other(ahead))]);
        const int foe = count(p.pieces(other(ahead)));
        if (foe_kings == 0) {
            return 1;
        }
        if (own_men == 0) {
            if (own <= foe) {
                return 8;
            }
            if (!flying_) {
                return 1;  // short kings win with one more, given time
            }
            if (own < hunters_ * foe_kings || foe_kings > 1) {
                return 8;
            }
            return hunters_ > 3 ? 4 : 1;
        }
        if (flying_ && own - foe < 2 && own + foe <= 8) {
            return 2;
        }
        return 1;
    }

    // Whether neither side can be expected to win: kings on both sides, or all but nothing left.
    bool drawish(const Position& p) const {
        const int white = count(p.pieces(Side::white));
        const int black = count(p.pieces(Side::black));
        const bool both_crowned = p.kings[0] != 0 && p.kings[1] != 0;
        if (!both_crowned || white + black > 8) {
            return false;
        }
        const Side ahead = white >= black ? Side::white : Side::black;
        return std::abs(white - black) <= (flying_ ? 1 : 0) || divisor(p, ahead) >= 4;
    }

    // Whether the side to move can step to an empty square (captures left aside).
    bool can_step(const Position& p) const {
        const std::uint64_t empty = board_ & ~p.occupied();
        const std::uint64_t kings = p.kings[index(p.turn)];
        const std::uint64_t up = p.turn == Side::white ? p.pieces(Side::white) : kings;
        const std::uint64_t down = p.turn == Side::black ? p.pieces(Side::black) : kings;
        return (((up >> near_) | (up >> (near_ + 1)) | (down << near_) | (down << (near_ + 1))) &
                empty) != 0;
    }

    int king() const { return king_; }
    static constexpr int man() { return kMan; }

    // The count without progress melts an advantage within so many plies of its limit; the search
    // keeps positions apart that differ by it there.
    static constexpr int kMelting = 16;

private:
    static constexpr int kMan = 100;
    static constexpr std::size_t kBytes = 7;  // 54 bits and fewer

    // Two values in one integer: the opening's in the high half, the ending's in the low.
    using Pair = std::int32_t;
    static constexpr Pair pair(int first, int last) { return first * 65536 + last; }
    static constexpr int opening(Pair p) { return (p + 0x8000) >> 16; }
    static constexpr int ending(Pair p) { return static_cast<std::int16_t>(p & 0xffff); }

    static int worth_of_king(const Rules& rules) {
        if (!rules.flying_kings) {
            return rules.men_take_kings ? 165 : 210;
        }
        return rules.land_adjacent ? 260 : 300;
    }

    Pair man_place(int row, int column) const {
        // `row` counts from the man's own back row.
        const int last = size_ - 1;
        const int from_middle = std::abs(2 * column - last);  // 1 in the middle, `last` at the edge
        int first = -2 * row;  // early on, a man that has gone far is a target
        int late = 4 * row;
        if (row == 0) {
            first += 11;
            late += 2;
        } else {
            first += 4 - 8 * from_middle / last;
            late += 2 - 4 * from_middle / last;
        }
        if (row == last - 1) {
            late += flying_ ? 30 : 12;
        } else if (row == last - 2) {
            late += flying_ ? 12 : 5;
        }
        return pair(kMan + first, kMan + late);
    }

    Pair king_place(int row, int column) const {
        const int last = size_ - 1;
        const int out =
            std::max(std::abs(2 * column - last), std::abs(2 * row - last));  // 1 … last
        int value = 8 - 16 * out / last;
        if (flying_ && row + column == last) {
            value += 14;
        }
        return pair(king_ + value, king_ + value);
    }

    void fill_places() {
        for (std::size_t byte = 0; byte < kBytes; ++byte) {
            for (std::size_t bits = 1; bits < 256; ++bits) {
                const auto low = static_cast<std::size_t>(lowest(bits));
                const std::size_t bit = 8 * byte + low;
                const std::size_t rest = bits & (bits - 1);
                for (std::size_t table = 0; table < 4; ++table) {
                    places_[table][byte][bits] = places_[table][byte][rest];
                }
                if (!(board_ >> bit & 1)) {
                    continue;
                }
                const int row = row_[bit];
                const int column = column_[bit];
                // Half a turn of the board makes Black's men walk as White's do.
                const int across = size_ - 1 - column;
                places_[0][byte][bits] += man_place(size_ - 1 - row, column);
                places_[1][byte][bits] += man_place(row, across);
                places_[2][byte][bits] += king_place(row, column);
                places_[3][byte][bits] += king_place(size_ - 1 - row, across);
            }
        }
    }

    int formation(std::uint64_t men) const {
        const int chains = count(men & (men << near_)) + count(men & (men << (near_ + 1)));
        const int skew = std::abs(count(men & left_) - count(men & ~left_));
        return 2 * chains - 2 * skew;
    }

    int ending_score(const Position& p, Side ahead, int score) const {
        const Side behind = other(ahead);
        const int by = divisor(p, ahead);
        if (by > 1) {
            return score / by;
        }
        const std::uint64_t prey = p.kings[index(behind)];
        if (p.men[index(behind)] == 0 && count(prey) == 1) {
            score += hunt(p.kings[index(ahead)], lowest(prey));
        }
        return score;
    }

    // How well `kings` have the lone king on `prey` in their power.
    int hunt(std::uint64_t kings, int prey) const {
        const int last = size_ - 1;
        const int row = row_[static_cast<std::size_t>(prey)];
        const int column = column_[static_cast<std::size_t>(prey)];
        int value = 4 * std::max(std::abs(2 * column - last), std::abs(2 * row - last));
        if (flying_) {
            value -= (road_ >> prey & 1) ? 40 : 0;
        } else {
            // The corners without a playing square of their own: there a king goes to and fro.
            const int corner = std::min(row + column, 2 * last - row - column);
            value -= corner <= 1 ? 30 : 0;
        }
        for_each(kings, [&](int bit) {
            const auto at = static_cast<std::size_t>(bit);
            value -= 4 * std::max(std::abs(row_[at] - row), std::abs(column_[at] - column));
        });
        return 80 + value;
    }

    int near_;
    int size_;
    bool flying_;
    int hunters_ = 2;
    int king_ = 0;
    int start_men_ = 24;
    std::uint64_t board_ = 0;
    std::uint64_t road_ = 0;  // the long diagonal with playing corners at both ends
    std::uint64_t left_ = 0;
    std::array<std::int8_t, 64> row_{};
    std::array<std::int8_t, 64> column_{};
    std::array<std::array<std::array<Pair, 256>, kBytes>, 4> places_{};
};

}  // namespace damka
