// Captures of the variants with short kings, and of the smallest board.
#include "movegen/capture_walk.hpp"
#include "position/variants.hpp"

namespace damka {

DAMKA_CAPTURES(Short8)
DAMKA_CAPTURES(Short8Back)
DAMKA_CAPTURES(Short10)
DAMKA_CAPTURES(Short10Back)
DAMKA_CAPTURES(Any6)

}  // namespace damka
