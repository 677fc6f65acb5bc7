// The search: iterative deepening from the root, by one or several threads with a shared table.
//
//     damka::TranspositionTable table(std::size_t{64} << 20);
//     std::unique_ptr<damka::Search> search = damka::Search::create(rules, draws, table);
//     damka::Analysis a = search->run({root, limits}, signal, observer);
//
// Throws nothing except std::bad_alloc. With depth or node limits the result of one thread depends
// only on the arguments and on the table's contents.
//
// The interface uses words wide enough for every board; internally, a search uses its own board's
// word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "position/search_root.hpp"
#include "search/handicap.hpp"
#include "search/limits.hpp"
#include "search/stop_token.hpp"
#include "search/transposition.hpp"

namespace damka {

class TableSet;
class Weights;  // eval/weights.hpp

// A line of play and its score.
struct Variation {
    int score = 0;               // hundredths of a man, from the side to move
    std::vector<WideMove> line;  // principal variation; empty without legal moves
};

struct Analysis : Variation {
    int depth = 0;  // last completed depth
    std::uint64_t nodes = 0;
    double seconds = 0;
    std::vector<Variation> others;  // further lines in descending order, if `lines` > 1
};

class Observer : public SearchMonitor {
   public:
    virtual void on_depth(const Analysis&) {}  // called after every depth
};

// Input of a search.
struct Task {
    SearchRoot root{};
    Limits limits{};
    Handicap handicap{};
    // Bonus for every piece on the board for the side to move at the root, in hundredths of a man,
    // so that a stronger player avoids exchanges. Reported scores exclude it. Ignored where the aim
    // is not to capture.
    int contempt = 0;
    const TableSet* tables = nullptr;  // endgame tables of these rules
    std::size_t lines = 1;             // number of best first moves to report, each with its line
    std::size_t threads = 1;           // node limits are shared among them
};

// A search for one rule set.
class Search {
   public:
    static constexpr std::size_t kMaxThreads = 256;

    // `weights` must be for such a board; null selects the general evaluation.
    static std::unique_ptr<Search> create(const Rules& rules, const DrawRules& draws,
                                          TranspositionTable& table,
                                          std::shared_ptr<const Weights> weights = nullptr);

    virtual ~Search() = default;
    virtual Analysis run(const Task& task, const StopToken& signal, Observer& observer) = 0;
};

}  // namespace damka
