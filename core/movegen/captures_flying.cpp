// Captures of the variants with flying kings.
#include "movegen/capture_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_CAPTURES(Flying8)
DAMKA_CAPTURES(Flying8Back)
DAMKA_CAPTURES(Flying10)
DAMKA_CAPTURES(Flying10Back)
DAMKA_CAPTURES(Frisian10)

}  // namespace damka
