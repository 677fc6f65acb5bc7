"""Pictures of positions: `damka.draw.svg` for pages and print, `damka.draw.text` for terminals."""

from damka.draw import svg, text
from damka.draw.marks import Arrow, Marks, Style

__all__ = ["Arrow", "Marks", "Style", "svg", "text"]
