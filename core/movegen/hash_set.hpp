// A set of pairs, squares and a number, for the rare position in which a capture has thousands of
// routes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "position/position.hpp"

namespace damka {

// Open addressing, doubled at half full; nothing is allocated before the first insertion.
template <class Bits>
class HashSetOf {
   public:
    HashSetOf() noexcept = default;
    HashSetOf(const HashSetOf&) = delete;
    HashSetOf& operator=(const HashSetOf&) = delete;
    ~HashSetOf() {
        if (cells_) std::free(cells_);
    }

    // Returns false when the pair was there already.
    bool insert(Bits a, std::uint64_t b) noexcept {
        if (2 * size_ >= capacity_) grow();
        if (!place(cells_, capacity_, {a, b, true})) return false;
        ++size_;
        return true;
    }

    void clear() noexcept {
        std::free(cells_);
        cells_ = nullptr;
        size_ = capacity_ = 0;
    }

   private:
    struct Cell {
        Bits a;
        std::uint64_t b;
        bool taken;
    };

    static bool place(Cell* cells, std::size_t capacity, const Cell& cell) noexcept {
        std::size_t i = zobrist::mix_bits(cell.a, zobrist::mix(cell.b)) & (capacity - 1);
        for (; cells[i].taken; i = (i + 1) & (capacity - 1)) {
            if (cells[i].a == cell.a && cells[i].b == cell.b) return false;
        }
        cells[i] = cell;
        return true;
    }

    [[gnu::noinline]] void grow() noexcept {
        const std::size_t larger = capacity_ ? 2 * capacity_ : 1024;
        Cell* cells = static_cast<Cell*>(std::calloc(larger, sizeof(Cell)));
        if (!cells) std::abort();
        for (std::size_t i = 0; i < capacity_; ++i) {
            if (cells_[i].taken) place(cells, larger, cells_[i]);
        }
        std::free(cells_);
        cells_ = cells;
        capacity_ = larger;
    }

    Cell* cells_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace damka
