#include "movegen/movegen_table.hpp"

#include <cstdlib>
#include <type_traits>

#include "movegen/movegen.hpp"

namespace damka {

template <class Bits>
MoveGenTableOf<Bits> MoveGenTableOf<Bits>::of(const Rules& rules) {
    return visit(rules, [](auto variant) -> MoveGenTableOf {
        using V = decltype(variant);
        if constexpr (std::is_same_v<typename V::Bits, Bits>) {
            using G = Generator<V>;
            return {G::moves,          G::quiets,      G::captures,
                    G::known_captures, G::can_capture, damka::make<Bits>};
        } else {
            std::abort();  // the caller has passed rules for another word size
        }
    });
}

template struct MoveGenTableOf<std::uint64_t>;
template struct MoveGenTableOf<Wide>;

}  // namespace damka
