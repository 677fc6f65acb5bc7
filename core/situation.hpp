// Where a game stands when a search begins.
#pragma once

#include <cstdint>
#include <vector>

#include "draws.hpp"
#include "ground.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// Where the game stands: the position, and how it came about.
struct Situation {
    WidePosition position;
    Counts counts;
    Standing standing;
    // Keys of the last `counts.reversible` positions, oldest first, without the present one.
    std::vector<std::uint64_t> past;
    // The moves to choose from, all legal ones if empty. A quiet move that the rules punish by
    // huffing may be among them.
    std::vector<WideMove> choices;
};

// Follows a game move by move, up to where a search is to begin.
class Follower {
   public:
    Follower(const Rules& rules, const DrawRules& draws, const WidePosition& start)
        : ground_(rules),
          balance_(draws.material, ground_.road),
          sideways_((rules.move_lines & kOrthogonal) != 0),
          now_{start, {}, balance_.begin(start), {}, {}} {}

    // `m` has led to `next`.
    void move(const WideMove& m, const WidePosition& next) {
        const Standing before = now_.standing;
        balance_.advance(before, m, next, now_.standing);
        const bool sideways = sideways_ && ground_.row[m.from] == ground_.row[m.to];
        now_.counts = now_.counts.after(m, sideways);
        if (now_.counts.reversible) {
            now_.past.push_back(now_.position.key);
        } else {
            now_.past.clear();
        }
        now_.position = next;
    }

    const Situation& now() const { return now_; }

   private:
    const Ground<Wide> ground_;
    const BalanceOf<Wide> balance_;
    const bool sideways_;
    Situation now_;
};

}  // namespace damka
