// The search tree below the root: what a position is worth after so many plies.
//
// Written once for all rules and every word that a board may need: the generator's compiled variant
// comes in as a table of functions, the evaluation reads the rules by itself, and the draws are
// numbers in `DrawRules`. Where captures are compulsory, a position with captures has only those to
// try, and the search never judges a position in the middle of an exchange.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "blindness.hpp"
#include "draws.hpp"
#include "eval.hpp"
#include "kernel.hpp"
#include "movegen.hpp"
#include "position.hpp"
#include "rules.hpp"
#include "transposition.hpp"

namespace damka {

// A win in n plies is worth kWin - n; a score beyond kSureWin is one.
inline constexpr int kWin = 30000;
inline constexpr int kMaxPly = 200;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kInfinite = kNoLimit;
inline constexpr int kMaxDepth = 100;

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
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
    for (const Rank rank : {r.ranking.piece, r.ranking.king, r.ranking.with_king, r.ranking.early}) {
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

// Asked now and then during a search; to give up, return true.
class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual bool poll() { return false; }
};

template <class Bits>
class TreeOf {
   public:
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using MoveList = MoveListOf<Bits>;
    using Evaluation = EvaluationOf<Bits>;

    TreeOf(const Rules& rules, const DrawRules& draws, Table& table)
        : rules_(rules),
          draws_(draws),
          kernel_(KernelOf<Bits>::of(rules)),
          evaluation_(rules),
          balance_(draws.material, evaluation_.ground().road),
          weighs_(balance_.counts()),
          losing_(rules.objective == Objective::losing),
          racing_(rules.objective == Objective::breakthrough),
          optional_(rules.capture_is_free),
          sideways_((rules.move_lines & kOrthogonal) != 0),
          plain_(!racing_ && rules.king_streak == 0),
          table_(table),
          frames_(std::make_unique<Frame[]>(kMaxPly + 2)),
          standings_(std::make_unique<Standing[]>(weighs_ ? kMaxPly + 2 : 0)),
          history_(std::make_unique<History>()) {}

    struct Line {
        int length = 0;
        std::array<Move, kMaxPly + 1> moves;
    };

    // Prepares a search from a position with the key `root` and this standing, whose predecessors
    // since the last irreversible move have the keys `past`.
    void begin(const std::vector<std::uint64_t>& past, std::uint64_t root,
               const Standing& standing, const Limits& limits, const Blindness& blindness,
               const std::atomic<bool>& stop, Watcher& watcher) {
        started_ = Clock::now();
        limits_ = limits;
        blindness_ = blindness;
        stop_ = &stop;
        watcher_ = &watcher;
        nodes_ = 0;
        stopped_ = false;
        root_depth_ = 1;
        salt_ = fingerprint(rules_, draws_) ^ blindness.salt();
        path_ = past;
        path_.push_back(root);
        root_ = past.size();
        path_.resize(root_ + kMaxPly + 2);
        for (int ply = 0; ply < kMaxPly + 2; ++ply) frames_[ply].killers = {};
        if (weighs_) standings_[0] = standing;
        for (auto& side : *history_) {
            for (auto& from : side) from.fill(0);
        }
        table_.grow_older();
    }

    // The worth of playing `m`, which leads from ply - 1 to `child` at `ply`, to the mover.
    // `counts` are those before the move.
    [[gnu::always_inline]] int after(const Move& m, const Position& child, int alpha, int beta,
                                     int depth, int ply, Counts counts) {
        const Counts next = counts.after(m, sideways_ && goes_sideways(m));
        arrive(m, child, ply);
        if (next.reversible >= 3 && repeats(ply, next.reversible)) return 0;
        if (depth <= 0) return -quiesce(child, -beta, -alpha, ply, next, kPatience, 0);
        return -node(child, -beta, -alpha, depth, ply, next);
    }

    // What a position at `ply` without a move is worth to the side to move.
    int end_of_game(const Position& p, int ply) const {
        const bool won = losing_ || (racing_ && p.kings[index(p.turn)] &&
                                     !p.kings[index(other(p.turn))]);
        return won ? kWin - ply : ply - kWin;
    }

    // The depth of the iteration that begins.
    void deepen(int depth) { root_depth_ = depth; }

    const Line& line(int ply) const { return frames_[ply].line; }
    const KernelOf<Bits>& kernel() const { return kernel_; }
    const Evaluation& evaluation() const { return evaluation_; }
    bool stopped() const { return stopped_; }
    std::uint64_t nodes() const { return nodes_; }

    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

   private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kPlaces = Ground<Bits>::kPlaces;
    using History = std::array<std::array<std::array<std::int16_t, kPlaces>, kPlaces>, 2>;
    using Scores = RoomyList<int, 96>;

    struct Frame {
        MoveList moves;
        std::size_t count;  // of the moves that are seen
        Scores scores;
        std::array<Move, 2> killers;
        Line line;
        int last;

        void length_reset() { line.length = 0; }
    };

    static constexpr std::uint64_t kCheckEvery = 1024;
    static constexpr int kPatience = 1;
    static constexpr int kSurelyDepth = 4;
    static constexpr int kSurely = 100;  // hundredths of a man for every ply

    std::size_t here(int ply) const { return root_ + static_cast<std::size_t>(ply); }

    // Notes that `m` has led to `child` at `ply`.
    void arrive(const Move& m, const Position& child, int ply) {
        Frame& frame = frames_[ply];
        path_[here(ply)] = child.key;
        frame.length_reset();
        frame.last = m.to;
        if (weighs_) balance_.advance(standings_[ply - 1], m, child, standings_[ply]);
    }

    // How many plies may follow before a count makes a draw of the position at `ply`.
    int remaining(int ply, Counts counts) const {
        const int left =
            draws_.no_progress_plies ? draws_.no_progress_plies - counts.progress : kNoLimit;
        return weighs_ ? std::min(left, balance_.remaining(standings_[ply])) : left;
    }

    bool goes_sideways(const Move& m) const {
        const auto& row = evaluation_.ground().row;
        return row[m.from] == row[m.to];
    }

    // Whether the position at `ply` ends the game or closes a circle within the search.
    bool repeats(int ply, int reversible) const {
        const std::size_t at = here(ply);
        const std::size_t back = std::min(at, static_cast<std::size_t>(reversible));
        int occurrences = 1;
        int transitions = 1;
        for (std::size_t step = 4; step <= back; step += 2) {
            const std::size_t i = at - step;
            if (path_[i] != path_[at]) continue;
            if (i >= root_) return true;
            ++occurrences;
            if (i > 0 && path_[i - 1] == path_[at - 1]) ++transitions;
        }
        return (draws_.repetition && occurrences >= draws_.repetition) ||
               (draws_.same_move && transitions >= draws_.same_move);
    }

    // Counts a node; true when the search is to end.
    bool enter() {
        if (stopped_ || nodes_ >= limits_.nodes) return stopped_ = true;
        ++nodes_;
        if (nodes_ % kCheckEvery == 0) {
            stopped_ = stop_->load(std::memory_order_relaxed) || watcher_->poll() ||
                       (limits_.seconds < std::numeric_limits<double>::infinity() &&
                        seconds() >= limits_.seconds);
        }
        return stopped_;
    }

    // Near a draw by counting, positions that differ in their counts are different.
    std::uint64_t table_key(const Position& p, int ply, int left) const {
        const std::uint64_t key = p.key ^ salt_;
        if (left > Evaluation::kMelting) return key;
        return key ^ zobrist::mix(static_cast<std::uint64_t>(left)) ^
               (weighs_ ? balance_.salt(standings_[ply], Evaluation::kMelting) : 0);
    }

    // A short code of a move, distinct from nearly every other in the same position; 0 is none.
    static std::uint16_t code_of(const Move& m) {
        // Two bit numbers take 12 bits in a word of 64, and in the wide ones not quite 13.
        constexpr int kBase = sizeof(Bits) == 8 ? 64 : 90;
        constexpr int kShift = sizeof(Bits) == 8 ? 12 : 13;
        constexpr std::uint64_t kCodes = (std::uint64_t{1} << (16 - kShift)) - 1;
        const std::uint64_t taken = m.captured ? 1 + zobrist::mix(folded(m.captured)) % kCodes : 0;
        return static_cast<std::uint16_t>(static_cast<std::uint64_t>(m.from + kBase * m.to) |
                                          taken << kShift);
    }

    static int to_table(int score, int ply) {
        return score > kSureWin ? score + ply : score < -kSureWin ? score - ply : score;
    }

    static int from_table(int score, int ply) {
        return score > kSureWin ? score - ply : score < -kSureWin ? score + ply : score;
    }

    int judge(const Position& p, int left) const {
        const int score = evaluation_(p, left) + blindness_.error(p.key);
        return std::clamp(score, -kSureWin, kSureWin);
    }

    // Whether the side to move has a move that takes nothing.
    [[gnu::always_inline]] bool can_step(const Position& p) const {
        if (plain_) [[likely]] return evaluation_.can_step(p, Bits{0});
        return !is_over(rules_, p) && evaluation_.can_step(p, resting(rules_, p));
    }

    bool can_capture(const Position& p, Side side) const {
        return kernel_.can_capture(rules_, p, side);
    }

    // Whether a count or the material ends the game at `ply`, and how: as a draw, unless it is won
    // or lost already.
    [[gnu::noinline]] bool drawn(const Position& p, int ply, int left, int& score) const {
        if (left > 0 && !balance_.drawn_at_rest(standings_[ply])) return false;
        const bool captures = can_capture(p, p.turn);
        if (left > 0 && captures) return false;
        score = captures || can_step(p) ? 0 : end_of_game(p, ply);
        return true;
    }

    // Whether neither side has a capture and the side to move can move.
    bool at_rest(const Position& p) const {
        return !can_capture(p, p.turn) && !can_capture(p, other(p.turn)) && can_step(p);
    }

    // The moves of the position at `ply`, without the captures that a weak player overlooks: who
    // sees none of them thinks that quiet moves will do.
    void generate(const Position& p, int ply) {
        MoveList& moves = frames_[ply].moves;
        moves.clear();
        kernel_.moves(rules_, p, moves);
        frames_[ply].count = moves.size();
        if (!blindness_.misses_captures() || moves.empty() || !moves[0].is_capture()) return;
        overlook(p, ply);
        if (frames_[ply].count) return;
        moves.clear();
        kernel_.quiets(rules_, p, moves);
        if (moves.empty()) kernel_.moves(rules_, p, moves);
        frames_[ply].count = moves.size();
    }

    // The captures alone, as far as they are seen.
    void generate_captures(const Position& p, int ply) {
        MoveList& moves = frames_[ply].moves;
        moves.clear();
        kernel_.captures(rules_, p, moves);
        frames_[ply].count = moves.size();
        if (blindness_.misses_captures()) overlook(p, ply);
    }

    // Leaves out the captures that are not seen.
    void overlook(const Position& p, int ply) {
        Frame& frame = frames_[ply];
        const auto& ground = evaluation_.ground();
        std::size_t seen = 0;
        for (std::size_t i = 0; i < frame.count; ++i) {
            const Move m = frame.moves[i];
            if (!m.is_capture() || !blindness_.overlooks(m, p.turn, frame.last, ground)) {
                frame.moves[seen++] = m;
            }
        }
        frame.count = seen;
    }

    void score_moves(const Position& p, int ply, std::uint16_t best_known) {
        Frame& frame = frames_[ply];
        frame.scores.clear();
        const auto& history = (*history_)[index(p.turn)];
        const Bits kings = p.kings[index(other(p.turn))];
        for (std::size_t i = 0; i < frame.count; ++i) {
            const Move& m = frame.moves[i];
            int score = history[m.from % kPlaces][m.to % kPlaces];
            if (code_of(m) == best_known) {
                score = 1 << 30;
            } else if (m.is_capture()) {
                score = (1 << 20) + 100 * count(m.captured) + 100 * count(m.captured & kings);
            } else if (m.crowns) {
                score = 1 << 19;
            } else if (m == frame.killers[0]) {
                score = 1 << 18;
            } else if (m == frame.killers[1]) {
                score = 1 << 17;
            }
            frame.scores.push(score);
        }
    }

    // Brings the best of the moves from `i` on to place `i`.
    const Move& pick(int ply, std::size_t i) {
        Frame& frame = frames_[ply];
        std::size_t best = i;
        for (std::size_t j = i + 1; j < frame.count; ++j) {
            if (frame.scores[j] > frame.scores[best]) best = j;
        }
        std::swap(frame.scores[i], frame.scores[best]);
        std::swap(frame.moves[i], frame.moves[best]);
        return frame.moves[i];
    }

    void extend_line(int ply, const Move& m) {
        Line& line = frames_[ply].line;
        const Line& rest = frames_[ply + 1].line;
        line.moves[0] = m;
        std::copy_n(rest.moves.begin(), rest.length, line.moves.begin() + 1);
        line.length = rest.length + 1;
    }

    void reward(const Position& p, int ply, std::size_t best, int depth) {
        Frame& frame = frames_[ply];
        const Move m = frame.moves[best];
        if (m.is_capture()) return;
        if (!(m == frame.killers[0])) {
            frame.killers[1] = frame.killers[0];
            frame.killers[0] = m;
        }
        auto& history = (*history_)[index(p.turn)];
        const int bonus = std::min(depth * depth, 400);
        const auto add = [&](const Move& of, int by) {
            std::int16_t& value = history[of.from % kPlaces][of.to % kPlaces];
            value = static_cast<std::int16_t>(value + by - value * std::abs(by) / 8192);
        };
        add(m, bonus);
        for (std::size_t i = 0; i < best; ++i) add(frame.moves[i], -bonus);
    }

    int node(const Position& p, int alpha, int beta, int depth, int ply, Counts counts);
    int quiesce(const Position& p, int alpha, int beta, int ply, Counts counts,
                int patience, int followed);

    const Rules rules_;
    const DrawRules draws_;
    const KernelOf<Bits> kernel_;
    const Evaluation evaluation_;
    const BalanceOf<Bits> balance_;
    const bool weighs_;  // there are draws by material
    const bool losing_;
    const bool racing_;    // the first king wins
    const bool optional_;  // who can capture need not
    const bool sideways_;  // men step sideways
    const bool plain_;     // no race, and no king that has to stand still
    Table& table_;
    std::unique_ptr<Frame[]> frames_;
    std::unique_ptr<Standing[]> standings_;  // by ply, if anything is counted
    std::unique_ptr<History> history_;

    // The search that is going on.
    std::vector<std::uint64_t> path_;  // keys: the game's, then the line's
    std::size_t root_ = 0;
    Limits limits_;
    Blindness blindness_;
    std::uint64_t salt_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    Watcher* watcher_ = nullptr;
    Clock::time_point started_;
    std::uint64_t nodes_ = 0;
    int root_depth_ = 1;
    bool stopped_ = false;
};

// Searches the position at `ply` to `depth` plies (1 or more).
template <class Bits>
int TreeOf<Bits>::node(const Position& p, int alpha, int beta, int depth, int ply,
                       Counts counts) {
    if (enter()) return 0;
    const int left = remaining(ply, counts);
    if (left <= 0 || weighs_) {
        if (int score = 0; drawn(p, ply, left, score)) return score;
    }
    if (ply >= kMaxPly) return judge(p, left);

    // No line from here can be better than winning at once or worse than having lost already;
    // where to lose is the aim, than having won already or losing at once.
    alpha = std::max(alpha, ply - kWin + losing_);
    beta = std::min(beta, kWin - ply - 1 + losing_);
    if (alpha >= beta) return alpha;

    const bool principal = beta - alpha > 1;
    const std::uint64_t key = table_key(p, ply, left);
    std::uint16_t known = 0;
    if (const Entry* entry = table_.probe(key)) {
        known = entry->move;
        const int score = from_table(entry->score, ply);
        // A far win may have been found with more plies left before the draw than there are now.
        const bool far = std::abs(entry->score) > kSureWin && kWin - std::abs(entry->score) > left;
        if (!principal && entry->depth >= depth && !far &&
            (entry->bound == Bound::exact || (entry->bound == Bound::lower && score >= beta) ||
             (entry->bound == Bound::upper && score <= alpha))) {
            return score;
        }
    }

    if (!principal && depth <= kSurelyDepth && std::abs(beta) < kSureWin && !losing_ && !racing_ &&
        at_rest(p)) {
        // Far ahead with nothing hanging, a few plies will not change it.
        const int sure = judge(p, left) - kSurely * depth;
        if (sure >= beta) return sure;
    }

    generate(p, ply);
    Frame& frame = frames_[ply];
    const std::size_t n = frame.count;
    if (n == 0) return end_of_game(p, ply);
    score_moves(p, ply, known);
    // An only move costs nothing to follow.
    const int next = n == 1 && ply < 2 * root_depth_ ? depth : depth - 1;

    const int floor = alpha;
    int best = -kInfinite;
    std::size_t best_at = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Move m = pick(ply, i);
        const Position child = kernel_.make(rules_, p, m);
        table_.prefetch(child.key ^ salt_);
        int score = 0;
        if (i == 0) {
            score = after(m, child, alpha, beta, next, ply + 1, counts);
        } else {
            int reduced = next;
            // In a race every move counts.
            if (!m.captured && depth >= 3 && !m.crowns && !racing_ && i >= (principal ? 3u : 2u)) {
                reduced -= i >= 6 && depth >= 6 ? 2 : 1;
            }
            score = after(m, child, alpha, alpha + 1, reduced, ply + 1, counts);
            if (score > alpha && reduced < next) {
                score = after(m, child, alpha, alpha + 1, next, ply + 1, counts);
            }
            if (score > alpha && score < beta) {
                score = after(m, child, alpha, beta, next, ply + 1, counts);
            }
        }
        if (stopped_) return 0;
        if (score > best) {
            best = score;
            best_at = i;
            if (score > alpha) {
                alpha = score;
                if (principal) extend_line(ply, m);
                if (score >= beta) break;
            }
        }
    }
    if (best >= beta) reward(p, ply, best_at, depth);
    const Bound bound = best >= beta ? Bound::lower : best > floor ? Bound::exact : Bound::upper;
    table_.store(key, best > floor ? code_of(frame.moves[best_at]) : std::uint16_t{0},
                 to_table(best, ply), depth, bound);
    return best;
}

// Follows captures to their end, and one ply further where the side to move is threatened with one.
template <class Bits>
int TreeOf<Bits>::quiesce(const Position& p, int alpha, int beta, int ply, Counts counts,
                          int patience, int followed) {
    if (enter()) return 0;
    const int left = remaining(ply, counts);
    if (left <= 0 || weighs_) {
        if (int score = 0; drawn(p, ply, left, score)) return score;
    }
    if (ply >= kMaxPly) return judge(p, left);

    const bool capturing = can_capture(p, p.turn);
    int best = -kInfinite;
    if (!capturing) {
        if (!can_step(p)) return end_of_game(p, ply);
        if (patience == 0 || followed >= blindness_.follow || !can_capture(p, other(p.turn))) {
            return judge(p, left);
        }
        // Whoever is to be captured from stands worse, or better where that is the aim.
        const int fear = losing_ ? 0 : 150;
        const int hope = losing_ ? 150 : 0;
        if (const int score = judge(p, left); score + hope <= alpha || score - fear >= beta) {
            return score;
        }
        --patience;
    } else if (followed >= blindness_.follow) {
        return judge(p, left);
    } else if (optional_ && can_step(p)) {
        best = judge(p, left);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    if (capturing && optional_) {
        generate_captures(p, ply);
    } else {
        generate(p, ply);
    }
    Frame& frame = frames_[ply];
    if (capturing && (frame.count == 0 || !frame.moves[0].is_capture())) return judge(p, left);
    score_moves(p, ply, 0);
    for (std::size_t i = 0; i < frame.count; ++i) {
        const Move m = pick(ply, i);
        const Position child = kernel_.make(rules_, p, m);
        arrive(m, child, ply + 1);
        const Counts next = counts.after(m, sideways_ && goes_sideways(m));
        const int score = -quiesce(child, -beta, -alpha, ply + 1, next, patience,
                                   followed + 1);
        if (stopped_) return 0;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                extend_line(ply, m);
                if (score >= beta) break;
            }
        }
    }
    return best;
}

}  // namespace damka
