// Endgame tables: the bytes of a file, and reading them where they lie.
//
//     header     "DAMKATB\n", version, fingerprint of the rules, material, size of the file
//     half       for either side to move (one alone where both have the same):
//                  positions, wins, draws and losses, longest win and loss, then the code: how
//                  many values, the values, the length of every symbol
//     sum        of all this
//     blocks     of the halves one after the other: where each block begins, and its sum
//     data       the blocks
//     sum        of the whole file
//
// All numbers are little-endian. Whoever only asks for values need not read more than the header
// and the blocks asked for; each has its own sum.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "position.hpp"
#include "rules.hpp"
#include "tablebase_build.hpp"
#include "tablebase_codec.hpp"
#include "tablebase_index.hpp"

namespace damka {

class TableError : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
};

inline constexpr char kTableMagic[] = {'D', 'A', 'M', 'K', 'A', 'T', 'B', '\n'};
inline constexpr std::uint32_t kTableVersion = 1;

// Tells apart rules by which some endgame may be worth something else.
inline std::uint64_t table_fingerprint(const Rules& r) noexcept {
    std::uint64_t h = zobrist::mix(kTableVersion);
    const auto add = [&](auto value) { h = zobrist::mix(h ^ static_cast<std::uint64_t>(value)); };
    add(r.width);
    add(r.height);
    for (const bool value :
         {r.all_squares, r.flying_kings, r.men_capture_back, r.men_take_kings, r.land_adjacent,
          r.land_killing, r.remove_at_once, r.u_turn, r.capture_is_free}) {
        add(value);
    }
    add(r.move_lines);
    add(r.capture_lines);
    add(r.promotion);
    add(r.objective);
    add(r.king_streak);
    for (const Rank rank : {r.ranking.piece, r.ranking.king, r.ranking.with_king, r.ranking.early}) {
        add(rank);
    }
    return h;
}

// What a table holds for one side to move.
struct TableCounts {
    std::uint64_t positions = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    int longest_win = 0;  // plies
    int longest_loss = 0;

    void add(TableValue v, bool losing) noexcept {
        ++positions;
        if (v == kTableDraw) {
            ++draws;
        } else if (Judgement::lost(v, losing)) {
            ++losses;
            longest_loss = std::max(longest_loss, v - 1);
        } else {
            ++wins;
            longest_win = std::max(longest_win, v - 1);
        }
    }

    void add(const TableCounts& more) noexcept {
        positions += more.positions;
        wins += more.wins;
        draws += more.draws;
        losses += more.losses;
        longest_win = std::max(longest_win, more.longest_win);
        longest_loss = std::max(longest_loss, more.longest_loss);
    }

    friend bool operator==(const TableCounts&, const TableCounts&) = default;
};

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
        for (int* n : {&material.own.men, &material.own.kings, &material.their.men,
                       &material.their.kings}) {
            *n = static_cast<int>(take(1));
        }
        if (material.pieces() > kMaxTablePieces || !material.own.pieces() || !material.their.pieces()) {
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
        for (auto* n : {&half.counts.positions, &half.counts.wins, &half.counts.draws,
                        &half.counts.losses}) {
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

// Makes a file of what has been built.
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
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(size - begin, kTableBlock));
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
