// The search for any rules on a board of 64 bits.
#include "movegen/movegen_table.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(MoveGenTableOf<std::uint64_t>)

}  // namespace damka
