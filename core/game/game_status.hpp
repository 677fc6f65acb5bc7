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
    move_limit,
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
    bool after_move = true;       // false after a huff
    int plies = 0;                // of the game so far
    MoveOf<Bits> last_move{};     // unless `plies` is 0

    constexpr bool has_huffed() const noexcept { return huffed != kNone; }

    // Whether a move has just been made.
    constexpr bool has_last_move() const noexcept { return after_move && plies > 0; }
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
    int same_move = 0;    // of the most frequent move here, or in the game
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
        ++now.plies;
        now.last_move = m;
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
    // since the last irreversible move are enough, unless `needs_all_steps`.
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
            if (draws_.same_move && has_same_move(p, now, steps)) return {Ending::same_move};
            if (draws_.no_progress_plies && now.counts.progress >= draws_.no_progress_plies) {
                return {Ending::no_progress};
            }
        }
        if (counters_.material().has_draws() &&
            (counters_.material().remaining(now.material) <= 0 ||
             (counters_.material().drawn_at_rest(now.material) && is_quiet(p, now)))) {
            return {Ending::material};
        }
        if (draws_.game_plies && now.plies >= draws_.game_plies) return {Ending::move_limit};
        return {};
    }

    // Whether `result` and `repetitions` need all earlier positions.
    bool needs_all_steps() const noexcept { return draws_.same_move && draws_.moves_anywhere; }

    template <class Steps>
    Repetitions repetitions(const Position& p, const Status& now, const Steps& steps) const {
        Repetitions found;
        found.occurrences = occurrences(p, now, steps);
        if (needs_all_steps()) {
            found.same_move = most_frequent_move(p, steps);
            return found;
        }
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

    // The number of turns, including this one, that began in this position.
    template <class Steps>
    int occurrences(const Position& p, const Status& now, const Steps& steps) const {
        const std::size_t n = std::size(steps);
        int found = now.after_move ? 1 : 0;
        for (std::size_t i = window(now, n); i < n; ++i) {
            if (!steps[i].status.after_move) continue;
            found += draws_.pieces_only ? p.has_pieces_of(steps[i].position)
                                        : same(steps[i].position, steps[i].status, p, now);
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

    // Whether the last move was made often enough for a draw.
    template <class Steps>
    bool has_same_move(const Position& p, const Status& now, const Steps& steps) const {
        if (draws_.moves_anywhere) {
            return now.plies >= 2 * draws_.same_move - 1 &&
                   count_move(other(p.turn), now.last_move, steps) + 1 >= draws_.same_move;
        }
        return may_recur(now, draws_.same_move) &&
               count_last_move(p, now, steps) >= draws_.same_move;
    }

    // How often a side has made a move in these steps.
    template <class Steps>
    static int count_move(Side side, const Move& m, const Steps& steps) {
        int found = 0;
        for (std::size_t i = 0; i < std::size(steps); ++i) {
            const auto& step = steps[i];
            found += step.status.has_last_move() && step.position.turn != side &&
                     is_same_move(step.status.last_move, m);
        }
        return found;
    }

    // How often the side to move has made the most frequent of the moves that it can make now.
    template <class Steps>
    int most_frequent_move(const Position& p, const Steps& steps) const {
        int most = 0;
        for (std::size_t i = 0; i < std::size(steps); ++i) {
            const auto& step = steps[i];
            if (!step.status.has_last_move() || step.position.turn == p.turn) continue;
            const int times = count_move(p.turn, step.status.last_move, steps);
            if (times > most && can_make(p, step.status.last_move)) most = times;
        }
        return most;
    }

    // Whether a man or a king can make a move between these squares.
    bool can_make(const Position& p, const Move& m) const;

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
