// The state of a game when a search begins.
#pragma once

#include <cstdint>
#include <vector>

#include "position/board_map.hpp"
#include "position/draw_counters.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// A position and its history, as far as a search needs it.
struct GameState {
    WidePosition position;
    Counts counts;
    MaterialCounts material;
    // Keys of the last `counts.reversible` positions, oldest first, without the present one.
    std::vector<std::uint64_t> past;
    // Restricts the search to these moves; empty: all legal moves. May include a quiet move that
    // the rules punish by huffing.
    std::vector<WideMove> choices;
};

// Replays a game move by move, up to the root of a search.
class Follower {
   public:
    Follower(const Rules& rules, const DrawRules& draws, const WidePosition& start)
        : map_(rules),
          material_draws_(draws.material, map_.road),
          sideways_((rules.move_lines & kOrthogonal) != 0),
          now_{start, {}, material_draws_.begin(start), {}, {}} {}

    // `m` has led to `next`.
    void move(const WideMove& m, const WidePosition& next) {
        const MaterialCounts before = now_.material;
        material_draws_.advance(before, m, next, now_.material);
        const bool sideways = sideways_ && map_.row[m.from] == map_.row[m.to];
        now_.counts = now_.counts.after(m, sideways);
        if (now_.counts.reversible) {
            now_.past.push_back(now_.position.key);
        } else {
            now_.past.clear();
        }
        now_.position = next;
    }

    const GameState& now() const { return now_; }

   private:
    const BoardMap<Wide> map_;
    const MaterialDrawCounterOf<Wide> material_draws_;
    const bool sideways_;
    GameState now_;
};

}  // namespace damka
