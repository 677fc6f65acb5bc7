// Boundaries and tags of the games in Portable Draughts Notation.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pdn/lexer.hpp"

namespace damka::pdn {

// Maximum number of tags of a game, and length of a tag in bytes.
inline constexpr std::size_t kMaxTags = 1000;
inline constexpr std::size_t kMaxTagLength = 1 << 16;

struct Tag {
    std::string_view name;
    std::string_view value;  // still escaped
};

struct GameText {
    enum class State { none, unfinished, found };  // unfinished: more text is needed
    State state = State::none;
    std::vector<Tag> tags;
    std::size_t begin = 0;  // of the game, its moves, and the text after it
    std::size_t moves = 0;
    std::size_t end = 0;
    std::size_t next = 0;
    // Errors in the tags: damaged ones, and the first excess one.
    struct Damage {
        Fault fault;
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Damage> damages;
};

// Finds the first game at or after `at`. Without `final`, more text may follow.
//
// A game ends before the next one's tags, or after its result unless a later move of it follows.
// Other text among the tags is skipped and reported in `damages`.
void find_game(std::string_view text, std::size_t at, bool final, GameText& game);

}  // namespace damka::pdn
