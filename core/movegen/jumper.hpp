// The jumps of one capturing piece by any rules, one at a time: for capture_search.hpp, where what
// has been taken matters and speed by rules does not.
#pragma once

#include <bit>
#include <cstdint>

#include "movegen/capture_search.hpp"
#include "movegen/jump_masks.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// A jump that has been made: over `piece` in direction `way`, to any of `landings`.
template <class Bits>
struct Jump {
    Bits landings;
    std::uint8_t piece;
    std::uint8_t way;
    bool king;  // the capturer is a king now
};

// The jumps of one capturer, whatever they lead to.
template <class Bits>
class Jumper {
   public:
    Jumper(const Rules& rules, const LineTable<Bits>& lines, Side side, const Turn<Bits>& turn,
           int from) noexcept
        : rules_(rules),
          lines_(lines),
          enemies_(turn.enemies()),
          enemy_kings_(turn.enemy_kings),
          man_targets_(man_targets(rules, turn)),
          man_ways_(rules.man_captures(side)),
          crown_(side == Side::white ? lines.top : lines.bottom),
          empty_((lines.board & ~turn.occupied()) | Bits{1} << from) {}

    Bits empty() const noexcept { return empty_; }
    Bits crown() const noexcept { return crown_; }
    bool flies(bool king) const noexcept { return king && rules_.flying_kings; }

    Directions ways(bool king) const noexcept { return king ? rules_.capture_lines : man_ways_; }

    // The jump in direction d from `at`; its `landings` are none where there is no such jump.
    Jump<Bits> jump(int at, Direction d, bool king, Bits captured) const noexcept {
        const Bits free = rules_.remove_at_once ? empty_ | captured : empty_;
        const Bits line = lines_.line(d, at);
        const Bits first = nearest(d, flies(king) ? line & ~free : line);
        const Bits taken = first & ~free & ~captured & (king ? enemies_ : man_targets_);
        Jump<Bits> jump{Bits{0}, 0, static_cast<std::uint8_t>(d), king};
        if (!taken) return jump;
        jump.piece = static_cast<std::uint8_t>(lowest(taken));
        const Bits behind = lines_.line(d, lowest(taken));
        jump.landings = before(d, behind, behind & ~free);
        if (!flies(king) || rules_.land_adjacent) jump.landings = nearest(d, jump.landings);
        jump.king = king || (rules_.promotion == Promotion::go && (jump.landings & crown_));
        return jump;
    }

    // Calls f(jump) for every jump after `last`.
    template <class F>
    void for_next(const Jump<Bits>& last, Bits captured, F&& f) const {
        if (!last.king && !(rules_.goes_on(last.landings, crown_) & last.landings)) return;
        const Directions on = ways(last.king);
        const auto try_jump = [&](Bits at, Direction d) {
            const Jump<Bits> next = jump(lowest(at), d, last.king, captured);
            if (next.landings) f(next);
        };
        if (!flies(last.king)) {
            for (Directions w = on; w; w &= w - 1) try_jump(last.landings, std::countr_zero(w));
            return;
        }
        const Direction straight = last.way;
        const Direction back = opposite(straight);
        for (Directions w = on; w; w &= w - 1) {
            const Direction d = std::countr_zero(w);
            if (d == straight) {
                try_jump(nearest(back, last.landings), d);
            } else if (d == back) {
                if (rules_.remove_at_once && rules_.u_turn) try_jump(nearest(d, last.landings), d);
            } else {
                for_each(last.landings, [&](int at) { try_jump(Bits{1} << at, d); });
            }
        }
    }

    // Where the capturer may stop that cannot go on.
    Bits stops(const Jump<Bits>& last) const noexcept {
        const bool killing =
            rules_.land_killing && flies(last.king) && (enemy_kings_ >> last.piece & 1);
        return killing ? nearest(static_cast<Direction>(last.way), last.landings) : last.landings;
    }

   private:
    const Rules& rules_;
    const LineTable<Bits>& lines_;
    const Bits enemies_;
    const Bits enemy_kings_;
    const Bits man_targets_;
    const Directions man_ways_;
    const Bits crown_;
    const Bits empty_;  // with the square that the capturer has left
};

}  // namespace damka
