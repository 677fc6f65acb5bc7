"""How a game ends, and how near it is to a draw: values that boards and games tell.

What the rules decide, the kernel does, in core/game/game_status.hpp; resignation and agreement are
the game's (damka/game/game.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from damka import locales
from damka.rules import Side, other

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules

__all__ = ["Counter", "Reason", "Result", "counters"]

Reason: TypeAlias = Literal[
    "no_pieces",
    "no_moves",
    "breakthrough",
    "resignation",
    "agreement",
    "repetition",
    "same_move",
    "no_progress",
    "material",
    "time",
    "time_draw",
    "abandonment",
    "abandonment_draw",
    "aborted",
]
"""Why a game is over.

- "no_pieces": a side has no piece left. It has lost, or won where the objective is "losing".
- "no_moves": the side to move cannot move. It has lost, or won where the objective is "losing".
- "breakthrough": a side has the first king, and has won by that.
- "resignation": a side gave up and has lost; only a `damka.Game` knows it.
- "agreement": both sides agreed to a draw; only a `damka.Game` knows it.
- "repetition": a draw, the same position came up as often as `Rules.repetition` says.
- "same_move": a draw, the same move was made in the same position as often as `Rules.same_move`
  says.
- "no_progress": a draw, `Rules.no_progress_moves` moves of each side without a capture, a man's
  move or a huff.
- "material": a draw by what is left on the board, as `Rules.material_draws` says.
- "time": a side ran out of time and has lost; this one and all that follow only a `damka.Game`
  knows.
- "time_draw": a draw, a side ran out of time and no sequence of legal moves wins for the other.
- "abandonment": a side left the game and has lost, because the other claimed the win.
- "abandonment_draw": a draw, a side left the game and the other claimed a draw.
- "aborted": no result, the game was broken off before both sides had moved. `winner` is None.
"""


class Result(NamedTuple):
    """How a game ended: the winner, None for a draw, and the rule or the decision that ended it."""

    winner: Side | None
    """"W" or "B", None for a draw and for a game that was aborted."""
    reason: Reason
    """What ended it."""

    def sentence(self, rules: Rules, language: str = "en") -> str:
        """Return who won and why, in `language`; `rules` are those of the game.

        Raises ValueError for a language that is not in `damka.locales.LANGUAGES`.

        >>> import damka
        >>> board = damka.Board("american", "W:W18:B14")
        >>> _ = board.push("18x9")
        >>> board.result.sentence(board.rules)
        'White wins. Red has no pieces left.'
        >>> board.result.sentence(board.rules, "it")
        'Il bianco vince. Il rosso non ha più pezzi.'
        """
        if self.reason == "aborted":
            return self._cause(rules, language)
        if self.winner is None:
            outcome = locales.translate(language, "game.result.draw")
        else:
            outcome = locales.translate(
                language, "game.result.wins", side=_side(rules, self.winner, language)
            )
        return f"{outcome} {self._cause(rules, language)}"

    def _cause(self, rules: Rules, language: str) -> str:
        key = f"game.result.{self.reason}"
        if self.reason in ("repetition", "same_move"):
            return locales.plural(language, key, getattr(rules, self.reason))
        if self.reason == "no_progress":
            return locales.plural(language, key, rules.no_progress_moves)
        if self.winner is None:
            return locales.translate(language, key)
        # In the losing game it is the winner who has nothing left or cannot move.
        is_winner = self.reason == "breakthrough" or (
            rules.objective == "losing" and self.reason in ("no_pieces", "no_moves")
        )
        about = self.winner if is_winner else other(self.winner)
        return locales.translate(language, key, side=_side(rules, about, language))


class Counter(NamedTuple):
    """How near a draw is: `n` of `limit`.

    The kinds are "no_progress" (plies without a capture, a man's move or a huff), "material" (plies
    for which the condition of a draw by what is left has been fulfilled; of several the one that
    draws first, and none while no such condition is fulfilled), "repetition" (occurrences of the
    situation on the board, this one included) and "same_move" (how often the move made most often
    in this situation has been made).
    """

    kind: Literal["no_progress", "material", "repetition", "same_move"]
    n: int
    limit: int


def _side(rules: Rules, side: Side, language: str) -> str:
    name = rules.colours[0 if side == "W" else 1]
    return locales.colour(language, name, "side")


def counters(
    rules: Rules, counts: tuple[int, int, int], material: Sequence[int | None]
) -> tuple[Counter, ...]:
    """Return the counters of the draw rules that are on.

    `counts` are the plies without progress, the occurrences of the situation, and how often the
    move made most often in it was made; `material` has the plies of each of the rules' draws by
    material, None where its condition is not fulfilled.
    """
    no_progress, occurrences, same_move = counts
    n, limit = _nearest(rules, material)
    every = (
        Counter("no_progress", no_progress, 2 * rules.no_progress_moves),
        Counter("material", n, limit),
        Counter("repetition", occurrences, rules.repetition),
        Counter("same_move", same_move, rules.same_move),
    )
    return tuple(counter for counter in every if counter.limit)


def _nearest(rules: Rules, counts: Sequence[int | None]) -> tuple[int, int]:
    """The count and the limit, in plies, of the condition that draws first; 0 and 0 for none.

    One that draws at once has nothing to count and is passed over.
    """
    running = [
        (count, 2 * draw.moves)
        for draw, count in zip(rules.material_draws, counts, strict=True)
        if count is not None and draw.moves
    ]
    return min(running, key=lambda pair: (pair[1] - pair[0], -pair[1]), default=(0, 0))
