// Invariants of every position under every rule set: the three forms of the generator agree, moves
// preserve validity, and the incremental hash equals the one from scratch.
#include <algorithm>
#include <string>
#include <vector>

#include "movegen/perft.hpp"
#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

void check_sound(const Rules& rules, const Position& p) {
    const Squares squares = squares_of(rules);
    CHECK((p.men[0] & p.kings[0]) == 0 && (p.men[1] & p.kings[1]) == 0);
    CHECK((p.pieces(Side::white) & p.pieces(Side::black)) == 0);
    CHECK((p.occupied() & ~squares.board) == 0);
    CHECK((p.men[0] & squares.top) == 0 && (p.men[1] & squares.bottom) == 0);
    CHECK(p.key == p.compute_key());
}

void check_move(const Rules& rules, const Position& p, const Move& m) {
    const unsigned own = index(p.turn);
    const std::uint64_t from = std::uint64_t{1} << m.from;
    CHECK((m.king ? p.kings[own] : p.men[own]) & from);
    CHECK((m.captured & ~p.pieces(other(p.turn))) == 0);
    CHECK(!(m.king && m.crowns));

    const Position child = make(rules, p, m);
    check_sound(rules, child);
    CHECK(child.turn == other(p.turn));
    CHECK(count(child.pieces(p.turn)) == count(p.pieces(p.turn)));
    CHECK(count(child.pieces(child.turn)) == count(p.pieces(child.turn)) - count(m.captured));
    CHECK(count(child.kings[own]) == count(p.kings[own]) + (m.crowns ? 1 : 0));
}

void check_position(const Rules& rules, const Position& p) {
    check_sound(rules, p);
    MoveList legal, taken, quiet;
    moves(rules, p, legal);
    CHECK(captures(rules, p, taken) == !taken.empty());
    quiets(rules, p, quiet);
    CHECK(can_capture(rules, p, p.turn) == !taken.empty());
    CHECK(count_moves(rules, p) == legal.size());
    const std::size_t quiet_count = taken.empty() || rules.capture_is_free ? quiet.size() : 0;
    CHECK(legal.size() == taken.size() + quiet_count);

    // can_capture does not depend on the side to move.
    Position turned = p;
    turned.turn = other(p.turn);
    CHECK(can_capture(rules, turned, p.turn) == !taken.empty());

    std::size_t i = 0;
    std::uint64_t grandchildren = 0;
    children(rules, p, [&](const Position& child, const Move& m) {
        CHECK(i < legal.size() && m == legal[i] && m.king == legal[i].king);
        CHECK(m.is_capture() == (i < taken.size()));
        CHECK(child == make(rules, p, legal[i]));
        grandchildren += count_moves(rules, child);
        ++i;
    });
    CHECK(i == legal.size());
    CHECK(perft(rules, p, 2) == grandchildren);
    if (rules.width == rules.height && rules.width >= 8 && !rules.all_squares) {
        CHECK(perft_any(rules, p, 2) == grandchildren);
    }
    for (const Move& m : legal) {
        check_move(rules, p, m);
        CHECK(std::count(legal.begin(), legal.end(), m) == 1);
    }
}

void check_layout(const Rules& rules) {
    const Layout& layout = layout_of(rules);
    CHECK(layout.squares == rules.width * rules.height / (rules.all_squares ? 1 : 2));
    std::uint64_t all = 0;
    for (int square = 1; square <= layout.squares; ++square) {
        all |= std::uint64_t{1} << layout.bit(square);
        CHECK(layout.square(layout.bit(square)) == square);
    }
    CHECK(all == squares_of(rules).board);
}

// A position of a board that needs more than 64 bits.
void check_wide(Random& random) {
    Rules rules = random_rules(random);
    if (rules.all_squares) return;
    rules.width = rules.height = 12;
    using G = Generator<AnyVariant<Board12>>;
    const WidePosition p = random_position<Wide>(rules, random);
    CHECK(p == with_words<Wide>(p));
    G::MoveList legal;
    G::moves(rules, p, legal);
    CHECK(G::count(rules, p) == legal.size());
    CHECK(G::can_capture(rules, p, p.turn) == (!legal.empty() && legal[0].is_capture()));
    std::uint64_t grandchildren = 0;
    for (const WideMove& m : legal) {
        CHECK((m.captured & ~p.pieces(other(p.turn))) == 0);
        const WidePosition child = make(rules, p, m);
        CHECK(child.key == child.compute_key());
        CHECK((child.occupied() & ~Board12::kBoard) == 0);
        CHECK((child.men[0] & Board12::kTop) == 0 && (child.men[1] & Board12::kBottom) == 0);
        CHECK(std::count(legal.begin(), legal.end(), m) == 1);
        grandchildren += G::count(rules, child);
    }
    CHECK(perft<AnyVariant<Board12>>(rules, p, 2) == grandchildren);
}

// Plays random moves and checks every position.
void play(const Rules& rules, Random& random, int plies) {
    Position p = start_position(rules);
    for (int ply = 0; ply < plies; ++ply) {
        check_position(rules, p);
        MoveList legal;
        moves(rules, p, legal);
        if (legal.empty()) return;
        p = make(rules, p, legal[random.below(static_cast<unsigned>(legal.size()))]);
    }
}

}  // namespace

void invariant_tests() {
    Random random(20);
    for (const Rules& rules : {international(), dama64(), american(), russian(), italian(),
                               spanish(), thai(), frisian(), killer(), turkish()}) {
        check_layout(rules);
        for (int game = 0; game < 4; ++game) play(rules, random, 80);
    }
    for (int i = 0; i < 6000; ++i) {
        const Rules rules = random_rules(random);
        const Position p = random_position(rules, random);
        check_position(rules, p);
    }

    for (int i = 0; i < 600; ++i) check_wide(random);

    // The hash distinguishes sides, ranks and the side to move.
    const Layout& layout = layout_of(dama64());
    std::vector<std::uint64_t> keys;
    for (const char piece : {'w', 'b', 'W', 'B'}) {
        for (const Side turn : {Side::white, Side::black}) {
            std::string pieces(32, '.');
            pieces[13] = piece;
            Position p;
            CHECK(read_pieces(layout, pieces, turn, p));
            CHECK(piece_at(p, layout.bit(14)) == piece);
            keys.push_back(p.key);
        }
    }
    std::sort(keys.begin(), keys.end());
    CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
    Position p;
    CHECK(!read_pieces(layout, "w", Side::white, p));
    CHECK(!read_pieces(layout, std::string(32, '?'), Side::white, p));
}

}  // namespace damka::tests
