// Board masks for endgame tables, and rotation to the other side's view.
#pragma once

#include <cstdint>

#include "movegen/movegen.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// Board masks of a rule set.
template <class Bits>
struct BoardMasksOf {
    Bits board{0};
    Bits top{0};     // White's crowning row
    Bits bottom{0};  // Black's
    int bits = 0;    // bits in use, ghosts included
    int streak = 0;  // Rules::king_streak

    static BoardMasksOf of(const Rules& rules) {
        return visit(rules, [&](auto variant) -> BoardMasksOf {
            using Shape = typename decltype(variant)::Shape;
            return {static_cast<Bits>(Shape::kBoard), static_cast<Bits>(Shape::kTop),
                    static_cast<Bits>(Shape::kBottom), Shape::kBits, rules.king_streak};
        });
    }

    // Rotates a set of squares by a half-turn.
    constexpr Bits rotated(Bits b) const noexcept {
        if constexpr (sizeof(Bits) == 8) {
            return reversed(b) >> (64 - bits);
        } else {
            const Bits all =
                static_cast<Bits>(reversed(low_half(b))) << 64 | reversed(high_half(b));
            return all >> (128 - bits);
        }
    }

    // The position from the other side's view, colours exchanged. The key is unset.
    constexpr PositionOf<Bits> rotated(const PositionOf<Bits>& p) const noexcept {
        PositionOf<Bits> q;
        q.men = {rotated(p.men[1]), rotated(p.men[0])};
        q.kings = {rotated(p.kings[1]), rotated(p.kings[0])};
        q.key = 0;
        q.turn = other(p.turn);
        if (streak) {
            for (const unsigned s : {0u, 1u}) {
                const Streak& from = p.streaks[s ^ 1];
                if (!from.moves) continue;
                q.streaks[s] = {from.moves, static_cast<std::uint8_t>(bits - 1 - from.bit)};
            }
        }
        return q;
    }

    // The squares allowed for White's or Black's men.
    constexpr Bits squares_of_men(Side side) const noexcept {
        return board & ~(side == Side::white ? top : bottom);
    }

   private:
    static constexpr std::uint64_t reversed(std::uint64_t b) noexcept {
        b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
        b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
        b = (b >> 4 & 0x0f0f0f0f0f0f0f0fu) | (b & 0x0f0f0f0f0f0f0f0fu) << 4;
        return __builtin_bswap64(b);
    }
};

}  // namespace damka
