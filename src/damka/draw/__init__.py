"""Pictures of positions and games.

`damka.draw.svg` draws for pages and print, `damka.draw.raster` makes PNG, GIF and WebP of it, and
`damka.draw.text` draws for terminals.
"""

from damka.draw import raster, svg, text
from damka.draw.marks import Arrow, Marks, Style
from damka.draw.record import Played, Tree

__all__ = ["Arrow", "Marks", "Played", "Style", "Tree", "raster", "svg", "text"]


def __dir__() -> list[str]:
    return __all__
