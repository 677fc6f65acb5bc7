// The root of a search: a position with its history.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "position/draw_counters.hpp"
#include "position/move.hpp"
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

    int plies = 0;  // of the game so far
    // If the draw rules need them, the hashes of the pieces of `past`, and of all moves of the
    // game.
    std::vector<std::uint64_t> past_pieces{};
    std::vector<std::uint64_t> moves{};

    // Adds the history that leads to `position`: `status` is its status, and `steps` are the
    // earlier positions, oldest first, as for GameRulesOf::result.
    template <class Status, class Steps>
    void add_history(const DrawRules& draws, const Status& status, const Steps& steps) {
        const std::size_t n = std::size(steps);
        const std::size_t reversible =
            std::min(n, static_cast<std::size_t>(status.counts.reversible));
        plies = status.plies;
        for (std::size_t i = n - reversible; i < n; ++i) {
            past.push_back(steps[i].position.key);
            if (draws.pieces_only) past_pieces.push_back(steps[i].position.pieces_key());
        }
        if (!draws.moves_anywhere) return;
        const auto add = [&](const WidePosition& p, const Status& of) {
            if (of.has_last_move()) moves.push_back(zobrist::move_key(other(p.turn), of.last_move));
        };
        for (const auto& step : steps) add(step.position, step.status);
        add(position, status);
    }
};

// Replays a game move by move, up to the root of a search.
class RootReplay {
   public:
    RootReplay(const Rules& rules, const DrawRules& draws, const WidePosition& start)
        : counters_(rules, draws),
          pieces_only_(draws.pieces_only),
          moves_anywhere_(draws.moves_anywhere),
          root_{start, {}, counters_.material().begin(start), {}, {}} {}

    // Plays the move `m`, which leads to `next`.
    void push(const WideMove& m, const WidePosition& next) {
        counters_.advance(root_.counts, root_.material, m, next);
        if (root_.counts.reversible) {
            root_.past.push_back(root_.position.key);
            if (pieces_only_) root_.past_pieces.push_back(root_.position.pieces_key());
        } else {
            root_.past.clear();
            root_.past_pieces.clear();
        }
        ++root_.plies;
        if (moves_anywhere_) root_.moves.push_back(zobrist::move_key(root_.position.turn, m));
        root_.position = next;
    }

    const SearchRoot& root() const { return root_; }

   private:
    const DrawCountersOf<Wide> counters_;
    const bool pieces_only_;
    const bool moves_anywhere_;
    SearchRoot root_;
};

}  // namespace damka
