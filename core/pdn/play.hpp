// A game's movetext played by the rules: which moves its texts mean, and the first that is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "pdn/lexer.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::pdn {

inline constexpr std::size_t kDeepest = 64;           // variations inside each other
inline constexpr std::size_t kMostMoves = 1'000'000;  // of a game, those of its variations too
inline constexpr std::size_t kMostProblems = 1000;    // of a game

// The squares that names mean, in the library's numbers; 0 for none.
struct Labels {
    std::array<std::uint8_t, 256> numbers{};
    std::array<std::array<std::uint8_t, 16>, 16> letters{};  // by file from 1 and row from 1

    int square(Name name) const noexcept {
        if (name.file == 0) return name.number < numbers.size() ? numbers[name.number] : 0;
        return name.number < 16 ? letters[name.file][name.number] : 0;
    }
};

// What stands in a movetext, in order, for who makes a tree of it.
struct Event {
    Kind kind;  // move, comment, nag, open, close or setup
    int nag = 0;
    std::size_t begin = 0;  // of a comment
    std::size_t end = 0;
    WidePosition position{};  // before a move, or set up
    WideMove move{};
};

// What is wrong in a movetext.
struct Problem {
    Fault fault = Fault::none;
    std::size_t begin = 0;  // of what is wrong
    std::size_t end = 0;
    bool stops = false;  // the rest of the line is not read: from `rest` to `line_end`
    std::size_t rest = 0;
    std::size_t line_end = 0;
    std::size_t depth = 0;  // 0 in the main line
    WidePosition position{};
};

struct Played {
    std::size_t moves = 0;          // of the main line
    std::vector<Problem> problems;  // by place; without `tolerant` only the last one may stop
    std::string_view result;        // as the movetext ends
    WidePosition last{};            // at the end of the main line

    bool stopped() const noexcept {
        for (const Problem& problem : problems) {
            if (problem.stops) return true;
        }
        return false;
    }
};

// What playing needs beside the text.
struct Request {
    const Rules& rules;
    const Labels& labels;
    WidePosition start;
    std::string_view result;     // the tag's, which may end the movetext
    bool offences;               // a quiet move where a capture is due may be played
    std::vector<Event>* events;  // null: only played
    bool tolerant;               // a line ends at its first fault, and reading goes on after it
    // Reads the FEN of a setup; false where it cannot be read.
    bool (*setup)(void* data, std::string_view fen, WidePosition& out);
    void* data;
};

// Plays text[begin, end).
//
// Two squares are the ends of a capture; where several captures have the same ends, the first is
// meant with which the rest of the game can be played, and a straight jump from one end to the
// other is tried before those. More squares are a route: every landing, or some landings, or
// squares that it comes by, or what is captured; it is ambiguous where several captures fit alike.
//
// Two numbers with a space between them are a move. One number is that of a move where one may
// stand: before a move of the player who begins, or after a comment or a bracket, and as counted.
Played play(const Request& request, std::string_view text, std::size_t begin, std::size_t end);

}  // namespace damka::pdn
