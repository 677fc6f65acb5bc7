// A set of bitboards that is filled once and asked often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "position/position.hpp"

namespace damka {

// Open addressing, a quarter full at most: most of what is looked up is not there.
template <class Bits>
class WordSet {
   public:
    void insert(Bits word) {
        if (4 * (size_ + 1) > cells_.size()) {
            std::vector<Cell> old(std::max<std::size_t>(64, 2 * cells_.size()));
            old.swap(cells_);
            for (const Cell& cell : old) {
                if (cell.taken) place(cell.word);
            }
        }
        place(word);
    }

    bool contains(Bits word) const noexcept {
        for (std::size_t i = start(word); cells_[i].taken; i = (i + 1) & (cells_.size() - 1)) {
            if (cells_[i].word == word) return true;
        }
        return false;
    }

   private:
    struct Cell {
        Bits word{0};
        bool taken = false;
    };

    std::size_t start(Bits word) const noexcept {
        return zobrist::mix_bits(word, 0) & (cells_.size() - 1);
    }

    void place(Bits word) noexcept {
        std::size_t i = start(word);
        for (; cells_[i].taken; i = (i + 1) & (cells_.size() - 1)) {
            if (cells_[i].word == word) return;
        }
        cells_[i] = {word, true};
        ++size_;
    }

    std::vector<Cell> cells_;
    std::size_t size_ = 0;
};

}  // namespace damka
