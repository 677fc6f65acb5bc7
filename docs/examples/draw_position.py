"""Draw a position as SVG and PNG, and a game as a GIF."""

import tempfile
from pathlib import Path

import damka
from damka.draw import Marks, raster, svg

folder = Path(tempfile.mkdtemp())
board = damka.Board("dama64", "W:W22,27:B18,K3")
capture = board.parse("22x15")
picture = svg.board(board, Marks(last=[capture.start, capture.end]))
(folder / "board.svg").write_text(picture, "utf-8")
(folder / "board.png").write_bytes(raster.png(picture, width=600))

game = damka.Game("dama64")
for move in ("22-18", "9-13", "18-14"):
    game.play(move)
(folder / "game.gif").write_bytes(raster.gif(svg.frames(game), width=300, seconds=0.8))
print(sorted(path.name for path in folder.iterdir()))
