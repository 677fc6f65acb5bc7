// Serialises built tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "position/rules.hpp"
#include "tablebase/build.hpp"
#include "tablebase/codec.hpp"
#include "tablebase/file.hpp"
#include "tablebase/material.hpp"

namespace damka {

// Writes a built table in the file format.
template <class Bits>
class TableWriter {
   public:
    TableWriter(const Rules& rules, const BuilderOf<Bits>& built)
        : losing_(rules.objective == Objective::losing) {
        std::vector<const HalfTableOf<Bits>*> halves{&built.own()};
        if (built.their()) halves.push_back(built.their());
        bytes_.assign(std::begin(kTableMagic), std::end(kTableMagic));
        put(kTableVersion, 4);
        put(table_fingerprint(rules), 8);
        const Material& m = halves[0]->index.material();
        for (const int n : {m.own.men, m.own.kings, m.their.men, m.their.kings}) {
            put(static_cast<std::uint64_t>(n), 1);
        }
        const std::size_t size_at = bytes_.size();
        put(0, 8);
        std::vector<TableEncoder> encoders(halves.size());
        for (std::size_t h = 0; h < halves.size(); ++h) write_half(*halves[h], encoders[h]);
        std::vector<std::uint8_t> blocks, data;
        for (std::size_t h = 0; h < halves.size(); ++h) {
            write_blocks(*halves[h], encoders[h], blocks, data);
        }
        const std::uint64_t size = bytes_.size() + 8 + blocks.size() + data.size() + 8;
        for (std::size_t i = 0; i < 8; ++i) {
            bytes_[size_at + i] = static_cast<std::uint8_t>(size >> 8 * i);
        }
        put(checksum(bytes_), 8);
        bytes_.insert(bytes_.end(), blocks.begin(), blocks.end());
        bytes_.insert(bytes_.end(), data.begin(), data.end());
        put(checksum(bytes_), 8);
    }

    const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }

   private:
    static void append(std::vector<std::uint8_t>& to, std::uint64_t value, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) to.push_back(static_cast<std::uint8_t>(value >> 8 * i));
    }

    void put(std::uint64_t value, std::size_t n) { append(bytes_, value, n); }

    // Calls f with the values of every block.
    template <class F>
    static void for_blocks(const HalfTableOf<Bits>& half, F&& f) {
        std::array<int, kTableBlock> block;
        const std::uint64_t size = half.index.size();
        for (std::uint64_t begin = 0; begin < size; begin += kTableBlock) {
            const auto n =
                static_cast<std::size_t>(std::min<std::uint64_t>(size - begin, kTableBlock));
            for (std::size_t i = 0; i < n; ++i) {
                block[i] = half.closed.has(begin + i) ? -1 : half.value(begin + i);
            }
            f(TableEncoder::Block(block.data(), n));
        }
    }

    void write_half(const HalfTableOf<Bits>& half, TableEncoder& encoder) {
        TableCounts counts;
        for (std::uint64_t i = 0; i < half.index.size(); ++i) counts.add(half.value(i), losing_);
        for (const auto n : {counts.positions, counts.wins, counts.draws, counts.losses}) put(n, 8);
        put(static_cast<std::uint64_t>(counts.longest_win), 2);
        put(static_cast<std::uint64_t>(counts.longest_loss), 2);
        for_blocks(half, [&](TableEncoder::Block block) { encoder.count(block); });
        const TableCode& code = encoder.fit();
        put(code.values().size(), 2);
        for (const TableValue v : code.values()) put(v, 2);
        bytes_.insert(bytes_.end(), code.lengths().begin(), code.lengths().end());
    }

    static void write_blocks(const HalfTableOf<Bits>& half, const TableEncoder& encoder,
                             std::vector<std::uint8_t>& blocks, std::vector<std::uint8_t>& data) {
        const std::size_t start = data.size();
        for_blocks(half, [&](TableEncoder::Block block) {
            const std::size_t begin = data.size();
            encoder.write(block, data);
            append(blocks, begin - start, 4);
            append(blocks, checksum(Bytes(data).subspan(begin)), 4);
        });
        if (data.size() - start > std::numeric_limits<std::uint32_t>::max()) {
            throw TableError("too large for a table");
        }
        append(blocks, data.size() - start, 8);
    }

    const bool losing_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace damka
