// The state of a game beyond its position: draw counters, pieces that may be huffed, and the
// result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "position/draw_counters.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

enum class Ending : std::uint8_t {
    none,  // the game is not over
    no_pieces,
    no_moves,
    breakthrough,
    repetition,
    same_move,
    no_progress,
    material,
};

struct GameResult {
    Ending ending = Ending::none;
    Side winner = Side::white;  // unless it is a draw

    constexpr bool is_over() const noexcept { return ending != Ending::none; }
    constexpr bool is_draw() const noexcept { return ending >= Ending::repetition; }
};

// The state of a game beyond its position.
template <class Bits>
struct GameStatusOf {
    static constexpr std::uint8_t kNone = 255;

    Counts counts;
    MaterialCounts material;
    Bits offences{0};             // pieces that the side to move may huff
    std::uint8_t huffed = kNone;  // bit of the piece huffed in this turn
    bool after_move = true;       // false after a setup or a huff

    constexpr bool has_huffed() const noexcept { return huffed != kNone; }
};

using GameStatus = GameStatusOf<Wide>;

// Returns the position without the piece on a bit.
template <class Bits>
PositionOf<Bits> without(PositionOf<Bits> p, int bit) noexcept {
    const Bits keep = ~(Bits{1} << bit);
    for (const unsigned side : {0u, 1u}) {
        p.men[side] &= keep;
        p.kings[side] &= keep;
    }
    p.key = p.compute_key();
    for (const Side side : {Side::white, Side::black}) drop_streak_if_lost(p, side);
    return p;
}

// A position of a game with its status.
struct GameSnapshot {
    WidePosition position;
    GameStatus status;
};

// Repetitions of the current position, including its status, and of a move in it.
struct Repetitions {
    int occurrences = 0;  // at the start of a turn, including this one
    int same_move = 0;    // of the most frequent move here
};

// The rules of a game beyond its moves. Immutable, shared by many boards.
template <class Bits>
class GameRulesOf {
   public:
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using Status = GameStatusOf<Bits>;

    GameRulesOf(const Rules& rules, const DrawRules& draws, bool huffing)
        : rules_(rules), draws_(draws), huffing_(huffing), counters_(rules, draws) {}

    const Rules& rules() const noexcept { return rules_; }
    const DrawRules& draws() const noexcept { return draws_; }

    // Whether a quiet move is allowed despite a compulsory capture, at the risk of a huff.
    bool huffing() const noexcept { return huffing_; }

    Status begin(const Position& p) const {
        Status status;
        status.material = counters_.material().begin(p);
        return status;
    }

    // Updates `now`, the status before the move `m`, for the position `next` after it. `offences`
    // are the pieces that may be huffed for it.
    void move(Status& now, const Move& m, const Position& next, Bits offences) const {
        counters_.advance(now.counts, now.material, m, next);
        now.offences = offences;
        now.huffed = Status::kNone;
        now.after_move = true;
    }

    // Updates `now` for a huff that leads to `next`: all counters restart.
    void huff(Status& now, int bit, const Position& next) const {
        now.counts = {};
        now.material = counters_.material().begin(next);
        now.offences = 0;
        now.huffed = static_cast<std::uint8_t>(bit);
        now.after_move = false;
    }

    // Returns the result of the game. `steps` are the earlier positions, oldest first, in any
    // random-access container of values with `position` and `status` like GameSnapshot's. Those
    // since the last irreversible move are enough.
    //
    // A win takes precedence over a draw, and draws follow the order of `Ending`.
    template <class Steps>
    GameResult result(const Position& p, const Status& now, const Steps& steps) const {
        return result(p, now, steps, [&] { return can_move(p); });
    }

    // The same for a caller that already knows whether the side to move has a legal move
    // (`movable()`).
    template <class Steps, class Movable>
    GameResult result(const Position& p, const Status& now, const Steps& steps,
                      Movable&& movable) const {
        if (const GameResult won = win(p, now, movable); won.is_over()) return won;
        if (now.after_move && !std::empty(steps)) {
            if (draws_.repetition && may_recur(now, draws_.repetition) &&
                occurrences(p, now, steps) >= draws_.repetition) {
                return {Ending::repetition};
            }
            if (draws_.same_move && may_recur(now, draws_.same_move) &&
                count_last_move(p, now, steps) >= draws_.same_move) {
                return {Ending::same_move};
            }
            if (draws_.no_progress_plies && now.counts.progress >= draws_.no_progress_plies) {
                return {Ending::no_progress};
            }
        }
        if (counters_.material().has_draws() &&
            (counters_.material().remaining(now.material) <= 0 ||
             (counters_.material().drawn_at_rest(now.material) && is_quiet(p, now)))) {
            return {Ending::material};
        }
        return {};
    }

    template <class Steps>
    Repetitions repetitions(const Position& p, const Status& now, const Steps& steps) const {
        Repetitions found;
        found.occurrences = occurrences(p, now, steps);
        const std::size_t n = std::size(steps);
        const std::size_t first = window(now, n);
        // A position rarely has more than one successor in the window.
        for (std::size_t i = first; i + 1 < n; ++i) {
            if (!same(steps[i].position, steps[i].status, p, now)) continue;
            int count = 0;
            for (std::size_t j = i; j + 1 < n; ++j) {
                count += same(steps[j].position, steps[j].status, p, now) &&
                         same(steps[j + 1].position, steps[j + 1].status, steps[i + 1].position,
                              steps[i + 1].status);
            }
            found.same_move = std::max(found.same_move, count);
        }
        return found;
    }

    // Calls f(index, plies) for the draws by material whose condition is fulfilled.
    template <class F>
    void for_material(const Status& now, F&& f) const {
        if (!now.material.any) return;
        for (std::size_t i = 0; i < draws_.material.size(); ++i) {
            if (now.material.plies[i] != MaterialCounts::kUnmet) f(i, now.material.plies[i]);
        }
    }

    // Whether the side to move has a legal move.
    bool can_move(const Position& p) const;

   private:
    template <class Movable>
    GameResult win(const Position& p, const Status& now, Movable&& movable) const {
        const Side turn = p.turn;
        const Side opponent = other(turn);
        const bool losing = rules_.objective == Objective::losing;
        if (now.has_huffed() && !p.pieces(opponent)) {
            return {Ending::no_pieces, losing ? opponent : turn};
        }
        if (rules_.objective == Objective::breakthrough) {
            // The side not to move has just moved.
            for (const Side side : {opponent, turn}) {
                if (p.kings[index(side)]) return {Ending::breakthrough, side};
            }
        }
        const Side winner = losing ? turn : opponent;
        if (!p.pieces(turn)) return {Ending::no_pieces, winner};
        if (movable() || (winner == opponent && escapes_by_huffing(p, now))) return {};
        return {Ending::no_moves, winner};
    }

    // Whether the side to move can huff and then move, or win by the huff.
    bool escapes_by_huffing(const Position& p, const Status& now) const;

    // Whether the side to move has neither a capture nor a piece to huff.
    bool is_quiet(const Position& p, const Status& now) const;

    static bool may_recur(const Status& now, int times) noexcept {
        return now.counts.reversible >= 2 * (times - 1);
    }

    // The index of the first step after the last irreversible move.
    static std::size_t window(const Status& now, std::size_t n) noexcept {
        const auto plies = static_cast<std::size_t>(now.counts.reversible);
        return plies < n ? n - plies : 0;
    }

    static bool same(const Position& a, const Status& s, const Position& b,
                     const Status& t) noexcept {
        return a.key == b.key && a == b && s.offences == t.offences;
    }

    template <class Steps>
    static int occurrences(const Position& p, const Status& now, const Steps& steps) {
        const std::size_t n = std::size(steps);
        int found = now.after_move ? 1 : 0;
        for (std::size_t i = window(now, n); i < n; ++i) {
            found += steps[i].status.after_move && same(steps[i].position, steps[i].status, p, now);
        }
        return found;
    }

    // How often the last move was made in the same position.
    template <class Steps>
    static int count_last_move(const Position& p, const Status& now, const Steps& steps) {
        const std::size_t n = std::size(steps);
        const auto& last = steps[n - 1];
        int found = 1;
        for (std::size_t i = window(now, n); i + 1 < n; ++i) {
            found += same(steps[i].position, steps[i].status, last.position, last.status) &&
                     same(steps[i + 1].position, steps[i + 1].status, p, now);
        }
        return found;
    }

    const Rules rules_;
    const DrawRules draws_;
    const bool huffing_;
    const DrawCountersOf<Bits> counters_;
};

using GameRules = GameRulesOf<Wide>;

}  // namespace damka
