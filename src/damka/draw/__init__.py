"""Pictures of positions and games.

`damka.draw.svg` draws for pages and print, `damka.draw.raster` makes PNG, GIF and WebP of it, and
`damka.draw.text` draws for terminals.
"""

from damka.draw import raster, svg, text
from damka.draw.marks import Arrow, Marks, Style

__all__ = ["Arrow", "Marks", "Style", "raster", "svg", "text"]
