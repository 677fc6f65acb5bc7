#include "game/game_status.hpp"

#include "movegen/movegen.hpp"

namespace damka {

namespace {

bool can_capture(const Rules& rules, const WidePosition& p) {
    return visit(rules, [&](auto v) {
        using V = decltype(v);
        return Generator<V>::can_capture(rules, with_words<typename V::Bits>(p), p.turn);
    });
}

}  // namespace

bool can_move(const Rules& rules, const WidePosition& p) {
    return visit(rules, [&](auto v) {
        using V = decltype(v);
        return Generator<V>::can_move(rules, with_words<typename V::Bits>(p));
    });
}

WidePosition without(WidePosition p, int bit) noexcept {
    const Wide keep = ~(Wide{1} << bit);
    for (const unsigned side : {0u, 1u}) {
        p.men[side] &= keep;
        p.kings[side] &= keep;
    }
    p.key = p.compute_key();
    for (const Side side : {Side::white, Side::black}) forget_streak(p, side);
    return p;
}

GameResult GameRules::win(const WidePosition& p, const GameStatus& now) const {
    const Side turn = p.turn;
    const Side opponent = other(turn);
    const bool losing = rules_.objective == Objective::losing;
    if (now.has_huffed() && !p.pieces(opponent)) {
        return {Ending::no_pieces, losing ? opponent : turn};
    }
    if (rules_.objective == Objective::breakthrough) {
        // The side not to move has just moved.
        for (const Side side : {opponent, turn}) {
            if (p.kings[index(side)]) return {Ending::breakthrough, side};
        }
    }
    const Side winner = losing ? turn : opponent;
    if (!p.pieces(turn)) return {Ending::no_pieces, winner};
    if (can_move(rules_, p)) return {};
    if (winner == opponent) {
        // A side that can still huff and then move, or win by that, has not lost.
        bool saved = false;
        for_each(now.offences, [&](int bit) {
            const WidePosition after = without(p, bit);
            saved = saved || can_move(rules_, after) || !after.pieces(opponent);
        });
        if (saved) return {};
    }
    return {Ending::no_moves, winner};
}

bool GameRules::is_quiet(const WidePosition& p, const GameStatus& now) const {
    return !now.offences && !can_capture(rules_, p);
}

}  // namespace damka
