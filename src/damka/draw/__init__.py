"""Pictures of positions and games.

`damka.draw.svg` draws for pages and print, `damka.draw.raster` makes PNG, GIF and WebP of it, and
`damka.draw.text` draws for terminals.
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.draw import raster, svg, text
from damka.draw.drawable import DrawableGame, HasPlayback
from damka.draw.marks import Arrow, Marks, Style

__all__ = ["Arrow", "DrawableGame", "HasPlayback", "Marks", "Style", "raster", "svg", "text"]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Played": "DrawableGame", "Tree": "HasPlayback"})
