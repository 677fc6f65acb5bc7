// The rules of one game as the kernel needs them: a record of values, read while generating.
//
// What is not here (huffing, draws, who may claim what) belongs to the game, not to a position.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace damka {

enum class Side : std::uint8_t { white, black };

constexpr Side other(Side s) noexcept { return s == Side::white ? Side::black : Side::white; }
constexpr unsigned index(Side s) noexcept { return static_cast<unsigned>(s); }

// What happens to a man that reaches its crowning row in the middle of a capture.
enum class Promotion : std::uint8_t {
    stop,  // it is crowned and the move ends
    pass,  // it goes on as a man, and is crowned only if it ends there
    go,    // it is crowned and goes on as a king
};

enum class PrecedenceKey : std::uint8_t { count, with_king, kings, king_early };

// No capture takes more: a captured piece stands inside the border, and a 12x12 board, the largest
// foreseen, has 50 playing squares there.
inline constexpr int kMaxCaptured = 50;

using Rank = std::uint64_t;

// The precedence of captures as one packed integer: a bit field for every key in use, the first
// key highest. A route's rank is the sum of what its captures and its capturer add; a route is
// legal when no other has a higher rank. All fields together need 6 + 1 + 6 + 50 bits.
struct Ranking {
    Rank piece = 0;      // for every piece taken
    Rank king = 0;       // more for every king taken
    Rank with_king = 0;  // once, when the capturer was a king before the move
    Rank early = 0;      // for a king taken first; halved for every place later

    static constexpr Ranking of(std::initializer_list<PrecedenceKey> keys) noexcept {
        return of(keys.begin(), keys.end());
    }

    static constexpr Ranking of(const PrecedenceKey* first, const PrecedenceKey* last) noexcept {
        Ranking r;
        int shift = 0;
        while (last != first) {
            switch (*--last) {
                case PrecedenceKey::count:
                    r.piece = Rank{1} << shift;
                    shift += 6;
                    break;
                case PrecedenceKey::with_king:
                    r.with_king = Rank{1} << shift;
                    shift += 1;
                    break;
                case PrecedenceKey::kings:
                    r.king = Rank{1} << shift;
                    shift += 6;
                    break;
                case PrecedenceKey::king_early:
                    r.early = Rank{1} << (shift + kMaxCaptured - 1);
                    shift += kMaxCaptured;
                    break;
            }
        }
        return r;
    }

    // What taking a piece as the n-th (from 0) of a route adds.
    constexpr Rank of_capture(bool is_king, int n) const noexcept {
        return piece + (is_king ? king + (early >> n) : 0);
    }

    constexpr bool tells_kings() const noexcept { return (king | early) != 0; }
};

struct Rules {
    int width = 8;  // 8 or 10; boards are square
    int rows = 3;   // rows of men at the start
    bool dark_left = true;
    Side first = Side::white;

    // These two choose among compiled variants, as does the width; the rest is read at run time.
    bool flying_kings = true;
    bool men_capture_back = false;

    bool men_take_kings = true;
    bool land_adjacent = false;   // a flying king lands right behind the piece it takes
    bool remove_at_once = false;  // a captured piece is gone before the next jump
    bool u_turn = true;           // a flying king may turn back between two captures
    Promotion promotion = Promotion::stop;
    Ranking ranking;
};

}  // namespace damka
