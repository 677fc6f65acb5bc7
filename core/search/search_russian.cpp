// The search compiled for Russian draughts and similar games.
#include "movegen/movegen_for.hpp"
#include "position/variants.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(StaticMoveGen<Flying8Back>)

}  // namespace damka
