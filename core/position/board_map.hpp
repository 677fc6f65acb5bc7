// Board geometry for the evaluation: row and column of every square, and the steps between squares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// Folds a word into 64 bits: hashed where it is wider.
template <class Bits>
constexpr std::uint64_t folded(Bits b) noexcept {
    if constexpr (sizeof(Bits) == 8) {
        return b;
    } else {
        return static_cast<std::uint64_t>(b) ^ zobrist::mix(static_cast<std::uint64_t>(b >> 64));
    }
}

// Calls f with a zero of the word type that a board of these rules needs; returns f's result.
template <class F>
decltype(auto) with_word(const Rules& rules, F&& f) {
    if (rules.width == 12) return f(Wide{0});
    return f(std::uint64_t{0});
}

template <class Bits>
struct BoardMap {
    // One entry per bit of a word, including ghosts.
    static constexpr std::size_t kPlaces = 8 * sizeof(Bits);

    // A step to a neighbouring square.
    struct Step {
        int rows;   // downwards
        int by;     // distance in bits
        Bits from;  // squares from which it stays on the board

        constexpr Bits of(Bits b) const noexcept {
            return by >= 0 ? (b & from) << by : (b & from) >> -by;
        }
    };

    int width = 0;  // in cells, as is the height
    int height = 0;
    int per_row = 0;  // playing squares
    bool all = false;
    int nearby = 0;  // largest bit distance between squares considered near
    int bits = 0;    // bits of a word in use, ghosts included
    Bits board{0};
    Bits road{0};  // the main road: a diagonal that joins two corners
    Bits left{0};  // one wing
    std::array<std::int8_t, kPlaces> row{};
    std::array<std::int8_t, kPlaces> column{};
    std::vector<Step> moves;   // quiet king steps
    std::vector<Step> behind;  // to the squares whose men support a man from behind, and to one
                               // side

    explicit BoardMap(const Rules& rules)
        : width(rules.width),
          height(rules.height),
          per_row(rules.all_squares ? width : width / 2),
          all(rules.all_squares),
          nearby(all ? 4 * width : 2 * (width + 1)) {
        Rules plain = rules;
        plain.dark_left = true;  // the mirror image has the same value
        const Layout& layout = layout_of(plain);
        bits = layout.bit(layout.squares) + 1;
        for (int square = 1; square <= layout.squares; ++square) {
            const int r = (square - 1) / per_row;
            const int i = (square - 1) % per_row;
            place(layout.bit(square), r, all ? i : 2 * i + (height - 1 - r) % 2);
        }
        for (const auto& [rows, columns] : directions(rules)) {
            moves.push_back(step(layout, rows, columns));
        }
        if (all) {
            behind = {step(layout, 1, 0), step(layout, 0, 1)};
        } else {
            behind = {step(layout, 1, -1), step(layout, 1, 1)};
        }
    }

   private:
    struct Direction {
        int rows;
        int columns;
    };

    void place(int bit, int r, int c) {
        const auto at = static_cast<std::size_t>(bit);
        row[at] = static_cast<std::int8_t>(r);
        column[at] = static_cast<std::int8_t>(c);
        const Bits one = Bits{1} << bit;
        board |= one;
        if (width == height && (r == c || r + c == width - 1)) road |= one;
        if (c < width / 2) left |= one;
    }

    static std::vector<Direction> directions(const Rules& rules) {
        std::vector<Direction> all;
        if (rules.move_lines & kDiagonal) all = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
        if (rules.move_lines & kOrthogonal) {
            for (const Direction& d : {Direction{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) all.push_back(d);
        }
        return all;
    }

    Step step(const Layout& layout, int rows, int columns) const {
        Step found{rows, 0, Bits{0}};
        for (int from = 1; from <= layout.squares; ++from) {
            for (int to = 1; to <= layout.squares; ++to) {
                const auto a = static_cast<std::size_t>(layout.bit(from));
                const auto b = static_cast<std::size_t>(layout.bit(to));
                if (row[b] - row[a] != rows || column[b] - column[a] != columns) continue;
                // The bit distance is the same from every square.
                found.by = layout.bit(to) - layout.bit(from);
                found.from |= Bits{1} << layout.bit(from);
            }
        }
        return found;
    }
};

}  // namespace damka
