// A position: who stands where and who is to move. A plain value; making a move makes a copy.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "geometry.hpp"
#include "rules.hpp"

namespace damka {

namespace zobrist {

constexpr std::uint64_t mix(std::uint64_t n) noexcept {  // splitmix64
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

using Table = std::array<std::array<std::array<std::uint64_t, 128>, 2>, 2>;

constexpr Table make_table() noexcept {
    Table table{};
    std::uint64_t n = 0;
    for (auto& side : table) {
        for (auto& rank : side) {
            for (auto& key : rank) key = mix(++n * 0x2545f4914f6cdd1du);
        }
    }
    return table;
}

inline constexpr Table kPiece = make_table();
inline constexpr std::uint64_t kBlackToMove = mix(0x6b);

constexpr std::uint64_t piece(Side side, bool king, int bit) noexcept {
    return kPiece[index(side)][king ? 1 : 0][static_cast<unsigned>(bit)];
}

}  // namespace zobrist

// Squares outside are numbered from 1 at White's top-left, row by row; `Layout` is the one place
// that knows where they lie in a word.
struct Layout {
    int squares = 0;
    std::array<std::uint8_t, 73> bit_of{};      // by square, from 1
    std::array<std::uint8_t, 128> square_of{};  // by bit; 0 for a ghost

    template <class Shape>
    static constexpr Layout of(bool dark_left) noexcept {
        Layout layout;
        layout.squares = Shape::kSquares;
        for (int i = 0; i < Shape::kSquares; ++i) {
            const int row = i / Shape::kPerRow;
            const int column = i % Shape::kPerRow;
            const int there = dark_left ? i : row * Shape::kPerRow + Shape::kPerRow - 1 - column;
            const int bit = Shape::bit_of(there);
            layout.bit_of[static_cast<unsigned>(i + 1)] = static_cast<std::uint8_t>(bit);
            layout.square_of[static_cast<unsigned>(bit)] = static_cast<std::uint8_t>(i + 1);
        }
        return layout;
    }

    constexpr int bit(int square) const noexcept { return bit_of[static_cast<unsigned>(square)]; }
    constexpr int square(int bit) const noexcept { return square_of[static_cast<unsigned>(bit)]; }
};

inline const Layout& layout_of(const Rules& rules) noexcept {
    static constexpr Layout layouts[] = {Layout::of<Board8>(false), Layout::of<Board8>(true),
                                         Layout::of<Board10>(false), Layout::of<Board10>(true)};
    return layouts[(rules.width == 10 ? 2 : 0) + (rules.dark_left ? 1 : 0)];
}

template <class Bits>
struct PositionOf {
    std::array<Bits, 2> men;    // by side; men and kings are disjoint
    std::array<Bits, 2> kings;  // by side
    std::uint64_t key;          // hash of the pieces and the side to move
    Side turn;

    constexpr Bits pieces(Side s) const noexcept { return men[index(s)] | kings[index(s)]; }
    constexpr Bits occupied() const noexcept { return pieces(Side::white) | pieces(Side::black); }

    // The hash from scratch; moves keep `key` up to date by differences.
    constexpr std::uint64_t compute_key() const noexcept {
        std::uint64_t k = turn == Side::black ? zobrist::kBlackToMove : 0;
        for (const Side s : {Side::white, Side::black}) {
            for_each(men[index(s)], [&](int bit) { k ^= zobrist::piece(s, false, bit); });
            for_each(kings[index(s)], [&](int bit) { k ^= zobrist::piece(s, true, bit); });
        }
        return k;
    }

    friend constexpr bool operator==(const PositionOf& a, const PositionOf& b) noexcept {
        return a.men == b.men && a.kings == b.kings && a.turn == b.turn;
    }
};

using Position = PositionOf<std::uint64_t>;

constexpr Position empty_position(Side turn = Side::white) noexcept {
    Position p{{0, 0}, {0, 0}, 0, turn};
    p.key = p.compute_key();
    return p;
}

// Reads one character per square, square 1 first: w b men, W B kings, '.' empty. Returns false
// (and leaves `out` alone) when the length or a character is wrong.
inline bool read_pieces(const Layout& layout, std::string_view text, Side turn,
                        Position& out) noexcept {
    if (text.size() != static_cast<std::size_t>(layout.squares)) return false;
    Position p{{0, 0}, {0, 0}, 0, turn};
    for (int square = 1; square <= layout.squares; ++square) {
        const std::uint64_t bit = std::uint64_t{1} << layout.bit(square);
        switch (text[static_cast<std::size_t>(square - 1)]) {
            case '.': break;
            case 'w': p.men[0] |= bit; break;
            case 'b': p.men[1] |= bit; break;
            case 'W': p.kings[0] |= bit; break;
            case 'B': p.kings[1] |= bit; break;
            default: return false;
        }
    }
    p.key = p.compute_key();
    out = p;
    return true;
}

constexpr char piece_at(const Position& p, int bit) noexcept {
    const std::uint64_t b = std::uint64_t{1} << bit;
    if (p.men[0] & b) return 'w';
    if (p.men[1] & b) return 'b';
    if (p.kings[0] & b) return 'W';
    if (p.kings[1] & b) return 'B';
    return '.';
}

// The start: `rules.rows` full rows of men on either side, `rules.first` to move.
inline Position start_position(const Rules& rules) noexcept {
    const Layout& layout = layout_of(rules);
    const int men = rules.rows * rules.width / 2;
    Position p{{0, 0}, {0, 0}, 0, rules.first};
    for (int square = 1; square <= men; ++square) {
        p.men[1] |= std::uint64_t{1} << layout.bit(square);
        p.men[0] |= std::uint64_t{1} << layout.bit(layout.squares + 1 - square);
    }
    p.key = p.compute_key();
    return p;
}

}  // namespace damka
