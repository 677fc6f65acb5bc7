// PDN: random text causes no failure, and truncated games are not read.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pdn/game_text.hpp"
#include "pdn/play.hpp"
#include "tests/check.hpp"

namespace damka::tests {

namespace {

constexpr std::array<std::string_view, 38> kPieces = {
    "[White \"a\"]", "[FEN \"x\"]", "[",           "]",    "\"",   "1.",          "32-28", "19-23",
    "28x19",         "14x23",       "c3-d4",       "3228", "-",    "x",           "<19>",  "<",
    "{a}",           "{",           "}",           "(",    ")",    "$1",          "!?",    "*",
    "1-0",           "1/2-1/2",     "4-6",         ";",    "%",    "\n",          "\r",    " ",
    "\xc3\x97",      "\xd0\xb0",    "/FEN \"y\"/", "1:1",  "0:12", "[White \"a\n"};

std::string random_text(Random& random) {
    std::string text;
    for (auto n = random.below(40); n > 0; --n) {
        text += kPieces[random.below(static_cast<unsigned>(kPieces.size()))];
        if (random.below(3) == 0) text += ' ';
        if (random.below(20) == 0) text += static_cast<char>(random.below(256));
    }
    return text;
}

pdn::Labels numbers(const Rules& rules) {
    pdn::Labels labels;
    for (int square = 1; square <= layout_of(rules).squares; ++square) {
        labels.numbers[static_cast<std::size_t>(square)] = static_cast<std::uint8_t>(square);
    }
    return labels;
}

void check_problems(const pdn::Playthrough& played, const pdn::GameText& game, bool tolerant) {
    std::size_t stops = 0;
    for (const pdn::Problem& problem : played.problems) {
        CHECK(game.moves <= problem.begin && problem.begin <= problem.end);
        CHECK(problem.end <= game.end && problem.fault != pdn::Fault::none);
        CHECK(!problem.stops || (problem.rest <= problem.line_end && problem.line_end <= game.end));
        stops += problem.stops;
    }
    CHECK(tolerant || stops <= 1);
}

// Reads every game, and plays it.
std::size_t read_all(const Rules& rules, std::string_view text, bool tolerant = false) {
    const pdn::Labels labels = numbers(rules);
    std::vector<pdn::Event> events;
    const pdn::Request request{
        rules,
        labels,
        start_position<Wide>(rules),
        "4-6",
        false,
        &events,
        tolerant,
        [](void*, std::string_view fen, WidePosition&) { return fen.empty(); },
        nullptr};
    pdn::GameText game;
    std::size_t moves = 0;
    std::size_t at = 0;
    for (;;) {
        pdn::find_game(text, at, true, game);
        if (game.state != pdn::GameText::State::found) return moves;
        CHECK(at <= game.begin && game.begin <= game.moves && game.moves <= game.end);
        CHECK(game.end <= game.next && game.next > at && game.next <= text.size());
        at = game.next;
        events.clear();
        const pdn::Playthrough played = pdn::play(request, text, game.moves, game.end);
        check_problems(played, game, tolerant);
        if (tolerant || !played.stopped()) moves += played.moves;
    }
}

}  // namespace

void pdn_tests() {
    const Rules rules = international();
    CHECK(read_all(rules, "1. 32-28 19-23 2. 28x19 14x23 1-1 1. 33-28 *") == 5);
    CHECK(read_all(rules, "1. 32-28 (1. 31-26 19-23) 19-23 4-6") == 2);
    // All usual line endings are accepted.
    for (const std::string_view end : {"\n", "\r\n", "\r"}) {
        std::string text = "1. 32-28 ; a";
        text += end;
        text += "% b";
        text += end;
        text += "19-23 *";
        CHECK(read_all(rules, text) == 2);
    }
    Random random(11);
    for (int i = 0; i < 30'000; ++i) read_all(rules, random_text(random), random.below(2));
    // With `tolerant`, the moves before a fault and the other lines are read.
    CHECK(read_all(rules, "1. 32-28 19-99 2. 28x19 *") == 0);
    CHECK(read_all(rules, "1. 32-28 19-99 2. 28x19 *", true) == 1);
    CHECK(read_all(rules, "1. 32-28 (1. 31-99 19-23) 19-23 *", true) == 2);
    // A prefix gives the complete first game, or none yet.
    for (const std::string_view name : {"a", "a\nb", "a\r\nb\r\nc"}) {
        std::string two = "[White \"";
        two += name;
        two += "\"]\n\n1. 32-28 {b} 19-23 1:1\n\n[White \"c\"]\n\n1. 33-28 *\n";
        two += std::string(pdn::kMaxTokenLength, ' ');
        pdn::GameText whole;
        pdn::find_game(two, 0, true, whole);
        CHECK(whole.tags.size() == 1 && whole.tags[0].value == name);
        for (std::size_t size = 0; size <= two.size(); ++size) {
            pdn::GameText part;
            pdn::find_game(std::string_view(two).substr(0, size), 0, false, part);
            if (part.state != pdn::GameText::State::found) continue;
            CHECK(part.end == whole.end && part.next == whole.next && part.moves == whole.moves);
            CHECK(part.tags[0].value == name);
        }
    }
}

}  // namespace damka::tests
