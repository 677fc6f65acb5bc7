// The limit on a king's consecutive moves while its side has men.
#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

// Makes a quiet move or capture between two squares, which must be legal.
Position play(const Rules& rules, const Position& p, int from, int to) {
    const Layout& layout = layout_of(rules);
    MoveList list;
    moves(rules, p, list);
    for (const Move& m : list) {
        if (layout.square(m.from) != from || layout.square(m.to) != to) continue;
        const Position child = make(rules, p, m);
        CHECK(child.key == child.compute_key());
        return child;
    }
    CHECK(false && "a legal move");
    return p;
}

bool may_leave(const Rules& rules, const Position& p, int from) {
    const Layout& layout = layout_of(rules);
    MoveList list;
    moves(rules, p, list);
    for (const Move& m : list) {
        if (layout.square(m.from) == from) return true;
    }
    return false;
}

Position placed(const Rules& rules, std::initializer_list<int> white_men,
                std::initializer_list<int> white_kings, std::initializer_list<int> black_men) {
    const Layout& layout = layout_of(rules);
    Position p = empty_position();
    for (const int square : white_men) p.men[0] |= std::uint64_t{1} << layout.bit(square);
    for (const int square : white_kings) p.kings[0] |= std::uint64_t{1} << layout.bit(square);
    for (const int square : black_men) p.men[1] |= std::uint64_t{1} << layout.bit(square);
    p.key = p.compute_key();
    return p;
}

std::uint64_t count_plainly(const Rules& rules, const Position& p, int depth) {
    if (depth == 0) return 1;
    MoveList list;
    moves(rules, p, list);
    std::uint64_t n = 0;
    for (const Move& m : list) n += count_plainly(rules, make(rules, p, m), depth - 1);
    return n;
}

}  // namespace

void streak_tests() {
    const Rules rules = frisian();

    // After three moves the king must wait until another piece has moved.
    Position p = placed(rules, {45}, {46}, {1, 2, 3});
    const Position start = p;
    int black = 1;
    for (const int to : {41, 46, 41}) {
        CHECK(may_leave(rules, p, to == 41 ? 46 : 41));
        p = play(rules, play(rules, p, to == 41 ? 46 : 41, to), black, black + 5);
        black += 5;
    }
    CHECK(!may_leave(rules, p, 41));
    CHECK(may_leave(rules, p, 45));
    Position fresh = p;
    fresh.streaks = {};
    fresh.key = fresh.compute_key();
    CHECK(!(fresh == p) && fresh.key != p.key);
    CHECK(may_leave(rules, fresh, 41));
    CHECK(may_leave(rules, play(rules, play(rules, p, 45, 40), 2, 7), 41));

    // Without men there is no limit.
    p = placed(rules, {}, {46}, {1});
    for (int i = 0; i < 4; ++i) {
        p = play(rules, p, i % 2 ? 41 : 46, i % 2 ? 46 : 41);
        CHECK(p.streaks[0] == Streak{});
        p.turn = Side::white;
        p.key = p.compute_key();
    }

    // Perft applies the limit at every depth.
    for (int limit = 1; limit <= 3; ++limit) {
        Rules strict = rules;
        strict.king_streak = limit;
        for (int depth = 1; depth <= 4; ++depth) {
            CHECK(perft(strict, start, depth) == count_plainly(strict, start, depth));
            CHECK(perft(strict, fresh, depth) == count_plainly(strict, fresh, depth));
        }
    }
    Rules unlimited = rules;
    unlimited.king_streak = 0;
    CHECK(perft(rules, start, 6) == perft(unlimited, start, 6));
    CHECK(perft(rules, start, 7) < perft(unlimited, start, 7));
}

}  // namespace damka::tests
