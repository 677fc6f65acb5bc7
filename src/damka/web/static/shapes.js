/**
 * The measures of pieces and marks. Made of src/damka/draw/shapes.py by tools/page_shapes.py; do
 * not edit.
 */

export const
  // The side of a square
  SQUARE = 100,
  // The radius of a man, and the width of its rim
  MAN_RADIUS = 36,
  RIM = 4,
  // The radius of a shadow, and how far it lies below
  SHADOW_RADIUS = 37,
  SHADOW_DROP = 4,
  // How far the two men of a king lie below the centre
  KING_LOWER = 8,
  KING_UPPER = -10,
  // From the centre of the upper man
  CROWN = "m-18 12v-24l9 10 9-14 9 14 9-10v24z",
  // The rings and dots
  MUST_RADIUS = 46,
  DOT_RADIUS = 15,
  BRANCH_RADIUS = 13,
  // The outline of a square, from its corner, without the place of the number
  REFUSED = "m40 5h55v90h-90v-63";
