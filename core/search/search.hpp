// The search: iterative deepening from the root, by one thread or several that share the table.
//
//     damka::Table table(std::size_t{64} << 20);
//     std::unique_ptr<damka::Search> search = damka::Search::by(rules, draws, table);
//     damka::Analysis a = search->run({situation, limits}, signal, observer);
//
// Nothing here throws (but for want of memory). With limits in depth or nodes the result of one
// thread depends on the arguments and on what the table holds, and on nothing else.
//
// What goes in and out is in words that are wide enough for every board, so that callers need not
// care; inside, a search uses its own board's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "position/game_state.hpp"
#include "search/handicap.hpp"
#include "search/limits.hpp"
#include "search/stop_token.hpp"
#include "search/transposition.hpp"

namespace damka {

class TableSet;
class Weights;  // eval/weights.hpp

// One line of play and its worth.
struct Variation {
    int score = 0;               // hundredths of a man, as the side to move sees it
    std::vector<WideMove> line;  // the expected play; empty when there is no move
};

struct Analysis : Variation {
    int depth = 0;  // the last depth searched to its end
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Variation> others;  // the next best first moves, if more than one was asked for
};

class Observer : public Watcher {
   public:
    virtual void deeper(const Analysis&) {}  // called after every depth
};

// What is asked.
struct Task {
    GameState situation{};
    Limits limits{};
    Handicap handicap{};
    // What every piece on the board is worth more to who is to move, in hundredths of a man: a
    // stronger player keeps pieces on, to win with. Scores are told without it. It says nothing
    // where the aim is another than to capture.
    int contempt = 0;
    const TableSet* tables = nullptr;  // endgame tables of these rules
    std::size_t lines = 1;    // how many of the best first moves to tell, each with its line
    std::size_t threads = 1;  // limits in nodes are shared among them
};

// A search by some rules.
class Search {
   public:
    static constexpr std::size_t kMaxThreads = 256;

    // `weights` must be for such a board; without any, the general evaluation is used.
    static std::unique_ptr<Search> by(const Rules& rules, const DrawRules& draws, Table& table,
                                      std::shared_ptr<const Weights> weights = nullptr);

    virtual ~Search() = default;
    virtual Analysis run(const Task& task, const StopToken& signal, Observer& observer) = 0;
};

}  // namespace damka
