// Leaf counts from the start position, including those published for other implementations.
#include <initializer_list>

#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

void counts(const Rules& rules, std::initializer_list<std::uint64_t> expected) {
    int depth = 0;
    for (const std::uint64_t leaves : expected) {
        CHECK(perft_start(rules, ++depth) == leaves);
        // A table large enough for nearly all entries, and one with a single bucket.
        CHECK(perft_start(rules, depth, std::size_t{1} << 20) == leaves);
        CHECK(perft_start(rules, depth, 1) == leaves);
    }
    CHECK(perft_start(rules, 0) == 1);
}

}  // namespace

void perft_tests() {
    counts(international(), {9, 81, 658, 4265, 27117, 167140, 1049442});
    counts(dama64(), {7, 49, 302, 1469, 7361, 36768, 179740});
    counts(american(), {7, 49, 302, 1469, 7361, 36768, 179740, 845931});
    counts(russian(), {7, 49, 302, 1469, 7482, 37986, 190146, 929899});
    counts(spanish(), {7, 49, 302, 1469, 7361, 36473, 177532, 828783});
    counts(italian(), {7, 49, 302, 1469, 7361, 36473, 177532, 828783});
    counts(thai(), {7, 49, 392, 3136, 26592, 218695});
    counts(frisian(), {9, 81, 658, 3874, 21265, 102431});
    counts(killer(), {9, 81, 658, 4265, 27117, 167140});
    counts(turkish(), {8, 64, 708, 7538, 85090});
    counts(canadian(), {11, 121, 1222, 10053, 79049});

    // A poll that returns true stops the count.
    const Rules rules = international();
    int polls = 0;
    const Position start = start_position(rules);
    CHECK(perft(rules, start, 7, [&] { return ++polls < 0; }) == 1049442);
    CHECK(polls > 0);
    CHECK(perft(rules, start, 40, [] { return true; }) == 0);
}

}  // namespace damka::tests
