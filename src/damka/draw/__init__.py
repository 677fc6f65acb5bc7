"""Pictures of positions: `damka.draw.svg` for pages and print, `damka.draw.text` for terminals."""

from damka.draw import svg, text

__all__ = ["svg", "text"]
