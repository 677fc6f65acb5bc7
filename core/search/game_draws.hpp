// Draws that few rules have: by the length of the game, by the same move in any position, and by
// the same pieces with either side to move.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "position/draw_counters.hpp"
#include "position/position.hpp"
#include "position/search_root.hpp"
#include "search/limits.hpp"

namespace damka {

class GameDraws {
   public:
    explicit GameDraws(const DrawRules& draws)
        : game_plies_(draws.game_plies),
          repetition_(draws.pieces_only ? draws.repetition : 0),
          same_move_(draws.moves_anywhere ? draws.same_move : 0) {}

    // Returns null if the rules have no such draw.
    static std::unique_ptr<GameDraws> of(const DrawRules& draws) {
        auto counted = std::make_unique<GameDraws>(draws);
        const bool any = counted->game_plies_ || counted->repetition_ || counted->same_move_;
        return any ? std::move(counted) : nullptr;
    }

    void begin(const SearchRoot& root) {
        plies_ = root.plies;
        if (repetition_) {
            pieces_ = root.past_pieces;
            root_ = pieces_.size();
            pieces_.resize(root_ + kMaxPly + 2);
            pieces_[root_] = root.position.pieces_key();
        }
        if (same_move_) {
            made_ = root.moves;
            std::sort(made_.begin(), made_.end());
        }
    }

    // Adds the move `m` from `p` to `child`, at `ply`.
    template <class Bits>
    [[gnu::noinline]] void arrive(int ply, const PositionOf<Bits>& p, const MoveOf<Bits>& m,
                                  const PositionOf<Bits>& child) {
        const auto at = static_cast<std::size_t>(ply);
        if (repetition_) pieces_[root_ + at] = child.pieces_key();
        if (same_move_) line_[at] = zobrist::move_key(p.turn, m);
    }

    // Plies left before a draw at `ply`, after `reversible` reversible moves; 0 if it is drawn.
    [[gnu::noinline]] int remaining(int ply, int reversible) const {
        const int left = game_plies_ ? std::max(game_plies_ - plies_ - ply, 0) : kNoLimit;
        if (ply == 0) return left;
        if (same_move_ && times_made(ply) >= same_move_) return 0;
        if (repetition_ && occurrences(ply, reversible) >= repetition_) return 0;
        return left;
    }

    // Whether such a draw ends the game at a root, unless it is won.
    static bool is_drawn(const DrawRules& draws, const SearchRoot& root) {
        if (draws.game_plies && root.plies >= draws.game_plies) return true;
        if (draws.same_move && draws.moves_anywhere && !root.moves.empty() &&
            std::ranges::count(root.moves, root.moves.back()) >= draws.same_move) {
            return true;
        }
        return draws.repetition && draws.pieces_only &&
               std::ranges::count(root.past_pieces, root.position.pieces_key()) + 1 >=
                   draws.repetition;
    }

    // A hash of the moves that draw if they are made once more: it distinguishes the values of the
    // same position at different points of a game.
    std::uint64_t salt() const {
        std::uint64_t salt = 0;
        if (!same_move_) return salt;
        for (auto at = made_.begin(); at != made_.end();) {
            const auto end = std::upper_bound(at, made_.end(), *at);
            if (end - at >= same_move_ - 1) salt ^= zobrist::mix(*at);
            at = end;
        }
        return salt;
    }

   private:
    // How often the last move was made in the game and in the line.
    int times_made(int ply) const {
        const std::uint64_t last = line_[static_cast<std::size_t>(ply)];
        const auto [first, end] = std::equal_range(made_.begin(), made_.end(), last);
        auto times = end - first;
        for (int i = ply; i > 0; i -= 2) times += line_[static_cast<std::size_t>(i)] == last;
        return static_cast<int>(times);
    }

    int occurrences(int ply, int reversible) const {
        const std::size_t at = root_ + static_cast<std::size_t>(ply);
        const std::size_t back = std::min(at, static_cast<std::size_t>(reversible));
        int found = 1;
        for (std::size_t step = 4; step <= back; ++step) {
            found += pieces_[at - step] == pieces_[at];
        }
        return found;
    }

    const int game_plies_;
    const int repetition_;
    const int same_move_;
    int plies_ = 0;                                  // of the game at the root
    std::vector<std::uint64_t> pieces_;              // since the last irreversible move
    std::size_t root_ = 0;                           // index of the root in `pieces_`
    std::vector<std::uint64_t> made_;                // the moves of the game, sorted
    std::array<std::uint64_t, kMaxPly + 2> line_{};  // the moves of the current line, from ply 1
};

}  // namespace damka
