// Draws that depend on the history of the game, and the counters for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

inline constexpr int kNoLimit = 32000;  // above every limit, in plies
inline constexpr std::size_t kMaxMaterialDraws = 12;

// An inclusive range of numbers.
struct Span {
    int least = 0;
    int most = kMaxSquares;

    constexpr bool contains(int n) const noexcept { return least <= n && n <= most; }
};

// The material of one side.
struct Force {
    Span men, kings, pieces;

    constexpr bool fits(int m, int k) const noexcept {
        return men.contains(m) && kings.contains(k) && pieces.contains(m + k);
    }
    constexpr int most() const noexcept { return std::min(pieces.most, men.most + kings.most); }
};

// The game is a draw `plies` after the material condition was first fulfilled, or at once;
// docs/rules/parameters.md has the exact rules.
struct MaterialDraw {
    int plies = 0;
    Force strong, weak;
    Span pieces;
    bool main_road = false;         // the weak side's only king stands on the long diagonal
    bool unchanged = false;         // a crowning restarts the count
    bool strong_main_road = false;  // a king of the strong side stands on the long diagonal

    constexpr int most() const noexcept {
        return std::min(pieces.most, strong.most() + weak.most());
    }
};

// Zero disables a rule.
struct DrawRules {
    int repetition = 0;                  // the n-th occurrence of a position
    int same_move = 0;                   // the n-th time the same move
    int no_progress_plies = 0;           // plies without a capture or a man's move
    std::vector<MaterialDraw> material;  // at most kMaxMaterialDraws
    int game_plies = 0;                  // plies of the whole game
    // Positions are the same if their pieces are, with either side to move.
    bool pieces_only = false;
    // Moves are the same in any position of the game, not only in the same one.
    bool moves_anywhere = false;
};

// Counters that depend only on moves, in plies.
struct Counts {
    int progress = 0;    // since the last capture or man's move
    int reversible = 0;  // since the last irreversible move

    // `sideways`: a man has moved within its row.
    template <class Bits>
    constexpr Counts after(const MoveOf<Bits>& m, bool sideways) const noexcept {
        if (m.captured) return {};
        return {m.king ? progress + 1 : 0, m.king || sideways ? reversible + 1 : 0};
    }
};

// Number of plies for which the position has fulfilled each material condition.
struct MaterialCounts {
    static constexpr std::int16_t kUnmet = -1;

    bool any = false;  // if false, no condition is counted and `plies` is unset
    std::array<std::int16_t, kMaxMaterialDraws> plies;
};

// Counters of the draws by material.
template <class Bits>
class MaterialDrawCounterOf {
   public:
    MaterialDrawCounterOf(const std::vector<MaterialDraw>& draws, Bits main_road)
        : draws_(draws), road_(main_road) {
        for (const MaterialDraw& draw : draws_) most_ = std::max(most_, draw.most());
    }

    // Whether these rules have draws by material.
    bool has_draws() const { return !draws_.empty(); }

    // The smallest number of plies of all conditions.
    int shortest() const {
        int plies = kNoLimit;
        for (const MaterialDraw& draw : draws_) plies = std::min(plies, draw.plies);
        return plies;
    }

    // The counters at the start of a game.
    MaterialCounts begin(const PositionOf<Bits>& p) const {
        MaterialCounts material;
        count_on(nullptr, false, p, material);
        return material;
    }

    // Sets `material` to what follows `before` after the move `m` to `p`.
    void advance(const MaterialCounts& before, const MoveOf<Bits>& m, const PositionOf<Bits>& p,
                 MaterialCounts& material) const {
        // With too many pieces for every condition nothing is counted until the next capture.
        material.any = (before.any || m.captured) && count(p.occupied()) <= most_;
        if (!material.any) [[likely]]
            return;
        count_on(before.any && !m.captured ? &before : nullptr, m.crowns, p, material);
    }

    // Plies left before the draw; at 0 the game is drawn.
    int remaining(const MaterialCounts& material) const {
        int left = kNoLimit;
        for_counting(material, [&](std::size_t i) {
            left = std::min(left, draws_[i].plies - material.plies[i]);
        });
        return left;
    }

    // Whether the game is drawn unless the side to move has a capture.
    bool drawn_at_rest(const MaterialCounts& material) const {
        if (!material.any) return false;
        for (std::size_t i = 0; i < draws_.size(); ++i) {
            if (draws_[i].plies == 0 && material.plies[i] != MaterialCounts::kUnmet) return true;
        }
        return false;
    }

    // A hash that distinguishes positions by their distance to a draw, if it is within `near`
    // plies.
    std::uint64_t salt(const MaterialCounts& material, int near) const {
        std::uint64_t salt = 0;
        for_counting(material, [&](std::size_t i) {
            const int left = draws_[i].plies - material.plies[i];
            if (left > near) return;
            salt ^= zobrist::mix(static_cast<std::uint64_t>(left) + 1000 * (i + 1));
        });
        return salt;
    }

   private:
    // Calls f for each fulfilled condition with a ply limit.
    template <class F>
    void for_counting(const MaterialCounts& material, F&& f) const {
        if (!material.any) return;
        for (std::size_t i = 0; i < draws_.size(); ++i) {
            if (draws_[i].plies && material.plies[i] != MaterialCounts::kUnmet) f(i);
        }
    }

    bool matches(const PositionOf<Bits>& p, const MaterialDraw& draw, const std::array<int, 2>& men,
                 const std::array<int, 2>& kings) const {
        if (!draw.pieces.contains(men[0] + kings[0] + men[1] + kings[1])) return false;
        for (const unsigned weak : {0u, 1u}) {
            if (!draw.weak.fits(men[weak], kings[weak])) continue;
            if (!draw.strong.fits(men[weak ^ 1], kings[weak ^ 1])) continue;
            if (draw.main_road && (kings[weak] != 1 || !(p.kings[weak] & road_))) continue;
            if (draw.strong_main_road && !(p.kings[weak ^ 1] & road_)) continue;
            return true;
        }
        return false;
    }

    // With a null `before`, every count restarts.
    [[gnu::noinline]] void count_on(const MaterialCounts* before, bool crowned,
                                    const PositionOf<Bits>& p, MaterialCounts& material) const {
        material.any = count(p.occupied()) <= most_;
        if (!material.any) return;
        const std::array<int, 2> men{count(p.men[0]), count(p.men[1])};
        const std::array<int, 2> kings{count(p.kings[0]), count(p.kings[1])};
        for (std::size_t i = 0; i < draws_.size(); ++i) {
            std::int16_t& plies = material.plies[i];
            if (!matches(p, draws_[i], men, kings)) {
                plies = MaterialCounts::kUnmet;
            } else if (!before || (crowned && draws_[i].unchanged)) {
                plies = 0;
            } else {
                plies = static_cast<std::int16_t>(before->plies[i] + 1);
            }
        }
    }

    const std::vector<MaterialDraw> draws_;
    const Bits road_;
    int most_ = 0;
};

// Advances all counters of a game move by move.
template <class Bits>
class DrawCountersOf {
   public:
    DrawCountersOf(const Rules& rules, const DrawRules& draws)
        : map_(rules),
          material_(draws.material, map_.road),
          sideways_((rules.move_lines & kOrthogonal) != 0) {}

    const MaterialDrawCounterOf<Bits>& material() const noexcept { return material_; }

    // Updates the counts for the move `m`, which leads to `next`.
    void advance(Counts& counts, MaterialCounts& material, const MoveOf<Bits>& m,
                 const PositionOf<Bits>& next) const {
        const bool sideways = sideways_ && map_.row[m.from] == map_.row[m.to];
        counts = counts.after(m, sideways);
        const MaterialCounts before = material;
        material_.advance(before, m, next, material);
    }

   private:
    const BoardMap<Bits> map_;
    const MaterialDrawCounterOf<Bits> material_;
    const bool sideways_;
};

}  // namespace damka
