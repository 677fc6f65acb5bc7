// The two kinds of nodes of the tree: those searched to a depth, and the captures beyond.
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
    using namespace selectivity;
    if (enter()) return 0;
    const int ply = frame.ply;
    const int left = remaining(frame);
    if (left <= 0 || material_counted(frame)) {
        if (int score = 0; drawn(p, frame, left, score)) return score;
    }
    if (int score = 0; probe_endgame(p, frame, left, score)) return score;
    if (ply >= kMaxPly) [[unlikely]]
        return evaluate(p, frame, left);

    // No line from here can be better than winning at once or worse than having lost already;
    // where to lose is the aim, than having won already or losing at once.
    alpha = std::max(alpha, ply - kWin + traits_.losing);
    beta = std::min(beta, kWin - ply - 1 + traits_.losing);
    if (alpha >= beta) return alpha;

    const bool principal = beta - alpha > 1;
    const std::uint64_t key = table_key(p, frame, left);
    const Entry known = table_.probe(key);
    if (known.bound != Bound::none) {
        const int score = from_table(known.score, ply);
        if (!principal && settles(known, score, alpha, beta, depth, left)) return score;
    }

    const bool capturing = can_capture(p, p.turn);
    const bool selective = !principal && std::abs(beta) < kSureWin && !traits_.racing;
    int value = -kInfinite;  // of a position at rest, where it is worth asking for
    if (selective && !traits_.losing && !capturing &&
        depth <= std::max(kReverseFutilityDepth, kFutilityDepth) &&
        !can_capture(p, other(p.turn)) && can_step(p)) {
        value = evaluate(p, frame, left);
        if (depth <= kReverseFutilityDepth && value - kReverseFutility * depth >= beta) {
            return value - kReverseFutility * depth;
        }
    }
    if (selective && depth >= kProbCutDepth) {
        const int above = beta + margins_.probcut + margins_.probcut_per_ply * depth;
        const int shallow = depth * kProbCutShare / 100;
        if (above < kSureWin) {
            const int score = shallow > 0
                                  ? node(p, above - 1, above, shallow, frame)
                                  : qsearch(p, above - 1, above, frame, kQsearchExtensions, 0);
            if (stopped_) return 0;
            if (score >= above) return score < kSureWin ? beta : score;
        }
    }
    if (depth > 1 && known.move) table_.prefetch(key_after(p, known.move));
    generate(p, frame, capturing);
    const std::size_t n = frame.moves.size();
    if (n == 0) return end_of_game(p, ply);
    frame.moves.order(p, history_, known.move, frame.killers);
    // An only move costs nothing to follow.
    const int next = n == 1 && ply < 2 * root_depth_ ? depth : depth - 1;
    const bool hopeless =
        depth <= kFutilityDepth && value > -kInfinite && value + kFutility * depth <= alpha;

    const int floor = alpha;
    int best = -kInfinite;
    std::size_t best_at = 0;
    std::size_t postponed = 0;
    const Move* upcoming = &frame.moves.pick(0);
    for (std::size_t turn = 0; turn < n + postponed; ++turn) {
        // What has been put off follows the others, its number being that at which its turn was.
        const bool put_off = turn >= n;
        const std::size_t i = put_off ? frame.postponed[turn - n] : turn;
        const Move m = put_off ? frame.moves.tried(i) : *upcoming;
        if (turn + 1 < n) {
            upcoming = &frame.moves.pick(turn + 1);
            // What the table knows of it will have come by then.
            if (next > 0) table_.prefetch(key_after(p, quiet_code_of(*upcoming)));
        }
        const bool quiet = !m.captured && !m.crowns;
        const Position child = movegen_.make(rules_, p, m);
        if (hopeless && quiet && i > 0 && !can_capture(child, child.turn) &&
            !can_capture(child, p.turn)) {
            best = std::max(best, value + kFutility * depth);
            continue;
        }
        if (next > 0 && (i == 0 || !quiet)) table_.prefetch(child.key ^ salt_);
        std::uint64_t mark = 0;
        if (abdada_ && next >= AbdadaTable::kDepth && i > 0) {
            mark = AbdadaTable::mark_of(child.key ^ salt_, next);
            if (!put_off && postponed < kMaxPostponed && abdada_->busy(mark)) {
                frame.postponed[postponed++] = static_cast<std::uint16_t>(i);
                continue;
            }
            abdada_->enter(mark);
        }
        arrive(p, m, child, frame);
        int score = 0;
        if (!repeats(after(frame))) {
            if (best == -kInfinite) {
                score = ask(child, alpha, beta, next, after(frame));
            } else {
                int reduced = next;
                // In a race every move counts.
                if (quiet && depth >= kLmrDepth && !traits_.racing &&
                    i >= static_cast<std::size_t>(principal ? kLmrFirstPv : kLmrFirst)) {
                    // Who has just been captured from and offers more is in a combination, or means
                    // to be: those are seen to their end.
                    const bool combining = frame.captured && can_capture(child, child.turn);
                    if (!combining) {
                        reduced -= lmr_.of(depth, i);
                        reduced += history_.of(p.turn, quiet_code_of(m)) / kHistoryDivisor;
                    }
                    reduced = std::min(next, std::max(reduced, 1));
                }
                score = ask(child, alpha, alpha + 1, reduced, after(frame));
                if (score > alpha && reduced < next) {
                    score = ask(child, alpha, alpha + 1, next, after(frame));
                }
                if (score > alpha && score < beta) {
                    score = ask(child, alpha, beta, next, after(frame));
                }
            }
        }
        if (mark) abdada_->leave(mark);
        if (stopped_) return 0;
        if (score > best) {
            best = score;
            best_at = i;
            if (score > alpha) {
                alpha = score;
                if (principal) extend_line(frame, m);
                if (score >= beta) break;
            }
        }
    }
    if (best >= beta) update_history(p, frame, best_at, depth);
    const Bound bound = best >= beta ? Bound::lower : best > floor ? Bound::exact : Bound::upper;
    table_.store(key, best > floor ? code_of(frame.moves.tried(best_at)) : std::uint16_t{0},
                 to_table(best, ply), depth, bound);
    return best;
}

// Follows captures to their end, and one ply further where the side to move is threatened with one.
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
        if (extensions == 0 || followed >= handicap_.update || !can_capture(p, other(p.turn))) {
            return score;
        }
        // Whoever is to be captured from stands worse, or better where that is the aim.
        const int fear = traits_.losing ? 0 : selectivity::kThreatMargin;
        const int hope = traits_.losing ? selectivity::kThreatMargin : 0;
        if (score + hope <= alpha || score - fear >= beta) return score;
        --extensions;
    } else if (followed >= handicap_.update) {
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
