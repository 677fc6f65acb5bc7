// Perft of the variants with flying kings.
#include "movegen/perft_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_PERFT(Flying8)
DAMKA_PERFT(Flying8Back)
DAMKA_PERFT(Flying10)
DAMKA_PERFT(Flying10Back)
DAMKA_PERFT(Frisian10)

}  // namespace damka
