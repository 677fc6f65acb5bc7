// Simplified ABDADA (Tom Kerrigan, 2017): a table of the moves being searched by the threads of a
// search.
//
// A thread postpones a move that another thread is searching to the same depth until after the
// other moves of the position; by then the transposition table usually has its score. The table is
// not locked: a lost or wrong entry only costs time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "position/position.hpp"

namespace damka {

class AbdadaTable {
   public:
    // Minimum depth of entered moves.
    static constexpr int kDepth = 3;

    AbdadaTable() : slots_(kClusters) {}

    // Not during a search.
    void clear() {
        for (auto& cluster : slots_) {
            for (auto& slot : cluster) slot.store(0, std::memory_order_relaxed);
        }
    }

    // The mark for the search of a position to a depth.
    static std::uint64_t mark_of(std::uint64_t key, int depth) {
        return (key ^ zobrist::mix(static_cast<std::uint64_t>(depth))) | 1;
    }

    bool busy(std::uint64_t mark) const {
        for (const auto& slot : slots_[place(mark)]) {
            if (slot.load(std::memory_order_relaxed) == mark) return true;
        }
        return false;
    }

    void enter(std::uint64_t mark) {
        auto& cluster = slots_[place(mark)];
        for (auto& slot : cluster) {
            const std::uint64_t found = slot.load(std::memory_order_relaxed);
            if (found == mark) return;
            if (found == 0) return slot.store(mark, std::memory_order_relaxed);
        }
        cluster[0].store(mark, std::memory_order_relaxed);
    }

    void leave(std::uint64_t mark) {
        for (auto& slot : slots_[place(mark)]) {
            if (slot.load(std::memory_order_relaxed) == mark) {
                slot.store(0, std::memory_order_relaxed);
            }
        }
    }

   private:
    static constexpr std::size_t kClusters = 4096;

    static std::size_t place(std::uint64_t mark) { return mark >> 1 & (kClusters - 1); }

    struct alignas(64) Cluster : std::array<std::atomic<std::uint64_t>, 4> {};

    std::vector<Cluster> slots_;
};

}  // namespace damka
