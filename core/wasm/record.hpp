// A snapshot of a game as a byte record, owned by the caller: the position and the state of the
// draw and huffing rules. A game is its records, oldest first.
//
// Callers may read these fields at fixed offsets: the pieces in four words of 16 bytes (White's
// men, Black's men, White's kings, Black's kings), the key (8 bytes), the pieces that may be huffed
// (16 bytes), plies without progress and reversible plies (4 bytes each), the side to move (a byte,
// Black 1), for each side the length and the bit of a king's streak, and the bit huffed in this
// turn (255: none). Further fields are the kernel's. `damka_squares` maps bits to squares. Two
// positions are equal if their first 64 bytes and the five bytes from the side to move are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "game/game_status.hpp"
#include "wasm/api.hpp"

namespace damka::wasm {

inline constexpr std::size_t kRecord = 152;

void put_record(Writer& out, const GameRules& game, const WidePosition& p,
                const GameStatus& status);

// Reads a record. False if it is not a valid snapshot by these rules.
bool take_record(Reader& in, const GameRules& game, GameSnapshot& out);

// Reads the rest of the input as records: those that the rules need, usually since the last
// irreversible move, and the current one separately.
std::int32_t take_game(Reader& in, const GameRules& game, std::vector<GameSnapshot>& past,
                       GameSnapshot& now);

// --- moves: start, end, flags (1: by a king, 2: crowns, 4: route follows), number of captured
// squares, these squares ascending; then optionally the number of squares of the route and these.
// One byte each ---

void put_move(Writer& out, const Layout& layout, const WideMove& move);
void put_move_with_route(Writer& out, const Rules& rules, const WidePosition& p,
                         const WideMove& move);

// Reads a move without a route. False for squares outside the board.
bool take_move(Reader& in, const Layout& layout, WideMove& out);

}  // namespace damka::wasm
