// The evaluation of races where the first king wins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "position/board_map.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

template <class Bits>
class Race {
   public:
    explicit Race(const BoardMap<Bits>& map) : map_(map) {
        for (const auto& step : map.moves) {
            for (const Side side : {Side::white, Side::black}) {
                if (step.rows == 0 || (step.rows < 0) == (side == Side::white)) {
                    forward_[index(side)].push_back(step);
                }
            }
        }
        for (int bit = 0; bit < map.bits; ++bit) {
            if (!(map.board >> bit & 1)) continue;
            rows_[static_cast<std::size_t>(map.row[static_cast<std::size_t>(bit)])] |= Bits{1}
                                                                                       << bit;
        }
    }

    // The value of the runners for White, in hundredths of a man. A runner is a man that no enemy
    // man can stop; it needs one move per row.
    int operator()(const PositionOf<Bits>& p) const {
        const int white = rows_to_go(p, Side::white);
        const int black = rows_to_go(p, Side::black);
        if (white == kNever && black == kNever) return 0;
        // The side to move wins a race of equal length.
        const bool ahead = p.turn == Side::white ? white <= black : white < black;
        return ahead ? kWorth - kRow * white : kRow * black - kWorth;
    }

   private:
    static constexpr int kNever = 99;
    static constexpr int kWorth = 1500;
    static constexpr int kRow = 50;

    // Every square that men of a side may reach, including their own.
    Bits reach(Bits men, Side side) const {
        Bits all = men;
        for (Bits fresh = men; fresh;) {
            Bits next{0};
            for (const auto& step : forward_[index(side)]) next |= step.of(fresh);
            fresh = next & ~all;
            all |= next;
        }
        return all;
    }

    int rows_to_go(const PositionOf<Bits>& p, Side side) const {
        const Bits free = p.men[index(side)] & ~reach(p.men[index(other(side))], other(side));
        if (!free) return kNever;
        for (int n = 0; n < map_.height; ++n) {
            const int row = side == Side::white ? n : map_.height - 1 - n;
            if (free & rows_[static_cast<std::size_t>(row)]) return n;
        }
        return kNever;
    }

    const BoardMap<Bits>& map_;
    std::array<std::vector<typename BoardMap<Bits>::Step>, 2> forward_;
    std::array<Bits, 12> rows_{};
};

}  // namespace damka
