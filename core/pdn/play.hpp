// Plays a game's movetext by the rules; returns its moves and faults.
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

inline constexpr std::size_t kMaxVariationDepth = 64;  // nested variations
inline constexpr std::size_t kMaxMoves = 1'000'000;    // of a game, including its variations
inline constexpr std::size_t kMaxProblems = 1000;      // of a game

// Squares by label, in the library's numbers; 0 for none.
struct Labels {
    std::array<std::uint8_t, 256> numbers{};
    std::array<std::array<std::uint8_t, 16>, 16> letters{};  // by file from 1 and row from 1

    int square(Name name) const noexcept {
        if (name.file == 0) return name.number < numbers.size() ? numbers[name.number] : 0;
        return name.number < 16 ? letters[name.file][name.number] : 0;
    }
};

// An item of a movetext, in order, for building a tree.
struct Event {
    Kind kind;  // move, comment, nag, open, close or setup
    int nag = 0;
    std::size_t begin = 0;  // of a comment
    std::size_t end = 0;
    WidePosition position{};  // before a move, or the one set up
    WideMove move{};
};

// A fault in a movetext.
struct Problem {
    Fault fault = Fault::none;
    std::size_t begin = 0;  // of the faulty text
    std::size_t end = 0;
    bool stops = false;  // the rest of the line is skipped: from `rest` to `line_end`
    std::size_t rest = 0;
    std::size_t line_end = 0;
    std::size_t depth = 0;  // 0 in the main line
    WidePosition position{};
};

struct Playthrough {
    std::size_t moves = 0;          // of the main line
    std::vector<Problem> problems;  // by place; without `tolerant` only the last one may stop
    std::string_view result;        // at the end of the movetext
    WidePosition last{};            // at the end of the main line

    bool stopped() const noexcept {
        for (const Problem& problem : problems) {
            if (problem.stops) return true;
        }
        return false;
    }
};

// Parameters of `play` besides the text.
struct Request {
    const Rules& rules;
    const Labels& labels;
    WidePosition start;
    std::string_view result;     // the tag's, which may end the movetext
    bool offences;               // quiet moves are allowed when a capture is compulsory
    std::vector<Event>* events;  // null: no events
    bool tolerant;               // a line ends at its first fault, and play continues after it
    // Parses the FEN of a setup; returns false if it is invalid.
    bool (*setup)(void* data, std::string_view fen, WidePosition& out);
    void* data;
};

// Plays text[begin, end).
//
// Two squares are the ends of a capture. Among several captures with the same ends, the first one
// after which the rest of the game is legal is chosen; a straight jump is tried first. More squares
// are a route: every landing, or some landings, or squares that it passes, or the captured squares;
// it is ambiguous if several captures fit equally.
//
// Two numbers with a space between them are a move. A single number is a move number where one is
// possible: before a move of the player who begins, or after a comment or a bracket, with the
// expected value.
Playthrough play(const Request& request, std::string_view text, std::size_t begin, std::size_t end);

}  // namespace damka::pdn
