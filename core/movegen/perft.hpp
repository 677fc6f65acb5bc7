// Counting the leaves of the move tree.
//
// The counting itself is in perft_walk.hpp, compiled once for every variant by the source files
// perft_*.cpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "movegen/movegen.hpp"

namespace damka {

// Counts that are already known, shared by threads without a lock.
//
// An entry is found by one hash of the position and checked against another of 64 bits, so that two
// positions are taken for one about as often as such numbers collide: never. Half-written entries
// fail the check.
class PerftTable {
   public:
    // Takes the largest power of two of buckets that fits. Throws std::bad_alloc.
    explicit PerftTable(std::size_t bytes)
        : mask_(std::bit_floor(std::max(bytes / sizeof(Bucket), std::size_t{1})) - 1),
          buckets_(new Bucket[mask_ + 1]()) {}

    struct Key {
        std::uint64_t place, check;
    };

    template <class Bits>
    static Key key_of(const Turn<Bits>& t, Side side, int depth, std::uint64_t streaks) noexcept {
        std::uint64_t a = static_cast<std::uint64_t>(depth) * 2 + index(side) + (streaks << 8);
        std::uint64_t b = ~a;
        for (const Bits bits : {t.men, t.kings, t.enemy_men, t.enemy_kings}) {
            a = zobrist::mix_bits(bits, a);
            b = zobrist::mix_bits(bits, b);
        }
        return {a, b};
    }

    bool find(const Key& key, std::uint64_t& leaves) const noexcept {
        for (const Entry& entry : buckets_[key.place & mask_].entries) {
            const std::uint64_t stored = entry.leaves.load(std::memory_order_relaxed);
            if ((entry.check.load(std::memory_order_relaxed) ^ stored) != key.check) continue;
            leaves = stored;
            return true;
        }
        return false;
    }

    // Replaces what is quickest to count again.
    void store(const Key& key, std::uint64_t leaves) noexcept {
        Entry* least = nullptr;
        std::uint64_t fewest = 0;
        for (Entry& entry : buckets_[key.place & mask_].entries) {
            const std::uint64_t stored = entry.leaves.load(std::memory_order_relaxed);
            if (least && stored >= fewest) continue;
            least = &entry;
            fewest = stored;
        }
        least->check.store(key.check ^ leaves, std::memory_order_relaxed);
        least->leaves.store(leaves, std::memory_order_relaxed);
    }

   private:
    struct Entry {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> leaves{0};
    };

    struct alignas(64) Bucket {
        Entry entries[4];
    };

    std::size_t mask_;
    std::unique_ptr<Bucket[]> buckets_;
};

// Asked about every ten milliseconds whether to give up counting.
struct Poll {
    bool (*ask)(const void* data) = nullptr;  // null: never
    const void* data = nullptr;

    bool operator()() const { return ask && ask(data); }

    // The same for a callable, which must outlive it.
    template <class F>
    static Poll of(const F& f) noexcept {
        return {
            [](const void* data) { return static_cast<bool>((*static_cast<const F*>(data))()); },
            &f};
    }
};

// The leaves `depth` plies below (depth >= 0); worthless if `poll` gave the count up. `rules` must
// be those that chose the variant.
template <class V>
std::uint64_t perft(const Rules& rules, const PositionOf<typename V::Bits>& p, int depth,
                    Poll poll = {}, PerftTable* table = nullptr);

}  // namespace damka
