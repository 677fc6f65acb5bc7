// The search instantiated for arbitrary rules on 128-bit boards.
#include "movegen/movegen_table.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(MoveGenTableOf<Wide>)

}  // namespace damka
