// The search tree below the root.
//
// Generic over the rules and the board's word: the generator is a template parameter, the
// evaluation handles the rules itself, and draws are numbers in `DrawRules`. Where captures are
// compulsory, the search never evaluates a position in the middle of an exchange. The search of a
// node is in alpha_beta.hpp, quiescence search in qsearch.hpp.
//
// A tree belongs to one thread; several share a transposition table.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "eval/evaluate.hpp"
#include "eval/margins.hpp"
#include "movegen/movegen_for.hpp"
#include "position/draw_counters.hpp"
#include "position/position.hpp"
#include "position/rule_traits.hpp"
#include "position/rules.hpp"
#include "search/abdada.hpp"
#include "search/game_draws.hpp"
#include "search/handicap.hpp"
#include "search/limits.hpp"
#include "search/ordering.hpp"
#include "search/path.hpp"
#include "search/pruning_margins.hpp"
#include "search/scores.hpp"
#include "search/search.hpp"
#include "search/stop_token.hpp"
#include "search/transposition.hpp"
#include "tablebase/probe.hpp"

namespace damka {

template <class MoveGen>
class Tree {
   public:
    using Bits = typename MoveGen::Bits;
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;
    using Evaluation = EvaluationOf<Bits>;

    Tree(const MoveGen& movegen, const Rules& rules, const DrawRules& draws,
         TranspositionTable& table, std::shared_ptr<const Weights> weights)
        : rules_(rules),
          draws_(draws),
          movegen_(movegen),
          evaluation_(rules, std::move(weights)),
          margins_(evaluation_.margins()),
          material_draws_(draws.material, evaluation_.map().road),
          counts_material_(material_draws_.has_draws()),
          shortest_(material_draws_.shortest()),
          game_draws_(GameDraws::of(draws)),
          traits_(rules),
          base_salt_(fingerprint(rules, draws) ^ evaluation_.salt()),
          table_(table),
          accumulates_(evaluation_.has_accumulator()),
          frames_(std::make_unique<Frame[]>(kMaxPly + 2)),
          lmr_(margins_) {}

    struct Line {
        int length = 0;
        std::array<Move, kMaxPly + 1> moves;
    };

    // Prepares one thread's part of `task` from the position `root`. It stops at its limits, by
    // `signal`, or when `halt` becomes true. `monitor` and `abdada` may be null. All arguments must
    // outlive the search.
    void begin(const Task& task, const Position& root, const StopToken& signal,
               const std::atomic<bool>& halt, SearchMonitor* monitor, AbdadaTable* abdada) {
        started_ = Clock::now();
        limits_ = task.limits;
        handicap_ = task.handicap;
        overlooks_ = handicap_.misses_captures();
        contempt_ = traits_.losing || traits_.racing ? 0 : task.contempt;
        // In a race every move counts, and in an ending of few pieces: reductions hide long wins.
        full_width_ = traits_.racing || count(root.occupied()) <= pruning::kFullWidthPieces;
        contempt_for_[index(root.turn)] = contempt_;
        contempt_for_[index(other(root.turn))] = -contempt_;
        // A handicap disables endgame tables.
        endgames_.set(task.tables, handicap_.noise <= kMaxTableNoise && !overlooks_);
        stop_ = &signal;
        halt_ = &halt;
        monitor_ = monitor;
        abdada_ = abdada;
        nodes_ = 0;
        published_nodes_.store(0, std::memory_order_relaxed);
        stopped_ = false;
        next_check_ = std::min(kCheckEvery, limits_.nodes);
        root_depth_ = 1;
        path_.begin(task.root.past, root.key);
        salt_ = base_salt_ ^ handicap_.salt() ^ salt_of(contempt_for_[0]);
        if (game_draws_) {
            game_draws_->begin(task.root);
            salt_ ^= game_draws_->salt();
        }
        for (int ply = 0; ply < kMaxPly + 2; ++ply) {
            Frame& frame = frames_[static_cast<std::size_t>(ply)];
            frame.ply = ply;
            frame.killers = {};
        }
        Frame& frame = frames_[0];
        frame.captured = false;
        frame.counts = task.root.counts;
        if (counts_material_) frame.material = task.root.material;
        if (accumulates_) evaluation_.accumulators().refresh(root, frame.accumulator);
        history_.clear();
    }

    // The mover's score of the root move `m`, which leads from `p` to `child`.
    int play(const Position& p, const Move& m, const Position& child, int alpha, int beta,
             int depth) {
        Frame& frame = frames_[1];
        arrive(p, m, child, frames_[0]);
        return repeats(frame) ? 0 : search_child(child, alpha, beta, depth, frame);
    }

    // Score of a position without legal moves at `ply`, for the side to move.
    int end_of_game(const Position& p, int ply) const {
        const bool won = traits_.losing || (traits_.racing && p.kings[index(p.turn)] &&
                                            !p.kings[index(other(p.turn))]);
        return won ? kWin - ply : ply - kWin;
    }

    // Subtracts contempt from the `score` of a line that ends with this many pieces. Draws and
    // proved scores contain none.
    int without_contempt(int score, int pieces) const {
        const bool proved = score == 0 || std::abs(score) > kEvaluationBound;
        return proved ? score : score - contempt_ * pieces;
    }

    // The depth of the current iteration.
    void deepen(int depth) { root_depth_ = depth; }

    // The node count of the next limit check; 0 after a slow position.
    std::uint64_t& next_check() noexcept { return next_check_; }

    const Line& line(int ply) const { return frames_[static_cast<std::size_t>(ply)].line; }
    const MoveGen& movegen() const { return movegen_; }
    bool stopped() const { return stopped_; }
    std::uint64_t nodes() const { return nodes_; }

    // The node count for other threads, updated at limit checks.
    std::uint64_t published_nodes() const {
        return published_nodes_.load(std::memory_order_relaxed);
    }

    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

   private:
    static constexpr std::uint64_t kCheckEvery = 1024;
    static constexpr int kMaxTableNoise = 5;  // in hundredths of a man: more disables tables
    static constexpr int kQsearchExtensions = 1;
    static constexpr std::size_t kMaxPostponed = 64;

    struct Frame {
        int ply;
        Counts counts;                         // counters that depend only on moves
        Accumulator accumulator;               // if the evaluation uses it
        MaterialCounts material;               // if the rules count material
        int last;                              // target of the last move
        bool captured;                         // the last move was a capture
        std::array<std::uint16_t, 2> killers;  // codes of quiet moves that caused cut-offs
        Line line;
        Moves<Bits> moves;
        std::array<std::uint16_t, kMaxPostponed> postponed;  // indices of moves that other threads
                                                             // search
    };

    static Frame& after(Frame& frame) { return (&frame)[1]; }

    // Records the move `m` from `p`, whose frame is `before`, to `child`.
    [[gnu::always_inline]] void arrive(const Position& p, const Move& m, const Position& child,
                                       Frame& before) {
        Frame& frame = after(before);
        path_.arrive(frame.ply, child.key);
        if (game_draws_) [[unlikely]]
            game_draws_->arrive(frame.ply, p, m, child);
        frame.last = m.to;
        frame.captured = m.is_capture();
        frame.counts = before.counts.after(m, traits_.sideways && is_sideways(m));
        frame.line.length = 0;
        if (counts_material_) material_draws_.advance(before.material, m, child, frame.material);
        if (accumulates_)
            evaluation_.accumulators().update(before.accumulator, p, m, frame.accumulator);
    }

    // Searches `child`, at which the search has arrived; the score is the mover's.
    [[gnu::always_inline]] int search_child(const Position& child, int alpha, int beta, int depth,
                                            Frame& frame) {
        if (depth <= 0) return -qsearch(child, -beta, -alpha, frame, kQsearchExtensions, 0);
        return -node(child, -beta, -alpha, depth, frame);
    }

    // Whether a draw by material is possible.
    bool material_counted(const Frame& frame) const {
        return counts_material_ && frame.material.any;
    }

    // Plies left before a counter makes the position a draw.
    int remaining(const Frame& frame) const {
        int left =
            draws_.no_progress_plies ? draws_.no_progress_plies - frame.counts.progress : kNoLimit;
        if (game_draws_) [[unlikely]]
            left = std::min(left, game_draws_->remaining(frame.ply, frame.counts.reversible));
        return material_counted(frame) ? std::min(left, material_draws_.remaining(frame.material))
                                       : left;
    }

    bool is_sideways(const Move& m) const {
        const auto& row = evaluation_.map().row;
        return row[m.from] == row[m.to];
    }

    bool repeats(const Frame& frame) const {
        return path_.repeats(frame.ply, frame.counts.reversible, draws_);
    }

    // Counts a node; returns true if the search must stop.
    [[gnu::always_inline]] bool enter() {
        if (nodes_ >= next_check_) [[unlikely]]
            check();
        ++nodes_;
        return stopped_;
    }

    [[gnu::noinline]] void check() {
        published_nodes_.store(nodes_, std::memory_order_relaxed);
        stopped_ = stopped_ || nodes_ >= limits_.nodes || halt_->load(std::memory_order_relaxed) ||
                   stop_->stopped() || (monitor_ && monitor_->poll()) || out_of_time();
        // Once stopped, no further position is searched.
        next_check_ = stopped_ ? 0 : std::min(nodes_ + kCheckEvery, limits_.nodes);
        if (stopped_) --nodes_;
    }

    bool out_of_time() const {
        return (limits_.seconds < kForever && seconds() >= limits_.seconds) || stop_->late();
    }

    // Near a draw by a counter, the key distinguishes positions by their counters.
    std::uint64_t table_key(const Position& p, const Frame& frame, int left) const {
        const std::uint64_t key = p.key ^ salt_;
        if (left > Evaluation::kNearDraw) return key;
        return key ^ zobrist::mix(static_cast<std::uint64_t>(left)) ^
               (counts_material_ ? material_draws_.salt(frame.material, Evaluation::kNearDraw) : 0);
    }

    // Predicts the table key after the move with this code: exact for quiet moves without crowning,
    // away from draws.
    std::uint64_t key_after(const Position& p, std::uint16_t code) const {
        const unsigned from = code % kCodeBase<Bits>;
        const unsigned to = code / kCodeBase<Bits> % kCodeBase<Bits>;
        const bool king = (p.kings[index(p.turn)] >> from & 1) != 0;
        return p.key ^ salt_ ^ zobrist::kBlackToMove ^
               zobrist::piece(p.turn, king, static_cast<int>(from)) ^
               zobrist::piece(p.turn, king, static_cast<int>(to));
    }

    // Whether endgame tables decide the position, unless the draw is declined.
    bool probe_endgame(const Position& p, const Frame& frame, int left, int& score) {
        return endgames_.may_contain(p) &&
               endgames_.probe_exact(p, frame.ply, std::min(left, shortest_), kWin, score) &&
               (score != 0 || !declines_draw(p, frame, left));
    }

    // Whether to ignore a tablebase draw: with contempt and a better evaluation, because the
    // opponent may not play perfectly.
    bool declines_draw(const Position& p, const Frame& frame, int left) {
        const int contempt = contempt_for_[index(p.turn)];
        return contempt && evaluation_(p, left, frame.accumulator) * contempt > 0;
    }

    int evaluate(const Position& p, const Frame& frame, int left) {
        if (endgames_.may_contain(p)) [[unlikely]] {
            if (int score = 0; endgames_.probe_likely_win(p, left, score) &&
                               (score != 0 || !declines_draw(p, frame, left))) {
                return score;
            }
        }
        const int score = evaluation_(p, left, frame.accumulator) + handicap_.error(p.key) +
                          contempt_for_[index(p.turn)] * count(p.occupied());
        return std::clamp(score, -kSureWin, kSureWin);
    }

    // Distinguishes entries with contempt for either side in the table.
    static std::uint64_t salt_of(int contempt) {
        return contempt ? zobrist::mix(static_cast<std::uint64_t>(contempt)) : 0;
    }

    // Whether the side to move has a quiet move.
    [[gnu::always_inline]] bool can_step(const Position& p) const {
        if constexpr (MoveGen::kStandard) {
            return movegen_.can_step(p);
        } else {
            if (!traits_.racing && !traits_.resting) return evaluation_.can_step(p, Bits{0});
            return !is_over(rules_, p) && evaluation_.can_step(p, resting(rules_, p));
        }
    }

    [[gnu::always_inline]] bool can_capture(const Position& p, Side side) const {
        return movegen_.can_capture(rules_, p, side);
    }

    // Whether a counter or the material ends the game as a draw, unless it is already won or lost.
    [[gnu::noinline]] bool drawn(const Position& p, const Frame& frame, int left,
                                 int& score) const {
        if (left > 0 && !material_draws_.drawn_at_rest(frame.material)) return false;
        const bool captures = can_capture(p, p.turn);
        if (left > 0 && captures) return false;
        score = captures || can_step(p) ? 0 : end_of_game(p, frame.ply);
        return true;
    }

    // Generates the moves of a position, without captures overlooked by a handicap; if it overlooks
    // all captures, the quiet moves.
    void generate(const Position& p, Frame& frame, bool capturing) {
        auto& list = frame.moves.list;
        list.clear();
        if (!capturing) return movegen_.quiets(rules_, p, list);
        movegen_.known_captures(rules_, p, list);
        if (traits_.optional) movegen_.quiets(rules_, p, list);
        if (!overlooks_) [[likely]]
            return;
        overlook(p, frame);
        if (!list.empty()) return;
        movegen_.quiets(rules_, p, list);
        if (list.empty()) movegen_.moves(rules_, p, list);
    }

    // Generates only the captures, at least one, without overlooked ones.
    void generate_captures(const Position& p, Frame& frame) {
        auto& list = frame.moves.list;
        list.clear();
        movegen_.known_captures(rules_, p, list);
        if (overlooks_) overlook(p, frame);
    }

    // Removes overlooked captures.
    [[gnu::noinline]] void overlook(const Position& p, Frame& frame) {
        auto& list = frame.moves.list;
        const auto& map = evaluation_.map();
        std::size_t seen = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Move m = list[i];
            if (!m.is_capture() || !handicap_.overlooks(m, p.turn, frame.last, map)) {
                list[seen++] = m;
            }
        }
        list.truncate(seen);
    }

    [[gnu::noinline]] void extend_line(Frame& frame, const Move& m) {
        Line& line = frame.line;
        const Line& rest = after(frame).line;
        line.moves[0] = m;
        std::copy_n(rest.moves.begin(), rest.length, line.moves.begin() + 1);
        line.length = rest.length + 1;
    }

    // Updates history and killers after a cut-off by the move tried as number `best`.
    [[gnu::noinline]] void update_history(const Position& p, Frame& frame, std::size_t best,
                                          int depth) {
        const Move m = frame.moves.tried(best);
        if (m.is_capture()) return;
        const std::uint16_t code = quiet_code_of(m);
        if (code != frame.killers[0]) {
            frame.killers[1] = frame.killers[0];
            frame.killers[0] = code;
        }
        const int bonus = std::min(depth * depth, 400);
        history_.add(p.turn, code, bonus);
        for (std::size_t i = 0; i < best; ++i) {
            history_.add(p.turn, quiet_code_of(frame.moves.tried(i)), -bonus);
        }
    }

    // State shared by the steps of one node's search.
    struct Node {
        int alpha, beta;  // on entry
        int depth;
        bool principal;          // the window is open
        bool capturing = false;  // there are captures
        int value = -kInfinite;  // static evaluation, if it was computed
        int next = 0;            // depth of the children
        int best = -kInfinite;
        std::size_t best_at = 0;  // index of the best move
    };

    int node(const Position& p, int alpha, int beta, int depth, Frame& frame);
    bool reverse_futility(const Position& p, const Frame& frame, int left, Node& node, int& score);
    bool probcut(const Position& p, Frame& frame, const Node& node, int& score);
    void search_moves(const Position& p, Frame& frame, Node& node, std::size_t n);
    int reduced_depth(const Position& p, const Move& m, const Position& child, const Frame& frame,
                      const Node& node, std::size_t i);
    int search_window(const Position& child, int alpha, int reduced, Frame& frame,
                      const Node& node);
    int qsearch(const Position& p, int alpha, int beta, Frame& frame, int extensions, int followed);

    const Rules rules_;
    const DrawRules draws_;
    const MoveGen movegen_;
    const Evaluation evaluation_;
    const Margins margins_;
    const MaterialDrawCounterOf<Bits> material_draws_;
    const bool counts_material_;                   // the rules have draws by material
    const int shortest_;                           // smallest ply limit of these draws
    const std::unique_ptr<GameDraws> game_draws_;  // null if the rules have no such draw
    [[no_unique_address]] const RuleTraitsOf<MoveGen::kStandard> traits_;
    const std::uint64_t base_salt_;
    TranspositionTable& table_;
    EndgamesOf<Bits> endgames_;
    const bool accumulates_;  // the evaluation uses an accumulator
    std::unique_ptr<Frame[]> frames_;
    History<Bits> history_;
    const pruning::LmrTable lmr_;

    // State of the running search.
    Path path_;
    Limits limits_;
    Handicap handicap_;
    bool overlooks_ = false;   // the handicap overlooks captures
    bool full_width_ = false;  // no pruning, no reductions
    int contempt_ = 0;
    std::array<int, 2> contempt_for_{};  // per piece on the board, by side to move
    std::uint64_t salt_ = 0;
    const StopToken* stop_ = nullptr;
    const std::atomic<bool>* halt_ = nullptr;
    SearchMonitor* monitor_ = nullptr;
    AbdadaTable* abdada_ = nullptr;
    Clock::time_point started_;
    std::uint64_t nodes_ = 0;
    std::uint64_t next_check_ = 0;
    std::atomic<std::uint64_t> published_nodes_{0};
    int root_depth_ = 1;
    bool stopped_ = false;
};

}  // namespace damka

#include "search/alpha_beta.hpp"
#include "search/pruning.hpp"
#include "search/qsearch.hpp"
