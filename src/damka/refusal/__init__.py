"""Why a move is refused: a code and arguments for every way to be wrong, in any language.

>>> import damka
>>> board = damka.Board("dama64")
>>> refusal = explain(board, "22-17-13")
>>> refusal.code
'man_one_square'
>>> print(refusal.sentence("en"))
A man moves one square diagonally; only to capture does it jump, over the piece right next to it.
"""

from damka.refusal.explain import ambiguous, explain
from damka.refusal.record import CODES, Refusal

__all__ = ["CODES", "Refusal", "ambiguous", "explain"]
