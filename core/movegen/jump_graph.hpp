// All jumps of one capturing piece and which follows which, where they are the same whatever has
// been taken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "movegen/jumper.hpp"
#include "position/geometry.hpp"

namespace damka {

// All jumps of one capturer where captured pieces stay in the way: the same ones whatever has been
// taken, but for those over what has been.
template <class Bits>
class JumpGraph {
   public:
    static constexpr std::size_t kWords =
        18;  // bits enough for 72 pieces, 8 directions and 2 ranks

    struct Node {
        Jump<Bits> jump;
        Bits stops;
        Bits after;                 // the pieces that its successors take
        std::uint32_t first, last;  // of its successors
    };

    using Set = std::array<std::uint64_t, kWords>;

    explicit JumpGraph(const Jumper<Bits>& jumper) : jumper_(jumper) {
        for (auto& by_way : ids_) by_way.fill(-1);
    }

    int id_of(const Jump<Bits>& jump) {
        std::int16_t& id = ids_[jump.piece][static_cast<std::size_t>(jump.way * 2 + jump.king)];
        if (id < 0) {
            id = static_cast<std::int16_t>(nodes.size());
            nodes.push_back({jump, jumper_.stops(jump), Bits{0}, 0, 0});
        }
        return id;
    }

    // Adds all that follows from the nodes there are.
    void close() {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto first = static_cast<std::uint32_t>(next.size());
            const Jump<Bits> jump = nodes[i].jump;
            Bits after{0};
            jumper_.for_next(jump, Bits{1} << jump.piece, [&](const Jump<Bits>& then) {
                next.push_back(static_cast<std::uint16_t>(id_of(then)));
                after |= Bits{1} << then.piece;
            });
            nodes[i].after = after;
            nodes[i].first = first;
            nodes[i].last = static_cast<std::uint32_t>(next.size());
        }
    }

    // The pieces that can be jumped after `id`, some time, without those captured; where a route
    // that takes them may stop; and with `onward`, by bit, the pieces that can be jumped right
    // after each.
    Bits reach(int id, Bits captured, Bits& stops, Bits* onward = nullptr) const noexcept {
        std::array<std::uint16_t, kWords * 64> stack;
        Set met{};
        std::size_t size = 0;
        stack[size++] = static_cast<std::uint16_t>(id);
        Bits pieces{0};
        stops = 0;
        while (size) {
            const Node& node = nodes[stack[--size]];
            for (std::uint32_t i = node.first; i < node.last; ++i) {
                const unsigned to = next[i];
                const Jump<Bits>& jump = nodes[to].jump;
                if ((met[to / 64] >> (to % 64) & 1) || (captured >> jump.piece & 1)) continue;
                met[to / 64] |= std::uint64_t{1} << (to % 64);
                if (onward) {
                    if (!(pieces >> jump.piece & 1)) onward[jump.piece] = 0;
                    onward[jump.piece] |= nodes[to].after & ~captured;
                }
                pieces |= Bits{1} << jump.piece;
                stops |= nodes[to].stops;
                stack[size++] = static_cast<std::uint16_t>(to);
            }
        }
        return pieces;
    }

    std::vector<Node> nodes;
    std::vector<std::uint16_t> next;

   private:
    const Jumper<Bits>& jumper_;
    std::array<std::array<std::int16_t, 16>, kMaxBits> ids_;
};

}  // namespace damka
