// A board's shape: how its squares lie in a machine word, and the steps and lines between them.
//
// Only the playing squares have bits. Two rows are followed by one ghost bit that is never
// occupied and never empty, so that a step over a side edge falls on a ghost (or out of the word)
// and the same shift serves every row:
//
//     8x8     0  1  2  3         10x10     0  1  2  3  4
//           4  5  6  7  (8)              5  6  7  8  9 (10)
//             9 10 11 12                  11 12 13 14 15
//           ...                          ...
//
// The four diagonal steps are then plus and minus half a row and half a row plus one. A board whose
// playing corner is on the other side is the mirror image: the same
// bits, another square-to-bit map.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace damka {

// Directions are numbered so that d ^ 3 is the opposite one and d ^ 1, d ^ 2 the perpendiculars.
// Bits grow from the top of the board down: 0 and 1 lead up, 2 and 3 down.
using Direction = int;
inline constexpr Direction kDirections = 4;

constexpr Direction opposite(Direction d) noexcept { return d ^ 3; }

// A board of Width x Width cells with pieces on one colour. A larger board brings a wider Word with
// the operators of an unsigned integer and overloads of the three helpers below.
template <int Width, class Word>
struct DarkSquares {
    using Bits = Word;

    static constexpr int kWidth = Width;
    static constexpr int kHeight = Width;
    static constexpr int kPerRow = Width / 2;
    static constexpr int kSquares = Width * Width / 2;
    static constexpr int kBits = kSquares + Width / 2 - 1;
    static constexpr int kNear = kPerRow;
    static constexpr int kFar = kPerRow + 1;
    static_assert(Width % 2 == 0 && kBits + kFar <= static_cast<int>(8 * sizeof(Word)));

    // The bit of the index-th playing square (from 0, row by row from the top, left to right).
    static constexpr int bit_of(int index) noexcept { return index + index / (2 * kPerRow); }

    static constexpr Bits one(int bit) noexcept { return Bits{1} << bit; }

    static constexpr Bits make_row(int row) noexcept {
        Bits bits{0};
        for (int i = 0; i < kPerRow; ++i) bits |= one(bit_of(row * kPerRow + i));
        return bits;
    }

    static constexpr Bits make_board() noexcept {
        Bits bits{0};
        for (int row = 0; row < kHeight; ++row) bits |= make_row(row);
        return bits;
    }

    static constexpr Bits kBoard = make_board();
    static constexpr Bits kTop = make_row(0);
    static constexpr Bits kBottom = make_row(kHeight - 1);

    // Every square of `b` moved one step; what leaves the board lands outside kBoard.
    template <Direction D>
    static constexpr Bits step(Bits b) noexcept {
        if constexpr (D == 0) return b >> kFar;
        if constexpr (D == 1) return b >> kNear;
        if constexpr (D == 2) return b << kNear;
        if constexpr (D == 3) return b << kFar;
    }

    static constexpr Bits step(Direction d, Bits b) noexcept {
        switch (d) {
            case 0: return step<0>(b);
            case 1: return step<1>(b);
            case 2: return step<2>(b);
            default: return step<3>(b);
        }
    }

    using Lines = std::array<std::array<Bits, kBits>, kDirections>;

    static constexpr Lines make_lines() noexcept {
        Lines lines{};
        for (Direction d = 0; d < kDirections; ++d) {
            for (int bit = 0; bit < kBits; ++bit) {
                Bits at = one(bit) & kBoard;
                while ((at = step(d, at) & kBoard)) {
                    lines[static_cast<unsigned>(d)][static_cast<unsigned>(bit)] |= at;
                }
            }
        }
        return lines;
    }

    static constexpr Lines kLines = make_lines();

    // The squares from `bit` (exclusive) to the edge in direction `d`.
    static constexpr Bits line(Direction d, int bit) noexcept {
        return kLines[static_cast<unsigned>(d)][static_cast<unsigned>(bit)];
    }
};

using Board8 = DarkSquares<8, std::uint64_t>;
using Board10 = DarkSquares<10, std::uint64_t>;

constexpr int count(std::uint64_t b) noexcept { return std::popcount(b); }
constexpr int lowest(std::uint64_t b) noexcept { return std::countr_zero(b); }
constexpr int width_of(std::uint64_t b) noexcept { return static_cast<int>(std::bit_width(b)); }

// The part of a line before its first blocker, the line leading in direction `d`.
template <class Bits>
constexpr Bits before(Direction d, Bits line, Bits blockers) noexcept {
    if (d >= 2) return line & ~blockers & (blockers - 1);
    return line & (~Bits{0} << width_of(blockers));
}

// Of the squares of `b` on one line that leads in direction `d`, the first one.
template <class Bits>
constexpr Bits nearest(Direction d, Bits b) noexcept {
    if (d >= 2) return b & (~b + 1);
    return b ? Bits{1} << (width_of(b) - 1) : b;
}

// Calls f(bit) for every bit of `b`, from the lowest up.
template <class Bits, class F>
constexpr void for_each(Bits b, F&& f) {
    for (; b; b &= b - 1) f(lowest(b));
}

}  // namespace damka
