// The search compiled for American checkers and similar games.
#include "movegen/movegen_for.hpp"
#include "position/variants.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(StaticMoveGen<Short8>)

}  // namespace damka
