// The generator's variant for some rules as a table of functions, for what is written once for all
// rules.
//
// It is long to compile; who only calls it includes kernel_elsewhere.hpp as well.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "movegen.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

// The rules must be for boards of such words.
template <class Word>
struct KernelOf {
    using Bits = Word;
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using MoveList = MoveListOf<Bits>;

    void (*moves)(const Rules&, const Position&, MoveList&);
    void (*quiets)(const Rules&, const Position&, MoveList&);
    bool (*captures)(const Rules&, const Position&, MoveList&);
    void (*known_captures)(const Rules&, const Position&, MoveList&);
    bool (*can_capture)(const Rules&, const Position&, Side);
    Position (*make)(const Rules&, const Position&, const Move&);

    // What is known of the rules while compiling: see KernelFor.
    static constexpr bool kUsual = false;

    static KernelOf of(const Rules& rules);
};

using Kernel = KernelOf<std::uint64_t>;

template <class Bits>
KernelOf<Bits> KernelOf<Bits>::of(const Rules& rules) {
    return visit(rules, [](auto variant) -> KernelOf {
        using V = decltype(variant);
        if constexpr (std::is_same_v<typename V::Bits, Bits>) {
            using G = Generator<V>;
            return {G::moves,          G::quiets,      G::captures,
                    G::known_captures, G::can_capture, damka::make<Bits>};
        } else {
            std::abort();  // the caller has asked for another board's word
        }
    });
}

}  // namespace damka
