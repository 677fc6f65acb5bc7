// In which order the search tries moves: the table's move, captures by what they take, crownings,
// then quiet moves by how often such moves have been good.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ground.hpp"
#include "moves.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// A short code of a move, distinct from nearly every other in the same position; 0 is none. Two bit
// numbers take 12 bits in a word of 64, and in the wide ones not quite 13.
template <class Bits>
std::uint16_t quiet_code_of(const MoveOf<Bits>& m) {
    constexpr int kBase = sizeof(Bits) == 8 ? 64 : 90;
    return static_cast<std::uint16_t>(m.from + kBase * m.to);
}

template <class Bits>
std::uint16_t code_of(const MoveOf<Bits>& m) {
    const std::uint16_t quiet = quiet_code_of(m);
    if (!m.captured) return quiet;
    constexpr int kShift = sizeof(Bits) == 8 ? 12 : 13;
    constexpr std::uint64_t kCodes = (std::uint64_t{1} << (16 - kShift)) - 1;
    const std::uint64_t taken = 1 + zobrist::mix(folded(m.captured)) % kCodes;
    return static_cast<std::uint16_t>(quiet | taken << kShift);
}

// How good quiet moves have been, by side, origin and destination: what cuts off gains, what was
// tried before it loses, and what was learned long ago fades.
template <class Bits>
class History {
   public:
    void clear() {
        for (auto& side : values_) {
            for (auto& from : side) from.fill(0);
        }
    }

    int of(Side side, const MoveOf<Bits>& m) const {
        return values_[index(side)][m.from % kPlaces][m.to % kPlaces];
    }

    void add(Side side, const MoveOf<Bits>& m, int by) {
        std::int16_t& value = values_[index(side)][m.from % kPlaces][m.to % kPlaces];
        value = static_cast<std::int16_t>(value + by - value * std::abs(by) / kMost);
    }

    static constexpr int kMost = 8192;

   private:
    static constexpr std::size_t kPlaces = Ground<Bits>::kPlaces;
    std::array<std::array<std::array<std::int16_t, kPlaces>, kPlaces>, 2> values_{};
};

// The moves of one position and the order in which they are tried, found as far as it is needed.
template <class Bits>
class Moves {
   public:
    using Move = MoveOf<Bits>;

    MoveListOf<Bits> list;

    std::size_t size() const { return list.size(); }

    // To be called once the list is complete.
    void order(const PositionOf<Bits>& p, const History<Bits>& history, std::uint16_t best_known,
               const std::array<std::uint16_t, 2>& killers) {
        const std::size_t n = list.size();
        if (n == 1) return;
        first_ = kTried;
        ranks_.stretch(n);
        order_.stretch(n);
        // Captures stand in front of quiet moves, if there are both.
        if (n > 0 && list[0].is_capture()) {
            const Bits kings = p.kings[index(other(p.turn))];
            for (std::size_t i = 0; i < n; ++i) {
                const Move& m = list[i];
                set(i, code_of(m) == best_known ? kKnown
                       : m.is_capture()
                           ? kCapture + 100 * count(m.captured) + 100 * count(m.captured & kings)
                           : rank_of(p.turn, m, history, killers));
            }
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const Move& m = list[i];
                set(i, quiet_code_of(m) == best_known ? kKnown
                                                      : rank_of(p.turn, m, history, killers));
            }
        }
    }

    // The move to try as number `i`; all before it must have been asked for.
    const Move& pick(std::size_t i) {
        const std::size_t n = list.size();
        if (n == 1) return list[0];
        // Without a branch: which one is the best cannot be foretold.
        std::int64_t best = first_;
        if (i > 0) {
            best = ranks_[0];
            for (std::size_t j = 1; j < n; ++j) best = std::max(best, ranks_[j]);
        }
        const auto at = static_cast<std::size_t>(kIndices - (best & kIndices));
        ranks_[at] = kTried;
        order_[i] = static_cast<std::uint32_t>(at);
        return list[at];
    }

    // The move that was tried as number `i`.
    const Move& tried(std::size_t i) const { return list[list.size() == 1 ? 0 : order_[i]]; }

   private:
    // Of equals, the first goes first.
    void set(std::size_t i, std::int64_t rank) {
        const std::int64_t all = rank << kIndexBits | (kIndices - static_cast<std::int64_t>(i));
        ranks_[i] = all;
        first_ = std::max(first_, all);
    }

    static std::int64_t rank_of(Side side, const Move& m, const History<Bits>& history,
                                const std::array<std::uint16_t, 2>& killers) {
        if (m.crowns) return kCrowning;
        const std::uint16_t code = quiet_code_of(m);
        if (code == killers[0]) return kKiller + 1;
        if (code == killers[1]) return kKiller;
        return history.of(side, m);
    }

    static constexpr int kIndexBits = 20;
    static constexpr std::int64_t kIndices = (std::int64_t{1} << kIndexBits) - 1;
    static constexpr std::int64_t kKnown = 1 << 30;
    static constexpr std::int64_t kCapture = 1 << 20;
    static constexpr std::int64_t kCrowning = 1 << 19;
    static constexpr std::int64_t kKiller = 1 << 18;
    static constexpr std::int64_t kTried = std::numeric_limits<std::int64_t>::min();

    std::int64_t first_ = kTried;  // the highest rank
    RoomyList<std::int64_t, 96> ranks_;
    RoomyList<std::uint32_t, 96> order_;  // places in `list` of those picked
};

}  // namespace damka
