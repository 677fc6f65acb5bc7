// Captures with thousands of routes: exact within the limits, incomplete beyond them.
#include <set>
#include <tuple>

#include "movegen/capture_limits.hpp"
#include "position/geometry.hpp"
#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

using End = std::tuple<int, int, std::uint64_t>;

// Reference: the captures of flying kings that land anywhere, without precedence. Walks every route
// and stores only their ends.
class RouteCounter {
   public:
    RouteCounter(const Rules& rules, const Position& p) : rules_(rules), position_(p) {
        for_each(p.kings[index(p.turn)], [&](int from) {
            from_ = from;
            continues(from, -1, 0);
        });
    }

    static constexpr long kTooMany = 100000;

    std::set<End> ends;
    long routes = 0;

   private:
    using Shape = Board10;

    bool continues(int at, Direction last, std::uint64_t captured) {
        bool any = false;
        if (routes >= kTooMany) return any;
        for (Direction d = 0; d < 4; ++d) {  // on diagonals
            if (last >= 0 && d == opposite(last) && !rules_.u_turn) continue;
            any |= jump(at, d, captured);
        }
        return any;
    }

    bool is_free(int bit, std::uint64_t captured) const {
        if (bit == from_) return true;
        const std::uint64_t gone = rules_.remove_at_once ? captured : 0;
        return !((position_.occupied() & ~gone) >> bit & 1);
    }

    static int step(int bit, Direction d) {
        const std::uint64_t to = Shape::step(d, std::uint64_t{1} << bit) & Shape::kBoard;
        return to ? lowest(to) : -1;
    }

    bool jump(int at, Direction d, std::uint64_t captured) {
        int over = step(at, d);
        while (over >= 0 && is_free(over, captured)) over = step(over, d);
        if (over < 0) return false;
        const std::uint64_t enemies = position_.pieces(other(position_.turn));
        if (!((enemies & ~captured) >> over & 1)) return false;
        const std::uint64_t now = captured | std::uint64_t{1} << over;
        bool on = false;
        int landings = 0;
        for (int to = step(over, d); to >= 0 && is_free(to, now); to = step(to, d)) {
            ++landings;
            on |= continues(to, d, now);
        }
        if (landings && !on) {
            for (int to = step(over, d); to >= 0 && is_free(to, now); to = step(to, d)) {
                ends.insert({from_, to, now});
                ++routes;
            }
        }
        return landings > 0;
    }

    const Rules rules_;
    const Position position_;
    int from_ = 0;
};

Rules big_board(bool remove_at_once, bool u_turn) {
    Rules rules = international();
    rules.ranking = Ranking();
    rules.remove_at_once = remove_at_once;
    rules.u_turn = u_turn;
    return rules;
}

// White kings first, then Black's.
Position kings(const Rules& rules, std::initializer_list<int> white,
               std::initializer_list<int> black) {
    const Layout& layout = layout_of(rules);
    Position p = empty_position();
    for (const int square : white) p.kings[0] |= std::uint64_t{1} << layout.bit(square);
    for (const int square : black) p.kings[1] |= std::uint64_t{1} << layout.bit(square);
    p.key = p.compute_key();
    return p;
}

// One or two white kings among black ones on every other row, with room to pass between them.
Position random_crowd(const Rules& rules, Random& random) {
    const Layout& layout = layout_of(rules);
    Position p = empty_position();
    const unsigned density = 20 + random.below(50);
    for (int square = 6; square <= 45; ++square) {
        const bool even_row = (square - 1) / 5 % 2 == 0;
        if (!random.chance(even_row ? density : 5)) continue;
        p.kings[1] |= std::uint64_t{1} << layout.bit(square);
    }
    for (unsigned i = random.below(2); i < 2; ++i) {
        p.kings[0] |= std::uint64_t{1} << layout.bit(1 + static_cast<int>(random.below(50)));
    }
    p.kings[1] &= ~p.kings[0];
    p.key = p.compute_key();
    return p;
}

// Compares captures with many routes, few enough for the reference.
void check_exact(const Rules& rules, Random& random, long at_least) {
    int compared = 0;
    for (int tries = 0; compared < 10; ++tries) {
        CHECK(tries < 100000);
        const Position p = random_crowd(rules, random);
        const RouteCounter every(rules, p);
        if (every.routes < at_least || every.routes >= RouteCounter::kTooMany) continue;
        ++compared;
        MoveList list;
        captures(rules, p, list);
        std::set<End> found;
        for (const Move& m : list) found.insert({m.from, m.to, m.captured});
        CHECK(found.size() == list.size());
        CHECK(found == every.ends);
        CHECK(count_moves(rules, p) == list.size());
    }
}

// Beyond the limits, the list still has unique captures, each with a route.
std::size_t check_aborted(const Rules& rules, const Position& p) {
    const std::uint64_t before = capture_limits().unfinished;
    MoveList list;
    captures(rules, p, list);
    CHECK(capture_limits().unfinished == before + 1);
    count_moves(rules, p);
    CHECK(capture_limits().unfinished == before + 2);
    CHECK(!list.empty() && list.size() <= kMaxCaptures);
    std::set<End> different;
    for (const Move& m : list) different.insert({m.from, m.to, m.captured});
    CHECK(different.size() == list.size());
    for (std::size_t i = 0; i < list.size(); i += 1000) {
        CHECK(first_route(rules, p, list[i]).length == count(list[i].captured) + 1);
    }
    return list.size();
}

}  // namespace

void capture_tests() {
    Random random(3);
    const std::uint64_t unfinished = capture_limits().unfinished;
    const Rules at_once = big_board(true, true);
    check_exact(big_board(false, true), random, 250);
    check_exact(at_once, random, 2000);
    check_exact(big_board(true, false), random, 1000);
    CHECK(capture_limits().unfinished == unfinished);

    // Two dozen kings, with too many orders to count.
    const Position worst =
        kings(at_once, {4}, {5,  8,  9,  10, 11, 12, 14, 19, 20, 21, 22, 23, 25,
                             26, 28, 30, 31, 32, 33, 39, 40, 41, 42, 43, 48, 50});
    const std::size_t most = check_aborted(at_once, worst);
    {
        std::uint64_t next_check = 1;
        const LimitCaptures limit(3000, next_check);
        CHECK(check_aborted(at_once, worst) < most);
        CHECK(next_check == 0);
    }
    CHECK(check_aborted(at_once, worst) == most);

    // All precedence keys at once; the order of captured kings matters.
    Rules strict = at_once;
    strict.ranking = Ranking::of({PrecedenceKey::king_early, PrecedenceKey::kings,
                                  PrecedenceKey::with_king, PrecedenceKey::count});
    check_aborted(strict, worst);

    // An empty board, and a side without moves.
    CHECK(count_moves(at_once, empty_position()) == 0);
    Position full = empty_position();
    full.kings[0] = full.kings[1] = squares_of(at_once).board;
    full.kings[0] &= 0x15555555555555u;
    full.kings[1] &= ~full.kings[0];
    CHECK(count_moves(at_once, full) == 0);
}

}  // namespace damka::tests
