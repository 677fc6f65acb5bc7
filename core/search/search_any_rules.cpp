// The search instantiated for arbitrary rules on 64-bit boards.
#include "movegen/movegen_table.hpp"
#include "search/thread_pool.hpp"

namespace damka {

DAMKA_SEARCH(MoveGenTableOf<std::uint64_t>)

}  // namespace damka
