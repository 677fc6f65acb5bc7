// The search: iterative deepening from the root, where the choice is made.
//
//     damka::Table table(std::size_t{64} << 20);
//     std::unique_ptr<damka::Search> search = damka::Search::by(rules, draws, table);
//     damka::Analysis a = search->run(situation, limits, blindness, stop, watcher);
//
// Nothing here throws (but for want of memory) or starts a thread. With limits in depth or nodes the
// result depends on the arguments and on what the table holds, and on nothing else.
//
// What goes in and out is in words that are wide enough for every board, so that callers need not
// care; inside, a search uses its own board's.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tree.hpp"

namespace damka {

// Where the game stands: the position, and how it came about.
struct Situation {
    WidePosition position;
    Counts counts;
    Standing standing;
    // Keys of the last `counts.reversible` positions, oldest first, without the present one.
    std::vector<std::uint64_t> past;
    // The moves to choose from, all legal ones if empty. A quiet move that the rules punish by
    // huffing may be among them.
    std::vector<WideMove> choices;
};

// Follows a game move by move, up to where a search is to begin.
class Follower {
   public:
    Follower(const Rules& rules, const DrawRules& draws, const WidePosition& start)
        : ground_(rules),
          balance_(draws.material, ground_.road),
          sideways_((rules.move_lines & kOrthogonal) != 0),
          now_{start, {}, balance_.begin(start), {}, {}} {}

    // `m` has led to `next`.
    void move(const WideMove& m, const WidePosition& next) {
        const Standing before = now_.standing;
        balance_.advance(before, m, next, now_.standing);
        const bool sideways = sideways_ && ground_.row[m.from] == ground_.row[m.to];
        now_.counts = now_.counts.after(m, sideways);
        if (now_.counts.reversible) {
            now_.past.push_back(now_.position.key);
        } else {
            now_.past.clear();
        }
        now_.position = next;
    }

    const Situation& now() const { return now_; }

   private:
    const Ground<Wide> ground_;
    const BalanceOf<Wide> balance_;
    const bool sideways_;
    Situation now_;
};

struct Analysis {
    int score = 0;  // hundredths of a man, as the side to move sees it
    int depth = 0;  // the last depth searched to its end
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<WideMove> line;  // the expected play; empty when there is no move
};

class Observer : public Watcher {
   public:
    virtual void deeper(const Analysis&) {}  // called after every depth
};

// A search by some rules.
class Search {
   public:
    static std::unique_ptr<Search> by(const Rules& rules, const DrawRules& draws, Table& table);

    virtual ~Search() = default;
    virtual Analysis run(const Situation& situation, const Limits& limits,
                         const Blindness& blindness, const std::atomic<bool>& stop,
                         Observer& observer) = 0;
};

template <class Bits>
class SearchOf : public Search {
   public:
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;

    SearchOf(const Rules& rules, const DrawRules& draws, Table& table)
        : rules_(rules), tree_(rules, draws, table) {}

    Analysis run(const Situation& situation, const Limits& limits, const Blindness& blindness,
                 const std::atomic<bool>& stop, Observer& observer) override {
        const Position root = with_words<Bits>(situation.position);
        tree_.begin(situation.past, root.key, situation.standing, limits, blindness, stop,
                    observer);
        counts_ = situation.counts;
        list_choices(root, situation.choices);
        Analysis best;
        if (choices_.empty()) {
            best.score = tree_.end_of_game(root, 0);
            return best;
        }
        best.line = {with_words<Wide>(choices_.front().move)};
        for (int depth = 1; depth <= std::min(limits.depth, kMaxDepth); ++depth) {
            tree_.deepen(depth);
            search_choices(depth, best.score);
            // What an unfinished depth has found counts as soon as it has examined one choice.
            if (examined_ > 0) {
                best.score = choices_.front().score;
                best.line.clear();
                for (const Move& m : choices_.front().line) {
                    best.line.push_back(with_words<Wide>(m));
                }
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

   private:
    struct Choice {
        Move move;
        Position child;
        int score;
        std::vector<Move> line;
    };

    static constexpr int kAspiration = 25;

    void list_choices(const Position& root, const std::vector<WideMove>& wanted) {
        choices_.clear();
        const auto add = [&](const Move& m) {
            choices_.push_back({m, tree_.kernel().make(rules_, root, m), 0, {m}});
        };
        if (!wanted.empty()) {
            for (const WideMove& m : wanted) add(with_words<Bits>(m));
            return;
        }
        MoveListOf<Bits> legal;
        tree_.kernel().moves(rules_, root, legal);
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
            const auto& rest = tree_.line(1);
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
        return tree_.after(choice.move, choice.child, alpha, beta, depth - 1, 1, counts_);
    }

    const Rules rules_;
    TreeOf<Bits> tree_;
    Counts counts_;
    std::size_t examined_ = 0;
    std::vector<Choice> choices_;
};

inline std::unique_ptr<Search> Search::by(const Rules& rules, const DrawRules& draws,
                                          Table& table) {
    return with_word(rules, [&](auto zero) -> std::unique_ptr<Search> {
        return std::make_unique<SearchOf<decltype(zero)>>(rules, draws, table);
    });
}

}  // namespace damka
