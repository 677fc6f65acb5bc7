// Endgame tables: a file of which a block is read when it is asked for.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tablebase/codec.hpp"
#include "tablebase/file.hpp"
#include "tablebase/material.hpp"
#include "tablebase/source.hpp"

namespace damka {

// A table's file, whose header is in memory and checked.
class TableView {
   public:
    struct Half {
        Material material;
        TableCounts counts;
        TableCode code;
        // 8 bytes each: where it begins, and its sum; one more for the end.
        std::vector<std::uint8_t> blocks;
        const TableSource* source = nullptr;
        std::uint64_t data_at = 0;    // the offset of the blocks in the file
        std::uint64_t data_size = 0;  // … and how many bytes they have

        std::size_t block_count() const noexcept {
            return static_cast<std::size_t>((counts.positions + kTableBlock - 1) / kTableBlock);
        }

        // Writes the values of a block, as many as it has. False if it is damaged or cannot be
        // read.
        bool read(std::size_t block, TableValue* out) const noexcept {
            const std::uint32_t begin = word(8 * block);
            const std::uint32_t end = word(8 * block + 8);
            if (begin > end || end > data_size || end - begin > kMostBytes) return false;
            std::array<std::uint8_t, kMostBytes> buffer;
            const std::span<std::uint8_t> bytes(buffer.data(), end - begin);
            if (!source->read(data_at + begin, bytes)) return false;
            if (static_cast<std::uint32_t>(checksum(bytes)) != word(8 * block + 4)) return false;
            const std::uint64_t left = counts.positions - block * kTableBlock;
            return code.decode(bytes, out, std::min<std::uint64_t>(left, kTableBlock));
        }

       private:
        // Of a block: every value a symbol with a number of repetitions.
        static constexpr std::size_t kMostBytes =
            kTableBlock * (TableCode::kLongest + TableCode::kRepeats) / 8 + 8;

        std::uint32_t word(std::size_t at) const noexcept {
            std::uint32_t w = 0;
            for (std::size_t i = 0; i < 4; ++i) w |= std::uint32_t{blocks[at + i]} << 8 * i;
            return w;
        }
    };

    // Throws TableError for what is not a whole table of these rules.
    TableView(std::unique_ptr<const TableSource> source, std::uint64_t rules)
        : source_(std::move(source)), size_(source_->size()) {
        if (size_ < sizeof kTableMagic ||
            std::memcmp(slice(sizeof kTableMagic).data(), kTableMagic, sizeof kTableMagic) != 0) {
            throw TableError("not a table: it does not begin as one");
        }
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
        if (take(8) != size_) throw TableError("not whole: its size is not the one it says");
        read_half(material);
        if (!(material.own == material.their)) read_half(material.swapped());
        const std::uint64_t header = at_;
        at_ = 0;
        const std::uint64_t sum = checksum(slice(header));
        if (take(8) != sum) throw TableError("damaged: the header's sum is wrong");
        for (Half& half : halves_) half.blocks = slice(8 * (half.block_count() + 1));
        for (Half& half : halves_) {
            half.source = source_.get();
            half.data_at = at_;
            half.data_size = end_of(half);
            skip(half.data_size);
        }
        if (at_ + 8 != size_) throw TableError("damaged: it ends in the wrong place");
    }

    const std::vector<Half>& halves() const noexcept { return halves_; }

    // Whether the whole file is as it was written.
    bool intact() const {
        std::array<std::uint8_t, 1 << 16> buffer;
        const std::uint64_t end = size_ - 8;
        Checksum sum(end);
        for (std::uint64_t at = 0; at < end;) {
            const std::span part(buffer.data(), static_cast<std::size_t>(std::min<std::uint64_t>(
                                                    end - at, buffer.size())));
            if (!source_->read(at, part)) return false;
            sum.add(part);
            at += part.size();
        }
        const std::span last(buffer.data(), 8);
        return source_->read(end, last) && number(last) == sum.value();
    }

   private:
    static std::uint64_t number(Bytes bytes) noexcept {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
        return value;
    }

    std::uint64_t take(std::size_t n) { return number(slice(n)); }

    void skip(std::uint64_t n) {
        if (n > size_ - at_) throw TableError("not whole: it ends too soon");
        at_ += n;
    }

    std::vector<std::uint8_t> slice(std::uint64_t n) {
        const std::uint64_t from = at_;
        skip(n);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
        if (!source_->read(from, bytes)) throw TableError("it cannot be read");
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
        std::vector<std::uint8_t> lengths = slice(n + TableCode::kRepeats);
        // No file is so large, and what is computed from it stays within bounds.
        if (half.counts.positions > size_ * (8 * kTableBlock) ||
            !half.code.set(std::move(values), std::move(lengths))) {
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

    const std::unique_ptr<const TableSource> source_;
    const std::uint64_t size_;
    std::uint64_t at_ = 0;
    std::vector<Half> halves_;
};

}  // namespace damka
