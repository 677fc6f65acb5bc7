// Counting the leaves of the move tree, the last ply in bulk.
#pragma once

#include <cstdint>

#include "movegen.hpp"

namespace damka {

template <class V>
struct Perft {
    using G = Generator<V>;
    using Bits = typename V::Bits;
    using Pieces = Turn<Bits>;

    // The leaves `depth` plies below (depth >= 0). `poll()` is called now and then, about every ten
    // milliseconds; when it returns true the count is given up and what it returns is worthless.
    template <class Poll>
    static std::uint64_t run(const Rules& rules, const PositionOf<Bits>& p, int depth,
                             Poll&& poll) {
        if (depth <= 0) return 1;
        return with_side(p.turn, [&](auto s) {
            return polled<s.value>(rules, G::pieces_of(p, p.turn), depth, poll);
        });
    }

    static std::uint64_t run(const Rules& rules, const PositionOf<Bits>& p, int depth) {
        return run(rules, p, depth, [] { return false; });
    }

   private:
    static constexpr int kPolledDepth = 7;

    template <Side S, class Poll>
    static std::uint64_t polled(const Rules& rules, const Pieces& t, int depth, Poll& poll) {
        if (depth < kPolledDepth) {
            return count<S>(rules, depth, t.men, t.kings, t.enemy_men, t.enemy_kings);
        }
        if (poll()) return 0;
        std::uint64_t n = 0;
        for_children<S>(rules, t, [&](const Pieces& next) {
            n += polled<other(S)>(rules, next, depth - 1, poll);
        });
        return n;
    }

    // The pieces are handed on one by one, to travel in registers. `flatten` puts everything that a
    // node does into one function; what is rare has been marked to stay outside.
    template <Side S>
    [[gnu::noinline, gnu::flatten]] static std::uint64_t count(const Rules& rules, int depth,
                                                               Bits men, Bits kings, Bits enemy_men,
                                                               Bits enemy_kings) {
        if (depth == 1) return last<S>(rules, men, kings, enemy_men, enemy_kings);
        std::uint64_t n = 0;
        for_children<S>(rules, {men, kings, enemy_men, enemy_kings}, [&](const Pieces& c) {
            n += depth == 2 ? last<other(S)>(rules, c.men, c.kings, c.enemy_men, c.enemy_kings)
                            : count<other(S)>(rules, depth - 1, c.men, c.kings, c.enemy_men,
                                              c.enemy_kings);
        });
        return n;
    }

    template <Side S>
    [[gnu::noinline, gnu::flatten]] static std::uint64_t last(const Rules& rules, Bits men,
                                                              Bits kings, Bits enemy_men,
                                                              Bits enemy_kings) {
        return G::template count_moves<S>(rules, {men, kings, enemy_men, enemy_kings});
    }

    template <Side S, class F>
    static void for_children(const Rules& rules, const Pieces& t, F&& f) {
        if (G::template can_capture<S>(rules, t)) {
            typename G::MoveList list;
            G::template list_captures<S>(rules, t, list);
            for (const auto& m : list) f(G::after(t, m));
            return;
        }
        G::template for_quiets<S>(
            t,
            [&](Bits from, Bits to) {
                const Bits crowned = to & G::template crown<S>();
                f({t.enemy_men, t.enemy_kings, (t.men ^ from ^ to) & ~crowned, t.kings | crowned});
            },
            [&](Bits from, Bits to) {
                f({t.enemy_men, t.enemy_kings, t.men, t.kings ^ from ^ to});
            });
    }
};

}  // namespace damka
