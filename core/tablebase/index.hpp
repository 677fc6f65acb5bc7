// Indexing: a bijection between the placements of a material and 0 … n - 1.
//
// A table always sees the side to move as White, which moves up; a position with Black to move is
// rotated by a half-turn and its colours exchanged, which preserves its value under every rule of
// the kernel. Men are placed first, White's and then Black's, then White's kings and Black's on the
// remaining squares; the squares of each kind, counted among those still free, are a combination
// with the number C(a,1) + C(b,2) + … for a < b < …. Where the rules limit a king's consecutive
// moves, a side with men and kings also has a streak number: the king and its number of moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/position.hpp"
#include "tablebase/board_masks.hpp"
#include "tablebase/combination.hpp"
#include "tablebase/material.hpp"

namespace damka {

// The number of possible streaks of a side, including none.
inline unsigned streak_states(int streak, const Material::Side& side) noexcept {
    if (!streak || !side.men || !side.kings) return 1;
    return 1 + static_cast<unsigned>(side.kings * streak);
}

// The number of positions of a material for one side to move.
template <class Bits>
std::uint64_t table_positions(const BoardMasksOf<Bits>& masks, const Material& m) noexcept {
    const int row = count(masks.bottom);
    const int inner = count(masks.squares_of_men(Side::white)) - row;
    std::uint64_t men = 0;
    // Some of White's men may be on squares forbidden for Black's men.
    for (int home = 0; home <= std::min(row, m.own.men); ++home) {
        if (m.own.men - home > inner) continue;
        men += choose(row, home) * choose(inner, m.own.men - home) *
               choose(inner + row - (m.own.men - home), m.their.men);
    }
    const int left = count(masks.board) - m.own.men - m.their.men;
    return men * choose(left, m.own.kings) * choose(left - m.own.kings, m.their.kings) *
           streak_states(masks.streak, m.own) * streak_states(masks.streak, m.their);
}

template <class Bits>
class CursorOf;

// The index of all positions of one material, with the side to move as White.
template <class Bits>
class IndexOf {
   public:
    using Position = PositionOf<Bits>;

    IndexOf(const BoardMasksOf<Bits>& masks, const Material& material)
        : masks_(masks), material_(material) {
        const Bits own = masks.squares_of_men(Side::white);
        const Bits their = masks.squares_of_men(Side::black);
        squares_ = count(masks.board);
        left_ = squares_ - material.own.men - material.their.men;
        states_ = {damka::streak_states(masks.streak, material.own),
                   damka::streak_states(masks.streak, material.their)};
        const std::uint64_t ways = choose(count(own), material.own.men);
        starts_.reserve(static_cast<std::size_t>(ways) + 1);
        std::uint64_t men = 0;
        // White's men on squares forbidden for Black's men leave more squares for those.
        CombinationOf<Bits> placed;
        placed.begin(own, material.own.men);
        for (std::uint64_t i = 0; i < ways; ++i, placed.next()) {
            starts_.push_back(men);
            men += choose(count(their & ~placed.set()), material.their.men);
        }
        starts_.push_back(men);
        kings_ = choose(left_, material.own.kings) * their_kings();
        size_ = men * kings_ * per_placement();
    }

    const Material& material() const noexcept { return material_; }
    std::uint64_t size() const noexcept { return size_; }
    const BoardMasksOf<Bits>& masks() const noexcept { return masks_; }

    // The numbers of White's and of Black's streaks, the least significant digits of an index.
    const std::array<unsigned, 2>& streak_states() const noexcept { return states_; }
    unsigned per_placement() const noexcept { return states_[0] * states_[1]; }

    // The index of a position of this material with White to move.
    std::uint64_t of(const Position& p) const noexcept {
        const Bits own_squares = masks_.squares_of_men(Side::white);
        const Bits their_squares = masks_.squares_of_men(Side::black) & ~p.men[0];
        const Bits free = masks_.board & ~(p.men[0] | p.men[1]);
        std::uint64_t i = starts_[combination_number(p.men[0], own_squares)] +
                          combination_number(p.men[1], their_squares);
        i = i * kings_ + combination_number(p.kings[0], free) * their_kings() +
            combination_number(p.kings[1], free & ~p.kings[0]);
        if (per_placement() == 1) return i;
        return (i * states_[0] + streak_number(p, 0)) * states_[1] + streak_number(p, 1);
    }

   private:
    friend class CursorOf<Bits>;

    std::uint64_t their_kings() const noexcept {
        return choose(left_ - material_.own.kings, material_.their.kings);
    }

    unsigned streak_number(const Position& p, unsigned side) const noexcept {
        const Streak& streak = p.streaks[side];
        if (states_[side] == 1 || !streak.moves) return 0;
        const int before = count(p.kings[side] & ((Bits{1} << streak.bit) - 1));
        return static_cast<unsigned>(1 + before * masks_.streak + streak.moves - 1);
    }

    Streak streak_of(Bits kings, unsigned number) const noexcept {
        if (!number) return {};
        const unsigned most = static_cast<unsigned>(masks_.streak);
        for (unsigned skip = (number - 1) / most; skip; --skip) kings &= kings - 1;
        return {static_cast<std::uint8_t>(1 + (number - 1) % most),
                static_cast<std::uint8_t>(lowest(kings))};
    }

    BoardMasksOf<Bits> masks_;
    Material material_;
    int squares_ = 0;
    int left_ = 0;  // squares without men
    std::array<unsigned, 2> states_{};
    std::vector<std::uint64_t> starts_;  // first index of each placement of White's men
    std::uint64_t kings_ = 0;            // placements of the kings
    std::uint64_t size_ = 0;
};

}  // namespace damka
