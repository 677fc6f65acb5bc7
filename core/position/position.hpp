// A position: pieces, side to move and streaks. A value type; making a move returns a copy.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/rules.hpp"

namespace damka {

namespace zobrist {

constexpr std::uint64_t mix(std::uint64_t n) noexcept {  // splitmix64
    n += 0x9e3779b97f4a7c15u;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
    return n ^ (n >> 31);
}

// Mixes the bits of a board with a number.
constexpr std::uint64_t mix_bits(std::uint64_t b, std::uint64_t n) noexcept { return mix(b ^ n); }
constexpr std::uint64_t mix_bits(Wide b, std::uint64_t n) noexcept {
    return mix(high_half(b) ^ mix(low_half(b) ^ n));
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

// A move of `side`; equal for the moves of `is_same_move`.
template <class Bits>
constexpr std::uint64_t move_key(Side side, const MoveOf<Bits>& m) noexcept {
    const std::uint64_t squares =
        (std::uint64_t{index(side)} << 8 | std::uint64_t{m.from}) << 8 | std::uint64_t{m.to};
    return mix_bits(Wide{m.captured}, squares ^ 0x3c6ef37200000000u);
}

// A king that has made `moves` consecutive quiet moves.
constexpr std::uint64_t streak(Side side, int bit, int moves) noexcept {
    const int which = (static_cast<int>(index(side)) * 128 + bit) * 16 + moves;
    return mix(static_cast<std::uint64_t>(which) ^ 0x5e7a4b1d00000000u);
}

}  // namespace zobrist

// Public squares are numbered from 1 at White's top left, row by row. Only `Layout` maps them to
// bits.
struct Layout {
    int squares = 0;
    std::array<std::uint8_t, kMaxSquares + 1> bit_of{};  // by square, from 1
    std::array<std::uint8_t, 128> square_of{};           // by bit; 0 for a ghost

    template <class Shape>
    static constexpr Layout of(bool dark_left) noexcept {
        Layout layout;
        layout.squares = Shape::kSquares;
        for (int i = 0; i < Shape::kSquares; ++i) {
            const int row = i / Shape::kPerRow;
            const int column = i % Shape::kPerRow;
            const int mirrored = row * Shape::kPerRow + Shape::kPerRow - 1 - column;
            const int bit = Shape::bit_of(dark_left || !Shape::kMirrors ? i : mirrored);
            layout.bit_of[static_cast<unsigned>(i + 1)] = static_cast<std::uint8_t>(bit);
            layout.square_of[static_cast<unsigned>(bit)] = static_cast<std::uint8_t>(i + 1);
        }
        return layout;
    }

    constexpr int bit(int square) const noexcept { return bit_of[static_cast<unsigned>(square)]; }
    constexpr int square(int bit) const noexcept { return square_of[static_cast<unsigned>(bit)]; }
};

inline constexpr std::size_t kLayouts = 12;

// A distinct number from 0 for every board and playing corner.
constexpr std::size_t layout_number(const Rules& rules) noexcept {
    const std::size_t shape = rules.all_squares    ? 0
                              : rules.width == 8   ? 1
                              : rules.width == 6   ? 2
                              : rules.width == 12  ? 3
                              : rules.height == 10 ? 4
                                                   : 5;
    return 2 * shape + (rules.dark_left ? 1 : 0);
}

inline const Layout& layout_of(const Rules& rules) noexcept {
    static constexpr Layout layouts[kLayouts] = {
        Layout::of<FullBoard8>(false), Layout::of<FullBoard8>(true), Layout::of<Board8>(false),
        Layout::of<Board8>(true),      Layout::of<Board6>(false),    Layout::of<Board6>(true),
        Layout::of<Board12>(false),    Layout::of<Board12>(true),    Layout::of<Board10>(false),
        Layout::of<Board10>(true),     Layout::of<Board10x8>(false), Layout::of<Board10x8>(true)};
    return layouts[layout_number(rules)];
}

// Consecutive quiet moves of a side with the same king, where the rules limit them; both 0 for
// none.
struct Streak {
    std::uint8_t moves = 0;
    std::uint8_t bit = 0;  // of that king

    friend constexpr bool operator==(const Streak&, const Streak&) = default;
};

template <class Bits>
struct PositionOf {
    std::array<Bits, 2> men;    // by side; men and kings are disjoint
    std::array<Bits, 2> kings;  // by side
    std::uint64_t key;          // hash of all other fields
    Side turn;
    std::array<Streak, 2> streaks{};  // by side

    constexpr Bits pieces(Side s) const noexcept { return men[index(s)] | kings[index(s)]; }
    constexpr Bits occupied() const noexcept { return pieces(Side::white) | pieces(Side::black); }

    // The hash from scratch; moves update `key` incrementally.
    constexpr std::uint64_t compute_key() const noexcept {
        std::uint64_t k = turn == Side::black ? zobrist::kBlackToMove : 0;
        for (const Side s : {Side::white, Side::black}) {
            for_each(men[index(s)], [&](int bit) { k ^= zobrist::piece(s, false, bit); });
            for_each(kings[index(s)], [&](int bit) { k ^= zobrist::piece(s, true, bit); });
            const Streak& streak = streaks[index(s)];
            if (streak.moves) k ^= zobrist::streak(s, streak.bit, streak.moves);
        }
        return k;
    }

    // A hash of the pieces only.
    constexpr std::uint64_t pieces_key() const noexcept {
        std::uint64_t k = turn == Side::black ? key ^ zobrist::kBlackToMove : key;
        for (const Side s : {Side::white, Side::black}) {
            const Streak& streak = streaks[index(s)];
            if (streak.moves) k ^= zobrist::streak(s, streak.bit, streak.moves);
        }
        return k;
    }

    constexpr bool has_pieces_of(const PositionOf& other) const noexcept {
        return men == other.men && kings == other.kings;
    }

    friend constexpr bool operator==(const PositionOf& a, const PositionOf& b) noexcept {
        return a.has_pieces_of(b) && a.turn == b.turn && a.streaks == b.streaks;
    }
};

using Position = PositionOf<std::uint64_t>;

using WidePosition = PositionOf<Wide>;
using WideMove = MoveOf<Wide>;

// Converts a position or move to words of another width.
template <class To, class From>
constexpr PositionOf<To> with_words(const PositionOf<From>& p) noexcept {
    return {{static_cast<To>(p.men[0]), static_cast<To>(p.men[1])},
            {static_cast<To>(p.kings[0]), static_cast<To>(p.kings[1])},
            p.key,
            p.turn,
            p.streaks};
}

template <class To, class From>
constexpr MoveOf<To> with_words(const MoveOf<From>& m) noexcept {
    return {static_cast<To>(m.captured), m.from, m.to, m.king, m.crowns};
}

template <class Bits = std::uint64_t>
constexpr PositionOf<Bits> empty_position(Side turn = Side::white) noexcept {
    PositionOf<Bits> p{{Bits{0}, Bits{0}}, {Bits{0}, Bits{0}}, 0, turn};
    p.key = p.compute_key();
    return p;
}

// Reads one character per square, square 1 first: w b men, W B kings, '.' empty. Returns false and
// leaves `out` unchanged for a wrong length or character.
template <class Bits>
bool read_pieces(const Layout& layout, std::string_view text, Side turn,
                 PositionOf<Bits>& out) noexcept {
    if (text.size() != static_cast<std::size_t>(layout.squares)) return false;
    PositionOf<Bits> p = empty_position<Bits>(turn);
    for (int square = 1; square <= layout.squares; ++square) {
        const Bits bit = Bits{1} << layout.bit(square);
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

template <class Bits>
constexpr char piece_at(const PositionOf<Bits>& p, int bit) noexcept {
    const Bits b = Bits{1} << bit;
    if (p.men[0] & b) return 'w';
    if (p.men[1] & b) return 'b';
    if (p.kings[0] & b) return 'W';
    if (p.kings[1] & b) return 'B';
    return '.';
}

// The start position: `rules.rows` full rows of men on either side, `rules.first` to move.
template <class Bits = std::uint64_t>
PositionOf<Bits> start_position(const Rules& rules) noexcept {
    const Layout& layout = layout_of(rules);
    const int row = layout.squares / rules.height;
    PositionOf<Bits> p = empty_position<Bits>(rules.first);
    for (int i = 1; i <= rules.rows * row; ++i) {
        const int square = rules.rows_behind * row + i;
        p.men[1] |= Bits{1} << layout.bit(square);
        p.men[0] |= Bits{1} << layout.bit(layout.squares + 1 - square);
    }
    p.key = p.compute_key();
    return p;
}

// Clears a side's streak if it has no men, or the king was captured.
template <class Bits>
constexpr void drop_streak_if_lost(PositionOf<Bits>& p, Side side) noexcept {
    Streak& streak = p.streaks[index(side)];
    if (!streak.moves) return;
    if (p.men[index(side)] && (p.kings[index(side)] >> streak.bit & 1)) return;
    p.key ^= zobrist::streak(side, streak.bit, streak.moves);
    streak = {};
}

// Updates the streaks after `m`, a move by the opponent of `child.turn`.
template <class Bits>
constexpr void continue_streak(PositionOf<Bits>& child, const MoveOf<Bits>& m) noexcept {
    const Side side = other(child.turn);
    Streak& streak = child.streaks[index(side)];
    const Streak before = streak;
    if (before.moves) child.key ^= zobrist::streak(side, before.bit, before.moves);
    streak = {};
    if (m.king && !m.captured && child.men[index(side)]) {
        const bool same = before.moves && before.bit == m.from;
        const int moves = same ? before.moves + 1 : 1;
        streak = {static_cast<std::uint8_t>(moves), m.to};
        child.key ^= zobrist::streak(side, streak.bit, streak.moves);
    }
    drop_streak_if_lost(child, child.turn);
}

// Makes a generated move, by rules without a streak limit.
template <class Bits>
[[gnu::always_inline]] constexpr PositionOf<Bits> make_standard(const PositionOf<Bits>& p,
                                                                const MoveOf<Bits>& m) noexcept {
    const Side side = p.turn;
    const unsigned own = index(side);
    const Bits from = Bits{1} << m.from;
    const Bits to = Bits{1} << m.to;
    PositionOf<Bits> child = p;
    child.turn = other(side);
    child.key ^= zobrist::kBlackToMove ^ zobrist::piece(side, m.king, m.from) ^
                 zobrist::piece(side, m.king || m.crowns, m.to);
    // A capture may end on its start square.
    if (m.king) {
        child.kings[own] = (p.kings[own] ^ from) | to;
    } else if (m.crowns) [[unlikely]] {
        child.men[own] &= ~from;
        child.kings[own] |= to;
    } else {
        child.men[own] = (p.men[own] ^ from) | to;
    }
    if (m.captured) {
        child.men[own ^ 1] &= ~m.captured;
        child.kings[own ^ 1] &= ~m.captured;
        for_each(m.captured, [&](int bit) {
            const bool king = (p.kings[own ^ 1] >> bit & 1) != 0;
            child.key ^= zobrist::piece(other(side), king, bit);
        });
    }
    return child;
}

// Makes a generated move.
template <class Bits>
[[gnu::always_inline]] constexpr PositionOf<Bits> make(const Rules& rules,
                                                       const PositionOf<Bits>& p,
                                                       const MoveOf<Bits>& m) noexcept {
    PositionOf<Bits> child = make_standard(p, m);
    if (rules.king_streak) [[unlikely]]
        continue_streak(child, m);
    return child;
}

// The king of the side to move that may not move because of its streak; 0 for none.
template <class Bits>
constexpr Bits resting(const Rules& rules, const PositionOf<Bits>& p) noexcept {
    const Streak& streak = p.streaks[index(p.turn)];
    if (rules.king_streak == 0 || streak.moves < rules.king_streak) return Bits{0};
    return Bits{1} << streak.bit;
}

// Whether the game has ended in this position, regardless of legal moves.
template <class Bits>
constexpr bool is_over(const Rules& rules, const PositionOf<Bits>& p) noexcept {
    return rules.objective == Objective::breakthrough && (p.kings[0] | p.kings[1]);
}

}  // namespace damka
