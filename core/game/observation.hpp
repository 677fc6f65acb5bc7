// Observations for reinforcement learning: a position as planes of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "game/game_status.hpp"
#include "position/position.hpp"

namespace damka {

// The order of the planes; damka.rules.Rules.planes has their names.
enum class Plane : std::uint8_t {
    white_men,
    white_kings,
    black_men,
    black_kings,
    white_to_move,  // 1 or 0 on the whole plane
    no_progress,    // plies without progress, at most 255, on the whole plane
    repetition,     // earlier occurrences, at most 255, on the whole plane
    huffable,
};

inline constexpr std::size_t kPlanes = 8;

// The number of bytes of an observation.
inline std::size_t observation_size(const Rules& rules) noexcept {
    return kPlanes * static_cast<std::size_t>(rules.width * rules.height);
}

// Writes planes of rows of cells, White's top-left first.
class PlaneWriter {
   public:
    explicit PlaneWriter(const Rules& rules) : layout_(layout_of(rules)) {
        cells_ = static_cast<std::size_t>(rules.width * rules.height);
        const int row_length = layout_.squares / rules.height;
        for (int square = 1; square <= layout_.squares; ++square) {
            const int row = (square - 1) / row_length;
            const int at = (square - 1) % row_length;
            // On a board of dark squares the bottom-left corner may be dark or light.
            const int bottom = rules.dark_left ? 0 : 1;
            const int offset = (bottom + rules.height - 1 - row) % 2;
            const int column = rules.all_squares ? at : 2 * at + offset;
            cell_[layout_.bit(square)] = static_cast<std::uint8_t>(row * rules.width + column);
        }
    }

    template <class Bits>
    void write(const PositionOf<Bits>& p, const GameStatusOf<Bits>& status, int occurrences,
               std::uint8_t* out) const {
        std::memset(out, 0, kPlanes * cells_);
        const auto mark = [&](Plane plane, Bits bits) {
            std::uint8_t* cells = out + static_cast<std::size_t>(plane) * cells_;
            for_each(bits, [&](int bit) { cells[cell_[bit]] = 1; });
        };
        const auto fill = [&](Plane plane, int value) {
            std::memset(out + static_cast<std::size_t>(plane) * cells_, std::clamp(value, 0, 255),
                        cells_);
        };
        mark(Plane::white_men, p.men[0]);
        mark(Plane::white_kings, p.kings[0]);
        mark(Plane::black_men, p.men[1]);
        mark(Plane::black_kings, p.kings[1]);
        fill(Plane::white_to_move, p.turn == Side::white ? 1 : 0);
        if (status.counts.progress) fill(Plane::no_progress, status.counts.progress);
        if (occurrences > 1) fill(Plane::repetition, occurrences - 1);
        mark(Plane::huffable, status.offences);
    }

   private:
    const Layout& layout_;
    std::size_t cells_ = 0;
    std::uint8_t cell_[kMaxBits] = {};
};

}  // namespace damka
