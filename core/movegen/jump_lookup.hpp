// Lookup of the short jumps of one piece in all directions at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "position/geometry.hpp"

namespace damka {

// A magic lookup for one-word boards. The board is rotated until the piece stands on bit 0, where
// its neighbours have the same eight bits on every square. A multiplication maps every set of
// neighbours to a distinct 8-bit index, and a table has the landing squares of the jumps over them,
// relative to bit 0. Chess programs use magic bitboards in the same way.
template <class Shape>
class JumpLookup {
    using Bits = typename Shape::Bits;

   public:
    // The landing squares, occupied or not, of short jumps from a square over the squares `over` in
    // the directions `ways`.
    static constexpr Bits landings(int from, Bits over, Directions ways) noexcept {
        const Bits possible = Shape::kJumps[static_cast<std::size_t>(from)];
        if constexpr (sizeof(Bits) == sizeof(std::uint64_t)) {
            const Bits beside = std::rotr(over, from) & kNeighbours[ways];
            return std::rotl(kBehind[place_of(beside)], from) & possible;
        } else {
            Bits to{0};
            for (; ways; ways &= ways - 1) {
                const Direction d = std::countr_zero(ways);
                to |= Shape::step(d, Shape::step(d, Shape::one(from)) & over);
            }
            return to & possible;
        }
    }

   private:
    static constexpr std::size_t kSets = kEveryWay + 1;

    // Magic numbers from a random search; the tables verify them at compile time.
    static constexpr std::uint64_t kMagic = Shape::kShifts[1] == 3   ? 0x8080b100008288e5
                                            : Shape::kShifts[1] == 4 ? 0x31a0084008005441
                                            : Shape::kShifts[1] == 5 ? 0xa8814c0a20040201
                                                                     : 0x0220041806060331;

    static constexpr std::size_t place_of(std::uint64_t beside) noexcept {
        return beside * kMagic >> 56;
    }

    // The squares `many` steps from bit 0 in these directions, wrapping around the word.
    static constexpr std::uint64_t steps(Directions ways, int many) noexcept {
        std::uint64_t squares = 0;
        for (Direction d = 0; d < kDirections; ++d) {
            const int shift = many * Shape::kShifts[d];
            if (ways >> d & 1) squares |= std::rotl(std::uint64_t{1}, d & 2 ? shift : -shift);
        }
        return squares;
    }

    using Table = std::array<std::uint64_t, kSets>;

    static constexpr Table make_neighbours() noexcept {
        Table table{};
        for (std::size_t ways = 0; ways < kSets; ++ways) {
            table[ways] = steps(static_cast<Directions>(ways), 1);
        }
        return table;
    }

    static constexpr Table kNeighbours = make_neighbours();

    static constexpr Table make_behind() {
        Table table{};
        for (std::size_t ways = 1; ways < kSets; ++ways) {
            std::uint64_t& entry = table[place_of(kNeighbours[ways])];
            if (entry) throw "two sets of neighbours share an index";
            entry = steps(static_cast<Directions>(ways), 2);
        }
        if (table[0]) throw "a set of neighbours shares the empty set's index";
        return table;
    }

    static constexpr Table kBehind = make_behind();
};

}  // namespace damka
