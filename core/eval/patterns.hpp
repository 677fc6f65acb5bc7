// The features of a learned evaluation: patterns of men, and a few traits.
//
// Overlapping regions of 12 squares cover the board: four rows by three squares with pieces on one
// colour, three by four with pieces on all squares. The contents of a region (nothing, an own man
// or an enemy man on each square; kings count as nothing) are one of 3^12 states, read as a base-3
// number from the first square of the top row. A position is seen from both sides: Black's view is
// the board rotated by a half-turn with the colours exchanged. The evaluation must be
// antisymmetric, so regions that a half-turn maps to each other share a table, and so does the
// mirror image on boards with pieces on all squares.
//
// The states of all regions of a view are computed together: a table of 2^n entries maps a row's
// men to a word with one lane per starting column, and rows are combined by multiplying whole
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "eval/race.hpp"
#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// Features beside the patterns, each White's value minus Black's.
enum class Trait : std::uint8_t {
    men,
    kings,
    crowned,     // has at least one king
    steps,       // steps of men
    king_steps,  // squares that kings can reach
    skew,        // difference in men between the wings
    turn,        // is to move
    opposition,  // would make the last move if every piece could step freely
    race,        // value of a race for the first king in hundredths of a man (race.hpp)
};
inline constexpr std::size_t kTraits = 9;
inline constexpr const char* kTraitNames[kTraits] = {
    "men", "kings", "crowned", "steps", "king_steps", "skew", "turn", "opposition", "race"};

// The division of a board into regions.
struct Regions {
    struct Region {
        std::size_t row;   // its top row
        std::size_t lane;  // index of its first column in `lanes`
    };

    static constexpr std::size_t kMaxLanes = 2;
    static constexpr std::size_t kMaxViews = 4;
    static constexpr std::size_t kMax = 8;  // bound on regions with their own table

    std::size_t height = 0;   // of the board, in rows
    std::size_t per_row = 0;  // its playing squares
    std::size_t rows = 0;     // of a region
    std::size_t columns = 0;
    std::size_t views = 2;           // White's and Black's, then their mirror images
    std::vector<std::size_t> lanes;  // the first columns of regions
    std::vector<Region> regions;     // those with their own table
    std::uint32_t row_states = 1;    // 3^columns
    std::uint32_t states = 1;        // 3^(rows * columns)

    // The number of indices of a position: one per region and view.
    std::size_t indices() const { return views * regions.size(); }

    static Regions of(const Rules& rules) {
        Regions r;
        r.height = static_cast<std::size_t>(rules.height);
        r.per_row = static_cast<std::size_t>(rules.all_squares ? rules.width : rules.width / 2);
        r.rows = rules.all_squares ? 3 : 4;
        r.columns = rules.all_squares ? 4 : 3;
        r.views = rules.all_squares ? 4 : 2;
        for (std::size_t i = 0; i < r.columns; ++i) r.row_states *= 3;
        for (std::size_t i = 0; i < r.rows; ++i) r.states *= r.row_states;
        const std::size_t last_row = r.height - r.rows;
        const std::size_t last_column = r.per_row - r.columns;
        for (const std::size_t row : starts(last_row)) {
            for (const std::size_t column : starts(last_column)) {
                // Keep only the first of the regions related by symmetry.
                const std::size_t turned = last_row - row;
                const bool mirrored = r.views == 4 && last_column - column < column;
                if (turned < row || mirrored) continue;
                if (turned == row && last_column - column < column) continue;
                auto lane = std::find(r.lanes.begin(), r.lanes.end(), column);
                if (lane == r.lanes.end()) lane = r.lanes.insert(lane, column);
                r.regions.push_back({row, static_cast<std::size_t>(lane - r.lanes.begin())});
            }
        }
        return r;
    }

   private:
    // Every other index from 0 to `last`, symmetrically.
    static std::vector<std::size_t> starts(std::size_t last) {
        std::vector<std::size_t> all;
        for (std::size_t at = 0; at <= last; ++at) {
            if ((2 * at < last ? at : last - at) % 2 == 0) all.push_back(at);
        }
        return all;
    }
};

template <class Bits>
class PatternsOf {
   public:
    using Position = PositionOf<Bits>;
    // One spare element, because regions are computed in pairs.
    using Indices = std::array<std::uint32_t, Regions::kMax * Regions::kMaxViews + 1>;
    using Traits = std::array<int, kTraits>;

    PatternsOf(const Rules& rules, const BoardMap<Bits>& map)
        : regions_(Regions::of(rules)),
          map_(map),
          race_(map),
          racing_(rules.objective == Objective::breakthrough),
          flying_(rules.flying_kings) {
        for (std::size_t row = 0; row < regions_.height; ++row) {
            const std::size_t first = row * regions_.per_row;
            // Squares to bits as in geometry.hpp.
            const std::size_t ghosts = map.all ? 0 : row / 2;
            shift_[row] = static_cast<int>(first + ghosts);
            if (row % 2) odd_rows_ |= ((Bits{1} << regions_.per_row) - 1) << shift_[row];
        }
        // Regions with their own table start on every other row, with one lane or two.
        for (const Region& region : regions_.regions) ++lanes_[region.row / 2];
        fill_codes();
    }

    const Regions& regions() const { return regions_; }

    // The states of the regions, view after view, table after table. Black's views (the odd ones)
    // count against White.
    [[gnu::always_inline]] void indices(const Position& p, Indices& out) const {
        if constexpr (sizeof(Bits) > 8) {
            refresh<Cut{2, 4, 8, 6, 12}>(p, out);
        } else if (regions_.views == 4) {
            refresh<Cut{4, 3, 5, 8, 8}>(p, out);
        } else if (regions_.height == 10) {
            refresh<Cut{2, 4, 6, 5, 10}>(p, out);
        } else if (regions_.height == 6) {
            refresh<Cut{2, 4, 4, 3, 6}>(p, out);
        } else if (regions_.per_row == 4) {
            refresh<Cut{2, 4, 6, 4, 8}>(p, out);
        } else {
            refresh<Cut{2, 4, 6, 5, 8}>(p, out);
        }
    }

    void traits(const Position& p, Traits& out) const {
        out.fill(0);
        for_traits(p,
                   [&](Trait trait, int value) { out[static_cast<std::size_t>(trait)] = value; });
    }

    // Calls f(trait, value) for every trait that may be non-zero.
    template <class F>
    [[gnu::always_inline]] void for_traits(const Position& p, F&& f) const {
        const Bits empty = map_.board ^ p.occupied();
        const int white = count(p.men[0]), black = count(p.men[1]);
        f(Trait::men, white - black);
        f(Trait::steps, men_steps(p, empty));
        f(Trait::skew, skew(p.men[0], white) - skew(p.men[1], black));
        f(Trait::turn, p.turn == Side::white ? 1 : -1);
        f(Trait::opposition, opposition(p));
        if (p.kings[0] | p.kings[1]) {
            f(Trait::kings, count(p.kings[0]) - count(p.kings[1]));
            f(Trait::crowned, (p.kings[0] != 0) - (p.kings[1] != 0));
            f(Trait::king_steps, king_steps(p.kings[0], empty) - king_steps(p.kings[1], empty));
        }
        if (racing_) f(Trait::race, race_(p));
    }

    // The index of a square, counted from the top left of a side's view. Mirror images that share a
    // value have the lower of their two indices.
    std::size_t square(int bit, Side side) const {
        const auto b = static_cast<std::size_t>(bit);
        const auto from_top = static_cast<std::size_t>(map_.row[b]);
        const auto from_left = static_cast<std::size_t>(bit - shift_[from_top]);
        const bool turned = side == Side::black;
        const std::size_t row = turned ? regions_.height - 1 - from_top : from_top;
        std::size_t column = turned ? regions_.per_row - 1 - from_left : from_left;
        if (regions_.views == 4) column = std::min(column, regions_.per_row - 1 - column);
        return row * regions_.per_row + column;
    }

    std::size_t squares() const { return regions_.height * regions_.per_row; }

   private:
    using Region = Regions::Region;
    // One lane of 32 bits for each of two columns.
    using Lanes = std::uint64_t;

    void fill_codes() {
        const std::size_t n = regions_.per_row;
        for (std::size_t row = 0; row < codes_[0].size(); ++row) {
            for (const std::size_t mirrored : {0u, 1u}) {
                Lanes sum = 0;
                for (std::size_t lane = 0; lane < regions_.lanes.size(); ++lane) {
                    Lanes code = 0;
                    for (std::size_t i = 0; i < regions_.columns; ++i) {
                        const std::size_t column = regions_.lanes[lane] + i;
                        const std::size_t bit = mirrored ? n - 1 - column : column;
                        code = 3 * code + (row >> bit & 1);
                    }
                    sum |= code << (32 * lane);
                }
                codes_[mirrored][row] = sum;
            }
        }
    }

    // Dimensions of a board as compile-time constants, named as in Regions. Only the first `used`
    // rows of a view belong to regions.
    struct Cut {
        std::size_t views, rows, used, per_row, height;
    };

    template <Cut kCut>
    [[gnu::always_inline]] void refresh(const Position& p, Indices& out) const {
        constexpr std::size_t kViews = kCut.views, kRows = kCut.rows, kUsed = kCut.used;
        constexpr Lanes kStates = kRows == 4 ? 27 : 81;  // of a row: 3^columns
        constexpr std::size_t kMask = (std::size_t{1} << kCut.per_row) - 1;
        constexpr std::size_t last = kCut.height - 1;
        std::array<std::array<Lanes, kUsed>, kViews> rows;
#pragma GCC unroll 8
        for (std::size_t row = 0; row < kUsed; ++row) {
            const auto cut = [&](Bits b, std::size_t r) {
                const std::size_t ghosts = kViews == 4 ? 0 : r / 2;
                return static_cast<std::size_t>(b >> (r * kCut.per_row + ghosts)) & kMask;
            };
            const std::size_t white = cut(p.men[0], row), black = cut(p.men[1], row);
            const std::size_t far_white = cut(p.men[0], last - row);
            const std::size_t far_black = cut(p.men[1], last - row);
            rows[0][row] = codes_[0][white] + 2 * codes_[0][black];
            rows[1][row] = codes_[1][far_black] + 2 * codes_[1][far_white];
            if constexpr (kViews == 4) {
                rows[2][row] = codes_[1][white] + 2 * codes_[1][black];
                rows[3][row] = codes_[0][far_black] + 2 * codes_[0][far_white];
            }
        }
        std::size_t n = 0;
#pragma GCC unroll 4
        for (std::size_t view = 0; view < kViews; ++view) {
#pragma GCC unroll 3
            for (std::size_t start = 0; start <= kUsed - kRows; start += 2) {
                const Lanes* row = &rows[view][start];
                Lanes state = row[0];
                for (std::size_t i = 1; i < kRows; ++i) state = state * kStates + row[i];
                out[n] = static_cast<std::uint32_t>(state);
                out[n + 1] = static_cast<std::uint32_t>(state >> 32);
                n += lanes_[start / 2];
            }
        }
    }

    int men_steps(const Position& p, Bits empty) const {
        // Shifts by compile-time constants are faster.
        if (!map_.all) {
            if (map_.per_row == 5) return diagonal_steps<5>(p, empty);
            if (map_.per_row == 4) return diagonal_steps<4>(p, empty);
            return map_.per_row == 6 ? diagonal_steps<6>(p, empty) : diagonal_steps<3>(p, empty);
        }
        int n = 0;
        for (const auto& step : map_.moves) {
            if (step.rows <= 0) n += count(step.of(p.men[0]) & empty);
            if (step.rows >= 0) n -= count(step.of(p.men[1]) & empty);
        }
        return n;
    }

    template <int kNear>
    static int diagonal_steps(const Position& p, Bits empty) {
        const Bits white = p.men[0], black = p.men[1];
        return count((white >> kNear) & empty) + count((white >> (kNear + 1)) & empty) -
               count((black << kNear) & empty) - count((black << (kNear + 1)) & empty);
    }

    int king_steps(Bits kings, Bits empty) const {
        if (!kings) return 0;
        int n = 0;
        for (const auto& step : map_.moves) {
            Bits reached = step.of(kings) & empty;
            n += count(reached);
            while (flying_ && (reached = step.of(reached) & empty)) n += count(reached);
        }
        return n;
    }

    // A step changes its piece's row by one and the side to move, so only captures change their
    // combined parity. With an odd number of pieces the parity is the same for both sides.
    int opposition(const Position& p) const {
        const Bits pieces = p.occupied();
        const int odd = count(pieces & odd_rows_) + (p.turn == Side::white ? 0 : 1);
        // Branchless, since it is unpredictable.
        return (2 * (odd & 1) - 1) & ((count(pieces) & 1) - 1);
    }

    // `all`: the number of men.
    int skew(Bits men, int all) const { return std::abs(2 * count(men & map_.left) - all); }

    static constexpr std::size_t kMaxRows = 12;

    const Regions regions_;
    const BoardMap<Bits>& map_;
    const Race<Bits> race_;
    const bool racing_;
    const bool flying_;
    std::array<std::size_t, 3> lanes_{};  // regions that start on row 0, 2 and 4
    Bits odd_rows_{0};
    std::array<int, kMaxRows> shift_{};
    std::array<std::array<Lanes, 256>, 2> codes_{};  // plain, mirrored; by a row's men
};

}  // namespace damka
