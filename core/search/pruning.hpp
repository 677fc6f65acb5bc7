// Pruning and reductions of a node: reverse futility pruning, ProbCut and late-move reductions.
// Margins are in pruning_margins.hpp, and in eval/margins.hpp where they depend on the evaluation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "search/tree.hpp"

namespace damka {

// Reverse futility pruning: a quiet position far above beta is assumed to stay above it. Stores the
// evaluation in `node` if it was computed.
template <class MoveGen>
[[gnu::always_inline]] inline bool Tree<MoveGen>::reverse_futility(const Position& p,
                                                                   const Frame& frame, int left,
                                                                   Node& node, int& score) {
    using namespace pruning;
    if (traits_.losing || node.capturing ||
        node.depth > std::max(kReverseFutilityDepth, kFutilityDepth) ||
        can_capture(p, other(p.turn)) || !can_step(p)) {
        return false;
    }
    node.value = evaluate(p, frame, left);
    score = node.value - kReverseFutility * node.depth;
    return node.depth <= kReverseFutilityDepth && score >= node.beta;
}

// ProbCut: a shallow search well above beta replaces the deep one. Also returns true if the search
// was stopped.
template <class MoveGen>
[[gnu::always_inline]] inline bool Tree<MoveGen>::probcut(const Position& p, Frame& frame,
                                                          const Node& node, int& score) {
    using namespace pruning;
    if (node.depth < kProbCutDepth) return false;
    const int above = node.beta + margins_.probcut + margins_.probcut_per_ply * node.depth;
    if (above >= kSureWin) return false;
    const int shallow = node.depth * kProbCutShare / 100;
    score = shallow > 0 ? this->node(p, above - 1, above, shallow, frame)
                        : qsearch(p, above - 1, above, frame, kQsearchExtensions, 0);
    if (stopped_) {
        score = 0;
        return true;
    }
    if (score < above) return false;
    if (score < kSureWin) score = node.beta;
    return true;
}

// Late-move reduction: the initial depth of the i-th move, a quiet one.
template <class MoveGen>
[[gnu::always_inline]] inline int Tree<MoveGen>::reduced_depth(const Position& p, const Move& m,
                                                               const Position& child,
                                                               const Frame& frame, const Node& node,
                                                               std::size_t i) {
    using namespace pruning;
    if (node.best == -kInfinite || node.depth < kLmrDepth || full_width_ ||
        i < static_cast<std::size_t>(node.principal ? kLmrFirstPv : kLmrFirst)) {
        return node.next;
    }
    int reduced = node.next;
    // A side that has just lost a piece and offers another is playing a combination; search it to
    // its end.
    const bool combining = frame.captured && can_capture(child, child.turn);
    if (!combining) {
        reduced -= lmr_.of(node.depth, i);
        reduced += history_.of(p.turn, quiet_code_of(m)) / kHistoryDivisor;
    }
    return std::min(node.next, std::max(reduced, 1));
}

}  // namespace damka
