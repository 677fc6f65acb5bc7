// The rules of one game for the kernel: a plain record, read during move generation.
//
// Rules beyond a position (huffing, draws, claims) belong to the game.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "position/geometry.hpp"

namespace damka {

enum class Side : std::uint8_t { white, black };

constexpr Side other(Side s) noexcept {
    return static_cast<Side>(static_cast<std::uint8_t>(s) ^ 1);
}
constexpr unsigned index(Side s) noexcept { return static_cast<unsigned>(s); }

// Effect of reaching the crowning row in the middle of a capture.
enum class Promotion : std::uint8_t {
    stop,  // crowned, and the move ends
    pass,  // continues as a man, crowned only if the capture ends there
    go,    // crowned, and continues as a king
};

enum class PrecedenceKey : std::uint8_t { count, value, with_king, kings, king_early, points };

// The aim of the game. The generator only detects that there are no moves; the caller determines
// the winner.
enum class Objective : std::uint8_t {
    normal,
    losing,
    breakthrough,  // the first king wins
};

// Bound on captured pieces: two squares of the largest board are the capturer's and an empty
// landing square.
inline constexpr int kMaxCaptured = kMaxSquares - 2;

// Diagonal captures only take pieces inside the border: 50 squares of the largest board.
inline constexpr int kMaxCapturedInside = 50;

using Rank = std::uint64_t;

// The precedence of captures packed into one integer: one bit field per key in use, the first key
// highest. The rank of a route is the sum over its captured pieces and its capturer; a route is
// legal if no other has a higher rank. `king_early` requires diagonal captures and excludes `value`
// and `points`, so that all fields fit: 6 + 1 + 6 + 50 bits with it, 7 + 15 + 1 + 7 + 8 bits
// without.
struct Ranking {
    Rank piece = 0;      // per captured piece
    Rank king = 0;       // additional per captured king
    Rank with_king = 0;  // once, when the capturer was a king before the move
    Rank early = 0;      // for a king captured first; halved for every later place

    static constexpr Ranking of(std::initializer_list<PrecedenceKey> keys) noexcept {
        return of(keys.begin(), keys.end());
    }

    static constexpr Ranking of(const PrecedenceKey* first, const PrecedenceKey* last) noexcept {
        bool early = false;
        for (const PrecedenceKey* key = first; key != last; ++key) {
            early = early || *key == PrecedenceKey::king_early;
        }
        const int digits = early ? 6 : 7;  // for the number of captured pieces
        Ranking r;
        int shift = 0;
        while (last != first) {
            switch (*--last) {
                case PrecedenceKey::count:
                    r.piece += Rank{1} << shift;
                    shift += digits;
                    break;
                case PrecedenceKey::value:
                    // A king is worth slightly less than two men; the differences of all kings are
                    // less than one man.
                    r.piece += kManValue << shift;
                    r.king += (kManValue - 1) << shift;
                    shift += kValueDigits;
                    break;
                case PrecedenceKey::points:
                    // A man counts one and a king two.
                    r.piece += Rank{1} << shift;
                    r.king += Rank{1} << shift;
                    shift += digits + 1;
                    break;
                case PrecedenceKey::with_king:
                    r.with_king = Rank{1} << shift;
                    shift += 1;
                    break;
                case PrecedenceKey::kings:
                    r.king += Rank{1} << shift;
                    shift += digits;
                    break;
                case PrecedenceKey::king_early:
                    r.early = Rank{1} << (shift + kMaxCapturedInside - 1);
                    shift += kMaxCapturedInside;
                    break;
            }
        }
        return r;
    }

    // The rank of the n-th captured piece of a route, counted from 0.
    constexpr Rank of_capture(bool is_king, int n) const noexcept {
        return piece + (is_king ? king + (early >> n) : 0);
    }

    constexpr bool distinguishes_kings() const noexcept { return (king | early) != 0; }

    friend constexpr bool operator==(const Ranking&, const Ranking&) = default;

   private:
    static constexpr Rank kManValue = 1 << 7;
    static constexpr int kValueDigits = 15;
    static_assert(kMaxCaptured < kManValue && kMaxCaptured * 2 * kManValue < 1 << kValueDigits);
};

struct Rules {
    int width = 8;  // with the next two: one of the boards of geometry.hpp
    int height = 8;
    bool all_squares = false;
    int rows = 3;         // rows of men at the start
    int rows_behind = 0;  // empty rows behind them
    bool dark_left = true;
    Side first = Side::white;

    bool flying_kings = true;
    bool men_capture_back = false;
    Directions move_lines = kDiagonal;
    Directions capture_lines = kDiagonal;

    bool men_take_kings = true;
    bool land_adjacent = false;    // a flying king lands right behind the captured piece
    bool land_killing = false;     // … if the last captured piece is a king
    bool remove_at_once = false;   // a captured piece is removed before the next jump
    bool u_turn = true;            // a flying king may turn back between two captures
    bool capture_is_free = false;  // captures and quiet moves are both legal
    Promotion promotion = Promotion::stop;
    Objective objective = Objective::normal;
    int king_streak = 0;  // maximum number of consecutive quiet moves with one king; 0: unlimited
    Ranking ranking;

    // The directions in which men move: forward and sideways. They capture backwards only if the
    // rules allow it.
    static constexpr Directions forward(Side s) noexcept { return s == Side::white ? 0x73 : 0xec; }

    constexpr Directions man_moves(Side s) const noexcept { return move_lines & forward(s); }
    constexpr Directions man_captures(Side s) const noexcept {
        return capture_lines & (men_capture_back ? kEveryWay : forward(s));
    }

    // The squares of `on` from which a man continues a capture. A man that becomes a king there has
    // a king's jumps, so its crowning row is included.
    template <class Bits>
    constexpr Bits continuing(Bits on, Bits crowning_row) const noexcept {
        if (promotion == Promotion::stop) return on & ~crowning_row;
        if (promotion == Promotion::go) return on | crowning_row;
        return on;
    }

    // Whether the legal moves are all captures if there are any, and otherwise the quiet moves of
    // all pieces.
    constexpr bool plain() const noexcept {
        return !capture_is_free && objective != Objective::breakthrough && king_streak == 0;
    }

    friend constexpr bool operator==(const Rules&, const Rules&) = default;
};

// The aspect of a game that a field affects.
enum class Affects : std::uint8_t {
    board,  // how squares are numbered and who begins
    start,  // where the men stand at the start
    play,   // moves and objective: they change the value of a position
};

// A field of `Rules`: its name, as in damka.rules.parameters, and its range as numbers.
struct Field {
    const char* name;
    int least;
    int most;
    Affects affects = Affects::play;
    // Added after files with hashes of the rules were published: hashed only if not 0, so that
    // existing hashes stay valid.
    bool added_later = false;
};

// Calls f(field, value) for every field of the rules. Everything that depends on all fields uses
// it: the bindings read rules with it and hashes are computed with it.
//
// The order is part of the endgame table format: add a new field at the end. A field that is
// missing here does not compile, because the binding below must name them all.
template <class AnyRules, class F>
constexpr void for_each_field(AnyRules& rules, F&& f) {
    static_assert(std::is_same_v<std::remove_const_t<AnyRules>, Rules>);
    auto& [width, height, all_squares, rows, rows_behind, dark_left, first, flying_kings,
           men_capture_back, move_lines, capture_lines, men_take_kings, land_adjacent, land_killing,
           remove_at_once, u_turn, capture_is_free, promotion, objective, king_streak, ranking] =
        rules;
    f(Field{"width", 6, 12}, width);
    f(Field{"height", 6, 12}, height);
    f(Field{"rows", 1, 5, Affects::start}, rows);
    f(Field{"rows_behind", 0, 4, Affects::start}, rows_behind);
    f(Field{"dark_left", 0, 1, Affects::board}, dark_left);
    f(Field{"first", 0, 1, Affects::board}, first);
    f(Field{"all_squares", 0, 1}, all_squares);
    f(Field{"flying_kings", 0, 1}, flying_kings);
    f(Field{"men_capture_back", 0, 1}, men_capture_back);
    f(Field{"men_take_kings", 0, 1}, men_take_kings);
    f(Field{"land_adjacent", 0, 1}, land_adjacent);
    f(Field{"land_killing", 0, 1}, land_killing);
    f(Field{"remove_at_once", 0, 1}, remove_at_once);
    f(Field{"u_turn", 0, 1}, u_turn);
    f(Field{"capture_is_free", 0, 1}, capture_is_free);
    f(Field{"move_lines", 0, 2}, move_lines);
    f(Field{"capture_lines", 0, 2}, capture_lines);
    f(Field{"promotion", 0, 2}, promotion);
    f(Field{"objective", 0, 2}, objective);
    f(Field{"king_streak", 0, 9}, king_streak);
    f(Field{"ranking", 0, 5}, ranking);
}

// Calls add(number) for every number that affects play, and with `starts` also for those of the
// start position.
template <class Add>
constexpr void add_fields(const Rules& rules, bool starts, Add&& add) {
    std::uint64_t number = 0;
    for_each_field(rules, [&](const Field& field, const auto& value) {
        ++number;
        if (field.affects == Affects::board || (field.affects == Affects::start && !starts)) return;
        if constexpr (std::is_same_v<decltype(value), const Ranking&>) {
            const auto& [piece, king, with_king, early] = value;
            for (const Rank rank : {piece, king, with_king, early}) add(rank);
        } else {
            const auto plain = static_cast<std::uint64_t>(value);
            if (field.added_later && plain == 0) return;
            if (field.added_later) add(number);
            add(plain);
        }
    });
}

}  // namespace damka
