// Quiescence search.
#pragma once

#include <algorithm>
#include <cstddef>

#include "search/tree.hpp"

namespace damka {

// Searches captures to their end, and one ply further if the side to move is threatened with one.
template <class MoveGen>
int Tree<MoveGen>::qsearch(const Position& p, int alpha, int beta, Frame& frame, int extensions,
                           int followed) {
    if (enter()) return 0;
    const int left = remaining(frame);
    if (left <= 0 || material_counted(frame)) {
        if (int score = 0; drawn(p, frame, left, score)) return score;
    }
    if (int score = 0; probe_endgame(p, frame, left, score)) return score;
    if (frame.ply >= kMaxPly) [[unlikely]]
        return evaluate(p, frame, left);

    const bool capturing = can_capture(p, p.turn);
    const bool principal = beta - alpha > 1;
    int best = -kInfinite;
    if (!capturing) {
        if (!can_step(p)) return end_of_game(p, frame.ply);
        const int score = evaluate(p, frame, left);
        if (extensions == 0 || followed >= handicap_.follow || !can_capture(p, other(p.turn))) {
            return score;
        }
        // A threatened capture lowers the evaluation, or raises it where the aim is to lose.
        const int threat_loss = traits_.losing ? 0 : pruning::kThreatMargin;
        const int threat_gain = traits_.losing ? pruning::kThreatMargin : 0;
        if (score + threat_gain <= alpha || score - threat_loss >= beta) return score;
        --extensions;
    } else if (followed >= handicap_.follow) {
        return evaluate(p, frame, left);
    } else if (traits_.optional && can_step(p)) {
        best = evaluate(p, frame, left);
        if (best >= beta) return best;
        alpha = std::max(alpha, best);
    }
    if (capturing && traits_.optional) {
        generate_captures(p, frame);
    } else {
        generate(p, frame, capturing);
    }
    const std::size_t n = frame.moves.size();
    if (capturing && (n == 0 || !frame.moves.list[0].is_capture())) return evaluate(p, frame, left);
    frame.moves.order(p, history_, 0, frame.killers);
    for (std::size_t i = 0; i < n; ++i) {
        const Move m = frame.moves.pick(i);
        const Position child = movegen_.make(rules_, p, m);
        arrive(p, m, child, frame);
        const int score = -qsearch(child, -beta, -alpha, after(frame), extensions, followed + 1);
        if (stopped_) return 0;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                if (principal) extend_line(frame, m);
                if (score >= beta) break;
            }
        }
    }
    return best;
}

}  // namespace damka
