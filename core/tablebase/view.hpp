// An open table file, whose blocks are read on demand.
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

// A table file with its header validated and in memory.
class TableView {
   public:
    struct Half {
        Material material;
        TableCounts counts;
        TableCode code;
        // Offset and checksum of each block, 8 bytes each, plus one entry for the end.
        std::vector<std::uint8_t> blocks;
        const TableSource* source = nullptr;
        std::uint64_t data_at = 0;    // file offset of the blocks
        std::uint64_t data_size = 0;  // size of the blocks in bytes

        std::size_t block_count() const noexcept {
            return static_cast<std::size_t>((counts.positions + kTableBlock - 1) / kTableBlock);
        }

        // Decodes all values of a block. Returns false if it is damaged or cannot be read.
        bool read(std::size_t block, TableValue* out) const noexcept {
            const std::uint32_t begin = word(8 * block);
            const std::uint32_t end = word(8 * block + 8);
            if (begin > end || end > data_size || end - begin > kMaxBytes) return false;
            std::array<std::uint8_t, kMaxBytes> buffer;
            const std::span<std::uint8_t> bytes(buffer.data(), end - begin);
            if (!source->read(data_at + begin, bytes)) return false;
            if (static_cast<std::uint32_t>(checksum(bytes)) != word(8 * block + 4)) return false;
            const std::uint64_t left = counts.positions - block * kTableBlock;
            return code.decode(bytes, out, std::min<std::uint64_t>(left, kTableBlock));
        }

       private:
        // Bound on a block: one symbol and one run per value.
        static constexpr std::size_t kMaxBytes =
            kTableBlock * (TableCode::kLongest + TableCode::kRepeats) / 8 + 8;

        std::uint32_t word(std::size_t at) const noexcept {
            std::uint32_t w = 0;
            for (std::size_t i = 0; i < 4; ++i) w |= std::uint32_t{blocks[at + i]} << 8 * i;
            return w;
        }
    };

    // Returns null and sets `fault` for an invalid file, or a table of other rules.
    static std::unique_ptr<TableView> open(std::unique_ptr<const TableSource> source,
                                           std::uint64_t rules, std::string& fault) {
        std::unique_ptr<TableView> view(new TableView(std::move(source)));
        view->read(rules);
        fault = view->fault_;
        return fault.empty() ? std::move(view) : nullptr;
    }

    const std::vector<Half>& halves() const noexcept { return halves_; }

    // Verifies the checksum of the whole file.
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
    explicit TableView(std::unique_ptr<const TableSource> source)
        : source_(std::move(source)), size_(source_->size()) {}

    void read(std::uint64_t rules) {
        const std::vector<std::uint8_t> magic = slice(sizeof kTableMagic);
        if (magic.empty() || std::memcmp(magic.data(), kTableMagic, sizeof kTableMagic) != 0) {
            fault_ = "not a table: wrong signature";
            return;
        }
        if (const auto version = take(4); version != kTableVersion) {
            return fail("a table of format " + std::to_string(version) + ", not " +
                        std::to_string(kTableVersion));
        }
        if (take(8) != rules) return fail("a table for other rules");
        Material material;
        for (int* n :
             {&material.own.men, &material.own.kings, &material.their.men, &material.their.kings}) {
            *n = static_cast<int>(take(1));
        }
        if (material.pieces() > kMaxTablePieces || !material.own.pieces() ||
            !material.their.pieces()) {
            return fail("damaged: invalid material");
        }
        if (take(8) != size_) return fail("incomplete: its size differs from the header's");
        read_half(material);
        if (!(material.own == material.their)) read_half(material.swapped());
        const std::uint64_t header = at_;
        at_ = 0;
        const std::uint64_t sum = checksum(slice(header));
        if (take(8) != sum) return fail("damaged: wrong checksum of the header");
        for (Half& half : halves_) half.blocks = slice(8 * (half.block_count() + 1));
        if (!fault_.empty()) return;
        for (Half& half : halves_) {
            half.source = source_.get();
            half.data_at = at_;
            half.data_size = end_of(half);
            skip(half.data_size);
        }
        if (at_ + 8 != size_) fail("damaged: wrong length");
    }

    // Records the first fault; later reads return zero.
    void fail(std::string fault) {
        if (fault_.empty()) fault_ = std::move(fault);
    }

    static std::uint64_t number(Bytes bytes) noexcept {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << 8 * i;
        return value;
    }

    std::uint64_t take(std::size_t n) { return number(slice(n)); }

    bool skip(std::uint64_t n) {
        if (n > size_ - at_) fail("incomplete: unexpected end of file");
        if (!fault_.empty()) return false;
        at_ += n;
        return true;
    }

    // Returns an empty vector after a fault.
    std::vector<std::uint8_t> slice(std::uint64_t n) {
        const std::uint64_t from = at_;
        if (!skip(n)) return {};
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
        if (!source_->read(from, bytes)) fail("it cannot be read");
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
        bool far = false;
        for (auto& v : values) {
            v = static_cast<TableValue>(take(2));
            far = far || v > kMaxTablePlies + 1;
        }
        std::vector<std::uint8_t> lengths = slice(n + TableCode::kRepeats);
        // No file is that large; the bound prevents overflow of later arithmetic.
        if (far || half.counts.positions > size_ * (8 * kTableBlock) ||
            !half.code.set(std::move(values), std::move(lengths))) {
            return fail("damaged: invalid code");
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
    std::string fault_;
    std::vector<Half> halves_;
};

}  // namespace damka
