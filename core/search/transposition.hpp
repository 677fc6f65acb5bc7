// The transposition table: results of the search, by position.
//
// An entry is sixteen bytes, two words that are read and written separately: the data, and the
// 64-bit key mixed with it. Several threads share one table without locks; after a torn write the
// words do not match and the entry is ignored. The whole 64-bit key is verified, so wrong hits are
// as rare as hash collisions. Four entries share a cache line.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "memory/large_pages.hpp"

namespace damka {

// Relation of a stored score to the true one.
enum class Bound : std::uint8_t { none, upper, lower, exact };

// Stored result of a position.
struct Entry {
    std::uint16_t move = 0;  // the search's short move code; 0: none
    std::int16_t score = 0;
    std::int16_t depth = 0;
    std::uint8_t age = 0;
    Bound bound = Bound::none;  // none: no entry
};
static_assert(sizeof(Entry) == 8);

struct Tearing;  // for tests

class TranspositionTable {
   public:
    static constexpr std::size_t kMinBytes = std::size_t{1} << 16;
    static constexpr std::size_t kMaxBytes = std::size_t{1} << (sizeof(std::size_t) > 4 ? 36 : 30);

    // Uses the largest power of two of clusters that fits in `bytes`. Throws std::bad_alloc.
    explicit TranspositionTable(std::size_t bytes)
        : count_(std::bit_floor(bytes < kMinBytes ? kMinBytes : bytes) / sizeof(Cluster)),
          clusters_(make_pages<Cluster>(count_)) {}

    std::size_t bytes() const { return count_ * sizeof(Cluster); }

    // Not during a search.
    void clear() {
        for (std::size_t i = 0; i < count_; ++i) {
            for (Slot& slot : clusters_[i].slots) slot.put(0, Entry{});
        }
        age_ = 0;
    }

    // Starts a new generation; call once per search, before its threads start. Older entries are
    // replaced first.
    void new_search() { ++age_; }

    Entry probe(std::uint64_t key) const {
        for (const Slot& slot : cluster(key).slots) {
            const Entry entry = slot.entry();
            if (slot.matches(key, entry)) return entry;
        }
        return {};
    }

    void store(std::uint64_t key, std::uint16_t move, int score, int depth, Bound bound) {
        Slot* victim = nullptr;
        int least = 0;
        for (Slot& slot : cluster(key).slots) {
            const Entry entry = slot.entry();
            if (slot.matches(key, entry)) {
                victim = &slot;
                // A bound without a move does not erase an earlier move.
                if (move == 0) move = entry.move;
                break;
            }
            // Replacement order: empty, oldest generation, smallest depth. One generation outweighs
            // any difference of depth.
            const int worth = entry.bound == Bound::none
                                  ? -kWorthless
                                  : entry.depth - 256 * static_cast<std::uint8_t>(age_ - entry.age);
            if (victim == nullptr || worth < least) {
                victim = &slot;
                least = worth;
            }
        }
        victim->put(key, {.move = move,
                          .score = static_cast<std::int16_t>(score),
                          .depth = static_cast<std::int16_t>(depth),
                          .age = age_,
                          .bound = bound});
    }

    // Prefetches the key's cache line. Always inlined: GCC treats a function that only prefetches
    // as free of side effects and drops its calls.
    [[gnu::always_inline]] void prefetch([[maybe_unused]] std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&cluster(key));
#endif
    }

   private:
    friend struct Tearing;

    static constexpr int kWorthless = 1 << 20;

    class Slot {
       public:
        Entry entry() const { return std::bit_cast<Entry>(data_.load(std::memory_order_relaxed)); }

        bool matches(std::uint64_t key, const Entry& entry) const {
            const auto data = std::bit_cast<std::uint64_t>(entry);
            return (check_.load(std::memory_order_relaxed) ^ data) == key &&
                   entry.bound != Bound::none;
        }

        void put(std::uint64_t key, const Entry& entry) {
            const auto data = std::bit_cast<std::uint64_t>(entry);
            check_.store(key ^ data, std::memory_order_relaxed);
            data_.store(data, std::memory_order_relaxed);
        }

       private:
        friend struct Tearing;

        std::atomic<std::uint64_t> check_{0};  // key xor-mixed with the data
        std::atomic<std::uint64_t> data_{0};
    };
    static_assert(sizeof(Slot) == 16 && std::atomic<std::uint64_t>::is_always_lock_free);

    struct alignas(64) Cluster {
        std::array<Slot, 4> slots;
    };

    // The low bits choose the cluster; the table's size is a power of two.
    Cluster& cluster(std::uint64_t key) const { return clusters_[key & (count_ - 1)]; }

    std::size_t count_;
    Pages<Cluster> clusters_;
    std::uint8_t age_ = 0;
};

}  // namespace damka
