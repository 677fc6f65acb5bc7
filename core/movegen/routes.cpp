#include "movegen/routes.hpp"

#include "movegen/route_walk.hpp"
#include "position/visit.hpp"

namespace damka {

bool walk_routes(const Rules& rules, const WidePosition& p, const WideMove& move,
                 bool (*f)(void* data, const Route& route), void* data) {
    return visit(rules, [&](auto v) {
        using Bits = typename decltype(v)::Bits;
        Routes<decltype(v)> routes(rules, with_words<Bits>(p), with_words<Bits>(move));
        const auto found = [&](const Route& route) { return f(data, route); };
        routes.walk(found);
        return !routes.aborted();
    });
}

Route first_route(const Rules& rules, const WidePosition& p, const WideMove& move) {
    Route first{};
    walk_routes(rules, p, move, [&](const Route& route) {
        first = route;
        return false;
    });
    return first;
}

}  // namespace damka
