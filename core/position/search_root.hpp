// The root of a search: a position with its history.
#pragma once

#include <cstdint>
#include <vector>

#include "position/draw_counters.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// A position and its history, as far as a search needs it.
struct SearchRoot {
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
class RootReplay {
   public:
    RootReplay(const Rules& rules, const DrawRules& draws, const WidePosition& start)
        : counters_(rules, draws), root_{start, {}, counters_.material().begin(start), {}, {}} {}

    // Plays the move `m`, which leads to `next`.
    void push(const WideMove& m, const WidePosition& next) {
        counters_.advance(root_.counts, root_.material, m, next);
        if (root_.counts.reversible) {
            root_.past.push_back(root_.position.key);
        } else {
            root_.past.clear();
        }
        root_.position = next;
    }

    const SearchRoot& root() const { return root_; }

   private:
    const DrawCountersOf<Wide> counters_;
    SearchRoot root_;
};

}  // namespace damka
