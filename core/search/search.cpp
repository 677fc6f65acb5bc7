#include "search/search.hpp"

#include <utility>

#include "movegen/movegen_for.hpp"

namespace damka {

// Instantiated in the source files search_*.cpp.
template <class MoveGen>
std::unique_ptr<Search> new_search(const MoveGen& movegen, const Rules& rules,
                                   const DrawRules& draws, TranspositionTable& table,
                                   std::shared_ptr<const Weights> weights);

std::unique_ptr<Search> Search::create(const Rules& rules, const DrawRules& draws,
                                       TranspositionTable& table,
                                       std::shared_ptr<const Weights> weights) {
    return with_movegen(rules, [&](auto movegen) {
        return new_search(movegen, rules, draws, table, std::move(weights));
    });
}

}  // namespace damka
