// Serialisation of a batch's games to 64-bit words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "game/game_status.hpp"
#include "position/position.hpp"

namespace damka {

class StateWriter {
   public:
    void word(std::uint64_t n) { words_.push_back(n); }

    template <class Bits>
    void position(const PositionOf<Bits>& p) {
        for (const Bits bits : {p.men[0], p.men[1], p.kings[0], p.kings[1]}) {
            word(static_cast<std::uint64_t>(bits));
            if constexpr (sizeof bits > 8) word(high_half(bits));
        }
        std::uint64_t rest = index(p.turn);
        for (const Streak& streak : p.streaks) {
            rest = rest << 16 | static_cast<std::uint64_t>(streak.moves << 8 | streak.bit);
        }
        word(rest);
    }

    template <class Bits>
    void move(const MoveOf<Bits>& m) {
        word(static_cast<std::uint64_t>(m.captured));
        if constexpr (sizeof m.captured > 8) word(high_half(m.captured));
        word(static_cast<std::uint64_t>(m.from << 8 | m.to));
    }

    void counts(const Counts& counts, const MaterialCounts& material) {
        word(static_cast<std::uint64_t>(counts.progress));
        word(static_cast<std::uint64_t>(counts.reversible));
        word(material.any ? 1 : 0);
        if (!material.any) return;
        for (const std::int16_t plies : material.plies) word(static_cast<std::uint16_t>(plies));
    }

    std::vector<std::uint64_t> take() { return std::move(words_); }

   private:
    std::vector<std::uint64_t> words_;
};

// Reads the output of a StateWriter. `good` is false once a word was missing or out of range; later
// reads are meaningless.
class StateReader {
   public:
    explicit StateReader(std::span<const std::uint64_t> words) : words_(words) {}

    bool good() const noexcept { return good_; }
    bool at_end() const noexcept { return words_.empty(); }
    std::size_t left() const noexcept { return words_.size(); }

    // Reads a word of at most `most`.
    std::uint64_t word(std::uint64_t most) {
        if (words_.empty() || words_.front() > most) good_ = false;
        if (!good_) return 0;
        const std::uint64_t n = words_.front();
        words_ = words_.subspan(1);
        return n;
    }

    // `board` has a bit for every square.
    template <class Bits>
    PositionOf<Bits> position(Bits board) {
        PositionOf<Bits> p{};
        Bits taken{0};
        for (Bits* bits : {&p.men[0], &p.men[1], &p.kings[0], &p.kings[1]}) {
            *bits = word(~std::uint64_t{0});
            if constexpr (sizeof *bits > 8) *bits |= Bits{word(~std::uint64_t{0})} << 64;
            if ((*bits & ~board) || (*bits & taken)) good_ = false;
            taken |= *bits;
        }
        const std::uint64_t rest = word(0x1ffffffff);
        p.turn = rest >> 32 ? Side::black : Side::white;
        for (const unsigned side : {0u, 1u}) {
            const std::uint64_t streak = rest >> (side ? 0 : 16) & 0xffff;
            p.streaks[side] = {static_cast<std::uint8_t>(streak >> 8),
                               static_cast<std::uint8_t>(streak & 0xff)};
            const std::uint8_t bit = p.streaks[side].bit;
            if (p.streaks[side].moves > kMaxStreakLength || bit >= 8 * sizeof(Bits) ||
                (p.streaks[side].moves && !(p.kings[side] >> bit & 1))) {
                good_ = false;
            }
        }
        if (good_) p.key = p.compute_key();
        return p;
    }

    // Reads the squares of a move.
    template <class Bits>
    MoveOf<Bits> move(Bits board) {
        MoveOf<Bits> m{};
        m.captured = word(~std::uint64_t{0});
        if constexpr (sizeof m.captured > 8) m.captured |= Bits{word(~std::uint64_t{0})} << 64;
        const std::uint64_t squares = word(0xffff);
        m.from = static_cast<std::uint8_t>(squares >> 8);
        m.to = static_cast<std::uint8_t>(squares & 0xff);
        if (m.captured & ~board) good_ = false;
        return m;
    }

    void counts(Counts& counts, MaterialCounts& material) {
        counts.progress = static_cast<int>(word(kMaxPlies));
        counts.reversible = static_cast<int>(word(kMaxPlies));
        material.any = word(1) != 0;
        if (!material.any) return;
        for (std::int16_t& plies : material.plies) {
            plies = static_cast<std::int16_t>(static_cast<std::uint16_t>(word(0xffff)));
        }
    }

   private:
    static constexpr std::uint64_t kMaxPlies = 1 << 20;
    static constexpr int kMaxStreakLength = 15;

    std::span<const std::uint64_t> words_;
    bool good_ = true;
};

}  // namespace damka
