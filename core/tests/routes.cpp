// Routes: each reaches its move's end, they are sorted, and the first represents the move.
#include <algorithm>
#include <cstring>

#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

bool ascends(const Route& a, const Route& b) {
    return std::lexicographical_compare(a.squares, a.squares + a.length, b.squares,
                                        b.squares + b.length);
}

std::size_t check_routes(const Rules& rules, const Position& p) {
    const Layout& layout = layout_of(rules);
    MoveList list;
    captures(rules, p, list);
    std::size_t all = 0;
    for (const Move& m : list) {
        Route last{};
        routes(rules, p, m, [&](const Route& route) {
            CHECK(route.length == count(m.captured) + 1);
            CHECK(route.squares[0] == layout.square(m.from));
            CHECK(route.squares[route.length - 1] == layout.square(m.to));
            CHECK(last.length == 0 || ascends(last, route));
            if (last.length == 0) {
                const Route first = first_route(rules, p, m);
                CHECK(std::memcmp(first.squares, route.squares, route.length) == 0);
            }
            last = route;
            return ++all < 20000;
        });
        CHECK(last.length != 0);  // every capture has a route
    }
    return all;
}

std::size_t routes_of(const Rules& rules, const char* pieces, Side turn) {
    Position p;
    CHECK(read_pieces(layout_of(rules), pieces, turn, p));
    return check_routes(rules, p);
}

}  // namespace

void route_tests() {
    Random random(7);
    for (int i = 0; i < 6000; ++i) {
        const Rules rules = random_rules(random);
        const Position p = random_position(rules, random);
        check_routes(rules, p);
    }
    // A king captures two men in line, with three landings between them and three behind: three
    // moves with three routes each.
    CHECK(routes_of(international(),
                    "....."
                    "....."
                    "....."
                    "...b."
                    "....."
                    "....."
                    "....."
                    ".b..."
                    "....."
                    "W....",
                    Side::white) == 9);
    // Around a ring of four men in both directions: one move, two routes.
    CHECK(routes_of(international(),
                    "....."
                    "....."
                    ".bb.."
                    "....."
                    ".bb.."
                    "..w.."
                    "....."
                    "....."
                    "....."
                    ".....",
                    Side::white) == 2);
}

}  // namespace damka::tests
