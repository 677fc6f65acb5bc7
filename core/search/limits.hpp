// Score ranges and search limits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "position/draw_counters.hpp"
#include "position/rules.hpp"

namespace damka {

// A win in n plies has the score kWin - n; scores beyond kSureWin are wins.
inline constexpr int kWin = 30000;
inline constexpr int kMaxPly = 200;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kEvaluationBound = 15000;  // above every evaluation
inline constexpr int kInfinite = kNoLimit;
inline constexpr int kMaxDepth = 100;
inline constexpr int kMaxContempt = 20;

using Clock = std::chrono::steady_clock;

inline constexpr double kForever = std::numeric_limits<double>::infinity();

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = kForever;  // hard limit
    double target = kForever;   // soft limit: less for an easy choice, more for a hard one
};

// Polled during a search; true stops it.
class SearchMonitor {
   public:
    virtual ~SearchMonitor() = default;
    virtual bool poll() { return false; }
};

// Distinguishes entries of different games in one transposition table.
inline std::uint64_t fingerprint(const Rules& rules, const DrawRules& draws) {
    std::uint64_t h = 0;
    const auto add = [&](auto value) { h = zobrist::mix(h ^ static_cast<std::uint64_t>(value)); };
    add_fields(rules, true, add);
    // Structured bindings name every field, so that a new field does not compile until it is added.
    const auto& [repetition, same_move, no_progress_plies, material, game_plies, pieces_only,
                 moves_anywhere] = draws;
    for (const int value : {repetition, same_move, no_progress_plies}) add(value);
    const auto add_span = [&](const Span& span) { add(100 * span.least + span.most); };
    for (const MaterialDraw& draw : material) {
        const auto& [plies, strong, weak, all, main_road, unchanged, strong_main_road] = draw;
        add(plies);
        for (const Force& force : {strong, weak}) {
            const auto& [men, kings, pieces] = force;
            for (const Span& span : {men, kings, pieces}) add_span(span);
        }
        add_span(all);
        add(4 * strong_main_road + 2 * main_road + unchanged);
    }
    if (game_plies) add(game_plies);
    if (pieces_only || moves_anywhere) add(1000000 + 2 * pieces_only + moves_anywhere);
    return h;
}

}  // namespace damka
