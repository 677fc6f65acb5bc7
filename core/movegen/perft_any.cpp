// Perft of the variants with any rules on a board.
#include "movegen/perft_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_PERFT(Any8)
DAMKA_PERFT(Any10)
DAMKA_PERFT(Any10x8)
DAMKA_PERFT(AnyFull8)
DAMKA_PERFT(Any12)

}  // namespace damka
