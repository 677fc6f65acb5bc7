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
  // The ticks in a square of the last move, from its corner, and their width
  LAST_CORNERS = "m82 4h14v14m-92 64v14h14m64 0h14v-14",
  LAST_LINE = 3,
  // The rings and dots
  MUST_RADIUS = 46,
  DOT_RADIUS = 15,
  BRANCH_RADIUS = 13,
  // The outline of a square, from its corner, without the place of the number
  REFUSED = "m40 5h55v90h-90v-63",
  // The width of an arrow, its head's length and half its width, and its edge
  ARROW_SHAFT = 10,
  ARROW_HEAD = 30,
  ARROW_SPREAD = 17,
  ARROW_EDGE = 5,
  // From the centre of the piece that moves to where its arrow begins
  ARROW_START = 34,
  // The least size of a number, and how far it is from the corner of its square
  NUMBER_SIZE = 15,
  NUMBER_INSET = 5;
