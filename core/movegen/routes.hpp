// The routes of a capture: its start square, every landing and its end square.
//
// The generator merges routes with the same effect; move lists, clicks and notation need them
// separately.
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
// their squares, until it returns false. Returns false if finding the next route took too many
// steps.
bool walk_routes(const Rules& rules, const WidePosition& p, const WideMove& move,
                 bool (*f)(void* data, const Route& route), void* data);

// The same for a callable.
template <class F>
bool walk_routes(const Rules& rules, const WidePosition& p, const WideMove& move, F&& f) {
    return walk_routes(
        rules, p, move,
        [](void* data, const Route& route) {
            return static_cast<bool>((*static_cast<std::remove_reference_t<F>*>(data))(route));
        },
        const_cast<void*>(static_cast<const void*>(&f)));
}

// The first route, which represents the move; empty if finding it took too many steps.
Route first_route(const Rules& rules, const WidePosition& p, const WideMove& move);

}  // namespace damka
