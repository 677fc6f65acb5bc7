// The search: iterative deepening from the root, where the choice is made.
//
//     damka::Table table(std::size_t{64} << 20);
//     damka::Search search(rules, draws, table);
//     damka::Analysis a = search.run(situation, limits, blindness, stop, watcher);
//
// Nothing here throws (but for want of memory) or starts a thread. With limits in depth or nodes the
// result depends on the arguments and on what the table holds, and on nothing else.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree.hpp"

namespace damka {

// Where the game stands: the position, and how it came about.
struct Situation {
    Position position;
    // Keys of the positions since the last capture or man's move, oldest first, without the present
    // one.
    std::vector<std::uint64_t> past;
    int no_progress = 0;  // plies
    // The moves to choose from, all legal ones if empty. A quiet move that the rules punish by
    // huffing may be among them.
    std::vector<Move> choices;
};

struct Analysis {
    int score = 0;  // hundredths of a man, as the side to move sees it
    int depth = 0;  // the last depth searched to its end
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Move> line;  // the expected play; empty when there is no move
};

class Observer : public Watcher {
   public:
    virtual void deeper(const Analysis&) {}  // called after every depth
};

class Search {
   public:
    Search(const Rules& rules, const DrawRules& draws, Table& table)
        : rules_(rules), tree_(rules, draws, table) {}

    Analysis run(const Situation& situation, const Limits& limits, const Blindness& blindness,
                 const std::atomic<bool>& stop, Observer& observer) {
        tree_.begin(situation.past, situation.position.key, limits, blindness, stop, observer);
        progress_ = situation.no_progress;
        list_choices(situation);
        Analysis best;
        if (choices_.empty()) {
            best.score = -kWin;
            return best;
        }
        best.line = {choices_.front().move};
        for (int depth = 1; depth <= std::min(limits.depth, kMaxDepth); ++depth) {
            tree_.deepen(depth);
            search_choices(depth, best.score);
            // What an unfinished depth has found counts as soon as it has examined one choice.
            if (examined_ > 0) {
                best.score = choices_.front().score;
                best.line = choices_.front().line;
            }
            best.nodes = tree_.nodes();
            best.seconds = tree_.seconds();
            if (tree_.stopped()) break;
            best.depth = depth;
            observer.deeper(best);
            // A win or a loss within the depth searched is exact.
            if (kWin - std::abs(best.score) <= depth) break;
        }
        return best;
    }

    const Evaluation& evaluation() const { return tree_.evaluation(); }

   private:
    struct Choice {
        Move move;
        Position child;
        int score;
        std::vector<Move> line;
    };

    static constexpr int kAspiration = 25;

    void list_choices(const Situation& situation) {
        choices_.clear();
        const auto add = [&](const Move& m) {
            choices_.push_back({m, tree_.kernel().make(rules_, situation.position, m), 0, {m}});
        };
        if (!situation.choices.empty()) {
            for (const Move& m : situation.choices) add(m);
            return;
        }
        MoveList legal;
        tree_.kernel().moves(rules_, situation.position, legal);
        for (const Move& m : legal) add(m);
    }

    // Searches all choices within a window around `guess`, wider and wider until the score lies
    // inside it; leaves the best choice in front.
    void search_choices(int depth, int guess) {
        int below = depth > 3 ? kAspiration : kInfinite;
        int above = below;
        while (true) {
            const int alpha = std::max(guess - below, -kInfinite);
            const int beta = std::min(guess + above, kInfinite);
            const int score = search_window(depth, alpha, beta);
            if (tree_.stopped()) return;
            if (score <= alpha) {
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
        examined_ = 0;
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            Choice& choice = choices_[i];
            int score = 0;
            if (i == 0) {
                score = look(choice, alpha, beta, depth);
            } else {
                score = look(choice, alpha, alpha + 1, depth);
                if (score > alpha && score < beta) score = look(choice, alpha, beta, depth);
            }
            if (tree_.stopped()) return best;
            examined_ = i + 1;
            if (score <= best) continue;
            best = score;
            if (score <= alpha && i > 0) continue;
            // A first choice that fails low keeps its place; its line is a guess like its score.
            choice.score = score;
            choice.line = {choice.move};
            const Tree::Line& rest = tree_.line(1);
            choice.line.insert(choice.line.end(), rest.moves.begin(),
                               rest.moves.begin() + rest.length);
            std::rotate(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(i),
                        choices_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            alpha = std::max(alpha, score);
            if (score >= beta) break;
        }
        return best;
    }

    int look(const Choice& choice, int alpha, int beta, int depth) {
        return tree_.after(choice.move, choice.child, alpha, beta, depth - 1, 1, progress_);
    }

    const Rules rules_;
    Tree tree_;
    int progress_ = 0;
    std::size_t examined_ = 0;
    std::vector<Choice> choices_;
};

}  // namespace damka
