// What holds in every position under every rule set: the three forms of the generator agree, moves
// keep positions sound, and the hash that moves keep up to date is the one made from scratch.
#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "kernel.hpp"

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
    MoveList legal, taking, quiet;
    moves(rules, p, legal);
    CHECK(captures(rules, p, taking) == !taking.empty());
    quiets(rules, p, quiet);
    CHECK(can_capture(rules, p, p.turn) == !taking.empty());
    CHECK(count_moves(rules, p) == legal.size());
    CHECK(legal.size() == (taking.empty() ? quiet.size() : taking.size()));

    // Whether a side can capture does not depend on whose turn it is.
    Position turned = p;
    turned.turn = other(p.turn);
    CHECK(can_capture(rules, turned, p.turn) == !taking.empty());

    std::size_t i = 0;
    std::uint64_t grandchildren = 0;
    children(rules, p, [&](const Position& child, const Move& m) {
        CHECK(i < legal.size() && m == legal[i] && m.king == legal[i].king);
        CHECK(m.is_capture() == !taking.empty());
        CHECK(child == make(rules, p, legal[i]));
        grandchildren += count_moves(rules, child);
        ++i;
    });
    CHECK(i == legal.size());
    CHECK(perft(rules, p, 2) == grandchildren);
    for (const Move& m : legal) {
        check_move(rules, p, m);
        CHECK(std::count(legal.begin(), legal.end(), m) == 1);
    }
}

void check_layout(const Rules& rules) {
    const Layout& layout = layout_of(rules);
    CHECK(layout.squares == rules.width * rules.width / 2);
    std::uint64_t all = 0;
    for (int square = 1; square <= layout.squares; ++square) {
        all |= std::uint64_t{1} << layout.bit(square);
        CHECK(layout.square(layout.bit(square)) == square);
    }
    CHECK(all == squares_of(rules).board);
}

// A game of random moves, every position of it checked.
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
                               spanish(), thai()}) {
        check_layout(rules);
        for (int game = 0; game < 4; ++game) play(rules, random, 80);
    }
    for (int i = 0; i < 6000; ++i) {
        const Rules rules = any_rules(random);
        const Position p = any_position(rules, random);
        check_position(rules, p);
    }

    // The hash tells the sides, the ranks and the turn apart.
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
