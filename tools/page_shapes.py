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
 * The measures of pieces and marks. Made of src/damka/draw/shapes.py by tools/page_shapes.py; do
 * not edit.
 */

"""
_NAMES: Final = {
    "SQUARE": "the side of a square",
    "MAN_RADIUS": "the radius of a man, and the width of its rim",
    "RIM": "",
    "SHADOW_RADIUS": "the radius of a shadow, and how far it lies below",
    "SHADOW_DROP": "",
    "KING_LOWER": "how far the two men of a king lie below the centre",
    "KING_UPPER": "",
    "CROWN": "from the centre of the upper man",
    "LAST_CORNERS": "the ticks in a square of the last move, from its corner, and their width",
    "LAST_LINE": "",
    "MUST_RADIUS": "the rings and dots",
    "DOT_RADIUS": "",
    "BRANCH_RADIUS": "",
    "REFUSED": "the outline of a square, from its corner, without the place of the number",
    "ARROW_SHAFT": "the width of an arrow, its head's length and half its width, and its edge",
    "ARROW_HEAD": "",
    "ARROW_SPREAD": "",
    "ARROW_EDGE": "",
    "ARROW_START": "from the centre of the piece that moves to where its arrow begins",
    "NUMBER_SIZE": "the least size of a number, and how far it is from the corner of its square",
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
