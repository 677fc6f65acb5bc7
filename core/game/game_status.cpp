#include "game/game_status.hpp"

#include "game/find_move.hpp"
#include "movegen/movegen.hpp"

namespace damka {

template <class Bits>
bool GameRulesOf<Bits>::can_move(const Position& p) const {
    return visit(rules_, [&](auto v) {
        using V = decltype(v);
        return Generator<V>::can_move(rules_, with_words<typename V::Bits>(p));
    });
}

template <class Bits>
bool GameRulesOf<Bits>::escapes_by_huffing(const Position& p, const Status& now) const {
    bool saved = false;
    for_each(now.offences, [&](int bit) {
        const Position after = without(p, bit);
        saved = saved || can_move(after) || !after.pieces(other(p.turn));
    });
    return saved;
}

template <class Bits>
bool GameRulesOf<Bits>::is_quiet(const Position& p, const Status& now) const {
    if (now.offences) return false;
    return visit(rules_, [&](auto v) {
        using V = decltype(v);
        return !Generator<V>::can_capture(rules_, with_words<typename V::Bits>(p), p.turn);
    });
}

template <class Bits>
bool GameRulesOf<Bits>::can_make(const Position& p, const Move& m) const {
    WideMove move = with_words<Wide>(m);
    const WidePosition position = with_words<Wide>(p);
    const Allow allow = huffing_ ? Allow::offences : Allow::legal;
    for (const bool crowns : {false, true}) {
        move.crowns = crowns;
        if (find_move(rules_, position, move, allow)) return true;
    }
    return false;
}

template class GameRulesOf<std::uint64_t>;
template class GameRulesOf<Wide>;

}  // namespace damka
