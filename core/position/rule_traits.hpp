// What most games have in common, and what sets the others apart.
#pragma once

#include "position/rules.hpp"

namespace damka {

// What a search has to ask about the rules time and again.
template <bool kStandard>
struct RuleTraitsOf {
    bool losing;    // the aim is to lose
    bool racing;    // the first king wins
    bool optional;  // who can capture need not
    bool sideways;  // men step sideways
    bool resting;   // a king that has moved too often must stand still

    constexpr explicit RuleTraitsOf(const Rules& rules) noexcept
        : losing(rules.objective == Objective::losing),
          racing(rules.objective == Objective::breakthrough),
          optional(rules.capture_is_free),
          sideways((rules.move_lines & kOrthogonal) != 0),
          resting(rules.king_streak != 0) {}

    constexpr bool any() const noexcept {
        return losing || racing || optional || sideways || resting;
    }
};

// The same where there are known to be none, so that the compiler leaves out the questions.
template <>
struct RuleTraitsOf<true> {
    static constexpr bool losing = false;
    static constexpr bool racing = false;
    static constexpr bool optional = false;
    static constexpr bool sideways = false;
    static constexpr bool resting = false;

    constexpr explicit RuleTraitsOf(const Rules&) noexcept {}
};

constexpr bool is_standard(const Rules& rules) noexcept {
    return !RuleTraitsOf<false>(rules).any();
}

}  // namespace damka
