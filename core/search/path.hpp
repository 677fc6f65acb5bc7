// Keys of the game and of the current line, for repetition detection.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/draw_counters.hpp"
#include "search/limits.hpp"

namespace damka {

class Path {
   public:
    // Starts at the position with the key `root`; `past` are the keys since the last irreversible
    // move.
    void begin(const std::vector<std::uint64_t>& past, std::uint64_t root) {
        keys_ = past;
        root_ = past.size();
        keys_.resize(root_ + kMaxPly + 2);
        line_ = &keys_[root_];
        line_[0] = root;
    }

    void arrive(int ply, std::uint64_t key) { line_[ply] = key; }

    // Whether the position at `ply`, after `reversible` reversible moves, ends the game by
    // repetition, or repeats a position of the current line.
    bool repeats(int ply, int reversible, const DrawRules& draws) const {
        return reversible >= 3 && repeats_in(ply, reversible, draws);
    }

   private:
    [[gnu::noinline]] bool repeats_in(int ply, int reversible, const DrawRules& draws) const {
        const std::size_t at = root_ + static_cast<std::size_t>(ply);
        const std::size_t back = std::min(at, static_cast<std::size_t>(reversible));
        int occurrences = 1;
        int transitions = 1;
        for (std::size_t step = 4; step <= back; step += 2) {
            const std::size_t i = at - step;
            if (keys_[i] != keys_[at]) continue;
            if (i >= root_) return true;
            ++occurrences;
            if (i > 0 && keys_[i - 1] == keys_[at - 1]) ++transitions;
        }
        return (draws.repetition && occurrences >= draws.repetition) ||
               (draws.same_move && transitions >= draws.same_move);
    }

    std::vector<std::uint64_t> keys_;
    std::size_t root_ = 0;
    std::uint64_t* line_ = nullptr;  // keys from the root
};

}  // namespace damka
