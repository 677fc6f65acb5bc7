// The legal moves of a position, in three forms: counted, listed, or as child positions.
//
// How to use it from C++ (a search, a test):
//
//     damka::visit(rules, [&](auto v) {          // picks the compiled variant once, at the outside
//         using G = damka::Generator<decltype(v)>;
//         damka::MoveList list;                  // lives on the stack, ~1.5 kB, uninitialised
//         G::moves(rules, position, list);       // legal moves: captures alone if any
//         for (const damka::Move& m : list) {
//             damka::Position child = G::make(position, m);   // a copy, `key` kept up to date
//         }
//     });
//
//   G::captures(rules, p, list)      the captures alone, or nothing; for quiescence
//   G::quiets(rules, p, list)        quiet moves, whether or not a capture is compulsory
//   G::can_capture(rules, p, side)   without generating; `side` need not be to move, so
//                                    can_capture(rules, p, other(p.turn)) says "is threatened"
//   G::count(rules, p)               the number of legal moves
//   G::children(rules, p, f)         calls f(child, move) for every legal move, quiet ones without
//                                    a list in between
//
// `rules` must be the rules that chose the variant. A Move holds bits, not squares: `captured`,
// `from`, `to` (bit numbers), `king` (was one before), `crowns` (man that ends as a king). Bits
// grow from the top of the board down, and White moves up (see geometry.hpp); `G::Shape` has
// kBoard, kTop (White's crowning row), kBottom (Black's). layout_of(rules) maps bits to squares.
// `Position::key` tells apart pieces and side to move. Nothing here throws, locks or keeps state.
#pragma once

#include <cstdint>

#include "captures.hpp"
#include "geometry.hpp"
#include "moves.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// Calls f with the compiled variant that plays `rules`, and returns what it returns.
template <class F>
decltype(auto) visit(const Rules& rules, F&& f) {
    const auto with_shape = [&]<class Shape>(Shape) -> decltype(auto) {
        if (rules.flying_kings) {
            if (rules.men_capture_back) return f(Variant<Shape, true, true>{});
            return f(Variant<Shape, true, false>{});
        }
        if (rules.men_capture_back) return f(Variant<Shape, false, true>{});
        return f(Variant<Shape, false, false>{});
    };
    if (rules.width == 10) return with_shape(Board10{});
    return with_shape(Board8{});
}

// A side known while compiling.
template <Side S>
struct SideConstant {
    static constexpr Side value = S;
};

// Calls f(SideConstant<S>{}) and returns what it returns.
template <class F>
decltype(auto) with_side(Side side, F&& f) {
    if (side == Side::white) return f(SideConstant<Side::white>{});
    return f(SideConstant<Side::black>{});
}

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

    // --- is there a capture? ---

    template <Side S>
    static constexpr Jumps<V, S, false> man_jumps(const Rules& rules, const Pieces& t) noexcept {
        return {man_targets(rules, t), vacant(t)};
    }

    static constexpr Bits vacant(const Pieces& t) noexcept { return Shape::kBoard & ~t.occupied(); }

    template <Side S>
    static bool can_capture(const Rules& rules, const Pieces& t) noexcept {
        return (man_jumps<S>(rules, t).any() & t.men) || (t.kings && kings_can_capture<S>(t));
    }

    template <Side S>
    static bool kings_can_capture(const Pieces& t) noexcept {
        if constexpr (V::flying) {
            return flying_can_capture(t, vacant(t));
        } else {
            return (Jumps<V, S, true>(t.enemies(), vacant(t)).any() & t.kings) != 0;
        }
    }

    [[gnu::noinline]] static bool flying_can_capture(const Pieces& t, Bits empty) noexcept {
        const Bits enemies = t.enemies();
        bool found = false;
        for_all_ways([&](auto way) {
            constexpr Direction d = way.value;
            // Enemies with an empty square behind them; a king captures the first it meets.
            const Bits exposed = enemies & Shape::template step<opposite(d)>(empty);
            if (!exposed || found) return;
            for_each(t.kings, [&](int king) {
                found |= (nearest(d, Shape::line(d, king) & ~empty) & exposed) != 0;
            });
        });
        return found;
    }

    static bool can_capture(const Rules& rules, const Position& p, Side side) noexcept {
        return with_side(side, [&](auto s) {
            return can_capture<s.value>(rules, pieces_of(p, side));
        });
    }

    // --- quiet moves ---

    // The squares that a flying king on `at` reaches without capturing.
    static Bits reach(int at, Bits empty) noexcept {
        Bits all{0};
        for_all_ways([&](auto way) {
            constexpr Direction d = way.value;
            const Bits line = Shape::line(d, at);
            all |= before(d, line, line & ~empty);
        });
        return all;
    }

    template <Side S>
    static std::uint64_t count_quiets(const Pieces& t) noexcept {
        const Bits empty = vacant(t);
        int n = 0;
        for_forward<S>([&](auto way) {
            n += damka::count(Shape::template step<way.value>(t.men) & empty);
        });
        if (t.kings) {
            if constexpr (V::flying) {
                for_each(t.kings, [&](int king) { n += damka::count(reach(king, empty)); });
            } else {
                for_all_ways([&](auto way) {
                    n += damka::count(Shape::template step<way.value>(t.kings) & empty);
                });
            }
        }
        return static_cast<std::uint64_t>(n);
    }

    // Calls man(from, to) for every quiet move of a man and king(from, to) for those of kings.
    template <Side S, class Man, class King>
    static void for_quiets(const Pieces& t, Man&& man, King&& king) {
        const Bits empty = vacant(t);
        for_forward<S>([&](auto way) {
            constexpr Direction d = way.value;
            for (Bits to = Shape::template step<d>(t.men) & empty; to; to &= to - 1) {
                const Bits target = to & (~to + 1);
                man(Shape::template step<opposite(d)>(target), target);
            }
        });
        if (!t.kings) return;
        if constexpr (V::flying) {
            for_each(t.kings, [&](int from) {
                for (Bits to = reach(from, empty); to; to &= to - 1) {
                    king(Shape::one(from), to & (~to + 1));
                }
            });
        } else {
            for_all_ways([&](auto way) {
                constexpr Direction d = way.value;
                for (Bits to = Shape::template step<d>(t.kings) & empty; to; to &= to - 1) {
                    const Bits target = to & (~to + 1);
                    king(Shape::template step<opposite(d)>(target), target);
                }
            });
        }
    }

    template <Side S>
    static void list_quiets(const Pieces& t, MoveList& list) noexcept {
        for_quiets<S>(
            t,
            [&](Bits from, Bits to) {
                list.push({Bits{0}, bit_number(from), bit_number(to), false,
                           (to & crown<S>()) != 0});
            },
            [&](Bits from, Bits to) {
                list.push({Bits{0}, bit_number(from), bit_number(to), true, false});
            });
    }

    // --- lists ---

    template <Side S>
    [[gnu::noinline]] static void list_captures(const Rules& rules, const Pieces& t,
                                                MoveList& list) noexcept {
        Captures<V, S, false>(rules, t, list).run(man_jumps<S>(rules, t));
    }

    // Appends nothing and returns false when there is no capture. The list must be empty.
    static bool captures(const Rules& rules, const Position& p, MoveList& list) noexcept {
        with_side(p.turn, [&](auto s) {
            const Pieces t = pieces_of(p, p.turn);
            if (can_capture<s.value>(rules, t)) list_captures<s.value>(rules, t, list);
        });
        return !list.empty();
    }

    static void quiets(const Rules&, const Position& p, MoveList& list) noexcept {
        with_side(p.turn, [&](auto s) { list_quiets<s.value>(pieces_of(p, p.turn), list); });
    }

    // The legal moves. The list must be empty.
    static void moves(const Rules& rules, const Position& p, MoveList& list) noexcept {
        if (!captures(rules, p, list)) quiets(rules, p, list);
    }

    static std::uint64_t count(const Rules& rules, const Position& p) noexcept {
        return with_side(p.turn, [&](auto s) {
            return count_moves<s.value>(rules, pieces_of(p, p.turn));
        });
    }

    template <Side S>
    static std::uint64_t count_moves(const Rules& rules, const Pieces& t) noexcept {
        const Jumps<V, S, false> jumps = man_jumps<S>(rules, t);
        if (!(jumps.any() & t.men)) {
            if (!t.kings || !kings_can_capture<S>(t)) return count_quiets<S>(t);
        } else if (!t.kings) {
            const int n = count_single_captures<V, S>(rules, t, jumps);
            if (n >= 0) return static_cast<std::uint64_t>(n);
        }
        return count_captures<S>(rules, t, jumps);
    }

    template <Side S>
    [[gnu::noinline]] static std::uint64_t count_captures(
        const Rules& rules, const Pieces& t, const Jumps<V, S, false>& jumps) noexcept {
        MoveList list;
        const std::uint64_t counted = Captures<V, S, true>(rules, t, list).run(jumps);
        return counted + list.size();
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

    // The position after a move that the generator gave.
    static Position make(const Position& p, const Move& m) noexcept {
        const Side side = p.turn;
        const unsigned own = index(side);
        const Pieces next = after(pieces_of(p, side), m);
        Position child;
        child.men[own] = next.enemy_men;
        child.kings[own] = next.enemy_kings;
        child.men[own ^ 1] = next.men;
        child.kings[own ^ 1] = next.kings;
        child.turn = other(side);
        child.key = p.key ^ zobrist::kBlackToMove ^ zobrist::piece(side, m.king, m.from) ^
                    zobrist::piece(side, m.king || m.crowns, m.to);
        for_each(m.captured & p.men[own ^ 1], [&](int bit) {
            child.key ^= zobrist::piece(other(side), false, bit);
        });
        for_each(m.captured & p.kings[own ^ 1], [&](int bit) {
            child.key ^= zobrist::piece(other(side), true, bit);
        });
        return child;
    }

    template <class F>
    static void children(const Rules& rules, const Position& p, F&& f) {
        with_side(p.turn, [&](auto s) {
            const Pieces t = pieces_of(p, p.turn);
            if (can_capture<s.value>(rules, t)) {
                MoveList list;
                list_captures<s.value>(rules, t, list);
                for (const Move& m : list) f(make(p, m), m);
                return;
            }
            const auto quiet = [&](Bits from, Bits to, bool king, bool crowns) {
                const Move m{Bits{0}, bit_number(from), bit_number(to), king, crowns};
                f(make(p, m), m);
            };
            for_quiets<s.value>(
                t,
                [&](Bits from, Bits to) { quiet(from, to, false, (to & crown<s.value>()) != 0); },
                [&](Bits from, Bits to) { quiet(from, to, true, false); });
        });
    }

   private:
    static constexpr std::uint8_t bit_number(Bits b) noexcept {
        return static_cast<std::uint8_t>(lowest(b));
    }
};

}  // namespace damka
