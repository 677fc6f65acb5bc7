// Iterative deepening of one thread from the root.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "movegen/capture_limits.hpp"
#include "search/search.hpp"
#include "search/tree.hpp"

namespace damka {

template <class MoveGen>
class Worker {
   public:
    using Bits = typename MoveGen::Bits;
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;

    struct Choice {
        Move move;
        Position child;
        int score;
        std::vector<Move> line;
    };

    Worker(const MoveGen& movegen, const Rules& rules, const DrawRules& draws,
           TranspositionTable& table, std::shared_ptr<const Weights> weights)
        : rules_(rules), tree_(movegen, rules, draws, table, std::move(weights)) {}

    // See Tree::begin.
    void begin(const Task& task, const StopToken& signal, const std::atomic<bool>& halt,
               SearchMonitor* monitor, AbdadaTable* abdada) {
        position_ = with_words<Bits>(task.root.position);
        tree_.begin(task, position_, signal, halt, monitor, abdada);
        list_choices(task.root.choices);
        lines_ = std::min(task.lines, choices_.size());
    }

    // Searches all choices to `depth`, which must increase between calls. Returns false if the
    // search stopped earlier; its partial result counts if `has_result()`.
    bool deepen(int depth) {
        const LimitCaptures limit(kMaxBranches, tree_.next_check());
        tree_.deepen(depth);
        for (first_ = 0; first_ < lines_; ++first_) {
            examined_ = 0;
            search_choices(depth, choices_[first_].score);
            if (tree_.stopped()) break;
        }
        // A later line may have turned out better than the first.
        if (!tree_.stopped()) sort_lines(lines_);
        return !tree_.stopped();
    }

    // The choices, best first within the number of separate lines.
    const std::vector<Choice>& choices() const { return choices_; }

    // The score of a choice without contempt.
    int score_of(const Choice& choice) const {
        int pieces = count(position_.occupied());
        for (const Move& m : choice.line) pieces -= count(m.captured);
        return tree_.without_contempt(choice.score, pieces);
    }

    // The number of separate lines (multi-PV).
    std::size_t lines() const { return lines_; }

    // Whether this depth has examined a choice without a fail low.
    bool has_result() const { return first_ > 0 || examined_ > 0; }

    // The score of a root without legal moves.
    int end_of_game() const { return tree_.end_of_game(position_, 0); }

    const Tree<MoveGen>& tree() const { return tree_; }

   private:
    static constexpr int kAspiration = 25;
    // About a millisecond for the captures of one position. Beyond the limit, the list may contain
    // captures that the precedence forbids.
    static constexpr std::uint32_t kMaxBranches = 6000;

    void list_choices(const std::vector<WideMove>& moves) {
        choices_.clear();
        const auto add = [&](const Move& m) {
            choices_.push_back({m, tree_.movegen().make(rules_, position_, m), 0, {m}});
        };
        if (!moves.empty()) {
            for (const WideMove& m : moves) add(with_words<Bits>(m));
            return;
        }
        MoveListOf<Bits> legal;
        tree_.movegen().moves(rules_, position_, legal);
        for (const Move& m : legal) add(m);
    }

    void sort_lines(std::size_t n) {
        std::stable_sort(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(n),
                         [](const Choice& a, const Choice& b) { return a.score > b.score; });
    }

    // Searches the choices from `first_` on in an aspiration window around `guess`, widened until
    // it contains the score; moves the best choice to the front.
    void search_choices(int depth, int guess) {
        int below = depth > 3 ? kAspiration : kInfinite;
        int above = below;
        while (true) {
            const int alpha = std::max(guess - below, -kInfinite);
            const int beta = std::min(guess + above, kInfinite);
            const int score = search_window(depth, alpha, beta);
            if (tree_.stopped()) return;
            if (score <= alpha) {
                examined_ = 0;
                below = below > 400 ? kInfinite : 4 * below;
            } else if (score >= beta) {
                above = above > 400 ? kInfinite : 4 * above;
            } else {
                return;
            }
        }
    }

    int search_window(int depth, int alpha, int beta) {
        int best = -kInfinite;
        for (std::size_t i = first_; i < choices_.size(); ++i) {
            Choice& choice = choices_[i];
            int score = 0;
            if (i == first_) {
                score = search_choice(choice, alpha, beta, depth);
            } else {
                score = search_choice(choice, alpha, alpha + 1, depth);
                if (score > alpha && score < beta)
                    score = search_choice(choice, alpha, beta, depth);
            }
            if (tree_.stopped()) return best;
            ++examined_;
            if (score <= best) continue;
            best = score;
            if (score <= alpha && i > first_) continue;
            // A first choice that fails low stays first, with a bound as its score.
            choice.score = score;
            choice.line = {choice.move};
            const auto& rest = tree_.line(1);
            choice.line.insert(choice.line.end(), rest.moves.begin(),
                               rest.moves.begin() + rest.length);
            const auto begin = choices_.begin();
            std::rotate(begin + static_cast<std::ptrdiff_t>(first_),
                        begin + static_cast<std::ptrdiff_t>(i),
                        begin + static_cast<std::ptrdiff_t>(i) + 1);
            alpha = std::max(alpha, score);
            if (score >= beta) break;
        }
        return best;
    }

    int search_choice(const Choice& choice, int alpha, int beta, int depth) {
        return tree_.play(position_, choice.move, choice.child, alpha, beta, depth - 1);
    }

    const Rules rules_;
    Tree<MoveGen> tree_;
    Position position_{};
    std::size_t lines_ = 1;
    std::size_t first_ = 0;     // index of the current line's first choice
    std::size_t examined_ = 0;  // choices of this line
    std::vector<Choice> choices_;
};

}  // namespace damka
