// The transposition table: what the search already knows about positions it has met.
//
// An entry is sixteen bytes and keeps the whole 64-bit key, so that a wrong hit is as rare as a
// collision of the hash itself: with other people's rule sets there is no table of known scores
// to notice one by. Four entries share a cache line.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace damka {

// What a stored score says about the true one.
enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Entry {
    std::uint64_t key = 0;
    std::uint16_t move = 0;  // the search's short move code; 0 = none
    std::int16_t score = 0;
    std::int16_t depth = 0;
    std::uint8_t age = 0;
    Bound bound = Bound::none;
};
static_assert(sizeof(Entry) == 16);

class Table {
public:
    static constexpr std::size_t kMinBytes = std::size_t{1} << 16;
    static constexpr std::size_t kMaxBytes = std::size_t{1} << 36;

    // Takes the largest power of two of clusters that fits in `bytes`. Throws std::bad_alloc.
    explicit Table(std::size_t bytes)
        : count_(std::bit_floor(bytes < kMinBytes ? kMinBytes : bytes) / sizeof(Cluster)),
          clusters_(std::make_unique<Cluster[]>(count_)) {}

    std::size_t bytes() const { return count_ * sizeof(Cluster); }

    void clear() {
        for (std::size_t i = 0; i < count_; ++i) {
            clusters_[i] = Cluster{};
        }
        age_ = 0;
    }

    // Call once per search: entries of earlier searches become the first to be replaced.
    void grow_older() { ++age_; }

    const Entry* probe(std::uint64_t key) const {
        for (const Entry& entry : cluster(key).entries) {
            if (entry.key == key && entry.bound != Bound::none) {
                return &entry;
            }
        }
        return nullptr;
    }

    void store(std::uint64_t key, std::uint16_t move, int score, int depth, Bound bound) {
        Entry* victim = nullptr;
        int least = 0;
        for (Entry& entry : cluster(key).entries) {
            if (entry.key == key || entry.bound == Bound::none) {
                victim = &entry;
                break;
            }
            // Oldest first, then shallowest: one generation outweighs any difference of depth.
            const int worth = entry.depth - 256 * static_cast<std::uint8_t>(age_ - entry.age);
            if (victim == nullptr || worth < least) {
                victim = &entry;
                least = worth;
            }
        }
        if (move == 0 && victim->key == key) {
            move = victim->move;  // a bound without a move does not erase the one found earlier
        }
        *victim = Entry{.key = key,
                        .move = move,
                        .score = static_cast<std::int16_t>(score),
                        .depth = static_cast<std::int16_t>(depth),
                        .age = age_,
                        .bound = bound};
    }

    // Asks the processor to fetch the key's line while the caller does something else.
    void prefetch([[maybe_unused]] std::uint64_t key) const {
#if defined(__GNUC__)
        __builtin_prefetch(&cluster(key));
#endif
    }

private:
    struct alignas(64) Cluster {
        std::array<Entry, 4> entries;
    };

    // The low bits choose the cluster; the table's size is a power of two.
    Cluster& cluster(std::uint64_t key) const { return clusters_[key & (count_ - 1)]; }

    std::size_t count_;
    std::unique_ptr<Cluster[]> clusters_;
    std::uint8_t age_ = 0;
};

}  // namespace damka
