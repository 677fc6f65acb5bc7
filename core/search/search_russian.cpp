// The search of Russian draughts and those like it.
#include "movegen/movegen_for.hpp"
#include "position/variants.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(StaticMoveGen<Flying8Back>)

}  // namespace damka
