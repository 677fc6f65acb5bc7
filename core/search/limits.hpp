// What scores mean, and when a search ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include "position/draw_counters.hpp"
#include "position/rules.hpp"

namespace damka {

// A win in n plies is worth kWin - n; a score beyond kSureWin is one.
inline constexpr int kWin = 30000;
inline constexpr int kMaxPly = 200;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kBeyond = 15000;  // no evaluation comes up to this
inline constexpr int kInfinite = kNoLimit;
inline constexpr int kMaxDepth = 100;
inline constexpr int kMaxContempt = 20;

using Clock = std::chrono::steady_clock;

inline constexpr double kForever = std::numeric_limits<double>::infinity();

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = kForever;  // never more
    double target = kForever;   // about so many, as the choice proves easy or hard
};

// Asked now and then during a search; to give up, return true.
class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual bool poll() { return false; }
};

// Tells apart in one table what different games know.
inline std::uint64_t fingerprint(const Rules& r, const DrawRules& d) {
    std::uint64_t h = 0;
    const auto add = [&](auto value) { h = zobrist::mix(h ^ static_cast<std::uint64_t>(value)); };
    for (const int value : {r.width, r.height, r.rows, r.rows_behind, r.king_streak, d.repetition,
                            d.same_move, d.no_progress_plies}) {
        add(value);
    }
    for (const bool value :
         {r.all_squares, r.flying_kings, r.men_capture_back, r.men_take_kings, r.land_adjacent,
          r.land_killing, r.remove_at_once, r.u_turn, r.capture_is_free}) {
        add(value);
    }
    for (const Directions lines : {r.move_lines, r.capture_lines}) add(lines);
    add(r.promotion);
    add(r.objective);
    for (const Rank rank :
         {r.ranking.piece, r.ranking.king, r.ranking.with_king, r.ranking.early}) {
        add(rank);
    }
    const auto add_span = [&](const Span& span) { add(100 * span.least + span.most); };
    for (const MaterialDraw& draw : d.material) {
        add(draw.plies);
        for (const Force& force : {draw.strong, draw.weak}) {
            add_span(force.men);
            add_span(force.kings);
            add_span(force.pieces);
        }
        add_span(draw.pieces);
        add(2 * draw.main_road + draw.unchanged);
    }
    return h;
}

}  // namespace damka
