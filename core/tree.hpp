// The search tree below the root: what a position is worth after so many plies.
//
// Written once for all rules: the generator's compiled variant comes in as a table of functions, the
// evaluation reads the rules by itself, and the draws are numbers in `DrawRules`. Captures are
// compulsory in every game, so a position with captures has only those to try, and the search
// never judges a position in the middle of an exchange.
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
#include <utility>
#include <vector>

#include "blindness.hpp"
#include "eval.hpp"
#include "movegen.hpp"
#include "position.hpp"
#include "rules.hpp"
#include "transposition.hpp"

namespace damka {

// A win in n plies is worth kWin - n; a score beyond kSureWin is one.
inline constexpr int kWin = 30000;
inline constexpr int kMaxPly = 200;
inline constexpr int kSureWin = kWin - 1000;
inline constexpr int kInfinite = 32000;
inline constexpr int kMaxDepth = 100;

// The draws that do not lie in a position alone. Zero switches one off.
struct DrawRules {
    int repetition = 0;         // the n-th occurrence of a position
    int same_move = 0;          // the n-th time the same move in the same position
    int no_progress_plies = 0;  // plies without a capture or a man's move
};

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    double seconds = std::numeric_limits<double>::infinity();
};

// Tells apart in one table what different games know.
inline std::uint64_t fingerprint(const Rules& r, const DrawRules& d) {
    std::uint64_t h = 0;
    const auto add = [&](auto value) { h = zobrist::mix(h ^ static_cast<std::uint64_t>(value)); };
    for (const int value : {r.width, r.rows, d.repetition, d.same_move, d.no_progress_plies}) {
        add(value);
    }
    for (const bool value : {r.flying_kings, r.men_capture_back, r.men_take_kings, r.land_adjacent,
                             r.remove_at_once, r.u_turn}) {
        add(value);
    }
    add(r.promotion);
    for (const Rank rank : {r.ranking.piece, r.ranking.king, r.ranking.with_king, r.ranking.early}) {
        add(rank);
    }
    return h;
}

// The generator's variant for some rules, as functions.
struct Kernel {
    void (*moves)(const Rules&, const Position&, MoveList&);
    void (*quiets)(const Rules&, const Position&, MoveList&);
    bool (*can_capture)(const Rules&, const Position&, Side);
    Position (*make)(const Rules&, const Position&, const Move&);

    static Kernel of(const Rules& rules) {
        return visit_narrow(rules, [](auto variant) {
            using G = Generator<decltype(variant)>;
            return Kernel{G::moves, G::quiets, G::can_capture, damka::make<std::uint64_t>};
        });
    }
};

// Asked now and then during a search; to give up, return true.
class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual bool poll() { return false; }
};

class Tree {
   public:
    Tree(const Rules& rules, const DrawRules& draws, Table& table)
        : rules_(rules),
          draws_(draws),
          kernel_(Kernel::of(rules)),
          evaluation_(rules),
          table_(table),
          frames_(std::make_unique<Frame[]>(kMaxPly + 2)),
          history_(std::make_unique<History>()) {}

    struct Line {
        int length = 0;
        std::array<Move, kMaxPly + 1> moves;
    };

    // Prepares a search from a position whose predecessors since the last capture or man's move
    // have the keys `past`.
    void begin(const std::vector<std::uint64_t>& past, std::uint64_t root, const Limits& limits,
               const Blindness& blindness, const std::atomic<bool>& stop, Watcher& watcher) {
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
        for (auto& side : *history_) {
            for (auto& from : side) from.fill(0);
        }
        table_.grow_older();
    }

    // The worth of playing `m`, which leads from ply - 1 to `child` at `ply`, to the mover.
    // `progress` counts the plies without progress before the move.
    int after(const Move& m, const Position& child, int alpha, int beta, int depth, int ply,
              int progress) {
        const int next = m.king && !m.captured ? progress + 1 : 0;
        path_[here(ply)] = child.key;
        frames_[ply].length_reset();
        if (next >= 3 && repeats(ply, next)) return 0;
        frames_[ply].last = m.to;
        if (depth <= 0) return -quiesce(child, -beta, -alpha, ply, next, kPatience, 0);
        return -node(child, -beta, -alpha, depth, ply, next);
    }

    // The depth of the iteration that begins.
    void deepen(int depth) { root_depth_ = depth; }

    const Line& line(int ply) const { return frames_[ply].line; }
    const Kernel& kernel() const { return kernel_; }
    const Evaluation& evaluation() const { return evaluation_; }
    bool stopped() const { return stopped_; }
    std::uint64_t nodes() const { return nodes_; }

    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

   private:
    using Clock = std::chrono::steady_clock;
    using History = std::array<std::array<std::array<std::int16_t, 64>, 64>, 2>;
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

    int remaining(int progress) const {
        return draws_.no_progress_plies ? draws_.no_progress_plies - progress : kInfinite;
    }

    // Whether the position at `ply`, `progress` plies after the last irreversible move, ends the
    // game or closes a circle within the search.
    bool repeats(int ply, int progress) const {
        const std::size_t at = here(ply);
        const std::size_t back = std::min(at, static_cast<std::size_t>(progress));
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

    // Near the limit without progress, positions that differ in their count are different.
    std::uint64_t table_key(const Position& p, int left) const {
        const std::uint64_t key = p.key ^ salt_;
        return left <= Evaluation::kMelting ? key ^ zobrist::mix(static_cast<std::uint64_t>(left))
                                            : key;
    }

    // A short code of a move, distinct from nearly every other in the same position; 0 is none.
    static std::uint16_t code_of(const Move& m) {
        const std::uint64_t taken = m.captured ? 1 + zobrist::mix(m.captured) % 15 : 0;
        return static_cast<std::uint16_t>(static_cast<std::uint64_t>(m.from) |
                                          static_cast<std::uint64_t>(m.to) << 6 | taken << 12);
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

    bool can_move(const Position& p) const {
        return evaluation_.can_step(p) || kernel_.can_capture(rules_, p, p.turn);
    }

    // Whether neither side has a capture and the side to move can move.
    bool at_rest(const Position& p) const {
        return !kernel_.can_capture(rules_, p, p.turn) &&
               !kernel_.can_capture(rules_, p, other(p.turn)) && evaluation_.can_step(p);
    }

    // The moves of the position at `ply`, without the captures that a weak player overlooks: who
    // sees none of them thinks that quiet moves will do.
    void generate(const Position& p, int ply) {
        Frame& frame = frames_[ply];
        MoveList& moves = frame.moves;
        moves.clear();
        kernel_.moves(rules_, p, moves);
        frame.count = moves.size();
        if (!blindness_.misses_captures() || moves.empty() || !moves[0].is_capture()) return;
        std::size_t seen = 0;
        for (const Move& m : moves) {
            if (!blindness_.overlooks(m, p.turn, frame.last, rules_.width / 2)) moves[seen++] = m;
        }
        frame.count = seen;
        if (seen) return;
        moves.clear();
        kernel_.quiets(rules_, p, moves);
        if (moves.empty()) kernel_.moves(rules_, p, moves);
        frame.count = moves.size();
    }

    void score_moves(const Position& p, int ply, std::uint16_t best_known) {
        Frame& frame = frames_[ply];
        frame.scores.clear();
        const auto& history = (*history_)[index(p.turn)];
        const std::uint64_t kings = p.kings[index(other(p.turn))];
        for (std::size_t i = 0; i < frame.count; ++i) {
            const Move& m = frame.moves[i];
            int score = history[m.from & 63][m.to & 63];
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
            std::int16_t& value = history[of.from & 63][of.to & 63];
            value = static_cast<std::int16_t>(value + by - value * std::abs(by) / 8192);
        };
        add(m, bonus);
        for (std::size_t i = 0; i < best; ++i) add(frame.moves[i], -bonus);
    }

    int node(const Position& p, int alpha, int beta, int depth, int ply, int progress);
    int quiesce(const Position& p, int alpha, int beta, int ply, int progress, int patience,
                int followed);

    const Rules rules_;
    const DrawRules draws_;
    const Kernel kernel_;
    const Evaluation evaluation_;
    Table& table_;
    std::unique_ptr<Frame[]> frames_;
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
inline int Tree::node(const Position& p, int alpha, int beta, int depth, int ply, int progress) {
    if (enter()) return 0;
    const int left = remaining(progress);
    if (left <= 0) return can_move(p) ? 0 : ply - kWin;
    if (ply >= kMaxPly) return judge(p, left);

    // No line from here can be better than winning at once or worse than having lost already.
    alpha = std::max(alpha, ply - kWin);
    beta = std::min(beta, kWin - ply - 1);
    if (alpha >= beta) return alpha;

    const bool principal = beta - alpha > 1;
    const std::uint64_t key = table_key(p, left);
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

    if (!principal && depth <= kSurelyDepth && std::abs(beta) < kSureWin && at_rest(p)) {
        // Far ahead with nothing hanging, a few plies will not change it.
        const int sure = judge(p, left) - kSurely * depth;
        if (sure >= beta) return sure;
    }

    generate(p, ply);
    Frame& frame = frames_[ply];
    const std::size_t n = frame.count;
    if (n == 0) return ply - kWin;
    score_moves(p, ply, known);
    const bool quiet = !frame.moves[0].is_capture();
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
            score = after(m, child, alpha, beta, next, ply + 1, progress);
        } else {
            int reduced = next;
            if (quiet && depth >= 3 && !m.crowns && i >= (principal ? 3u : 2u)) {
                reduced -= i >= 6 && depth >= 6 ? 2 : 1;
            }
            score = after(m, child, alpha, alpha + 1, reduced, ply + 1, progress);
            if (score > alpha && reduced < next) {
                score = after(m, child, alpha, alpha + 1, next, ply + 1, progress);
            }
            if (score > alpha && score < beta) {
                score = after(m, child, alpha, beta, next, ply + 1, progress);
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
    if (best >= beta && quiet) reward(p, ply, best_at, depth);
    const Bound bound = best >= beta ? Bound::lower : best > floor ? Bound::exact : Bound::upper;
    table_.store(key, best > floor ? code_of(frame.moves[best_at]) : std::uint16_t{0},
                 to_table(best, ply), depth, bound);
    return best;
}

// Follows captures to their end, and one ply further where the side to move is threatened with one.
inline int Tree::quiesce(const Position& p, int alpha, int beta, int ply, int progress,
                         int patience, int followed) {
    if (enter()) return 0;
    const int left = remaining(progress);
    if (left <= 0) return can_move(p) ? 0 : ply - kWin;
    if (ply >= kMaxPly) return judge(p, left);

    const bool capturing = kernel_.can_capture(rules_, p, p.turn);
    if (capturing) {
        if (followed >= blindness_.follow) return judge(p, left);
    } else {
        if (!evaluation_.can_step(p)) return ply - kWin;
        if (patience == 0 || followed >= blindness_.follow ||
            !kernel_.can_capture(rules_, p, other(p.turn))) {
            return judge(p, left);
        }
        if (const int score = judge(p, left); score <= alpha || score - 150 >= beta) return score;
        --patience;
    }
    generate(p, ply);
    Frame& frame = frames_[ply];
    if (capturing && !frame.moves[0].is_capture()) return judge(p, left);
    score_moves(p, ply, 0);
    int best = -kInfinite;
    for (std::size_t i = 0; i < frame.count; ++i) {
        const Move m = pick(ply, i);
        const Position child = kernel_.make(rules_, p, m);
        const int next = m.king && !m.captured ? progress + 1 : 0;
        path_[here(ply + 1)] = child.key;
        frames_[ply + 1].length_reset();
        frames_[ply + 1].last = m.to;
        const int score = -quiesce(child, -beta, -alpha, ply + 1, next, patience, followed + 1);
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
