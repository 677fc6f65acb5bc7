// In which order the search tries moves: the table's move, captures by what they take, crownings,
// then quiet moves by how often such moves have been good.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "ground.hpp"
#include "moves.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// A short code of a move, distinct from nearly every other in the same position; 0 is none.
template <class Bits>
std::uint16_t code_of(const MoveOf<Bits>& m) {
    // Two bit numbers take 12 bits in a word of 64, and in the wide ones not quite 13.
    constexpr int kBase = sizeof(Bits) == 8 ? 64 : 90;
    constexpr int kShift = sizeof(Bits) == 8 ? 12 : 13;
    constexpr std::uint64_t kCodes = (std::uint64_t{1} << (16 - kShift)) - 1;
    const std::uint64_t taken = m.captured ? 1 + zobrist::mix(folded(m.captured)) % kCodes : 0;
    return static_cast<std::uint16_t>(static_cast<std::uint64_t>(m.from + kBase * m.to) |
                                      taken << kShift);
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
        ranks_.clear();
        if (list.size() == 1) return ranks_.push(0);
        const Bits kings = p.kings[index(other(p.turn))];
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Move& m = list[i];
            const std::uint16_t code = code_of(m);
            std::int64_t rank = 0;
            if (code == best_known) {
                rank = kKnown;
            } else if (m.is_capture()) {
                rank = kCapture + 100 * count(m.captured) + 100 * count(m.captured & kings);
            } else if (m.crowns) {
                rank = kCrowning;
            } else if (code == killers[0]) {
                rank = kKiller + 1;
            } else if (code == killers[1]) {
                rank = kKiller;
            } else {
                rank = history.of(p.turn, m);
            }
            // Of equals, the first goes first.
            ranks_.push(rank << kIndexBits | static_cast<std::int64_t>(kIndices - i));
        }
    }

    // The move to try as number `i`; all before it must have been asked for.
    const Move& pick(std::size_t i) {
        std::size_t best = i;
        for (std::size_t j = i + 1; j < ranks_.size(); ++j) {
            if (ranks_[j] > ranks_[best]) best = j;
        }
        std::swap(ranks_[i], ranks_[best]);
        return tried(i);
    }

    // The move that was tried as number `i`.
    const Move& tried(std::size_t i) const {
        if (list.size() == 1) return list[0];
        return list[kIndices - static_cast<std::size_t>(ranks_[i] & kIndices)];
    }

   private:
    static constexpr int kIndexBits = 20;
    static constexpr std::size_t kIndices = (std::size_t{1} << kIndexBits) - 1;
    static constexpr std::int64_t kKnown = 1 << 30;
    static constexpr std::int64_t kCapture = 1 << 20;
    static constexpr std::int64_t kCrowning = 1 << 19;
    static constexpr std::int64_t kKiller = 1 << 18;

    RoomyList<std::int64_t, 96> ranks_;
};

}  // namespace damka
