// Perft: counting the leaves of the move tree.
//
// The implementation is perft_walk.hpp, compiled once for every variant by the source files
// perft_*.cpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "movegen/movegen.hpp"

namespace damka {

// Lock-free table of subtree counts, shared by threads.
//
// An entry is located by one hash of the position and verified by another of 64 bits, so a wrong
// hit is as improbable as a collision of both. Torn entries fail the verification.
class PerftTable {
   public:
    // Uses the largest power of two of buckets that fits. Throws std::bad_alloc.
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

    // Replaces the entry that is cheapest to count again.
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

// Polled about every ten milliseconds; true aborts the count.
struct Poll {
    bool (*poll)(const void* data) = nullptr;  // null: never
    const void* data = nullptr;

    bool operator()() const { return poll && poll(data); }

    // Wraps a callable, which must outlive the Poll.
    template <class F>
    static Poll of(const F& f) noexcept {
        return {
            [](const void* data) { return static_cast<bool>((*static_cast<const F*>(data))()); },
            &f};
    }
};

// The leaves `depth` plies below (depth >= 0); meaningless if `poll` aborted the count. `rules`
// must be those that chose the variant.
template <class V>
std::uint64_t perft(const Rules& rules, const PositionOf<typename V::Bits>& p, int depth,
                    Poll poll = {}, PerftTable* table = nullptr);

}  // namespace damka
