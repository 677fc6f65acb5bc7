// The legal moves of a position, in three forms: counted, listed, or as child positions.
//
// Use from C++ (a search, a test):
//
//     damka::visit(rules, [&](auto v) {          // selects the compiled variant once
//         using G = damka::Generator<decltype(v)>;
//         damka::MoveList list;                  // on the stack, about 1.5 kB, uninitialized
//         G::moves(rules, position, list);       // legal moves: only captures, if any
//         for (const damka::Move& m : list) {
//             damka::Position child = damka::make(rules, position, m);   // a copy, `key` updated
//         }
//     });
//
//   G::captures(rules, p, list)      only captures; for quiescence search
//   G::known_captures(rules, p, list)   the same after can_capture has returned true
//   G::quiets(rules, p, list)        quiet moves, whether or not a capture is compulsory
//   G::can_capture(rules, p, side)   without generating; `side` need not be to move, so
//                                    can_capture(rules, p, other(p.turn)) detects a threat
//   G::can_move(rules, p)            whether there is a legal move, without generating
//   G::count(rules, p)               the number of legal moves
//   G::children(rules, p, f)         calls f(child, move) for every legal move; quiet moves need no
// list
//
// `rules` must be the rules that chose the variant. A Move holds bits, not squares: `captured`,
// `from`, `to` (bit numbers), `king` (was one before), `crowns` (man that ends as a king). Bits
// grow from the top of the board down, and White moves up (see geometry.hpp); `G::Shape` has
// kBoard, kTop (White's crowning row), kBottom (Black's). layout_of(rules) maps bits to squares.
// `Position::key` hashes pieces and side to move. No function throws, locks or has state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "movegen/captures.hpp"
#include "movegen/jump_masks.hpp"
#include "movegen/multi_jump_count.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "position/variant.hpp"
#include "position/visit.hpp"

namespace damka {

template <class V>
struct Generator {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    using Move = MoveOf<Bits>;
    using MoveList = MoveListOf<Bits>;
    using Position = PositionOf<Bits>;
    using Pieces = Turn<Bits>;

    static constexpr Pieces pieces_of(const Position& p, Side side) noexcept {
        const unsigned own = index(side);
        return {p.men[own], p.kings[own], p.men[own ^ 1], p.kings[own ^ 1]};
    }

    template <Side S>
    static constexpr Bits crown() noexcept {
        return crowning_row<V, S>();
    }

    // --- capture tests ---

    template <Side S>
    static constexpr JumpMasks<V, S, false> man_jumps(const Rules& rules,
                                                      const Pieces& t) noexcept {
        return {rules, man_targets(rules, t), vacant(t)};
    }

    static constexpr Bits vacant(const Pieces& t) noexcept { return Shape::kBoard ^ t.occupied(); }

    template <Side S>
    [[gnu::always_inline]] static bool can_capture(const Rules& rules, const Pieces& t) noexcept {
        return can_capture<S>(rules, t, man_jumps<S>(rules, t));
    }

    template <Side S>
    static bool can_capture(const Rules& rules, const Pieces& t,
                            const JumpMasks<V, S, false>& jumps) noexcept {
        return (jumps.any(rules) & t.men) || (t.kings && kings_can_capture<S>(rules, t));
    }

    template <Side S>
    static bool kings_can_capture(const Rules& rules, const Pieces& t) noexcept {
        if constexpr (!V::kCanHop) {
            return flying_can_capture(rules, t, vacant(t));
        } else {
            if (V::flies(rules)) return flying_can_capture(rules, t, vacant(t));
            const JumpMasks<V, S, true> jumps(rules, t.enemies(), vacant(t));
            return (jumps.any(rules) & t.kings) != 0;
        }
    }

    [[gnu::noinline]] static bool flying_can_capture(const Rules& rules, const Pieces& t,
                                                     Bits empty) noexcept {
        const Bits enemies = t.enemies();
        bool found = false;
        for_ways<V, Side::white, DirectionSet::king_captures>(rules, [&](auto way) {
            // Enemies with an empty square behind them; a king captures the first on its line.
            const Bits exposed = enemies & Shape::step(way.back(), empty);
            if (!exposed || found) return;
            for_each(t.kings, [&](int king) {
                const Bits line = Shape::line(way.value, king);
                found |= (nearest(way.value, line & ~empty) & exposed) != 0;
            });
        });
        return found;
    }

    static bool can_capture(const Rules& rules, const Position& p, Side side) noexcept {
        return !is_over(rules, p) && side_can_capture(rules, p, side);
    }

    // The same, assuming that the game is not over.
    [[gnu::always_inline]] static bool side_can_capture(const Rules& rules, const Position& p,
                                                        Side side) noexcept {
        if constexpr (kCapturesAlike) {
            return side_can_capture<Side::white>(rules, p, index(side));
        } else {
            return side == Side::white ? side_can_capture<Side::white>(rules, p, 0)
                                       : side_can_capture<Side::black>(rules, p, 1);
        }
    }

    // --- quiet moves ---

    // The squares that a flying king on `at` reaches by a quiet move.
    static Bits reach(const Rules& rules, int at, Bits empty) noexcept {
        Bits all{0};
        for_ways<V, Side::white, DirectionSet::king_moves>(rules, [&](auto way) {
            const Bits line = Shape::line(way.value, at);
            all |= before(way.value, line, line & ~empty);
        });
        return all;
    }

    // `kings`: those that may move.
    template <Side S>
    static std::uint64_t count_quiets(const Rules& rules, const Pieces& t, Bits kings) noexcept {
        const Bits empty = vacant(t);
        int n = 0;
        for_ways<V, S, DirectionSet::man_moves>(
            rules, [&](auto way) { n += damka::count(Shape::step(way, t.men) & empty); });
        if (kings) {
            if (V::flies(rules)) {
                for_each(kings, [&](int king) { n += damka::count(reach(rules, king, empty)); });
            } else {
                for_ways<V, S, DirectionSet::king_moves>(
                    rules, [&](auto way) { n += damka::count(Shape::step(way, kings) & empty); });
            }
        }
        return static_cast<std::uint64_t>(n);
    }

    // Calls man(from, to, direction) for every quiet move of a man and king(from, to) for those of
    // `kings`.
    template <Side S, class Man, class King>
    static void for_quiets(const Rules& rules, const Pieces& t, Bits kings, Man&& man,
                           King&& king) {
        const Bits empty = vacant(t);
        for_ways<V, S, DirectionSet::man_moves>(rules, [&](auto way) {
            for (Bits to = Shape::step(way, t.men) & empty; to; to &= to - 1) {
                const Bits target = to & (~to + 1);
                man(Shape::step(way.back(), target), target, way.value);
            }
        });
        if (kings) for_king_moves<S>(rules, kings, empty, king);
    }

    template <Side S, class King>
    static void for_king_moves(const Rules& rules, Bits kings, Bits empty, King&& king) {
        if (V::flies(rules)) {
            for_each(kings, [&](int from) {
                for (Bits to = reach(rules, from, empty); to; to &= to - 1) {
                    king(Shape::one(from), to & (~to + 1));
                }
            });
        } else {
            for_ways<V, S, DirectionSet::king_moves>(rules, [&](auto way) {
                for (Bits to = Shape::step(way, kings) & empty; to; to &= to - 1) {
                    const Bits target = to & (~to + 1);
                    king(Shape::step(way.back(), target), target);
                }
            });
        }
    }

    // --- lists ---

    // The list must be empty, here and below.

    // Appends nothing and returns false when there is no capture.
    static bool captures(const Rules& rules, const Position& p, MoveList& list) noexcept {
        if (!can_capture(rules, p, p.turn)) return false;
        known_captures(rules, p, list);
        return true;
    }

    // The same for a position with captures.
    static void known_captures(const Rules& rules, const Position& p, MoveList& list) noexcept {
        with_side(p.turn, [&](auto s) { list_known_captures<s.value>(rules, p, list); });
    }

    static void quiets(const Rules& rules, const Position& p, MoveList& list) noexcept {
        if (is_over(rules, p)) return;
        with_side(p.turn, [&](auto s) { list_quiets<s.value>(rules, p, list); });
    }

    // Whether there is a legal move, without listing any.
    static bool can_move(const Rules& rules, const Position& p) noexcept {
        if (is_over(rules, p)) return false;
        if (can_capture(rules, p, p.turn)) return true;
        return with_side(p.turn, [&](auto s) {
            const Pieces t = pieces_of(p, s.value);
            return count_quiets<s.value>(rules, t, t.kings & ~resting(rules, p)) != 0;
        });
    }

    // The legal moves.
    static void moves(const Rules& rules, const Position& p, MoveList& list) noexcept {
        if (!captures(rules, p, list) || rules.capture_is_free) quiets(rules, p, list);
    }

    static std::uint64_t count(const Rules& rules, const Position& p) noexcept {
        if (is_over(rules, p)) return 0;
        return with_side(p.turn, [&](auto s) {
            return count_moves<s.value>(rules, pieces_of(p, p.turn), resting(rules, p));
        });
    }

    // The number of legal moves of a game that is not over; `rests` is the king at its streak
    // limit.
    template <Side S>
    static std::uint64_t count_moves(const Rules& rules, const Pieces& t, Bits rests) noexcept {
        if (!rules.capture_is_free) return count_forced<S>(rules, t, rests);
        const std::uint64_t quiet = count_quiets<S>(rules, t, t.kings & ~rests);
        return can_capture<S>(rules, t)
                   ? damka::count_captures<V, S>(rules, t, man_jumps<S>(rules, t)) + quiet
                   : quiet;
    }

    // The same with compulsory captures.
    template <Side S>
    static std::uint64_t count_forced(const Rules& rules, const Pieces& t, Bits rests) noexcept {
        const JumpMasks<V, S, false> jumps = man_jumps<S>(rules, t);
        if (!(jumps.any(rules) & t.men)) {
            if (!t.kings || !kings_can_capture<S>(rules, t)) {
                return count_quiets<S>(rules, t, t.kings & ~rests);
            }
        } else if (!t.kings) {
            const int n = count_short_captures<V, S>(rules, t, jumps);
            if (n >= 0) return static_cast<std::uint64_t>(n);
        }
        return damka::count_captures<V, S>(rules, t, jumps);
    }

    // --- children ---

    // The pieces after a move, as the other side sees them.
    static constexpr Pieces after(const Pieces& t, const Move& m) noexcept {
        const Bits from = Shape::one(m.from);
        const Bits to = Shape::one(m.to);
        Pieces next{t.enemy_men & ~m.captured, t.enemy_kings & ~m.captured, t.men, t.kings};
        if (m.king) {
            next.enemy_kings = (t.kings & ~from) | to;
        } else {
            next.enemy_men &= ~from;
            (m.crowns ? next.enemy_kings : next.enemy_men) |= to;
        }
        return next;
    }

    // Calls f(move) for every quiet move.
    template <class F>
    static void for_quiet_moves(const Rules& rules, const Position& p, F&& f) {
        if (is_over(rules, p)) return;
        with_side(p.turn, [&](auto s) {
            const Pieces t = pieces_of(p, p.turn);
            for_quiets<s.value>(
                rules, t, t.kings & ~resting(rules, p),
                [&](Bits from, Bits to, Direction) {
                    const bool crowns = (to & crown<s.value>()) != 0;
                    f(Move{Bits{0}, bit_number(from), bit_number(to), false, crowns});
                },
                [&](Bits from, Bits to) {
                    f(Move{Bits{0}, bit_number(from), bit_number(to), true, false});
                });
        });
    }

    template <class F>
    static void children(const Rules& rules, const Position& p, F&& f) {
        MoveList list;
        if (captures(rules, p, list)) {
            for (const Move& m : list) f(make(rules, p, m), m);
            if (!rules.capture_is_free) return;
        }
        for_quiet_moves(rules, p, [&](const Move& m) { f(make(rules, p, m), m); });
    }

   private:
    static constexpr std::uint8_t bit_number(Bits b) noexcept {
        return static_cast<std::uint8_t>(lowest(b));
    }

    // Whether both sides capture in the same directions.
    static constexpr bool captures_alike() noexcept {
        if constexpr (V::kFixed) {
            return V::ways(Side::white, DirectionSet::man_captures) ==
                   V::ways(Side::black, DirectionSet::man_captures);
        } else {
            return false;
        }
    }
    static constexpr bool kCapturesAlike = captures_alike();

    // Dispatches on the whole position, since passing its pieces would double the cost of a call.
    template <Side S>
    [[gnu::noinline]] static bool side_can_capture(const Rules& rules, const Position& p,
                                                   unsigned own) noexcept {
        const unsigned foe = own ^ 1;
        return can_capture<S>(rules, {p.men[own], p.kings[own], p.men[foe], p.kings[foe]});
    }

    template <Side S>
    [[gnu::noinline]] static void list_known_captures(const Rules& rules, const Position& p,
                                                      MoveList& list) noexcept {
        const Pieces t = pieces_of(p, S);
        list_captures<V, S>(rules, t, man_jumps<S>(rules, t), list);
    }

    template <Side S>
    [[gnu::noinline]] static void list_quiets(const Rules& rules, const Position& p,
                                              MoveList& list) noexcept {
        const Pieces t = pieces_of(p, S);
        const Bits empty = vacant(t);
        std::array<Bits, kDirections> targets;
        int n = 0;
        for_ways<V, S, DirectionSet::man_moves>(rules, [&](auto way) {
            Bits& to = targets[static_cast<unsigned>(way.value)];
            to = Shape::step(way, t.men) & empty;
            n += damka::count(to);
        });
        // Reserve room once: a check for every move would cost as much as the move.
        Move* m = list.extend(static_cast<std::size_t>(n));
        for_ways<V, S, DirectionSet::man_moves>(rules, [&](auto way) {
            for_each(targets[static_cast<unsigned>(way.value)], [&](int to) {
                const int step = Shape::kShifts[way.value];
                const int from = (way.value & 2) ? to - step : to + step;
                const bool crowns = (crown<S>() >> to & 1) != 0;
                *m++ = {Bits{0}, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                        false, crowns};
            });
        });
        const Bits kings = t.kings & ~resting(rules, p);
        if (!kings) [[likely]]
            return;
        for_king_moves<S>(rules, kings, empty, [&](Bits from, Bits to) {
            list.push({Bits{0}, bit_number(from), bit_number(to), true, false});
        });
    }
};

}  // namespace damka
