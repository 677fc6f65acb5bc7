// Where the games of a text in Portable Draughts Notation begin and end, and their tags.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pdn/lexer.hpp"

namespace damka::pdn {

// Tags of a game, and bytes of a tag.
inline constexpr std::size_t kMostTags = 1000;
inline constexpr std::size_t kLongestTag = 1 << 16;

struct Tag {
    std::string_view name;
    std::string_view value;  // with its escapes
};

struct GameText {
    enum class State { none, unfinished, found };  // unfinished: more of the text is needed
    State state = State::none;
    std::vector<Tag> tags;
    std::size_t begin = 0;  // of the game, its moves, and what follows it
    std::size_t moves = 0;
    std::size_t end = 0;
    std::size_t next = 0;
    // What is wrong with the tags: damaged ones, or the first of those that are too many.
    struct Damage {
        Fault fault;
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Damage> damages;
};

// Finds the game that begins at `at` or after it. Without `final`, more text may follow.
//
// A game ends before the next one's tags, or after its result if what follows is no later move of
// it. What stands among the tags and is none is passed over and told in `damages`.
void find_game(std::string_view text, std::size_t at, bool final, GameText& game);

}  // namespace damka::pdn
