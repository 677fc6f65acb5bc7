// Text format of positions with streaks: "....W...+5:3" is a king on 5 with a streak of three
// moves.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "position/position.hpp"

namespace damka {

inline constexpr int kMaxStreak = 9;

// Reads the format of `read_pieces`, followed by "+SQUARE:MOVES" for each streak. Ignores a streak
// on a square without a king, or of a side without men. Returns false for an invalid text.
template <class Bits>
bool read_position(const Layout& layout, std::string_view text, Side turn, PositionOf<Bits>& out) {
    const auto squares = static_cast<std::size_t>(layout.squares);
    PositionOf<Bits> p;
    if (!read_pieces(layout, text.substr(0, squares), turn, p)) return false;
    text.remove_prefix(squares);
    while (!text.empty()) {
        int square = 0;
        int moves = 0;
        const char* const end = text.data() + text.size();
        const auto first = std::from_chars(text.data() + 1, end, square);
        if (text[0] != '+' || first.ec != std::errc{} || first.ptr == end || *first.ptr != ':') {
            return false;
        }
        const auto second = std::from_chars(first.ptr + 1, end, moves);
        if (second.ec != std::errc{} || square < 1 || square > layout.squares || moves < 1 ||
            moves > kMaxStreak) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(second.ptr - text.data()));
        const int bit = layout.bit(square);
        for (const Side side : {Side::white, Side::black}) {
            if (!(p.kings[index(side)] >> bit & 1)) continue;
            p.streaks[index(side)] = {static_cast<std::uint8_t>(moves),
                                      static_cast<std::uint8_t>(bit)};
        }
    }
    p.key = p.compute_key();
    for (const Side side : {Side::white, Side::black}) drop_streak_if_lost(p, side);
    out = p;
    return true;
}

// Formats the streaks as in `read_position`.
template <class Bits>
std::string streaks_text(const Layout& layout, const PositionOf<Bits>& p) {
    std::string text;
    for (const Streak& streak : p.streaks) {
        if (streak.moves == 0) continue;
        text += '+' + std::to_string(layout.square(streak.bit)) + ':' +
                std::to_string(static_cast<int>(streak.moves));
    }
    return text;
}

}  // namespace damka
