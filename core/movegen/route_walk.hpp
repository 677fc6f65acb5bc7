// Enumerates the routes of a capture by walking its jumps. Compiled in routes.cpp. Not
// performance-critical.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "movegen/captures.hpp"
#include "movegen/routes.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

template <class V>
class Routes {
    using Shape = typename V::Shape;
    using Bits = typename V::Bits;

   public:
    // `goal` is a legal capture of `p`.
    Routes(const Rules& rules, const PositionOf<Bits>& p, const MoveOf<Bits>& goal)
        : rules_(rules),
          layout_(layout_of(rules)),
          goal_(goal),
          own_crown_(p.turn == Side::white ? Shape::kTop : Shape::kBottom),
          man_ways_(rules.man_captures(p.turn)),
          enemies_(p.pieces(other(p.turn))),
          enemy_kings_(p.kings[index(other(p.turn))]),
          empty_((Shape::kBoard & ~p.occupied()) | Shape::one(goal.from)),
          memoizes_(count(goal.captured) > kFewCaptured) {}

    // Calls f(route) for each route, in ascending order of their squares, until it returns false.
    // Every move has a route; `aborted` reports that finding the next one took too many steps.
    template <class F>
    void walk(F&& f) {
        const State start{Bits{0}, goal_.from, kNoDirection, goal_.king};
        route_.length = 0;
        enter(start);
        follow(start, best_from(start), f);
    }

    bool aborted() const noexcept { return steps_ > kMaxSteps; }

   private:
    static constexpr int kFewCaptured = 6;
    // This takes up to a tenth of a second.
    static constexpr int kMaxSteps = 50'000;
    static constexpr Direction kNoDirection = -1;

    // The king_early part of the best continuation from a state; kNone if no continuation reaches
    // the goal. Zero for every continuation without that key.
    using Early = std::int64_t;
    static constexpr Early kNone = -1;

    struct State {
        Bits captured;
        int at;
        Direction last;
        bool king;
    };

    struct Jump {
        State next;
        Early early;
        int square;
    };

    // Capacity: the landings from one square on two diagonals, a row and a column.
    struct JumpList {
        std::size_t size = 0;
        Jump items[64];
    };

    void enter(const State& s) noexcept {
        route_.squares[route_.length++] = static_cast<std::uint8_t>(layout_.square(s.at));
    }

    // The piece jumped from a state in direction d, and its landing squares; none without a jump.
    Bits landings(const State& s, Direction d, Bits& taken) const noexcept {
        const bool flying = s.king && V::flies(rules_);
        const Bits empty = rules_.remove_at_once ? empty_ | s.captured : empty_;
        const Bits line = Shape::line(d, s.at);
        taken = flying ? nearest(d, line & ~empty) : Shape::step(d, Shape::one(s.at)) & line;
        taken &= enemies_ & ~s.captured;
        if (!s.king && !rules_.men_take_kings) taken &= ~enemy_kings_;
        if (!taken) return Bits{0};
        const Bits behind = Shape::line(d, lowest(taken));
        const Bits free = before(d, behind, behind & ~empty);
        return flying && !rules_.land_adjacent ? free : nearest(d, free) & Shape::step(d, taken);
    }

    bool allowed(const State& s, Direction d) const noexcept {
        if (s.king) {
            if (!(rules_.capture_lines >> d & 1)) return false;
            return !V::flies(rules_) || rules_.u_turn || d != opposite(s.last);
        }
        const Bits here = Shape::one(s.at);
        if (s.captured && !(rules_.continuing(here, own_crown_) & here)) return false;
        return man_ways_ >> d & 1;
    }

    bool can_continue(const State& s) const noexcept {
        for (Direction d = 0; d < kDirections; ++d) {
            Bits taken;
            if (allowed(s, d) && landings(s, d, taken)) return true;
        }
        return false;
    }

    State after(const State& s, Direction d, Bits taken, int to) const noexcept {
        const bool crowned = rules_.promotion == Promotion::go && (Shape::one(to) & own_crown_);
        return {s.captured | taken, to, d, s.king || crowned};
    }

    bool is_goal(const State& s) const noexcept {
        const bool crowns = !goal_.king && (s.king || (Shape::one(s.at) & own_crown_));
        return s.at == goal_.to && crowns == goal_.crowns;
    }

    // The jumps from `s` that capture only pieces of the goal, ordered by landing square.
    void jumps(const State& s, JumpList& out) const noexcept {
        const int n = count(s.captured);
        for (Direction d = 0; d < kDirections; ++d) {
            Bits taken;
            if (!allowed(s, d)) continue;
            Bits behind = landings(s, d, taken);
            if (!behind || (taken & ~goal_.captured)) continue;
            const bool counts = rules_.ranking.early && (taken & enemy_kings_);
            const Early early = counts ? Early{1} << (kMaxCapturedInside - 1 - n) : 0;
            if ((s.captured | taken) == goal_.captured) {
                // The capture ends here, unless another landing allows a continuation.
                bool on = false;
                for_each(behind, [&](int to) { on = on || can_continue(after(s, d, taken, to)); });
                if (on) continue;
                if (rules_.land_killing && s.king && (taken & enemy_kings_)) {
                    behind = nearest(d, behind);
                }
            }
            for_each(behind, [&](int to) {
                out.items[out.size++] = {after(s, d, taken, to), early, layout_.square(to)};
            });
        }
        std::sort(out.items, out.items + out.size,
                  [](const Jump& a, const Jump& b) { return a.square < b.square; });
    }

    Early best_from(const State& s) {
        if (s.captured == goal_.captured) return is_goal(s) ? 0 : kNone;
        if (!memoizes_) return search(s);
        const Key key{s.captured, s.at, s.last, s.king};
        const auto known = memo_.find(key);
        if (known != memo_.end()) return known->second;
        const Early best = search(s);
        memo_.emplace(key, best);
        return best;
    }

    Early search(const State& s) {
        if (++steps_ > kMaxSteps) return kNone;
        JumpList ways;
        jumps(s, ways);
        Early best = kNone;
        for (std::size_t i = 0; i < ways.size; ++i) {
            const Early rest = best_from(ways.items[i].next);
            if (rest == kNone) continue;
            best = std::max(best, ways.items[i].early + rest);
            if (!rules_.ranking.early) break;
        }
        return best;
    }

    // Returns false once f has returned false.
    template <class F>
    bool follow(const State& s, Early target, F& f) {
        if (target == kNone) return true;
        if (s.captured == goal_.captured) {
            steps_ = 0;
            return f(static_cast<const Route&>(route_));
        }
        JumpList ways;
        jumps(s, ways);
        for (std::size_t i = 0; i < ways.size; ++i) {
            const Jump& way = ways.items[i];
            const Early rest = best_from(way.next);
            if (rest == kNone || way.early + rest != target) continue;
            enter(way.next);
            const bool more = follow(way.next, rest, f);
            --route_.length;
            if (!more) return false;
        }
        return true;
    }

    struct Key {
        Bits captured;
        int at;
        Direction last;
        bool king;
        friend bool operator==(const Key&, const Key&) = default;
    };

    struct Hash {
        std::size_t operator()(const Key& k) const noexcept {
            const int place = (k.at * 8 + k.last + 1) * 2 + (k.king ? 1 : 0);
            const std::uint64_t mixed = zobrist::mix(static_cast<std::uint64_t>(place));
            return static_cast<std::size_t>(zobrist::mix_bits(k.captured, mixed));
        }
    };

    const Rules& rules_;
    const Layout& layout_;
    const MoveOf<Bits> goal_;
    const Bits own_crown_;
    const Directions man_ways_;
    const Bits enemies_;
    const Bits enemy_kings_;
    const Bits empty_;
    const bool memoizes_;
    int steps_ = 0;  // since the last route
    Route route_{};
    std::unordered_map<Key, Early, Hash> memo_;
};

}  // namespace damka
