// Board geometry: how squares map to bits of a machine word, and the steps and lines between them.
//
// With pieces on one colour, only dark squares have bits. One ghost bit, never occupied and never
// empty, follows every two rows, so that a diagonal step over a side edge falls on a ghost (or out
// of the word) and one shift serves every row:
//
//     8x8     0  1  2  3         10x10     0  1  2  3  4
//           4  5  6  7  (8)              5  6  7  8  9 (10)
//             9 10 11 12                  11 12 13 14 15
//           ...                          ...
//
// The four diagonal shifts are then plus and minus half a row and half a row plus one. A vertical
// step spans two rows: a full row and one bit. A horizontal step is one bit, and bits that wrap
// from the neighbouring row are masked out. A board whose playing corner is on the other side is
// the mirror image: the same bits, another square-to-bit map.
//
// With pieces on all squares, a square's bit is its index, and steps that could wrap around an edge
// are masked.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace damka {

// Enough bits for every board.
__extension__ typedef unsigned __int128 Wide;

// Directions are numbered so that d ^ 3 is the opposite one and d ^ 1, d ^ 2 are perpendicular:
//
//     0   4   1        Bits grow from the top of the board down and from left to right, so they
//     5   +   6        grow in the directions with d & 2.
//     2   7   3
using Direction = int;
inline constexpr Direction kDirections = 8;

constexpr Direction opposite(Direction d) noexcept { return d ^ 3; }

// A set of directions, one bit each.
using Directions = unsigned;
inline constexpr Directions kDiagonal = 0x0f;
inline constexpr Directions kOrthogonal = 0xf0;
inline constexpr Directions kEveryWay = kDiagonal | kOrthogonal;

// The opposite of every direction in the set.
constexpr Directions opposite_ways(Directions ways) noexcept {
    Directions back = 0;
    for (Direction d = 0; d < kDirections; ++d) back |= (ways >> d & 1) << opposite(d);
    return back;
}

// A compile-time direction, and a run-time direction. Code generic over the two is
// compiled once per direction, or once for all directions.
template <Direction D>
struct Way {
    static constexpr Direction value = D;
    static constexpr Way<opposite(D)> back() noexcept { return {}; }
};

struct AnyWay {
    Direction value;
    constexpr AnyWay back() const noexcept { return {opposite(value)}; }
};

// A board of Width x Height cells with pieces on one colour.
template <int Width, int Height, class Word>
struct DarkFrame {
    using Bits = Word;

    static constexpr int kWidth = Width;
    static constexpr int kHeight = Height;
    static constexpr int kPerRow = Width / 2;
    static constexpr int kSquares = Width * Height / 2;
    static constexpr int kBits = kSquares + Height / 2 - 1;
    static constexpr bool kMirrors = true;
    static_assert(Width % 2 == 0 && Height % 2 == 0 && kBits <= static_cast<int>(8 * sizeof(Word)));

    static constexpr int kNear = kPerRow;
    static constexpr int kFar = kPerRow + 1;
    static constexpr int kShifts[kDirections] = {kFar,      kNear, kNear, kFar,
                                                 Width + 1, 1,     1,     Width + 1};
    // The directions in which a step may wrap around an edge.
    static constexpr Directions kMasked = 1u << 5 | 1u << 6;

    // The bit of the index-th playing square (from 0, row by row from the top, left to right).
    static constexpr int bit_of(int index) noexcept { return index + index / (2 * kPerRow); }
};

// A board of Width x Height cells with pieces on all of them.
template <int Width, int Height, class Word>
struct FullFrame {
    using Bits = Word;

    static constexpr int kWidth = Width;
    static constexpr int kHeight = Height;
    static constexpr int kPerRow = Width;
    static constexpr int kSquares = Width * Height;
    static constexpr int kBits = kSquares;
    static constexpr bool kMirrors = false;
    static_assert(kBits <= static_cast<int>(8 * sizeof(Word)));

    static constexpr int kShifts[kDirections] = {Width + 1, Width - 1, Width - 1, Width + 1,
                                                 Width,     1,         1,         Width};
    static constexpr Directions kMasked = kEveryWay & ~(1u << 4 | 1u << 7);

    static constexpr int bit_of(int index) noexcept { return index; }
};

template <class Frame>
struct Board : Frame {
    using Frame::bit_of;
    using Frame::kBits;
    using Frame::kHeight;
    using Frame::kPerRow;
    using Frame::kShifts;
    using typename Frame::Bits;

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

    // The index-th square of every row.
    static constexpr Bits make_column(int index) noexcept {
        Bits bits{0};
        for (int row = 0; row < kHeight; ++row) bits |= one(bit_of(row * kPerRow + index));
        return bits;
    }

    static constexpr Bits kBoard = make_board();
    static constexpr Bits kTop = make_row(0);
    static constexpr Bits kBottom = make_row(kHeight - 1);

    // Valid destinations of a masked step: all squares but the edge that a wrapped step would land
    // on.
    static constexpr Bits kNotLeft = kBoard & ~make_column(0);
    static constexpr Bits kNotRight = kBoard & ~make_column(kPerRow - 1);

    static constexpr Bits landing(Direction d) noexcept {
        if (!(Frame::kMasked >> d & 1)) return ~Bits{0};
        return d == 1 || d == 3 || d == 6 ? kNotLeft : kNotRight;
    }

    static constexpr std::array<Bits, kDirections> kLandings = {landing(0), landing(1), landing(2),
                                                                landing(3), landing(4), landing(5),
                                                                landing(6), landing(7)};

    // Moves every square of `b` one step; bits that leave the board land outside kBoard.
    template <Direction D>
    static constexpr Bits step(Bits b) noexcept {
        constexpr Bits landing = kLandings[static_cast<unsigned>(D)];
        const Bits to = (D & 2) ? b << kShifts[D] : b >> kShifts[D];
        if constexpr (landing != ~Bits{0}) {
            return to & landing;
        } else {
            return to;
        }
    }

    static constexpr Bits step(Direction d, Bits b) noexcept {
        const Bits to = (d & 2) ? b << kShifts[d] : b >> kShifts[d];
        return to & kLandings[static_cast<unsigned>(d)];
    }

    template <Direction D>
    static constexpr Bits step(Way<D>, Bits b) noexcept {
        return step<D>(b);
    }

    static constexpr Bits step(AnyWay way, Bits b) noexcept { return step(way.value, b); }

    // The squares from which two steps in a masked direction do not wrap.
    static constexpr Bits make_room(Direction d) noexcept {
        if (!(Frame::kMasked >> d & 1)) return ~Bits{0};
        return step(opposite(d), step(opposite(d), kBoard));
    }

    static constexpr std::array<Bits, kDirections> kRoom = {
        make_room(0), make_room(1), make_room(2), make_room(3),
        make_room(4), make_room(5), make_room(6), make_room(7)};

    // Moves two steps; the pieces must have room.
    template <class AWay>
    static constexpr Bits leap(AWay way, Bits b) noexcept {
        return (way.value & 2) ? b << 2 * kShifts[way.value] : b >> 2 * kShifts[way.value];
    }

    // The squares from which one step reaches `over` and the next one `to`.
    template <class AWay>
    static constexpr Bits leapers(AWay way, Bits over, Bits to) noexcept {
        const int shift = kShifts[way.value];
        const Bits from =
            (way.value & 2) ? (over & to >> shift) >> shift : (over & to << shift) << shift;
        const Bits room = kRoom[static_cast<unsigned>(way.value)];
        return room == ~Bits{0} ? from : from & room;
    }

    using Lines = std::array<std::array<Bits, static_cast<std::size_t>(kBits)>, kDirections>;

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

    // The squares two steps away.
    static constexpr auto make_jumps() noexcept {
        std::array<Bits, static_cast<std::size_t>(kBits)> jumps{};
        for (int bit = 0; bit < kBits; ++bit) {
            for (Direction d = 0; d < kDirections; ++d) {
                const Bits over = step(d, one(bit) & kBoard) & kBoard;
                jumps[static_cast<unsigned>(bit)] |= step(d, over) & kBoard;
            }
        }
        return jumps;
    }

    static constexpr auto kJumps = make_jumps();

    // The squares from `bit` (exclusive) to the edge in direction `d`.
    static constexpr Bits line(Direction d, int bit) noexcept {
        return kLines[static_cast<unsigned>(d)][static_cast<unsigned>(bit)];
    }
};

using Board6 = Board<DarkFrame<6, 6, std::uint64_t>>;
using Board8 = Board<DarkFrame<8, 8, std::uint64_t>>;
using Board10 = Board<DarkFrame<10, 10, std::uint64_t>>;
using Board12 = Board<DarkFrame<12, 12, Wide>>;
using Board10x8 = Board<DarkFrame<10, 8, std::uint64_t>>;
using FullBoard8 = Board<FullFrame<8, 8, std::uint64_t>>;

// Upper bounds over all boards.
inline constexpr int kMaxSquares = Board12::kSquares;
inline constexpr int kMaxBits = Board12::kBits;

constexpr int count(std::uint64_t b) noexcept { return std::popcount(b); }
constexpr int lowest(std::uint64_t b) noexcept { return std::countr_zero(b); }
constexpr int width_of(std::uint64_t b) noexcept { return static_cast<int>(std::bit_width(b)); }

constexpr std::uint64_t low_half(Wide b) noexcept { return static_cast<std::uint64_t>(b); }
constexpr std::uint64_t high_half(Wide b) noexcept { return static_cast<std::uint64_t>(b >> 64); }

constexpr int count(Wide b) noexcept {
    return std::popcount(low_half(b)) + std::popcount(high_half(b));
}
constexpr int lowest(Wide b) noexcept {
    return low_half(b) ? std::countr_zero(low_half(b)) : 64 + std::countr_zero(high_half(b));
}
constexpr int width_of(Wide b) noexcept {
    return static_cast<int>(high_half(b) ? 64 + std::bit_width(high_half(b))
                                         : std::bit_width(low_half(b)));
}

// The part of a line in direction `d` before its first blocker.
template <class Bits>
constexpr Bits before(Direction d, Bits line, Bits blockers) noexcept {
    if (d & 2) return line & ~blockers & (blockers - 1);
    return line & (~Bits{0} << width_of(blockers));
}

// The first square of `b` on a line in direction `d`.
template <class Bits>
constexpr Bits nearest(Direction d, Bits b) noexcept {
    if (d & 2) return b & (~b + 1);
    return b ? Bits{1} << (width_of(b) - 1) : b;
}

// Calls f(bit) for every bit of `b`, lowest first.
template <class Bits, class F>
constexpr void for_each(Bits b, F&& f) {
    for (; b; b &= b - 1) f(lowest(b));
}

}  // namespace damka
