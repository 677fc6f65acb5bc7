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

struct Played {
    std::size_t moves = 0;  // of the main line
    Fault fault = Fault::none;
    std::size_t begin = 0;  // of what is at fault
    std::size_t end = 0;
    WidePosition position{};  // where the fault is
    std::string_view result;  // as the movetext ends
    WidePosition last{};      // at the end of the main line
};

// What playing needs beside the text.
struct Request {
    const Rules& rules;
    const Labels& labels;
    WidePosition start;
    std::string_view result;     // the tag's, which may end the movetext
    bool offences;               // a quiet move where a capture is due may be played
    std::vector<Event>* events;  // null: only played
    // Reads the FEN of a setup; false where it cannot be read.
    bool (*setup)(void* data, std::string_view fen, WidePosition& out);
    void* data;
};

// Plays text[begin, end).
//
// Two squares are the ends of a capture; where several captures have the same ends, the first is
// meant with which the rest of the game can be played, and a straight jump from one end to the
// other is tried before those. More squares are a route: every landing, or only where the capture
// turns, or what is captured.
Played play(const Request& request, std::string_view text, std::size_t begin, std::size_t end);

}  // namespace damka::pdn
