// Results of games: wins, repetition, counted draws, and huffing.
#include <initializer_list>
#include <utility>
#include <vector>

#include "game/game_status.hpp"
#include "movegen/routes.hpp"
#include "tests/check.hpp"
#include "tests/movegen.hpp"

namespace damka::tests {

namespace {

// A game with its moves and huffs.
struct PlayedGame {
    const Rules rules;
    const GameRules game;
    WidePosition position;
    GameStatus status;
    std::vector<GameSnapshot> steps;

    PlayedGame(const Rules& r, const DrawRules& draws, bool huffing, const Position& start)
        : rules(r),
          game(r, draws, huffing),
          position(with_words<Wide>(start)),
          status(game.begin(position)) {}

    void play(int from, int to, Wide offences = 0) {
        const Layout& layout = layout_of(rules);
        const Position before = with_words<std::uint64_t>(position);
        MoveList list;
        moves(rules, before, list);
        if (offences) {
            list.clear();
            quiets(rules, before, list);
        }
        for (const Move& m : list) {
            if (layout.square(m.from) != from || layout.square(m.to) != to) continue;
            steps.push_back({position, status});
            position = with_words<Wide>(make(rules, before, m));
            game.move(status, with_words<Wide>(m), position, offences);
            return;
        }
        CHECK(false && "a legal move");
    }

    void huff(int square) {
        const int bit = layout_of(rules).bit(square);
        CHECK(status.offences >> bit & 1);
        steps.push_back({position, status});
        position = without(position, bit);
        game.huff(status, bit, position);
    }

    void take_back() {
        position = steps.back().position;
        status = steps.back().status;
        steps.pop_back();
    }

    Ending ending() const { return game.result(position, status, steps).ending; }
};

Position with(const Rules& rules, std::string_view pieces, Side turn) {
    Position p{};
    CHECK(read_pieces(layout_of(rules), pieces, turn, p));
    return p;
}

DrawRules drawn_by(int repetition, int same_move, int no_progress_plies) {
    DrawRules draws;
    draws.repetition = repetition;
    draws.same_move = same_move;
    draws.no_progress_plies = no_progress_plies;
    return draws;
}

DrawRules king_against_king(int plies) {
    MaterialDraw draw;
    draw.plies = plies;
    draw.strong = draw.weak = Force{{0, 0}, {1, 1}, {}};
    DrawRules draws;
    draws.material.push_back(draw);
    return draws;
}

// The draws of literal rule sheets. White's king goes from a1 to c3 in two moves and back in one,
// Black's from g1 to h2 and back.
void literal_draws() {
    const Rules flying = dama64();
    const Position kings = with(flying, "............................W..B", Side::white);
    const auto ends = [&](const DrawRules& draws,
                          std::initializer_list<std::pair<int, int>> moves) {
        PlayedGame played(flying, draws, false, kings);
        Ending ending = Ending::none;
        for (const auto& [from, to] : moves) {
            CHECK(ending == Ending::none);
            played.play(from, to);
            ending = played.ending();
        }
        return ending;
    };
    using Moves = std::initializer_list<std::pair<int, int>>;

    // The same pieces count with either side to move.
    const Moves triangle = {{29, 25}, {32, 28}, {25, 22}, {28, 32}, {22, 29}};
    CHECK(ends({.repetition = 2, .material = {}}, triangle) == Ending::none);
    CHECK(ends({.repetition = 2, .material = {}, .pieces_only = true}, triangle) ==
          Ending::repetition);
    CHECK(ends({.repetition = 3, .material = {}, .pieces_only = true}, triangle) == Ending::none);

    // The same move counts in any position, separately for each side.
    const Moves again = {{29, 25}, {32, 28}, {25, 29}, {28, 24}, {29, 25}};
    CHECK(ends({.same_move = 2, .material = {}}, again) == Ending::none);
    CHECK(ends({.same_move = 2, .material = {}, .moves_anywhere = true}, again) ==
          Ending::same_move);
    CHECK(ends({.same_move = 3, .material = {}, .moves_anywhere = true}, again) == Ending::none);
    const Moves others = {{29, 25}, {32, 28}, {25, 22}, {28, 32}, {22, 25}, {32, 28}};
    CHECK(ends({.same_move = 2, .material = {}, .moves_anywhere = true}, others) ==
          Ending::same_move);

    // A game ends after its last move, unless that wins.
    CHECK(ends({.material = {}, .game_plies = 5}, again) == Ending::move_limit);
    CHECK(ends({.material = {}, .game_plies = 6}, again) == Ending::none);
    const Rules rules = american();
    PlayedGame won(rules, {.material = {}, .game_plies = 1}, false,
                   with(rules, "W....b..........................", Side::white));
    won.play(1, 10);
    CHECK(won.ending() == Ending::no_pieces);
    // The counter has the most frequent move that can be made now.
    PlayedGame counted(flying, {.same_move = 5, .material = {}, .moves_anywhere = true}, false,
                       kings);
    const auto most = [&] {
        return counted.game.repetitions(counted.position, counted.status, counted.steps).same_move;
    };
    CHECK(most() == 0);
    for (const auto& [from, to] : {std::pair{29, 25}, {32, 28}, {25, 29}, {28, 32}, {29, 25}}) {
        counted.play(from, to);
    }
    CHECK(most() == 1);
    counted.play(32, 27);
    CHECK(most() == 1);  // 25-29: 29-25 was made twice, but not from here
    counted.play(25, 29);
    counted.play(27, 32);
    CHECK(most() == 2);
    CHECK(counted.status.plies == 8);
}

constexpr std::string_view kTwoKings = "W..............................B";

}  // namespace

void game_result_tests() {
    const Rules rules = american();
    const Position kings = with(rules, kTwoKings, Side::white);

    // The third occurrence of a position is a draw; after taking back a move the game is open.
    PlayedGame repeated(rules, drawn_by(3, 0, 0), false, kings);
    for (int round = 0; round < 2; ++round) {
        repeated.play(1, 6);
        repeated.play(32, 27);
        CHECK(repeated.ending() == Ending::none);
        repeated.play(6, 1);
        CHECK(repeated.ending() == Ending::none);
        repeated.play(27, 32);
    }
    CHECK(repeated.ending() == Ending::repetition);
    const Repetitions again =
        repeated.game.repetitions(repeated.position, repeated.status, repeated.steps);
    CHECK(again.occurrences == 3 && again.same_move == 2);
    repeated.take_back();
    CHECK(repeated.ending() == Ending::none);

    // Same move in the same position, and plies without progress.
    PlayedGame moved(rules, drawn_by(0, 2, 0), false, kings);
    for (const auto& [from, to] : {std::pair{1, 6}, {32, 27}, {6, 1}, {27, 32}}) {
        moved.play(from, to);
    }
    CHECK(moved.ending() == Ending::none);
    moved.play(1, 6);
    CHECK(moved.ending() == Ending::same_move);
    PlayedGame idle(rules, drawn_by(0, 0, 2), false, kings);
    idle.play(1, 6);
    CHECK(idle.ending() == Ending::none);
    idle.play(32, 27);
    CHECK(idle.ending() == Ending::no_progress);

    literal_draws();

    // King against king: a draw at once, or after some plies.
    PlayedGame at_rest(rules, king_against_king(0), false, kings);
    CHECK(at_rest.ending() == Ending::material);
    PlayedGame counted(rules, king_against_king(1), false, kings);
    CHECK(counted.ending() == Ending::none);
    counted.play(1, 6);
    CHECK(counted.ending() == Ending::material);

    // A side without pieces has lost, or won in a losing game.
    for (const bool losing : {false, true}) {
        Rules aim = rules;
        aim.objective = losing ? Objective::losing : Objective::normal;
        PlayedGame taken(aim, DrawRules{}, false,
                         with(aim, "W....b..........................", Side::white));
        taken.play(1, 10);
        const GameResult result = taken.game.result(taken.position, taken.status, taken.steps);
        CHECK(result.ending == Ending::no_pieces);
        CHECK(result.winner == (losing ? Side::black : Side::white));
    }

    // A king ignores a capture and is huffed; after a takeback it can be huffed again.
    const Layout& layout = layout_of(rules);
    PlayedGame offended(rules, DrawRules{}, true,
                        with(rules, "W....b..................W......b", Side::white));
    offended.play(25, 22, Wide{1} << layout.bit(1));
    CHECK(offended.ending() == Ending::none);
    offended.huff(1);
    CHECK(offended.ending() == Ending::none && offended.status.has_huffed());
    offended.take_back();
    CHECK(!offended.status.has_huffed() && offended.status.offences);
}

}  // namespace damka::tests
