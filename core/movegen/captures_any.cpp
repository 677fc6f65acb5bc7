// Captures of the variants with any rules on a board.
#include "movegen/capture_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_CAPTURES(Any8)
DAMKA_CAPTURES(Any10)
DAMKA_CAPTURES(Any10x8)
DAMKA_CAPTURES(AnyFull8)
DAMKA_CAPTURES(Any12)

}  // namespace damka
