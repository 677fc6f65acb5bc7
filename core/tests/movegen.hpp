// Non-template wrappers of the kernel, so that its templates are compiled once for all tests.
#pragma once

#include <cstdint>
#include <functional>

#include "movegen/routes.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka::tests {

std::uint64_t perft(
    const Rules& rules, const Position& p, int depth,
    const std::function<bool()>& poll = [] { return false; });

// From the start position, on any board.
std::uint64_t perft_start(const Rules& rules, int depth, std::size_t table_bytes = 0);

// With the variant for any rules, even if there is a faster one.
std::uint64_t perft_any(const Rules& rules, const Position& p, int depth);

void moves(const Rules& rules, const Position& p, MoveList& list);
bool captures(const Rules& rules, const Position& p, MoveList& list);
void quiets(const Rules& rules, const Position& p, MoveList& list);
bool can_capture(const Rules& rules, const Position& p, Side side);
std::uint64_t count_moves(const Rules& rules, const Position& p);
Position make(const Rules& rules, const Position& p, const Move& m);
void children(const Rules& rules, const Position& p,
              const std::function<void(const Position&, const Move&)>& f);

void routes(const Rules& rules, const Position& p, const Move& m,
            const std::function<bool(const Route&)>& f);
Route first_route(const Rules& rules, const Position& p, const Move& m);

struct Squares {
    std::uint64_t board, top, bottom;
};

Squares squares_of(const Rules& rules);

}  // namespace damka::tests
