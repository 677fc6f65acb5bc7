/**
 * Dimensions of pieces and marks. Generated from src/damka/draw/shapes.py by
 * tools/page_shapes.py; do not edit.
 */

export const
  // Side of a square
  SQUARE = 100,
  // Radius of a man, and width of its rim
  MAN_RADIUS = 36,
  RIM = 5,
  // Radius of a shadow, and its downward offset
  SHADOW_RADIUS = 37,
  SHADOW_DROP = 4,
  // Downward offsets of a king's two men from the centre
  KING_LOWER = 10,
  KING_UPPER = -9,
  // Outline of the crown, from the centre of the upper man
  CROWN = "m-18 12v-24l9 10 9-14 9 14 9-10v24z",
  // Ticks in a square of the last move, from its corner, and their width
  LAST_CORNERS = "m82 4h14v14m-92 64v14h14m64 0h14v-14",
  LAST_LINE = 4,
  // Radii of rings and dots
  MUST_RADIUS = 46,
  DOT_RADIUS = 18,
  BRANCH_RADIUS = 18,
  // Outline of a square, from its corner, with a gap for the number
  REFUSED = "m40 5h55v90h-90v-63",
  // Width of an arrow, length and half width of its head, and width of its edge
  ARROW_SHAFT = 10,
  ARROW_HEAD = 30,
  ARROW_SPREAD = 17,
  ARROW_EDGE = 5,
  // Distance of an arrow's start from the centre of the moving piece
  ARROW_START = 34,
  // Minimum size of a number, and its distance from the corner of its square
  NUMBER_SIZE = 15,
  NUMBER_INSET = 5;
