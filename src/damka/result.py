"""How a game ends, and how near it is to a draw: values that boards and games tell.

What the rules decide, the kernel does, in core/game/game_status.hpp; resignation and agreement are
the game's (damka/game/game.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from damka.rules import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules

__all__ = ["Counter", "Reason", "Result", "counters"]

Reason = Literal[
    "no_pieces",
    "no_moves",
    "breakthrough",
    "resignation",
    "agreement",
    "repetition",
    "same_move",
    "no_progress",
    "material",
]
"""Why a game is over.

"no_pieces" and "no_moves" say it of one side, which has lost, or won where the objective is
"losing"; "breakthrough" is the first king where that wins, "material" a draw by what is left.
A board knows all of them but "resignation" and "agreement", which are a game's.
"""


class Result(NamedTuple):
    """How a game ended: the winner, None for a draw, and the rule or the decision that ended it."""

    winner: Side | None
    reason: Reason


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
