"""Find the best move of a position and its score."""

import damka
from damka.engine import Engine

board = damka.Board("international", "W:W35,36,41,42:B13,22,25,33")
engine = Engine(hash_mb=16)
analysis = engine.search(board, depth=12)
print("best:", analysis.move)
if analysis.mate is not None:
    print("the game ends in", analysis.mate, "plies")  # negative: it is lost
else:
    print(f"score: {analysis.score / 100:+.2f} men")
print("expected:", " ".join(move.hub() for move in analysis.pv[:3]))
