// Every way to play one capture: the squares from its start over each landing to its end.
//
// The generator merges routes with the same effect; here they are told apart again, for the move
// list, for clicks and for text.
#pragma once

#include <cstdint>
#include <type_traits>

#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

struct Route {
    std::uint8_t length;  // squares, start and end included
    std::uint8_t squares[kMaxCaptured + 1];
};

// Calls f(data, route) for each route of `move`, a legal capture of `p`, in ascending order of
// their squares, until it returns false. Returns false where finding the next one took too many
// steps.
bool walk_routes(const Rules& rules, const WidePosition& p, const WideMove& move,
                 bool (*f)(void* data, const Route& route), void* data);

// The same with a callable.
template <class F>
bool walk_routes(const Rules& rules, const WidePosition& p, const WideMove& move, F&& f) {
    return walk_routes(
        rules, p, move,
        [](void* data, const Route& route) {
            return static_cast<bool>((*static_cast<std::remove_reference_t<F>*>(data))(route));
        },
        const_cast<void*>(static_cast<const void*>(&f)));
}

// The first of them, which stands for the move; empty where finding it took too many steps.
Route first_route(const Rules& rules, const WidePosition& p, const WideMove& move);

}  // namespace damka
