// A small network beside the patterns, whose inputs are all pieces of the board.
//
// It has one view per side: White's, and Black's, which is the board rotated by a half-turn with
// the colours exchanged. The hidden layer of a view has kHidden units. Each is the sum of the
// weights of the pieces on their squares, own or enemy, and of the weight of the right to move,
// clipped at 0. The output is the weighted sum of the mover's view minus that of the opponent's, so
// it is antisymmetric by construction. A move changes the sums by the weights of its squares;
// accumulator.hpp updates them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "eval/patterns.hpp"
#include "position/board_map.hpp"
#include "position/geometry.hpp"
#include "position/position.hpp"

namespace damka::net {

inline constexpr std::size_t kHidden = 32;
// Fixed point: 256 in a sum is 1.0, and an output weight of 64 maps it to one part of a hundredth
// of a man.
inline constexpr int kOne = 256;
inline constexpr int kOutput = 64;
// Keeps every output sum from overflowing.
inline constexpr int kMaxOutput = 511;

// The lanes of one vector instruction. Unsigned, because sums may wrap.
using Group = std::uint16_t __attribute__((vector_size(16), may_alias));
inline constexpr std::size_t kGroup = sizeof(Group) / sizeof(std::uint16_t);
inline constexpr std::size_t kGroups = kHidden / kGroup;
static_assert(kGroups * kGroup == kHidden);

struct View {
    Group groups[kGroups];

    Group& operator[](std::size_t i) { return groups[i]; }
    const Group& operator[](std::size_t i) const { return groups[i]; }
};
using Views = std::array<View, 2>;  // White's and Black's

[[gnu::always_inline]] inline void add(Views& to, const Views& what) {
#pragma GCC unroll 2
    for (std::size_t view = 0; view < 2; ++view) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kGroups; ++i) to[view][i] += what[view][i];
    }
}

[[gnu::always_inline]] inline void subtract(Views& from, const Views& what) {
#pragma GCC unroll 2
    for (std::size_t view = 0; view < 2; ++view) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kGroups; ++i) from[view][i] -= what[view][i];
    }
}

// The order of weight rows in a file: own men by square, enemy men, own kings, enemy kings, right
// to move, bias; then the output weights for the opening and for the ending.
struct Rows {
    std::size_t squares;

    std::size_t piece(bool king, bool enemy, std::size_t square) const {
        return (2 * std::size_t{king} + std::size_t{enemy}) * squares + square;
    }
    std::size_t turn() const { return 4 * squares; }
    std::size_t bias() const { return 4 * squares + 1; }
    std::size_t inputs() const { return 4 * squares + 2; }
    std::size_t opening() const { return 4 * squares + 2; }
    std::size_t ending() const { return 4 * squares + 3; }
    std::size_t all() const { return 4 * squares + 4; }
    std::size_t numbers() const { return all() * kHidden; }
};

// The output for the opening and for the ending.
struct Value {
    int opening;
    int ending;
};

}  // namespace damka::net

namespace damka {

template <class Bits>
class NetworkOf {
   public:
    using Position = PositionOf<Bits>;

    // `numbers` are in the order of net::Rows.
    NetworkOf(const PatternsOf<Bits>& patterns, Bits board, const std::int16_t* numbers)
        : pieces_(std::make_unique<net::Views[]>(4 * kPlaces)) {
        const net::Rows rows{patterns.squares()};
        const auto read = [&](std::size_t row, int most) {
            net::View view{};
            for (std::size_t i = 0; i < net::kHidden; ++i) {
                const int n = std::clamp<int>(numbers[row * net::kHidden + i], -most, most);
                view[i / net::kGroup][i % net::kGroup] = static_cast<std::uint16_t>(n);
            }
            return view;
        };
        constexpr int kAny = 32767;
        for (const bool king : {false, true}) {
            for (const Side owner : {Side::white, Side::black}) {
                for_each(board, [&](int bit) {
                    net::Views& piece = pieces_[place(owner, king, bit)];
                    for (const Side side : {Side::white, Side::black}) {
                        const std::size_t square = patterns.square(bit, side);
                        piece[index(side)] = read(rows.piece(king, owner != side, square), kAny);
                    }
                });
            }
        }
        turn_ = read(rows.turn(), kAny);
        bias_ = read(rows.bias(), kAny);
        opening_ = read(rows.opening(), net::kMaxOutput);
        ending_ = read(rows.ending(), net::kMaxOutput);
    }

    // The weights of a piece on a square in both views.
    const net::Views& piece(Side owner, bool king, int bit) const {
        return pieces_[place(owner, king, bit)];
    }

    void refresh(const Position& p, net::Views& out) const {
        out = {bias_, bias_};
        for (const Side owner : {Side::white, Side::black}) {
            for_each(p.men[index(owner)],
                     [&](int bit) { net::add(out, piece(owner, false, bit)); });
            for_each(p.kings[index(owner)],
                     [&](int bit) { net::add(out, piece(owner, true, bit)); });
        }
    }

    // The output for the side to move, in parts of a hundredth of a man.
    [[gnu::always_inline]] net::Value operator()(Side turn, const net::Views& sums) const {
        const net::View& own = sums[index(turn)];
        const net::View& enemy = sums[index(other(turn))];
        Quad opening{}, ending{};
#pragma GCC unroll 8
        for (std::size_t i = 0; i < net::kGroups; ++i) {
            const auto mine = positive(reinterpret_cast<Signed>(own[i] + turn_[i]));
            const auto theirs = positive(reinterpret_cast<Signed>(enemy[i]));
            const Signed both = mine - theirs;
            opening += products(both, reinterpret_cast<Signed>(opening_[i]));
            ending += products(both, reinterpret_cast<Signed>(ending_[i]));
        }
        return {sum(opening) / net::kOutput, sum(ending) / net::kOutput};
    }

   private:
    using Signed = std::int16_t __attribute__((vector_size(16)));
    using Quad = std::int32_t __attribute__((vector_size(16)));
    static constexpr std::size_t kPlaces = 8 * sizeof(Bits);

    static std::size_t place(Side owner, bool king, int bit) {
        return (2 * std::size_t{king} + index(owner)) * kPlaces + static_cast<std::size_t>(bit);
    }

    static Signed positive(Signed v) { return v > 0 ? v : Signed{}; }

    // Multiplies and adds neighbouring lanes in pairs.
    static Quad products(Signed a, Signed b) {
#if defined(__SSE2__)
        return reinterpret_cast<Quad>(
            _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
        Quad out{};
        for (std::size_t i = 0; i < net::kGroup; ++i) out[i / 2] += std::int32_t{a[i]} * b[i];
        return out;
#endif
    }

    static int sum(Quad v) { return v[0] + v[1] + v[2] + v[3]; }

    const std::unique_ptr<net::Views[]> pieces_;  // by owner, kind and bit
    net::View turn_;
    net::View bias_;
    net::View opening_;
    net::View ending_;
};

}  // namespace damka
