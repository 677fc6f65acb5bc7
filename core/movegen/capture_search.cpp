// How it searches. A state of one capturing piece is what it has taken and its last jump: over
// which piece, in which direction. JumpMasks lead from state to state.
//
// - A state that was met before is not searched again.
// - Bound: no route takes more than what can still be reached by jumps. Where that cannot bring the
//   best rank so far, the state is left.
// - Parity: a jump over a piece leads from one square to another. Over a whole route every square
//   is left as often as it is entered, except for the first and the last one. So the parities of
//   the squares of all jumps add up to those two: a system of linear equations modulo two. Where
//   captured pieces stay on the board it does not depend on the order of the jumps, and tells which
//   pieces a route can leave out and where it can end.
// - A state from which every end that parity allows has been found already is left.
// - A few random routes at the beginning, to where fewest ways lead on, find a good rank early.
#include "movegen/capture_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "movegen/hash_set.hpp"
#include "movegen/jump_masks.hpp"
#include "position/position.hpp"

namespace damka {

namespace {

void run_at_once(void (*search)(void*), void* data) { search(data); }

Runner capture_runner = run_at_once;

template <class Bits>
struct BitsHash {
    std::size_t operator()(const Bits& b) const noexcept {
        return static_cast<std::size_t>(zobrist::mix_bits(b, 0));
    }
};

// Vectors modulo two that have been reduced by each other, and the reduction of others by them.
template <class Bits>
class ParityBasis {
   public:
    void add(Bits v) noexcept {
        v = reduce(v);
        if (!v) return;
        const int pivot = width_of(v) - 1;
        rows_[static_cast<std::size_t>(pivot)] = v;
        pivots_ |= Bits{1} << pivot;
        ++rank_;
    }

    Bits reduce(Bits v) const noexcept {
        for (Bits m = v & pivots_; m; m = v & pivots_) {
            v ^= rows_[static_cast<std::size_t>(width_of(m) - 1)];
        }
        return v;
    }

    int rank() const noexcept { return rank_; }

   private:
    Bits pivots_{0};
    int rank_ = 0;
    std::array<Bits, kMaxBits> rows_;  // by pivot; the others are unset
};

// A jump that has been made: over `piece` in direction `way`, to any of `landings`.
template <class Bits>
struct Jump {
    Bits landings;
    std::uint8_t piece;
    std::uint8_t way;
    bool king;  // the capturer is a king now
};

// The jumps of one capturer, whatever they lead to.
template <class Bits>
class Jumper {
   public:
    Jumper(const Rules& rules, const LineTable<Bits>& lines, Side side, const Turn<Bits>& turn,
           int from) noexcept
        : rules_(rules),
          lines_(lines),
          enemies_(turn.enemies()),
          enemy_kings_(turn.enemy_kings),
          man_targets_(man_targets(rules, turn)),
          man_ways_(rules.man_captures(side)),
          crown_(side == Side::white ? lines.top : lines.bottom),
          empty_((lines.board & ~turn.occupied()) | Bits{1} << from) {}

    Bits empty() const noexcept { return empty_; }
    Bits crown() const noexcept { return crown_; }
    bool flies(bool king) const noexcept { return king && rules_.flying_kings; }

    Directions ways(bool king) const noexcept { return king ? rules_.capture_lines : man_ways_; }

    // The jump in direction d from `at`; its `landings` are none where there is no such jump.
    Jump<Bits> jump(int at, Direction d, bool king, Bits captured) const noexcept {
        const Bits free = rules_.remove_at_once ? empty_ | captured : empty_;
        const Bits line = lines_.line(d, at);
        const Bits first = nearest(d, flies(king) ? line & ~free : line);
        const Bits taken = first & ~free & ~captured & (king ? enemies_ : man_targets_);
        Jump<Bits> jump{Bits{0}, 0, static_cast<std::uint8_t>(d), king};
        if (!taken) return jump;
        jump.piece = static_cast<std::uint8_t>(lowest(taken));
        const Bits behind = lines_.line(d, lowest(taken));
        jump.landings = before(d, behind, behind & ~free);
        if (!flies(king) || rules_.land_adjacent) jump.landings = nearest(d, jump.landings);
        jump.king = king || (rules_.promotion == Promotion::go && (jump.landings & crown_));
        return jump;
    }

    // Calls f(jump) for every jump after `last`.
    template <class F>
    void for_next(const Jump<Bits>& last, Bits captured, F&& f) const {
        if (!last.king && !(rules_.goes_on(last.landings, crown_) & last.landings)) return;
        const Directions on = ways(last.king);
        const auto try_jump = [&](Bits at, Direction d) {
            const Jump<Bits> next = jump(lowest(at), d, last.king, captured);
            if (next.landings) f(next);
        };
        if (!flies(last.king)) {
            for (Directions w = on; w; w &= w - 1) try_jump(last.landings, std::countr_zero(w));
            return;
        }
        const Direction straight = last.way;
        const Direction back = opposite(straight);
        for (Directions w = on; w; w &= w - 1) {
            const Direction d = std::countr_zero(w);
            if (d == straight) {
                try_jump(nearest(back, last.landings), d);
            } else if (d == back) {
                if (rules_.remove_at_once && rules_.u_turn) try_jump(nearest(d, last.landings), d);
            } else {
                for_each(last.landings, [&](int at) { try_jump(Bits{1} << at, d); });
            }
        }
    }

    // Where the capturer may stop that cannot go on.
    Bits stops(const Jump<Bits>& last) const noexcept {
        const bool killing =
            rules_.land_killing && flies(last.king) && (enemy_kings_ >> last.piece & 1);
        return killing ? nearest(static_cast<Direction>(last.way), last.landings) : last.landings;
    }

   private:
    const Rules& rules_;
    const LineTable<Bits>& lines_;
    const Bits enemies_;
    const Bits enemy_kings_;
    const Bits man_targets_;
    const Directions man_ways_;
    const Bits crown_;
    const Bits empty_;  // with the square that the capturer has left
};

// All jumps of one capturer where captured pieces stay in the way: the same ones whatever has been
// taken, but for those over what has been.
template <class Bits>
class JumpGraph {
   public:
    static constexpr std::size_t kWords =
        18;  // bits enough for 72 pieces, 8 directions and 2 ranks

    struct Node {
        Jump<Bits> jump;
        Bits stops;
        Bits after;                 // the pieces that its successors take
        std::uint32_t first, last;  // of its successors
    };

    using Set = std::array<std::uint64_t, kWords>;

    explicit JumpGraph(const Jumper<Bits>& jumper) : jumper_(jumper) {
        for (auto& by_way : ids_) by_way.fill(-1);
    }

    int id_of(const Jump<Bits>& jump) {
        std::int16_t& id = ids_[jump.piece][static_cast<std::size_t>(jump.way * 2 + jump.king)];
        if (id < 0) {
            id = static_cast<std::int16_t>(nodes.size());
            nodes.push_back({jump, jumper_.stops(jump), Bits{0}, 0, 0});
        }
        return id;
    }

    // Adds all that follows from the nodes there are.
    void close() {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto first = static_cast<std::uint32_t>(next.size());
            const Jump<Bits> jump = nodes[i].jump;
            Bits after{0};
            jumper_.for_next(jump, Bits{1} << jump.piece, [&](const Jump<Bits>& then) {
                next.push_back(static_cast<std::uint16_t>(id_of(then)));
                after |= Bits{1} << then.piece;
            });
            nodes[i].after = after;
            nodes[i].first = first;
            nodes[i].last = static_cast<std::uint32_t>(next.size());
        }
    }

    // The pieces that can be jumped after `id`, some time, without those captured; where a route
    // that takes them may stop; and with `onward`, by bit, the pieces that can be jumped right
    // after each.
    Bits reach(int id, Bits captured, Bits& stops, Bits* onward = nullptr) const noexcept {
        std::array<std::uint16_t, kWords * 64> stack;
        Set met{};
        std::size_t size = 0;
        stack[size++] = static_cast<std::uint16_t>(id);
        Bits pieces{0};
        stops = 0;
        while (size) {
            const Node& node = nodes[stack[--size]];
            for (std::uint32_t i = node.first; i < node.last; ++i) {
                const unsigned to = next[i];
                const Jump<Bits>& jump = nodes[to].jump;
                if ((met[to / 64] >> (to % 64) & 1) || (captured >> jump.piece & 1)) continue;
                met[to / 64] |= std::uint64_t{1} << (to % 64);
                if (onward) {
                    if (!(pieces >> jump.piece & 1)) onward[jump.piece] = 0;
                    onward[jump.piece] |= nodes[to].after & ~captured;
                }
                pieces |= Bits{1} << jump.piece;
                stops |= nodes[to].stops;
                stack[size++] = static_cast<std::uint16_t>(to);
            }
        }
        return pieces;
    }

    std::vector<Node> nodes;
    std::vector<std::uint16_t> next;

   private:
    const Jumper<Bits>& jumper_;
    std::array<std::array<std::int16_t, 16>, kMaxBits> ids_;
};

// The jumps over one piece as vectors of parities: one of them, and how the others differ.
template <class Bits>
struct ParityOptions {
    Bits one{0};
    std::vector<Bits> differences;
};

// Whether a route can take all of `rest` at all, as far as two necessary conditions tell. `onward`
// has, by bit, the pieces that can be jumped right after each of `rest`, and `first` those that can
// be jumped now.
template <class Bits>
class AllInOneRoute {
   public:
    AllInOneRoute(Bits rest, Bits first, const Bits* onward) noexcept
        : rest_(rest), first_(first & rest), onward_(onward) {}

    bool possible() noexcept { return each_follows_another() && is_chain(); }

   private:
    static constexpr int kNow = kMaxBits;   // the state itself among the pieces
    static constexpr int kFirstNumber = 1;  // … which a walk in depth begins with

    // Every piece is jumped after another one, or first, and no two after the same: a matching.
    bool each_follows_another() noexcept {
        Bits open = rest_;
        const auto pair_up = [&](int before, Bits next) {
            const Bits free = next & open;
            if (!free) return;
            const int piece = lowest(free);
            open &= ~(Bits{1} << piece);
            before_[static_cast<std::size_t>(piece)] = before;
        };
        for_each(rest_, [&](int p) { before_[static_cast<std::size_t>(p)] = -1; });
        pair_up(kNow, first_);
        for_each(rest_, [&](int p) { pair_up(p, onward_[p] & rest_); });
        // What is left open is matched by changing pairs along a path, from a piece without a next.
        Bits matched{0};
        bool now = false;
        for_each(rest_ & ~open, [&](int p) {
            const int b = before_[static_cast<std::size_t>(p)];
            if (b == kNow)
                now = true;
            else
                matched |= Bits{1} << b;
        });
        int lacking = count(open);
        if (!now && lacking) {
            met_ = 0;
            if (augment(kNow)) --lacking;
        }
        for (Bits loose = rest_ & ~matched; loose && lacking; loose &= loose - 1) {
            met_ = 0;
            if (augment(lowest(loose))) --lacking;
        }
        return lacking == 0;
    }

    bool augment(int before) noexcept {
        const Bits next = before == kNow ? first_ : onward_[before] & rest_;
        for (Bits n = next & ~met_; n;
             n = next & ~met_ & ~((n & (~n + 1)) | ((n & (~n + 1)) - 1))) {
            const int piece = lowest(n);
            met_ |= Bits{1} << piece;
            int& other = before_[static_cast<std::size_t>(piece)];
            if (other < 0 || augment(other)) {
                other = before;
                return true;
            }
        }
        return false;
    }

    // Pieces that are connected with the others by one piece alone are reached and left over that
    // piece (an articulation point): a route visits at most one such part from each, as its last.
    bool is_chain() noexcept {
        for_each(rest_, [&](int p) {
            near_[static_cast<std::size_t>(p)] = 0;
            number_[static_cast<std::size_t>(p)] = 0;
        });
        for_each(rest_, [&](int p) {
            const Bits next = onward_[p] & rest_;
            near_[static_cast<std::size_t>(p)] |= next;
            for_each(next, [&](int q) { near_[static_cast<std::size_t>(q)] |= Bits{1} << p; });
        });
        near_[kNow] = first_;
        counter_ = 0;
        chain_ = true;
        lowest_number(kNow);
        return chain_;
    }

    // The least number that can be come back to from below `v` in a walk in depth.
    int lowest_number(int v) noexcept {
        const int own = ++counter_;
        int least = own;
        if (v != kNow) {
            number_[static_cast<std::size_t>(v)] = own;
            if (first_ >> v & 1) least = kFirstNumber;
        }
        int parts = 0;
        for (Bits n = near_[static_cast<std::size_t>(v)]; n && chain_; n &= n - 1) {
            const int w = lowest(n);
            const int known = number_[static_cast<std::size_t>(w)];
            const int low = known ? known : lowest_number(w);
            if (!known && low >= own && ++parts > 1) chain_ = false;
            least = std::min(least, low);
        }
        return least;
    }

    const Bits rest_;
    const Bits first_;
    const Bits* onward_;
    Bits met_{0};
    int counter_ = 0;
    bool chain_ = true;
    std::array<int, kMaxBits> before_;  // by piece, the one jumped before it; -1: none
    std::array<Bits, kMaxBits + 1> near_;
    std::array<int, kMaxBits> number_;
};

// A set of words for quick look-ups, filled once.
template <class Bits>
class WordSet {
   public:
    void insert(Bits word) {
        if (4 * (size_ + 1) > cells_.size()) {
            std::vector<Cell> old(std::max<std::size_t>(64, 2 * cells_.size()));
            old.swap(cells_);
            for (const Cell& cell : old) {
                if (cell.taken) place(cell.word);
            }
        }
        place(word);
    }

    bool contains(Bits word) const noexcept {
        for (std::size_t i = start(word); cells_[i].taken; i = (i + 1) & (cells_.size() - 1)) {
            if (cells_[i].word == word) return true;
        }
        return false;
    }

   private:
    struct Cell {
        Bits word{0};
        bool taken = false;
    };

    std::size_t start(Bits word) const noexcept {
        return zobrist::mix_bits(word, 0) & (cells_.size() - 1);
    }

    void place(Bits word) noexcept {
        std::size_t i = start(word);
        for (; cells_[i].taken; i = (i + 1) & (cells_.size() - 1)) {
            if (cells_[i].word == word) return;
        }
        cells_[i] = {word, true};
        ++size_;
    }

    std::vector<Cell> cells_;
    std::size_t size_ = 0;
};

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

    // The equations of the squares' parities for routes from one of the squares `at` over all of
    // `rest`: such a route can end where the square, reduced, is `target`.
    struct Parities {
        ParityBasis<Bits> basis;
        Bits target{0};

        Bits ends(Bits stops) const noexcept {
            Bits found{0};
            for_each(stops, [&](int bit) {
                if (basis.reduce(Bits{1} << bit) == target) found |= Bits{1} << bit;
            });
            return found;
        }
    };

    Parities parities(Bits at, Bits rest) const noexcept {
        Parities result;
        const Bits one = at & (~at + 1);
        Bits sum = one;
        for_each(at ^ one, [&](int bit) { result.basis.add(one | Bits{1} << bit); });
        for_each(rest, [&](int piece) {
            const ParityOptions<Bits>& options = options_[static_cast<std::size_t>(piece)];
            sum ^= options.one;
            for (const Bits difference : options.differences) result.basis.add(difference);
        });
        result.target = result.basis.reduce(sum);
        return result;
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
        const auto omissions = omissions_of(all, most);
        if (omissions.empty()) return most < effort_.best;
        const Parities system = parities(Bits{1} << from_, all);
        WordSet<Bits> ends;
        for_each(stops, [&](int bit) { ends.insert(system.basis.reduce(Bits{1} << bit)); });
        Omission omission{all, stops, most, system, ends, {}, {}};
        const auto list_changes = [&](Bits pieces, std::vector<std::pair<Bits, Bits>>& changes) {
            for_each(pieces, [&](int bit) {
                const Bits one = options_[static_cast<std::size_t>(bit)].one;
                changes.emplace_back(Bits{1} << bit, system.basis.reduce(one));
            });
        };
        list_changes(all & ~turn_.enemy_kings, omission.men);
        list_changes(all & turn_.enemy_kings, omission.kings);
        for (const Count& level : omissions) {
            if (most - level.worth < effort_.best) break;
            omit(omission, level, 0, Bits{0}, system.target);
            if (!effort_.complete) break;
        }
        return true;
    }

    // A number of men and of kings left out, and their rank.
    struct Count {
        Rank worth;
        int men, kings;
    };

    struct Omission {
        Bits all, stops;
        Rank most;
        const Parities& system;
        const WordSet<Bits>& ends;
        std::vector<std::pair<Bits, Bits>> men, kings;  // a piece, and what leaving it out changes
    };

    static constexpr double kMostOmissions = 500'000;

    // What can be left out without falling behind the best rank, the least first; none where there
    // are too many sets.
    std::vector<Count> omissions_of(Bits all, Rank most) const {
        std::vector<Count> levels;
        if (most < effort_.best) return levels;
        const int men = count(all & ~turn_.enemy_kings);
        const int kings = count(all & turn_.enemy_kings);
        double sets = 0;
        double of_men = 1;
        for (int m = 0; m <= men; of_men *= static_cast<double>(men - m) / (m + 1), ++m) {
            double of_kings = 1;
            for (int k = 0; k <= kings; of_kings *= static_cast<double>(kings - k) / (k + 1), ++k) {
                const Rank worth = rules_.ranking.piece * static_cast<Rank>(m + k) +
                                   rules_.ranking.king * static_cast<Rank>(k);
                if (worth > most - effort_.best) break;
                sets += of_men * of_kings;
                if (sets > kMostOmissions) return {};
                levels.push_back({worth, m, k});
            }
        }
        std::sort(levels.begin(), levels.end(),
                  [](const Count& a, const Count& b) { return a.worth < b.worth; });
        return levels;
    }

    // Leaves out more pieces, from `start` on in the list of the men and then of the kings.
    void omit(const Omission& o, Count left, std::size_t start, Bits missed, Bits target) {
        if (left.men + left.kings == 0) {
            if (o.ends.contains(target)) take_all(o, missed);
            return;
        }
        const bool men = left.men > 0;
        const auto& list = men ? o.men : o.kings;
        --(men ? left.men : left.kings);
        const std::size_t more = static_cast<std::size_t>(men ? left.men : left.kings);
        for (std::size_t i = start; i + more < list.size(); ++i) {
            const bool next_list = men && left.men == 0;
            omit(o, left, next_list ? 0 : i + 1, missed | list[i].first, target ^ list[i].second);
            if (!effort_.complete) return;
        }
        if ((++omitted_ & 7) == 0) effort_.spend(step_cost());
    }

    // Searches for routes that take all but those missed.
    void take_all(const Omission& o, Bits missed) {
        const Bits wanted = o.all & ~missed;
        if (covered(wanted, o.stops) || !parities(Bits{1} << from_, wanted).ends(o.stops)) return;
        goal_ = o.most - worth(missed, 0);
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
        return covered((s.captured & ~missed_) | rest, parities(s.jump.landings, rest).ends(stops));
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
            auto& options = options_[static_cast<std::size_t>(piece)];
            for (Directions w = ways; w; w &= w - 1) {
                const Direction d = std::countr_zero(w);
                Bits before_it = run(opposite(d), piece, closed);
                Bits behind = run(d, piece, closed);
                if (!before_it || !behind) continue;
                if (!far) before_it = nearest(opposite(d), before_it);
                if (!far || rules_.land_adjacent) behind = nearest(d, behind);
                capturable_ |= Bits{1} << piece;
                behind_[static_cast<std::size_t>(piece)] |= behind;
                if (parity_) add_options(options, before_it, behind);
            }
        });
    }

    // The squares on from a piece that can be free.
    Bits run(Direction d, int piece, Bits closed) const noexcept {
        const Bits line = lines_.line(d, piece);
        return before(d, line, line & closed);
    }

    static void add_options(ParityOptions<Bits>& options, Bits before_it, Bits behind) {
        const Bits u = before_it & (~before_it + 1);
        const Bits v = behind & (~behind + 1);
        if (!options.one) options.one = u | v;
        const auto differs = [&](Bits difference) {
            if (difference) options.differences.push_back(difference);
        };
        differs(options.one ^ (u | v));
        for_each(before_it ^ u, [&](int bit) { differs(u | Bits{1} << bit); });
        for_each(behind ^ v, [&](int bit) { differs(v | Bits{1} << bit); });
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
    std::array<ParityOptions<Bits>, kMaxBits> options_;

    // What must be reached, and what is left out for it, while searching by omission.
    Rank goal_ = 0;
    Bits missed_{0};
    std::uint64_t query_ = 0;
    std::uint32_t omitted_ = 0;

    Rank rank_ = 0;  // of those found
    std::unordered_map<Bits, Ends, BitsHash<Bits>> found_;
};

constexpr int kDives = 64;

// Returns whether the list is complete.
template <class Bits>
bool search_all(const Rules& rules, const LineTable<Bits>& lines, Side side, const Turn<Bits>& turn,
                std::uint32_t steps, MoveListOf<Bits>& out) {
    Effort effort{steps / 6};
    std::vector<std::unique_ptr<CapturerSearch<Bits>>> capturers;
    const auto add = [&](Bits pieces, bool king) {
        for_each(pieces, [&](int from) {
            capturers.push_back(std::make_unique<CapturerSearch<Bits>>(rules, lines, side, turn,
                                                                       from, king, effort));
        });
    };
    add(turn.kings, true);
    add(turn.men, false);
    std::uint64_t random = 0;
    for (int i = 0; i < kDives; ++i) {
        for (auto& capturer : capturers) capturer->dive(random);
    }
    for (auto& capturer : capturers) capturer->search();
    if (!effort.complete && effort.moves <= kMostCaptures) {
        effort.steps_left = steps - steps / 6;
        effort.complete = true;
        for (auto& capturer : capturers) capturer->walk();
    }
    for (const auto& capturer : capturers) capturer->list(out);
    // In an order that depends on the moves alone.
    std::sort(out.begin(), out.end(), [](const MoveOf<Bits>& a, const MoveOf<Bits>& b) {
        return std::tie(a.from, a.to, a.captured, a.crowns) <
               std::tie(b.from, b.to, b.captured, b.crowns);
    });
    return effort.complete;
}

}  // namespace

CaptureLimits& capture_limits() noexcept {
    static thread_local CaptureLimits limits;
    return limits;
}

void set_capture_runner(Runner runner) noexcept { capture_runner = runner; }

template <class Bits>
void search_captures(const Rules& rules, const LineTable<Bits>& lines, Side side,
                     const Turn<Bits>& turn, MoveListOf<Bits>& out) noexcept {
    CaptureLimits& limits = capture_limits();
    if (limits.next_check) *limits.next_check = 0;
    struct Task {
        const Rules& rules;
        const LineTable<Bits>& lines;
        Side side;
        const Turn<Bits>& turn;
        std::uint32_t steps;
        MoveListOf<Bits>& out;
        bool complete;
    } task{rules, lines, side, turn, limits.steps, out, false};
    capture_runner(
        [](void* data) {
            Task& t = *static_cast<Task*>(data);
            t.complete = search_all(t.rules, t.lines, t.side, t.turn, t.steps, t.out);
        },
        &task);
    if (!task.complete) ++limits.unfinished;
}

template void search_captures(const Rules&, const LineTable<std::uint64_t>&, Side,
                              const Turn<std::uint64_t>&, MoveListOf<std::uint64_t>&) noexcept;
template void search_captures(const Rules&, const LineTable<Wide>&, Side, const Turn<Wide>&,
                              MoveListOf<Wide>&) noexcept;

}  // namespace damka
