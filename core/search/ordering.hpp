// Move ordering: the table's move, captures by captured material, crownings, then quiet moves by
// history.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "position/board_map.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// An upper bound for bit numbers: two of them take 12 bits for 64-bit words and just under 13 for
// wide ones.
template <class Bits>
inline constexpr int kCodeBase = sizeof(Bits) == 8 ? 64 : 90;

// A 16-bit code of a move, nearly unique within its position; 0 means none.
template <class Bits>
constexpr std::uint16_t quiet_code_of(const MoveOf<Bits>& m) {
    return static_cast<std::uint16_t>(m.from + kCodeBase<Bits> * m.to);
}

template <class Bits>
constexpr std::uint16_t code_of(const MoveOf<Bits>& m) {
    const std::uint16_t quiet = quiet_code_of(m);
    if (!m.captured) return quiet;
    constexpr int kShift = sizeof(Bits) == 8 ? 12 : 13;
    constexpr std::uint64_t kCodes = (std::uint64_t{1} << (16 - kShift)) - 1;
    const std::uint64_t taken = 1 + zobrist::mix(folded(m.captured)) % kCodes;
    return static_cast<std::uint16_t>(quiet | taken << kShift);
}

// History heuristic for quiet moves, by side and code: a cut-off raises a move's value, moves tried
// before it get a malus, and old values decay.
template <class Bits>
class History {
   public:
    void clear() {
        for (auto& side : values_) side.fill(0);
    }

    int of(Side side, std::uint16_t code) const { return values_[index(side)][code]; }

    void add(Side side, std::uint16_t code, int by) {
        std::int16_t& value = values_[index(side)][code];
        value = static_cast<std::int16_t>(value + by - value * std::abs(by) / kMax);
    }

    static constexpr int kMax = 8192;

   private:
    static constexpr std::size_t kCodes = std::size_t{kCodeBase<Bits>} * kCodeBase<Bits>;
    std::array<std::array<std::int16_t, kCodes>, 2> values_{};
};

// The moves of one position with their order, sorted lazily.
template <class Bits>
class Moves {
   public:
    using Move = MoveOf<Bits>;

    MoveListOf<Bits> list;

    std::size_t size() const { return list.size(); }

    // Call once the list is complete.
    void order(const PositionOf<Bits>& p, const History<Bits>& history, std::uint16_t best_known,
               const std::array<std::uint16_t, 2>& killers) {
        const std::size_t n = std::min(list.size(), kRanked);
        if (n <= 1) return;
        groups_ = (n + kGroup - 1) / kGroup;
        ranks_.resize(kGroup * groups_);
        order_.resize(n);
        for (std::size_t i = 1; i < kGroup; ++i) ranks_[kGroup * groups_ - i] = kTried;
        int* ranks = ranks_.begin();
        const Move* moves = list.begin();
        int first = kTried;
        // Ties are broken by the order of generation.
        const auto set = [&](std::size_t i, int rank) {
            const int all = rank * (kIndices + 1) + (kIndices - static_cast<int>(i));
            ranks[i] = all;
            first = std::max(first, all);
        };
        // Captures precede quiet moves in the list, if there are both.
        if (moves[0].is_capture()) {
            const Bits kings = p.kings[index(other(p.turn))];
            for (std::size_t i = 0; i < n; ++i) {
                const Move& m = moves[i];
                set(i, best_known && code_of(m) == best_known ? kKnown
                       : m.is_capture()
                           ? kCapture + 100 * count(m.captured) + 100 * count(m.captured & kings)
                           : rank_of(p.turn, m, history, best_known, killers));
            }
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                set(i, rank_of(p.turn, moves[i], history, best_known, killers));
            }
        }
        first_ = first;
    }

    // The i-th move to try; call in ascending order of i.
    const Move& pick(std::size_t i) {
        if (list.size() == 1) return list[0];
        if (i >= kRanked) [[unlikely]]
            return list[i];
        // Branchless: the best rank is unpredictable.
        const int best = i > 0 ? highest() : first_;
        const auto at = static_cast<std::size_t>(kIndices - (best & kIndices));
        ranks_[at] = kTried;
        order_[i] = static_cast<std::uint16_t>(at);
        return list[at];
    }

    // The i-th tried move.
    const Move& tried(std::size_t i) const {
        return list[list.size() == 1 ? 0 : i < kRanked ? order_[i] : i];
    }

   private:
    // The lanes of one vector comparison.
    using Group = int __attribute__((vector_size(16), may_alias));
    static constexpr std::size_t kGroup = sizeof(Group) / sizeof(int);

    int highest() const {
        const auto* groups = reinterpret_cast<const Group*>(ranks_.begin());
        Group best = groups[0];
        for (std::size_t j = 1; j < groups_; ++j) best = best > groups[j] ? best : groups[j];
        const Group half = __builtin_shufflevector(best, best, 2, 3, 0, 1);
        best = best > half ? best : half;
        return std::max(best[0], best[1]);
    }

    static int rank_of(Side side, const Move& m, const History<Bits>& history,
                       std::uint16_t best_known, const std::array<std::uint16_t, 2>& killers) {
        const std::uint16_t code = quiet_code_of(m);
        int rank = history.of(side, code);
        rank = code == killers[1] ? kKiller : rank;
        rank = code == killers[0] ? kKiller + 1 : rank;
        rank = m.crowns ? kCrowning : rank;
        return code == best_known ? kKnown : rank;
    }

    static constexpr std::size_t kRanked = 4096;  // of longer lists, the rest is unsorted
    static constexpr int kIndices = kRanked - 1;
    static constexpr int kKnown = 1 << 18;
    static constexpr int kCapture = 1 << 17;
    static constexpr int kCrowning = 1 << 16;
    static constexpr int kKiller = 1 << 15;
    static constexpr int kTried = std::numeric_limits<int>::min();

    std::size_t groups_ = 0;
    int first_ = kTried;  // index of the highest rank
    SmallVector<int, 96> ranks_;
    SmallVector<std::uint16_t, 96> order_;  // indices in `list` of the picked moves
};

}  // namespace damka
