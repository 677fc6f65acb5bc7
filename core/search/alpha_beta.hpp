// Alpha-beta search of a node, step by step: pruning (pruning.hpp), the move loop with futility
// pruning, and the re-searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "search/tree.hpp"

namespace damka {

// Searches a position to `depth` plies (1 or more).
template <class MoveGen>
int Tree<MoveGen>::node(const Position& p, int alpha, int beta, int depth, Frame& frame) {
    if (enter()) return 0;
    const int ply = frame.ply;
    const int left = remaining(frame);
    if (left <= 0 || material_counted(frame)) {
        if (int score = 0; drawn(p, frame, left, score)) return score;
    }
    if (int score = 0; probe_endgame(p, frame, left, score)) return score;
    if (ply >= kMaxPly) [[unlikely]]
        return evaluate(p, frame, left);

    // Mate-distance pruning: no line from here is better than winning at once or worse than having
    // lost already; where the aim is to lose, than having won already or losing at once.
    alpha = std::max(alpha, ply - kWin + traits_.losing);
    beta = std::min(beta, kWin - ply - 1 + traits_.losing);
    if (alpha >= beta) return alpha;

    Node node{alpha, beta, depth, beta - alpha > 1};
    const std::uint64_t key = table_key(p, frame, left);
    const Entry known = table_.probe(key);
    if (known.bound != Bound::none) {
        const int score = from_table(known.score, ply);
        if (!node.principal && causes_cutoff(known, score, alpha, beta, depth, left)) return score;
    }

    node.capturing = can_capture(p, p.turn);
    const bool selective = !node.principal && std::abs(beta) < kSureWin && !full_width_;
    if (selective) {
        if (int score = 0; reverse_futility(p, frame, left, node, score)) return score;
        if (int score = 0; probcut(p, frame, node, score)) return score;
    }
    if (depth > 1 && known.move) table_.prefetch(key_after(p, known.move));
    generate(p, frame, node.capturing);
    const std::size_t n = frame.moves.size();
    if (n == 0) return end_of_game(p, ply);
    frame.moves.order(p, history_, known.move, frame.killers);
    // Single-reply extension.
    node.next = n == 1 && ply < 2 * root_depth_ ? depth : depth - 1;
    search_moves(p, frame, node, n);
    if (stopped_) return 0;

    const int best = node.best;
    if (best >= beta) update_history(p, frame, node.best_at, depth);
    const Bound bound = best >= beta ? Bound::lower : best > alpha ? Bound::exact : Bound::upper;
    table_.store(key, best > alpha ? code_of(frame.moves.tried(node.best_at)) : std::uint16_t{0},
                 to_table(best, ply), depth, bound);
    return best;
}

// Searches the `n` moves of a node, in order, and leaves the best in `node`.
template <class MoveGen>
[[gnu::always_inline]] inline void Tree<MoveGen>::search_moves(const Position& p, Frame& frame,
                                                               Node& node, std::size_t n) {
    using namespace pruning;
    const bool futile = node.depth <= kFutilityDepth && node.value > -kInfinite &&
                        node.value + kFutility * node.depth <= node.alpha;
    int alpha = node.alpha;
    std::size_t postponed = 0;
    const Move* upcoming = &frame.moves.pick(0);
    for (std::size_t turn = 0; turn < n + postponed; ++turn) {
        // Postponed moves follow the others, each with its original move number.
        const bool is_postponed = turn >= n;
        const std::size_t i = is_postponed ? frame.postponed[turn - n] : turn;
        const Move m = is_postponed ? frame.moves.tried(i) : *upcoming;
        if (turn + 1 < n) {
            upcoming = &frame.moves.pick(turn + 1);
            // Another thread may have stored its score by then.
            if (node.next > 0) table_.prefetch(key_after(p, quiet_code_of(*upcoming)));
        }
        const bool quiet = !m.captured && !m.crowns;
        const Position child = movegen_.make(rules_, p, m);
        if (futile && quiet && i > 0 && !can_capture(child, child.turn) &&
            !can_capture(child, p.turn)) {
            node.best = std::max(node.best, node.value + kFutility * node.depth);
            continue;
        }
        if (node.next > 0 && (i == 0 || !quiet)) table_.prefetch(child.key ^ salt_);
        std::uint64_t mark = 0;
        if (abdada_ && node.next >= AbdadaTable::kDepth && i > 0) {
            mark = AbdadaTable::mark_of(child.key ^ salt_, node.next);
            if (!is_postponed && postponed < kMaxPostponed && abdada_->busy(mark)) {
                frame.postponed[postponed++] = static_cast<std::uint16_t>(i);
                continue;
            }
            abdada_->enter(mark);
        }
        arrive(p, m, child, frame);
        int score = 0;
        if (!repeats(after(frame))) {
            const int reduced = quiet ? reduced_depth(p, m, child, frame, node, i) : node.next;
            score = search_window(child, alpha, reduced, after(frame), node);
        }
        if (mark) abdada_->leave(mark);
        if (stopped_) return;
        if (score > node.best) {
            node.best = score;
            node.best_at = i;
            if (score > alpha) {
                alpha = score;
                if (node.principal) extend_line(frame, m);
                if (score >= node.beta) return;
            }
        }
    }
}

// Principal variation search: the first move with the whole window, the others with a null window
// and a re-search, deeper or wider, on fail high.
template <class MoveGen>
[[gnu::always_inline]] inline int Tree<MoveGen>::search_window(const Position& child, int alpha,
                                                               int reduced, Frame& frame,
                                                               const Node& node) {
    if (node.best == -kInfinite) return search_child(child, alpha, node.beta, node.next, frame);
    int score = search_child(child, alpha, alpha + 1, reduced, frame);
    if (score > alpha && reduced < node.next)
        score = search_child(child, alpha, alpha + 1, node.next, frame);
    if (score > alpha && score < node.beta)
        score = search_child(child, alpha, node.beta, node.next, frame);
    return score;
}

}  // namespace damka
