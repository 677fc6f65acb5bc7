// Endgame tables: a file read where it lies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tablebase/codec.hpp"
#include "tablebase/file.hpp"
#include "tablebase/material.hpp"

namespace damka {

// A file's bytes, checked as far as the header goes. They must stay where they are.
class TableView {
   public:
    struct Half {
        Material material;
        TableCounts counts;
        TableCode code;
        Bytes blocks;  // 8 bytes each: where it begins, and its sum; one more for the end
        Bytes data;

        std::size_t block_count() const noexcept {
            return static_cast<std::size_t>((counts.positions + kTableBlock - 1) / kTableBlock);
        }

        // Writes the values of a block, as many as it has. False if it is damaged.
        bool read(std::size_t block, TableValue* out) const noexcept {
            const std::uint32_t begin = word(8 * block);
            const std::uint32_t end = word(8 * block + 8);
            if (begin > end || end > data.size()) return false;
            const Bytes bytes = data.subspan(begin, end - begin);
            if (static_cast<std::uint32_t>(checksum(bytes)) != word(8 * block + 4)) return false;
            const std::uint64_t left = counts.positions - block * kTableBlock;
            return code.decode(bytes, out, std::min<std::uint64_t>(left, kTableBlock));
        }

       private:
        std::uint32_t word(std::size_t at) const noexcept {
            std::uint32_t w = 0;
            for (std::size_t i = 0; i < 4; ++i) w |= std::uint32_t{blocks[at + i]} << 8 * i;
            return w;
        }
    };

    // Throws TableError for what is not a whole table of these rules.
    TableView(Bytes bytes, std::uint64_t rules) : bytes_(bytes) {
        if (bytes.size() < sizeof kTableMagic ||
            std::memcmp(bytes.data(), kTableMagic, sizeof kTableMagic) != 0) {
            throw TableError("not a table: it does not begin as one");
        }
        at_ = sizeof kTableMagic;
        if (const auto version = take(4); version != kTableVersion) {
            throw TableError("a table of format " + std::to_string(version) + ", not " +
                             std::to_string(kTableVersion));
        }
        if (take(8) != rules) throw TableError("a table for other rules");
        Material material;
        for (int* n :
             {&material.own.men, &material.own.kings, &material.their.men, &material.their.kings}) {
            *n = static_cast<int>(take(1));
        }
        if (material.pieces() > kMaxTablePieces || !material.own.pieces() ||
            !material.their.pieces()) {
            throw TableError("damaged: its material cannot be");
        }
        if (take(8) != bytes.size()) throw TableError("not whole: its size is not the one it says");
        read_half(material);
        if (!(material.own == material.their)) read_half(material.swapped());
        const std::uint64_t sum = checksum(bytes.first(at_));
        if (take(8) != sum) throw TableError("damaged: the header's sum is wrong");
        for (Half& half : halves_) half.blocks = slice(8 * (half.block_count() + 1));
        for (Half& half : halves_) half.data = slice(end_of(half));
        if (at_ + 8 != bytes.size()) throw TableError("damaged: it ends in the wrong place");
    }

    const std::vector<Half>& halves() const noexcept { return halves_; }
    std::size_t size() const noexcept { return bytes_.size(); }

    // Whether the whole file is as it was written.
    bool intact() const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            sum |= std::uint64_t{bytes_[bytes_.size() - 8 + i]} << 8 * i;
        }
        return sum == checksum(bytes_.first(bytes_.size() - 8));
    }

   private:
    std::uint64_t take(std::size_t n) {
        const Bytes bytes = slice(n);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < n; ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
        return value;
    }

    Bytes slice(std::uint64_t n) {
        if (n > bytes_.size() - at_) throw TableError("not whole: it ends too soon");
        const Bytes bytes = bytes_.subspan(at_, static_cast<std::size_t>(n));
        at_ += static_cast<std::size_t>(n);
        return bytes;
    }

    void read_half(const Material& material) {
        Half half;
        half.material = material;
        for (auto* n :
             {&half.counts.positions, &half.counts.wins, &half.counts.draws, &half.counts.losses}) {
            *n = take(8);
        }
        for (int* n : {&half.counts.longest_win, &half.counts.longest_loss}) {
            *n = static_cast<int>(take(2));
        }
        const std::size_t n = static_cast<std::size_t>(take(2));
        std::vector<TableValue> values(n);
        for (auto& v : values) v = static_cast<TableValue>(take(2));
        const Bytes lengths = slice(n + TableCode::kRepeats);
        // No file is so large, and what is computed from it stays within bounds.
        if (half.counts.positions > bytes_.size() * (8 * kTableBlock) ||
            !half.code.set(std::move(values), {lengths.begin(), lengths.end()})) {
            throw TableError("damaged: its code cannot be");
        }
        halves_.push_back(std::move(half));
    }

    static std::uint64_t end_of(const Half& half) noexcept {
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            end |= std::uint64_t{half.blocks[8 * half.block_count() + i]} << 8 * i;
        }
        return end;
    }

    Bytes bytes_;
    std::size_t at_ = 0;
    std::vector<Half> halves_;
};

}  // namespace damka
