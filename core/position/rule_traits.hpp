// Standard rules, and flags for deviations from them.
#pragma once

#include "position/rules.hpp"

namespace damka {

// Rule flags that the search tests often.
template <bool kStandard>
struct RuleTraitsOf {
    bool losing;    // the aim is to lose
    bool racing;    // the first king wins
    bool optional;  // captures are optional
    bool sideways;  // men step sideways
    bool resting;   // a king's consecutive quiet moves are limited

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

// Standard rules: all flags are false at compile time, so the compiler removes the tests.
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
