// The search for the captures of one piece. A state is what the piece has taken and its last jump:
// over which piece, in which direction. Jumps lead from state to state (jumper.hpp,
// jump_graph.hpp).
//
// - A state that was met before is not searched again.
// - Bound: no route takes more than what can still be reached by jumps. Where that cannot bring the
//   best rank so far, the state is left.
// - Parity (route_parity.hpp): a state from which every end that parity allows has been found
//   already is left, and sets of pieces that a route leaves out are tried, the least first
//   (omissions.hpp).
// - A few random routes at the beginning, to where fewest ways lead on, find a good rank early.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "movegen/all_in_one_route.hpp"
#include "movegen/capture_search.hpp"
#include "movegen/hash_set.hpp"
#include "movegen/jump_graph.hpp"
#include "movegen/jumper.hpp"
#include "movegen/omissions.hpp"
#include "movegen/route_parity.hpp"
#include "position/geometry.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"

namespace damka {

// What the searches of all capturers of a position share.
struct Effort {
    std::uint32_t steps_left;
    bool complete = true;
    Rank best = 0;
    std::size_t moves = 0;  // found of that rank

    // Returns false when there is nothing left to spend.
    bool spend(std::uint32_t steps) noexcept {
        if (steps_left < steps || moves > kMostCaptures) complete = false;
        if (!complete) return false;
        steps_left -= steps;
        return true;
    }
};

template <class Bits>
struct BitsHash {
    std::size_t operator()(const Bits& b) const noexcept {
        return static_cast<std::size_t>(zobrist::mix_bits(b, 0));
    }
};

// The captures of one piece.
template <class Bits>
class CapturerSearch {
   public:
    CapturerSearch(const Rules& rules, const LineTable<Bits>& lines, Side side,
                   const Turn<Bits>& turn, int from, bool king, Effort& effort)
        : rules_(rules),
          lines_(lines),
          turn_(turn),
          effort_(effort),
          from_(from),
          king_(king),
          // With one flat rank for all there is nothing to bound.
          bounded_((rules.ranking.piece | rules.ranking.king | rules.ranking.early) != 0),
          // Which order pieces are taken in, and what a man becomes, is not in the equations.
          parity_(!rules.remove_at_once && rules.ranking.piece && !rules.ranking.early &&
                  (king || rules.promotion != Promotion::go)),
          jumper_(rules, lines, side, turn, from),
          graph_(jumper_) {
        const Rank rank = king ? rules.ranking.with_king : 0;
        for (Directions w = jumper_.ways(king); w; w &= w - 1) {
            const Jump<Bits> jump = jumper_.jump(from, std::countr_zero(w), king, Bits{0});
            if (!jump.landings) continue;
            State state = after({Bits{0}, jump, rank, 0, 0}, jump);
            if (static_graph()) state.node = graph_.id_of(jump);
            begins_.push_back(state);
        }
        if (begins_.empty()) return;
        if (static_graph()) graph_.close();
        prepare_pieces();
    }

    CapturerSearch(const CapturerSearch&) = delete;
    CapturerSearch& operator=(const CapturerSearch&) = delete;

    // Plays a route to its end, mostly to where fewest ways lead on.
    void dive(std::uint64_t& random) {
        if (begins_.empty()) return;
        random = zobrist::mix(random);
        State state = begins_[random % begins_.size()];
        States next;
        while (true) {
            if (!effort_.spend(step_cost())) return;
            successors(state, next);
            if (next.size == 0) return record(state);
            std::size_t best = 0;
            std::uint64_t least = ~std::uint64_t{0};
            for (std::size_t i = 0; i < next.size; ++i) {
                random = zobrist::mix(random);
                const std::uint64_t on = onward(next[i]);
                const std::uint64_t score = (on ? 4 * on : 200) + random % 10;
                if (score < least) best = i, least = score;
            }
            state = next[best];
        }
    }

    void search() {
        if (begins_.empty()) return;
        if (!parity_ || !search_by_omission()) {
            goal_ = 0;
            for (const State& state : begins_) visit(state);
        }
        seen_.clear();
    }

    // Goes every way once. Where the bounds rule little out, this is quicker than asking them.
    void walk() {
        walking_ = true;
        missed_ = Bits{0};
        goal_ = 0;
        seen_.clear();
        for (const State& state : begins_) visit(state);
        seen_.clear();
    }

    void list(MoveListOf<Bits>& out) const {
        if (rank_ != effort_.best) return;
        const auto add = [&](Bits captured, Bits ends, bool crowns) {
            for_each(ends, [&](int to) {
                if (out.size() == kMostCaptures) return;
                out.push({captured, static_cast<std::uint8_t>(from_), static_cast<std::uint8_t>(to),
                          king_, crowns});
            });
        };
        for (const auto& [captured, ends] : found_) {
            add(captured, ends.plain, false);
            add(captured, ends.crowned, true);
        }
    }

   private:
    struct State {
        Bits captured;
        Jump<Bits> jump;  // the last one
        Rank rank;
        int n;     // pieces captured
        int node;  // of the graph, where there is one
    };

    // A step takes twice as long on a board of two words, and is longer where there is more to
    // bound.
    std::uint32_t step_cost() const noexcept {
        return static_cast<std::uint32_t>(sizeof(Bits) / sizeof(std::uint64_t)) *
               (static_graph() && bounded_ && !walking_ ? 3 : 1);
    }

    // No jump has more successors: a few landings, and a line of them for each other direction.
    struct States {
        std::size_t size = 0;
        std::array<State, 96> items;

        State& operator[](std::size_t i) noexcept { return items[i]; }
        void push(const State& s) noexcept {
            if (size < items.size()) items[size++] = s;
        }
    };

    // The squares where a route ends.
    struct Ends {
        Bits plain{0};
        Bits crowned{0};  // where a man has become a king
    };

    bool static_graph() const noexcept { return !rules_.remove_at_once; }

    State after(const State& s, const Jump<Bits>& jump) const noexcept {
        const Bits taken = Bits{1} << jump.piece;
        const bool king = (turn_.enemy_kings & taken) != 0;
        return {s.captured | taken, jump, s.rank + rules_.ranking.of_capture(king, s.n), s.n + 1,
                0};
    }

    void successors(const State& s, States& out) const noexcept {
        out.size = 0;
        if (!static_graph()) {
            jumper_.for_next(s.jump, s.captured,
                             [&](const Jump<Bits>& jump) { out.push(after(s, jump)); });
            return;
        }
        const auto& node = graph_.nodes[static_cast<std::size_t>(s.node)];
        for (std::uint32_t i = node.first; i < node.last; ++i) {
            const int to = graph_.next[i];
            const Jump<Bits>& jump = graph_.nodes[static_cast<std::size_t>(to)].jump;
            if (s.captured >> jump.piece & 1) continue;
            State next = after(s, jump);
            next.node = to;
            out.push(next);
        }
    }

    // How many pieces can be jumped next.
    std::uint64_t onward(const State& s) const noexcept {
        if (static_graph()) {
            const Bits then = graph_.nodes[static_cast<std::size_t>(s.node)].after & ~s.captured;
            return static_cast<std::uint64_t>(count(then));
        }
        std::uint64_t n = 0;
        jumper_.for_next(s.jump, s.captured, [&](const Jump<Bits>&) { ++n; });
        return n;
    }

    void record(const State& s) {
        if (s.rank < std::max(effort_.best, goal_)) return;
        if (s.rank > effort_.best) {
            effort_.best = s.rank;
            effort_.moves = 0;
        }
        if (rank_ != s.rank) {
            rank_ = s.rank;
            found_.clear();
        }
        const Bits stops = jumper_.stops(s.jump);
        const Bits crowned = king_ ? Bits{0} : s.jump.king ? stops : stops & jumper_.crown();
        Ends& ends = found_[s.captured & ~missed_];
        const int before = count(ends.plain) + count(ends.crowned);
        ends.plain |= stops & ~crowned;
        ends.crowned |= crowned;
        effort_.moves += static_cast<std::size_t>(count(ends.plain) + count(ends.crowned) - before);
    }

    // What can follow depends on the last jump and on what is captured; with `king_early` the rank
    // depends on the order so far too.
    bool is_new(const State& s) noexcept {
        std::uint64_t state = static_cast<std::uint64_t>(s.jump.piece) * 16 +
                              static_cast<std::uint64_t>(s.jump.way) * 2 + (s.jump.king ? 1 : 0);
        if (const Rank early = rules_.ranking.early) {
            state |= (s.rank & ((early - 1) | early)) / (early >> (kMaxCapturedInside - 1)) << 11;
        }
        return seen_.insert(s.captured, state | query_ << 11);
    }

    void visit(State s) {
        States next;
        while (true) {
            if (!effort_.spend(step_cost())) return;
            successors(s, next);
            if (next.size == 0) return record(s);
            if (next.size > 1) break;
            s = next[0];
        }
        if (!is_new(s) || (bounded_ && is_vain(s))) return;
        if (bounded_ && !walking_) sort(next);
        for (std::size_t i = 0; i < next.size; ++i) visit(next[i]);
    }

    // Those from where fewest ways lead on come first.
    void sort(States& states) const {
        std::array<std::uint64_t, 96> ways;
        for (std::size_t i = 0; i < states.size; ++i) {
            const std::uint64_t on = onward(states[i]);
            std::size_t at = i;
            const State moved = states[i];
            for (; at > 0 && ways[at - 1] > on; --at) {
                ways[at] = ways[at - 1];
                states[at] = states[at - 1];
            }
            ways[at] = on;
            states[at] = moved;
        }
    }

    // Whether nothing that follows has the best rank and is not found yet.
    bool is_vain(const State& s) {
        if (walking_) return s.rank + worth(capturable_ & ~s.captured, s.n) < effort_.best;
        Bits stops{0};
        std::array<Bits, kMaxBits> onward;
        const Bits rest =
            goal_ ? graph_.reach(s.node, s.captured, stops, onward.data()) : reach(s, stops);
        const Rank most = s.rank + worth(rest, s.n);
        if (most < std::max(effort_.best, goal_)) return true;
        if (goal_) {
            const Bits next = graph_.nodes[static_cast<std::size_t>(s.node)].after;
            if (!AllInOneRoute<Bits>(rest, next, onward.data()).possible()) return true;
        }
        if (most > effort_.best && !goal_) return false;
        if (parity_) return parity_forbids(s, rest, stops);
        const bool all = rules_.ranking.piece && !rules_.ranking.early;
        return all && (king_ || rules_.promotion != Promotion::go) &&
               covered(s.captured | rest, stops);
    }

    Bits reach(const State& s, Bits& stops) const noexcept {
        if (static_graph()) return graph_.reach(s.node, s.captured, stops);
        const Bits rest = capturable_ & ~s.captured;
        for_each(rest, [&](int piece) { stops |= behind_[static_cast<std::size_t>(piece)]; });
        return rest;
    }

    // The most that taking these pieces after n others can add to a rank.
    Rank worth(Bits pieces, int n) const noexcept {
        const int kings = count(pieces & turn_.enemy_kings);
        Rank rank = rules_.ranking.piece * static_cast<Rank>(count(pieces)) +
                    rules_.ranking.king * static_cast<Rank>(kings);
        if (rules_.ranking.early) {
            for (int i = 0; i < kings; ++i) rank += rules_.ranking.early >> (n + i);
        }
        return rank;
    }

    bool covered(Bits captured, Bits stops) const {
        if (!stops) return true;
        const auto there = found_.find(captured);
        if (rank_ != effort_.best || there == found_.end()) return false;
        return !(stops & ~(there->second.plain | there->second.crowned));
    }

    // Searches for the routes that leave out nothing, then for those that leave out the least, and
    // so on until some are found: parity allows few of the sets that could be left out, and a route
    // that has to take all of a set is found or refuted quickly. Returns false, having done
    // nothing, where there would be too many sets to try.
    bool search_by_omission() {
        Bits all{0}, stops{0};
        for (const State& state : begins_) {
            Bits these{0};
            all |= reach(state, these) | state.captured;
            stops |= these | jumper_.stops(state.jump);
        }
        const Rank most = begins_[0].rank - worth(begins_[0].captured, 0) + worth(all, 0);
        if (most < effort_.best) return true;
        const Bits men = all & ~turn_.enemy_kings;
        const Bits kings = all & turn_.enemy_kings;
        const auto levels =
            omission_levels(rules_.ranking, count(men), count(kings), most - effort_.best);
        if (levels.empty()) return false;
        Omissions<Bits> omissions(routes_, Bits{1} << from_, men, kings, stops);
        for (const OmissionLevel& level : levels) {
            if (most - level.worth < effort_.best) break;
            omissions.for_sets(
                level,
                [&](Bits missed) {
                    take_all(all & ~missed, stops, most - level.worth, missed);
                    return effort_.complete;
                },
                [&] { return effort_.spend(step_cost()); });
            if (!effort_.complete) break;
        }
        return true;
    }

    // Searches for routes of rank `goal` that take all of `wanted` and nothing of `missed`.
    void take_all(Bits wanted, Bits stops, Rank goal, Bits missed) {
        if (covered(wanted, stops) || !routes_.equations(Bits{1} << from_, wanted).ends(stops))
            return;
        goal_ = goal;
        missed_ = missed;
        ++query_;
        for (State state : begins_) {
            if (state.captured & missed) continue;
            state.captured |= missed;
            visit(state);
        }
        missed_ = 0;
    }

    // Whether no way to take all of `rest` is left that parity allows and that is not found.
    bool parity_forbids(const State& s, Bits rest, Bits stops) const noexcept {
        return covered((s.captured & ~missed_) | rest,
                       routes_.equations(s.jump.landings, rest).ends(stops));
    }

    // What holds of the enemy's pieces whatever is captured: the jumps over each.
    void prepare_pieces() {
        if (!bounded_) return;
        const bool king = king_ || rules_.promotion == Promotion::go;
        const Bits own = turn_.men | turn_.kings;
        const Bits walls = (own & ~(Bits{1} << from_));
        const Bits closed = static_graph() ? lines_.board & ~jumper_.empty() : walls;
        const bool far = jumper_.flies(king);
        const Directions ways = jumper_.ways(king) | jumper_.ways(king_);
        for_each(turn_.enemies(), [&](int piece) {
            for (Directions w = ways; w; w &= w - 1) {
                const Direction d = std::countr_zero(w);
                Bits before_it = run(opposite(d), piece, closed);
                Bits behind = run(d, piece, closed);
                if (!before_it || !behind) continue;
                if (!far) before_it = nearest(opposite(d), before_it);
                if (!far || rules_.land_adjacent) behind = nearest(d, behind);
                capturable_ |= Bits{1} << piece;
                behind_[static_cast<std::size_t>(piece)] |= behind;
                if (parity_) routes_.add_jumps(piece, before_it, behind);
            }
        });
    }

    // The squares on from a piece that can be free.
    Bits run(Direction d, int piece, Bits closed) const noexcept {
        const Bits line = lines_.line(d, piece);
        return before(d, line, line & closed);
    }

    const Rules& rules_;
    const LineTable<Bits>& lines_;
    const Turn<Bits>& turn_;
    Effort& effort_;
    const int from_;
    const bool king_;
    const bool bounded_;
    const bool parity_;
    bool walking_ = false;
    const Jumper<Bits> jumper_;
    JumpGraph<Bits> graph_;
    std::vector<State> begins_;
    HashSetOf<Bits> seen_;

    // Of the enemy's pieces, by bit.
    Bits capturable_{0};
    std::array<Bits, kMaxBits> behind_{};
    RouteParity<Bits> routes_;

    // What must be reached, and what is left out for it, while searching by omission.
    Rank goal_ = 0;
    Bits missed_{0};
    std::uint64_t query_ = 0;

    Rank rank_ = 0;  // of those found
    std::unordered_map<Bits, Ends, BitsHash<Bits>> found_;
};

}  // namespace damka
