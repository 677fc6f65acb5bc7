"""Write `src/damka/web/static/shapes.js`, the dimensions of the page's pieces.

They come from `damka.draw.shapes`, so that the live board matches the library's pictures. Run this
after a change there:

    .venv/bin/python -m tools.page_shapes

A test compares the file with this program's output.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from damka.draw import shapes

FILE: Final = Path(__file__).parents[1] / "src" / "damka" / "web" / "static" / "shapes.js"

_HEAD: Final = """\
/**
 * Dimensions of pieces and marks. Generated from src/damka/draw/shapes.py by
 * tools/page_shapes.py; do not edit.
 */

"""
_NAMES: Final = {
    "SQUARE": "side of a square",
    "MAN_RADIUS": "radius of a man, and width of its rim",
    "RIM": "",
    "SHADOW_RADIUS": "radius of a shadow, and its downward offset",
    "SHADOW_DROP": "",
    "KING_LOWER": "downward offsets of a king's two men from the centre",
    "KING_UPPER": "",
    "CROWN": "outline of the crown, from the centre of the upper man",
    "LAST_CORNERS": "ticks in a square of the last move, from its corner, and their width",
    "LAST_LINE": "",
    "MUST_RADIUS": "radii of rings and dots",
    "DOT_RADIUS": "",
    "BRANCH_RADIUS": "",
    "REFUSED": "outline of a square, from its corner, with a gap for the number",
    "ARROW_SHAFT": "width of an arrow, length and half width of its head, and width of its edge",
    "ARROW_HEAD": "",
    "ARROW_SPREAD": "",
    "ARROW_EDGE": "",
    "ARROW_START": "distance of an arrow's start from the centre of the moving piece",
    "NUMBER_SIZE": "minimum size of a number, and its distance from the corner of its square",
    "NUMBER_INSET": "",
}


def module() -> str:
    """Return the text of the file."""
    lines = []
    for name, what in _NAMES.items():
        if what:
            lines.append(f"  // {what[0].upper()}{what[1:]}")
        lines.append(f"  {name} = {json.dumps(getattr(shapes, name))},")
    listed = "\n".join(lines).removesuffix(",")
    return f"{_HEAD}export const\n{listed};\n"


if __name__ == "__main__":
    FILE.write_text(module(), "utf-8")
