// Counts the leaves of the move tree, with bulk counting of the last plies.
#pragma once

#include <cstdint>

#include "movegen/movegen.hpp"
#include "movegen/perft.hpp"

namespace damka {

template <class V>
struct PerftWalk {
    using G = Generator<V>;
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    using Pieces = Turn<Bits>;
    using Position = PositionOf<Bits>;

    static std::uint64_t run(const Rules& rules, const Position& p, int depth, Poll poll,
                             PerftTable* table) {
        if (depth <= 0) return 1;
        return Walk{rules, poll, table}.position(p, depth);
    }

   private:
    static constexpr int kPolledDepth = 7;
    static constexpr int kPolledSlowly = 5;
    static constexpr int kStoredDepth = 3;

    // The upper part of the tree, which is not performance-critical.
    struct Walk {
        const Rules& rules;
        const Poll poll;
        PerftTable* table;
        bool aborted = false;

        std::uint64_t position(const Position& p, int depth) {
            if (!streaks_matter(p, depth)) {
                return with_side(p.turn, [&](auto s) {
                    return pieces<s.value>(G::pieces_of(p, p.turn), depth);
                });
            }
            if (depth == 1) return G::count(rules, p);
            std::uint64_t streaks = 0;
            for (const Streak& streak : p.streaks) {
                streaks =
                    streaks << 16 | static_cast<std::uint64_t>(streak.moves) << 8 | streak.bit;
            }
            return cached(G::pieces_of(p, p.turn), p.turn, depth, streaks, kPolledSlowly, [&] {
                std::uint64_t n = 0;
                G::children(rules, p, [&](const Position& child, const typename G::Move&) {
                    n += position(child, depth - 1);
                });
                return n;
            });
        }

        // Whether a king may reach its streak limit within these plies.
        bool streaks_matter(const Position& p, int depth) const noexcept {
            if (rules.king_streak == 0) return false;
            const unsigned own = index(p.turn);
            return depth > 2 * (rules.king_streak - p.streaks[own].moves) ||
                   depth > 2 * (rules.king_streak - p.streaks[own ^ 1].moves) + 1;
        }

        template <Side S>
        std::uint64_t pieces(const Pieces& t, int depth) {
            const bool forced =
                !rules.capture_is_free && rules.objective != Objective::breakthrough;
            const int polled = forced ? kPolledDepth : kPolledSlowly;
            if (depth < (table ? kStoredDepth : polled)) {
                return forced ? count<S>(rules, depth, t.men, t.kings, t.enemy_men, t.enemy_kings)
                              : count_slowly<S>(rules, depth, t);
            }
            return cached(t, S, depth, 0, polled, [&] {
                std::uint64_t n = 0;
                const auto add = [&](const Pieces& next) {
                    n += pieces<other(S)>(next, depth - 1);
                };
                if (forced) {
                    for_children<S>(rules, t, add);
                } else {
                    for_children_slowly<S>(rules, t, add);
                }
                return n;
            });
        }

        template <class Count>
        std::uint64_t cached(const Pieces& t, Side side, int depth, std::uint64_t streaks,
                             int polled, Count&& count) {
            if (depth >= polled) aborted = aborted || poll();
            if (aborted) return 0;
            if (!table || depth < kStoredDepth) return count();
            const PerftTable::Key key = PerftTable::key_of(t, side, depth, streaks);
            std::uint64_t leaves = 0;
            if (table->find(key, leaves)) return leaves;
            leaves = count();
            if (!aborted) table->store(key, leaves);
            return leaves;
        }
    };

    // The pieces are passed one by one, in registers. `flatten` inlines the whole node; rare paths
    // are marked noinline.
    template <Side S>
    [[gnu::noinline, gnu::flatten]] static std::uint64_t count(const Rules& rules, int depth,
                                                               Bits men, Bits kings, Bits enemy_men,
                                                               Bits enemy_kings) {
        if (depth == 1) return last<S>(rules, men, kings, enemy_men, enemy_kings);
        std::uint64_t n = 0;
        const Pieces t{men, kings, enemy_men, enemy_kings};
        const auto add = [&](const Pieces& c) {
            n += depth == 2 ? last<other(S)>(rules, c.men, c.kings, c.enemy_men, c.enemy_kings)
                            : count<other(S)>(rules, depth - 1, c.men, c.kings, c.enemy_men,
                                              c.enemy_kings);
        };
        const JumpMasks<V, S, false> jumps = G::template man_jumps<S>(rules, t);
        if (G::template can_capture<S>(rules, t, jumps)) {
            for_captures<S>(rules, t, jumps, add);
        } else if (depth == 2 && !(kings | enemy_kings)) {
            const std::uint64_t calm = count_two<S>(rules, t, add);
            n += calm;
        } else {
            for_quiet_children<S>(rules, t, add);
        }
        return n;
    }

    // The leaves two plies below a position with only men and no capture. Replies to moves that
    // allow no capture are counted for all of these moves at once, and so are captures that cannot
    // continue. Other moves, and crowning moves, are passed to `f`, and the result does not include
    // their leaves.
    template <Side S, class F>
    static std::uint64_t count_two(const Rules& rules, const Pieces& t, F&& f) {
        constexpr Side kFoe = other(S);
        const Bits empty = G::vacant(t);
        const Bits foes = t.enemy_men;
        const JumpMasks<V, kFoe, false> jumps(rules, t.men, empty);
        Bits on = jumps.any(rules);  // squares from which a foe could continue a capture
        const bool threatened = (on & foes) != 0;
        on = rules.continuing(on, G::template crown<kFoe>());
        Bits single[kDirections];  // men en prise to a jump in this direction
        Bits lured[kDirections];   // men whose step away would make room for one
        Bits longer{0};            // men en prise to a foe that may continue
        Bits attacked{0};
        Bits freed{0};
        jumps.for_ways(rules, [&](auto way) {
            const Bits reached = Shape::step(way, foes);
            single[way.value] = reached & Shape::step(way.back(), empty & ~on);
            longer |= reached & Shape::step(way.back(), empty & on);
            lured[way.value] = Shape::step(way, reached & t.men);
            attacked |= single[way.value];
            freed |= lured[way.value];
        });
        int replies = 0;
        for_ways<V, kFoe, DirectionSet::man_moves>(
            rules, [&](auto way) { replies += damka::count(Shape::step(way, foes) & empty); });
        std::uint64_t n = 0;
        for_ways<V, S, DirectionSet::man_moves>(rules, [&](auto way) {
            const Bits to = Shape::step(way, t.men) & empty;
            const Bits opened = Shape::step(way, freed);
            // A capture from the front lands on the square that the man came from.
            Bits front{0};
            jumps.for_ways(rules, [&](auto jump) {
                if (jump.value == way.back().value) front = Shape::step(jump, foes);
            });
            Bits known = to & ~(longer | ((opened | front) & Shape::step(way, on)) |
                                (opened & Shape::step(way.back(), empty)) | G::template crown<S>());
            if (threatened) known = 0;
            const Bits calm = known & ~(attacked | front | opened);
            const Bits from = Shape::step(way.back(), calm);
            int leaves = damka::count(calm) * replies + damka::count(known & front);
            for_ways<V, kFoe, DirectionSet::man_moves>(rules, [&](auto reply) {
                const Bits next = Shape::step(reply, foes);
                leaves += damka::count(next & from) - damka::count(next & calm);
            });
            const Bits left = Shape::step(way.back(), known);
            jumps.for_ways(rules, [&](auto jump) {
                leaves += damka::count(known & single[jump.value]);
                leaves += damka::count(left & lured[jump.value]);
            });
            n += static_cast<std::uint64_t>(leaves);
            for (Bits rest = to & ~known; rest; rest &= rest - 1) {
                const Bits target = rest & (~rest + 1);
                const Bits crowned = target & G::template crown<S>();
                f({foes, Bits{0}, (t.men ^ Shape::step(way.back(), target) ^ target) & ~crowned,
                   crowned});
            }
        });
        return n;
    }

    template <Side S>
    [[gnu::noinline, gnu::flatten]] static std::uint64_t last(const Rules& rules, Bits men,
                                                              Bits kings, Bits enemy_men,
                                                              Bits enemy_kings) {
        return G::template count_forced<S>(rules, {men, kings, enemy_men, enemy_kings}, Bits{0});
    }

    // For compulsory captures and a game that is not over after this ply.
    template <Side S, class F>
    static void for_children(const Rules& rules, const Pieces& t, F&& f) {
        const JumpMasks<V, S, false> jumps = G::template man_jumps<S>(rules, t);
        if (G::template can_capture<S>(rules, t, jumps)) {
            for_captures<S>(rules, t, jumps, f);
        } else {
            for_quiet_children<S>(rules, t, f);
        }
    }

    template <Side S, class F>
    static void for_captures(const Rules& rules, const Pieces& t,
                             const JumpMasks<V, S, false>& jumps, F&& f) {
        typename G::MoveList list;
        list_captures<V, S>(rules, t, jumps, list);
        for (const auto& m : list) f(G::after(t, m));
    }

    template <Side S, class F>
    static void for_quiet_children(const Rules& rules, const Pieces& t, F&& f) {
        G::template for_quiets<S>(
            rules, t, t.kings,
            [&](Bits from, Bits to, Direction) {
                const Bits crowned = to & G::template crown<S>();
                f({t.enemy_men, t.enemy_kings, (t.men ^ from ^ to) & ~crowned, t.kings | crowned});
            },
            [&](Bits from, Bits to) {
                f({t.enemy_men, t.enemy_kings, t.men, t.kings ^ from ^ to});
            });
    }

    // --- any rules except streaks ---

    static bool is_over(const Rules& rules, const Pieces& t) noexcept {
        return rules.objective == Objective::breakthrough && (t.kings | t.enemy_kings);
    }

    template <Side S>
    [[gnu::noinline]] static std::uint64_t count_slowly(const Rules& rules, int depth,
                                                        const Pieces& t) {
        if (depth == 1) return is_over(rules, t) ? 0 : G::template count_moves<S>(rules, t, 0);
        std::uint64_t n = 0;
        for_children_slowly<S>(rules, t, [&](const Pieces& next) {
            n += count_slowly<other(S)>(rules, depth - 1, next);
        });
        return n;
    }

    template <Side S, class F>
    static void for_children_slowly(const Rules& rules, const Pieces& t, F&& f) {
        if (is_over(rules, t)) return;
        const JumpMasks<V, S, false> jumps = G::template man_jumps<S>(rules, t);
        const bool capturing = G::template can_capture<S>(rules, t, jumps);
        if (capturing) for_captures<S>(rules, t, jumps, f);
        if (!capturing || rules.capture_is_free) for_quiet_children<S>(rules, t, f);
    }
};

template <class V>
std::uint64_t perft(const Rules& rules, const PositionOf<typename V::Bits>& p, int depth, Poll poll,
                    PerftTable* table) {
    return PerftWalk<V>::run(rules, p, depth, poll, table);
}

// Compiles it for a variant.
#define DAMKA_PERFT(V)                                                                   \
    template std::uint64_t perft<V>(const Rules&, const PositionOf<V::Bits>&, int, Poll, \
                                    PerftTable*);

}  // namespace damka
