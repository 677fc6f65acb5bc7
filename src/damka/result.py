"""Results of games, and counters of draw rules.

The kernel determines results by the rules, in core/game/game_status.hpp; resignation and
agreement are the game's (damka/game/game.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from damka import locales
from damka.rules import Side, other

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules

__all__ = ["Counter", "Reason", "Result", "counters", "drawn_after", "variant"]

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
    "move_limit",
    "time",
    "time_draw",
    "abandonment",
    "abandonment_draw",
    "aborted",
]
"""The reason why a game is over.

- "no_pieces": a side has no piece left. It has lost, or won where the objective is "losing".
- "no_moves": the side to move cannot move. It has lost, or won where the objective is "losing".
- "breakthrough": a side has the first king, and has won by that.
- "resignation": a side resigned and has lost; only in a `damka.Game`.
- "agreement": both sides agreed to a draw; only in a `damka.Game`.
- "repetition": a draw, the same position, or the same pieces, occurred `Rules.repetition` times.
- "same_move": a draw, a side made the same move in the same position, or anywhere in the game,
  `Rules.same_move` times.
- "no_progress": a draw, `Rules.no_progress_moves` moves without a capture, a man's move or a huff.
- "material": a draw by the remaining material, by `Rules.material_draws`.
- "move_limit": a draw, after `Rules.move_limit` moves of the game.
- "time": a side ran out of time and has lost; this reason and all that follow are only in a
  `damka.Game`.
- "time_draw": a draw, a side ran out of time and no sequence of legal moves wins for the other.
- "abandonment": a side left the game and has lost, because the other claimed the win.
- "abandonment_draw": a draw, a side left the game and the other claimed a draw.
- "aborted": no result, the game was aborted before both sides had moved. `winner` is None.
"""


class Result(NamedTuple):
    """The result of a game: the winner, None for a draw, and the reason."""

    winner: Side | None
    """The winner, "W" or "B"; None for a draw and for an aborted game."""
    reason: Reason
    """The rule or decision that ended the game."""

    def sentence(self, rules: Rules, language: str = "en") -> str:
        """Return a sentence on the winner and the reason, in `language`; `rules` are the game's.

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
        if (counted := drawn_after(rules, self.reason)) is not None:
            return locales.plural(language, f"game.result.{counted[0]}", counted[1])
        if self.winner is None:
            return locales.translate(language, key)
        # In a losing game it is the winner who has no pieces or moves.
        is_winner = self.reason == "breakthrough" or (
            rules.objective == "losing" and self.reason in ("no_pieces", "no_moves")
        )
        about = self.winner if is_winner else other(self.winner)
        return locales.translate(language, key, side=_side(rules, about, language))


def drawn_after(rules: Rules, reason: Reason | str) -> tuple[str, int] | None:
    """Return the name of a draw by counting and its count; None for another reason.

    The name is the reason's, with a suffix for its variants.
    """
    match reason:
        case "repetition":
            return variant(rules, reason), rules.repetition
        case "same_move":
            return variant(rules, reason), rules.same_move
        case "no_progress":
            return variant(rules, reason), rules.no_progress_moves
        case "move_limit":
            return variant(rules, reason), rules.move_limit
    return None


def variant(rules: Rules, kind: str) -> str:
    """Return the name of a draw rule, with a suffix for how these rules count.

    It is "repetition.pieces", "same_move.game", "no_progress.both" or "move_limit.both", or else
    `kind`.
    """
    suffix = {
        "repetition": rules.repetition_of,
        "same_move": rules.same_move_in,
        "no_progress": rules.moves_by,
        "move_limit": rules.moves_by,
    }.get(kind)
    return kind if suffix in (None, "position", "each") else f"{kind}.{suffix}"


class Counter(NamedTuple):
    """The count of a draw rule: `n` of `limit`.

    The kinds are "no_progress" (plies without a capture, a man's move or a huff), "material" (plies
    since the condition of a material draw is fulfilled; of several, the one that draws first, and
    omitted if no condition is fulfilled), "repetition" (occurrences of the situation on the board,
    or of its pieces, including this one), "same_move" (the highest count of one move in this
    situation; if the move counts anywhere, of one that the side to move can make now) and
    "move_limit" (plies of the game).
    """

    kind: Literal["no_progress", "material", "repetition", "same_move", "move_limit"]
    n: int
    limit: int


def _side(rules: Rules, side: Side, language: str) -> str:
    name = rules.colours[0 if side == "W" else 1]
    return locales.colour(language, name, "side")


def counters(
    rules: Rules, counts: tuple[int, int, int, int], material: Sequence[int | None]
) -> tuple[Counter, ...]:
    """Return the counters of the active draw rules.

    `counts` are the plies without progress, the occurrences of the situation, the highest count
    of one move in it, and the plies of the game; `material` has the plies of each of the rules'
    material draws, None where its condition is not fulfilled.
    """
    no_progress, occurrences, same_move, plies = counts
    n, limit = _nearest(rules, material)
    every = (
        Counter("no_progress", no_progress, rules.no_progress_plies),
        Counter("material", n, limit),
        Counter("repetition", occurrences, rules.repetition),
        Counter("same_move", same_move, rules.same_move),
        Counter("move_limit", plies, rules.move_limit_plies),
    )
    return tuple(counter for counter in every if counter.limit)


def _nearest(rules: Rules, counts: Sequence[int | None]) -> tuple[int, int]:
    """Return count and limit, in plies, of the condition that draws first; 0 and 0 for none.

    An immediate draw has no count and is skipped.
    """
    running = [
        (count, 2 * draw.moves)
        for draw, count in zip(rules.material_draws, counts, strict=True)
        if count is not None and draw.moves
    ]
    return min(running, key=lambda pair: (pair[1] - pair[0], -pair[1]), default=(0, 0))
