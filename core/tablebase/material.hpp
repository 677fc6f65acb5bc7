// The material of both sides, which names a table.
#pragma once

#include <cstddef>
#include <string>

#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

inline constexpr int kMaxTablePieces = 6;

// The material of the side to move and of its opponent.
struct Material {
    struct Side {
        int men = 0;
        int kings = 0;

        constexpr int pieces() const noexcept { return men + kings; }
        friend constexpr bool operator==(const Side&, const Side&) = default;
        // Orders by strength: more pieces, then more kings.
        friend constexpr bool operator<(const Side& a, const Side& b) noexcept {
            return a.pieces() != b.pieces() ? a.pieces() < b.pieces() : a.kings < b.kings;
        }
    };

    Side own, their;

    constexpr int pieces() const noexcept { return own.pieces() + their.pieces(); }
    constexpr Material swapped() const noexcept { return {their, own}; }
    // The stronger side first, as in file names.
    constexpr Material ordered() const noexcept { return own < their ? swapped() : *this; }
    // Distinct for materials of up to kMaxTablePieces.
    constexpr std::size_t code() const noexcept {
        return static_cast<std::size_t>(((own.men * 8 + own.kings) * 8 + their.men) * 8 +
                                        their.kings);
    }
    static constexpr std::size_t kCodes = 8 * 8 * 8 * 8;

    // A letter for every piece, as in "KKvM".
    std::string name() const {
        const auto letters = [](const Side& s) {
            return std::string(static_cast<std::size_t>(s.kings), 'K') +
                   std::string(static_cast<std::size_t>(s.men), 'M');
        };
        return letters(own) + 'v' + letters(their);
    }

    template <class Bits>
    static constexpr Material of(const PositionOf<Bits>& p) noexcept {
        const unsigned own = index(p.turn);
        return {{count(p.men[own]), count(p.kings[own])},
                {count(p.men[own ^ 1]), count(p.kings[own ^ 1])}};
    }

    friend constexpr bool operator==(const Material&, const Material&) = default;
};

}  // namespace damka
