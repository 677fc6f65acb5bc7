// Perft of the variants with short kings, and of the smallest board.
#include "movegen/perft_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_PERFT(Short8)
DAMKA_PERFT(Short8Back)
DAMKA_PERFT(Short10)
DAMKA_PERFT(Short10Back)
DAMKA_PERFT(Any6)

}  // namespace damka
