#include "game/find_move.hpp"

#include "movegen/movegen.hpp"
#include "position/visit.hpp"

namespace damka {

namespace {

// Calls f with the variant, the side to move and the position in the variant's word type.
template <class F>
auto with_turn(const Rules& rules, const WidePosition& position, F&& f) {
    return visit(rules, [&](auto v) {
        const auto p = with_words<typename decltype(v)::Bits>(position);
        return with_side(p.turn, [&](auto s) { return f(v, s, p); });
    });
}

template <class V, Side S>
std::optional<WideMove> find_quiet(const Rules& rules, const PositionOf<typename V::Bits>& p,
                                   const WideMove& m) {
    using G = Generator<V>;
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;
    const Turn<Bits> t = G::pieces_of(p, S);
    const Bits origin = Shape::one(m.from);
    const Bits target = Shape::one(m.to);
    const Bits empty = G::vacant(t);
    const bool king = (t.kings & ~resting(rules, p) & origin) != 0;
    Bits reached = 0;
    const auto step = [&](auto way) { reached |= Shape::step(way, origin); };
    if (t.men & origin) {
        for_ways<V, S, DirectionSet::man_moves>(rules, step);
    } else if (king && V::flies(rules)) {
        reached = G::reach(rules, m.from, empty);
    } else if (king) {
        for_ways<V, S, DirectionSet::king_moves>(rules, step);
    }
    const bool crowns = !king && (target & G::template crown<S>());
    if (!(reached & empty & target) || crowns != m.crowns) return std::nullopt;
    return WideMove{0, m.from, m.to, king, crowns};
}

}  // namespace

std::optional<WideMove> find_move(const Rules& rules, const WidePosition& position,
                                  const WideMove& requested, Allow allow) {
    return with_turn(rules, position, [&](auto v, auto s, const auto& p) {
        using V = decltype(v);
        using G = Generator<V>;
        std::optional<WideMove> found;
        if (is_over(rules, p)) return found;
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(rules, t);
        const bool due = G::template can_capture<s.value>(rules, t, jumps);
        if (!requested.is_capture()) {
            if (due && allow == Allow::legal && !rules.capture_is_free) return found;
            return find_quiet<V, s.value>(rules, p, requested);
        }
        if (!due) return found;
        typename G::MoveList list;
        list_captures<V, s.value>(rules, t, jumps, list);
        for (const auto& move : list) {
            if (const WideMove wide = with_words<Wide>(move); wide == requested)
                return found = wide;
        }
        return found;
    });
}

Wide offences_after(const Rules& rules, const WidePosition& before, const WideMove& m) {
    if (m.captured) return 0;
    return with_turn(rules, before, [&](auto v, auto s, const auto& p) -> Wide {
        using V = decltype(v);
        using G = Generator<V>;
        const auto t = G::pieces_of(p, s.value);
        const auto jumps = G::template man_jumps<s.value>(rules, t);
        if (!G::template can_capture<s.value>(rules, t, jumps)) return 0;
        typename G::MoveList list;
        list_captures<V, s.value>(rules, t, jumps, list);
        Wide due = 0;
        for (const auto& capture : list) due |= Wide{1} << capture.from;
        const Wide from = Wide{1} << m.from;
        return due & from ? (due ^ from) | Wide{1} << m.to : due;
    });
}

}  // namespace damka
