// Block codec of endgame tables.
//
// A block is a sequence of symbols in a canonical Huffman code of its table. A symbol is a value,
// or a run: the last value again, 2^k times plus the number in the next k bits. Don't-care values
// are encoded in the cheapest way.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "position/position.hpp"
#include "tablebase/values.hpp"

namespace damka {

using Bytes = std::span<const std::uint8_t>;

inline constexpr std::size_t kTableBlock = 1024;  // in positions

// Checksum (not cryptographic).
class Checksum {
   public:
    // `size`: the total number of bytes.
    explicit Checksum(std::uint64_t size) noexcept : sum_(zobrist::mix(size)) {}

    // Adds the next bytes; all chunks except the last are a multiple of eight.
    void add(Bytes bytes) noexcept {
        std::size_t i = 0;
        for (; i + 8 <= bytes.size(); i += 8) {
            std::uint64_t word = 0;
            for (std::size_t k = 0; k < 8; ++k) word |= std::uint64_t{bytes[i + k]} << 8 * k;
            sum_ = zobrist::mix(sum_ ^ word);
        }
        for (std::size_t k = 0; i + k < bytes.size(); ++k) {
            rest_ |= std::uint64_t{bytes[i + k]} << 8 * k;
        }
    }

    std::uint64_t value() const noexcept { return zobrist::mix(sum_ ^ rest_); }

   private:
    std::uint64_t sum_;
    std::uint64_t rest_ = 0;
};

inline std::uint64_t checksum(Bytes bytes) noexcept {
    Checksum sum(bytes.size());
    sum.add(bytes);
    return sum.value();
}

// The symbols of a block: below values() they are values, the others repetitions.
class TableCode {
   public:
    static constexpr unsigned kLongest = 12;  // in bits per symbol
    static constexpr unsigned kRepeats = 10;  // run lengths of 1, 2, 4, … 512 or more
    static constexpr std::size_t kMaxValues = (std::size_t{1} << kLongest) - kRepeats;

    TableCode() = default;

    // Sets the values and the symbols' code lengths in bits, 0 for unused symbols. Returns false if
    // no such code exists.
    bool set(std::vector<TableValue> values, std::vector<std::uint8_t> lengths) {
        values_ = std::move(values);
        lengths_ = std::move(lengths);
        if (values_.size() > kMaxValues || lengths_.size() != values_.size() + kRepeats)
            return false;
        return number_codes();
    }

    const std::vector<TableValue>& values() const noexcept { return values_; }
    const std::vector<std::uint8_t>& lengths() const noexcept { return lengths_; }

    // Decodes the n values of a block. Returns false, with `out` partly written, if the data are
    // too short or invalid.
    bool decode(Bytes bytes, TableValue* out, std::size_t n) const noexcept {
        std::uint64_t bits = 0;  // next bit lowest
        unsigned bit_count = 0;
        std::size_t at = 0;
        TableValue last = 0;
        std::size_t i = 0;
        while (i < n) {
            while (bit_count <= 56) {
                if (at < bytes.size()) bits |= std::uint64_t{bytes[at]} << bit_count;
                if (at >= bytes.size() + 8) return false;  // beyond the end
                ++at;
                bit_count += 8;
            }
            const Entry entry = table_[bits & ((1u << kLongest) - 1)];
            if (!entry.length) return false;
            bits >>= entry.length;
            bit_count -= entry.length;
            if (entry.symbol < values_.size()) {
                out[i++] = last = values_[entry.symbol];
                continue;
            }
            const unsigned k = entry.symbol - static_cast<unsigned>(values_.size());
            const std::size_t times =
                (std::size_t{1} << k) + (bits & ((std::uint64_t{1} << k) - 1));
            bits >>= k;
            bit_count -= k;
            if (i == 0 || times > n - i) return false;
            std::fill_n(out + i, times, last);
            i += times;
        }
        return 8 * at - bit_count <= 8 * bytes.size();
    }

   private:
    friend class TableEncoder;

    struct Entry {
        std::uint16_t symbol = 0;
        std::uint8_t length = 0;
    };

    // Canonical order: shorter codes first, then smaller symbols; codes are read from the lowest
    // bit.
    bool number_codes() {
        codes_.assign(lengths_.size(), 0);
        table_.assign(std::size_t{1} << kLongest, {});
        unsigned code = 0;
        for (unsigned length = 1; length <= kLongest; ++length) {
            code <<= 1;
            for (std::size_t s = 0; s < lengths_.size(); ++s) {
                if (lengths_[s] > kLongest) return false;
                if (lengths_[s] != length) continue;
                if (code >> length) return false;  // oversubscribed
                unsigned turned = 0;
                for (unsigned b = 0; b < length; ++b) turned |= (code >> b & 1) << (length - 1 - b);
                codes_[s] = static_cast<std::uint16_t>(turned);
                for (std::size_t t = turned; t < table_.size(); t += std::size_t{1} << length) {
                    table_[t] = {static_cast<std::uint16_t>(s), static_cast<std::uint8_t>(length)};
                }
                ++code;
            }
        }
        return true;
    }

    std::vector<TableValue> values_;
    std::vector<std::uint8_t> lengths_;
    std::vector<std::uint16_t> codes_;
    std::vector<Entry> table_;
};

// Encodes the values of one table in two passes: count all blocks, then write them.
class TableEncoder {
   public:
    // The values of a block; -1 for a don't-care value.
    using Block = std::span<const int>;

    void count(Block block) {
        for_symbols(block, [&](bool repeat, unsigned what, unsigned) {
            if (repeat) {
                ++repeats_[what];
            } else {
                if (counts_.size() <= what) counts_.resize(what + 1);
                ++counts_[what];
            }
        });
    }

    // Returns the optimal code for the counted symbols, which must not exceed its capacity.
    const TableCode& fit() {
        std::vector<TableValue> values;
        std::vector<std::uint64_t> counts;
        symbol_of_.assign(counts_.size(), 0);
        for (std::size_t v = 0; v < counts_.size(); ++v) {
            if (!counts_[v]) continue;
            symbol_of_[v] = static_cast<std::uint16_t>(values.size());
            values.push_back(static_cast<TableValue>(v));
            counts.push_back(counts_[v]);
        }
        counts.insert(counts.end(), repeats_.begin(), repeats_.end());
        std::vector<std::uint8_t> lengths = lengths_for(counts);
        while (*std::max_element(lengths.begin(), lengths.end()) > TableCode::kLongest) {
            for (auto& n : counts) n = n ? n / 2 + 1 : 0;
            lengths = lengths_for(counts);
        }
        code_.set(std::move(values), std::move(lengths));
        return code_;
    }

    // Appends the block's bytes.
    void write(Block block, std::vector<std::uint8_t>& out) const {
        std::uint64_t bits = 0;
        unsigned bit_count = 0;
        const auto put = [&](std::uint64_t what, unsigned length) {
            bits |= what << bit_count;
            for (bit_count += length; bit_count >= 8; bit_count -= 8) {
                out.push_back(static_cast<std::uint8_t>(bits));
                bits >>= 8;
            }
        };
        const std::size_t values = code_.values_.size();
        for_symbols(block, [&](bool repeat, unsigned what, unsigned rest) {
            const std::size_t symbol = repeat ? values + what : symbol_of_[what];
            put(code_.codes_[symbol], code_.lengths_[symbol]);
            if (repeat) put(rest, what);
        });
        if (bit_count) out.push_back(static_cast<std::uint8_t>(bits));
    }

   private:
    // Calls f(false, value, 0) for a value and f(true, k, rest) for a run of 2^k + rest.
    template <class F>
    static void for_symbols(Block block, F&& f) {
        std::size_t i = 0;
        while (i < block.size()) {
            std::size_t j = i;
            int value = -1;
            for (; j < block.size() && (block[j] < 0 || value < 0 || block[j] == value); ++j) {
                if (block[j] >= 0) value = block[j];
            }
            f(false, static_cast<unsigned>(std::max(value, 0)), 0u);
            if (const std::size_t repeats = j - i - 1) {
                const unsigned k = static_cast<unsigned>(std::bit_width(repeats)) - 1;
                f(true, k, static_cast<unsigned>(repeats) - (1u << k));
            }
            i = j;
        }
    }

    // The code lengths of a Huffman code; a single symbol has length 1.
    static std::vector<std::uint8_t> lengths_for(const std::vector<std::uint64_t>& counts) {
        using Node = std::pair<std::uint64_t, std::size_t>;
        std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
        for (std::size_t s = 0; s < counts.size(); ++s) {
            if (counts[s]) open.emplace(counts[s], s);
        }
        std::vector<std::uint8_t> lengths(counts.size(), 0);
        if (open.size() == 1) lengths[open.top().second] = 1;
        std::vector<std::size_t> parents(counts.size(), 0);
        while (open.size() > 1) {
            const auto [a, left] = open.top();
            open.pop();
            const auto [b, right] = open.top();
            open.pop();
            parents[left] = parents[right] = parents.size();
            open.emplace(a + b, parents.size());
            parents.push_back(0);
        }
        const std::size_t root = parents.size() - 1;
        for (std::size_t s = 0; s < counts.size(); ++s) {
            for (std::size_t at = s; counts[s] && parents[at] && at != root; at = parents[at]) {
                ++lengths[s];
            }
        }
        return lengths;
    }

    std::vector<std::uint64_t> counts_;  // by value
    std::array<std::uint64_t, TableCode::kRepeats> repeats_{};
    std::vector<std::uint16_t> symbol_of_;
    TableCode code_;
};

}  // namespace damka
