// A situation of a game as a record of bytes, which the caller keeps: the position, and what
// the rules of draws and of huffing need to know. A game is its records, oldest first.
//
// What a caller may read of one, at these offsets: the pieces in four words of 16 bytes (White's
// men, Black's men, White's kings, Black's kings), the key (8 bytes), the pieces that may be huffed
// (16 bytes), the plies since progress and the reversible ones (4 bytes each), the side to move (a
// byte, Black 1), for each side the moves of a king in a row and its bit, and the bit that was
// huffed in this turn (255: none). `damka_squares` says which bit is which square. Two positions
// are equal where the first 64 bytes and the five from the side to move are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "game/game_status.hpp"
#include "wasm/api.hpp"

namespace damka::wasm {

inline constexpr std::size_t kRecord = 128;

using Situation = GameStep;  // `before` is the position itself

void put_record(Writer& out, const GameRules& game, const WidePosition& p,
                const GameStatus& status);

// Reads a record. False for what is no situation by these rules.
bool take_record(Reader& in, const GameRules& game, Situation& out);

// Reads what is left of the input as records: those that the last one's reversible moves lead back
// to, and the last one itself apart.
std::int32_t take_game(Reader& in, const GameRules& game, std::vector<Situation>& past,
                       Situation& now);

// --- moves: start, end, 1 where a king makes it + 2 where it crowns + 4 where its route follows,
// the number of captured squares, these squares ascending; then perhaps the number of squares of
// the route and these. A byte each ---

void put_move(Writer& out, const Layout& layout, const WideMove& move);
void put_move_with_route(Writer& out, const Rules& rules, const WidePosition& p,
                         const WideMove& move);

// Reads a move without a route. False for what no board has.
bool take_move(Reader& in, const Layout& layout, WideMove& out);

}  // namespace damka::wasm
