// The search for any rules on a board of 128 bits.
#include "movegen/movegen_table.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(MoveGenTableOf<Wide>)

}  // namespace damka
