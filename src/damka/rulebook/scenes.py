"""The scenes of every topic: for each, one or more that could explain it, the best first.

Which one is shown, `damka.rulebook.scene.stage` decides: the first whose claims are all true under
the rules at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.board import Board
from damka.rulebook.scene import Diagram, Scene, stage

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["diagram"]


def diagram(rules: Rules, topic: str) -> Diagram | None:
    """Return the picture for a topic under these rules, None if it has no true one."""
    staged = (stage(rules, scene) for scene in _SCENES[topic](rules))
    return next((picture for picture in staged if picture is not None), None)


def _goal(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 bd4", caption="goal", words={"move": "c3xe5"}, plays=("c3-e5",), wins=True
    )


def _start(rules: Rules) -> Iterator[Scene]:
    yield Scene(pieces="start", caption="start", turn=rules.first)


def _first(rules: Rules) -> Iterator[Scene]:
    move = _central(rules, Board(rules))
    played = f"{move.start}-{move.end}"
    yield Scene(
        pieces="start",
        caption="first",
        words={"move": played},
        turn=rules.first,
        plays=(played,),
    )


def _your_turn(rules: Rules) -> Iterator[Scene]:
    board = Board(rules)
    first = _central(rules, board)
    board.push(first)
    answer = _central(rules, board)
    played, reply = (f"{move.start}-{move.end}" for move in (first, answer))
    yield Scene(
        pieces="start",
        caption="your_turn",
        words={"first": played, "move": reply},
        turn=rules.first,
        played=played,
        plays=(reply,),
    )


def _man_move(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wd4",
        caption="man_move",
        words={"man": "d4", "ends": "c5|e5"},
        targets="d4",
        crosses="c3 e3",
    )


def _man_capture(_: Rules) -> Iterator[Scene]:
    both = "wd4 be5 bc3"
    yield Scene(
        pieces=both,
        caption="man_capture.all",
        words={"man": "d4", "taken": "c3|e5"},
        plays=("d4-f6", "d4-b2"),
    )
    yield Scene(
        pieces=both,
        caption="man_capture.forward",
        words={"move": "d4xf6", "barred": "d4xb2"},
        plays=("d4-f6",),
        forbids=("d4-b2",),
    )


def _chain(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 bd4 bf4",
        caption="chain",
        words={"move": "c3xe5xg3", "taken": "d4 f4"},
        plays=("c3-e5-g3",),
        never=("c3-e5",),
    )
    yield Scene(
        pieces="wc3 bd4 bd6",
        caption="chain",
        words={"move": "c3xe5xc7", "taken": "d4 d6"},
        plays=("c3-e5-c7",),
        never=("c3-e5",),
    )


def _removal(rules: Rules) -> Iterator[Scene]:
    # The capturer comes round to where it began and stands before the first piece that it took.
    ring, outside = "Wc3 bd4 bf4 bf2 bd2", " bf6"
    taken = "d2 d4 f2 f4"
    if rules.king_range == "flying":
        yield Scene(
            pieces=ring + outside,
            caption="removal.crossed",
            words={"move": "c3xe5xg3xe1xc3xg7", "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3-g7",),
        )
        yield Scene(
            pieces=ring + outside,
            caption="removal.blocked",
            words={"taken": taken, "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3",),
            forbids=("c3-e5-g3-e1-c3-g7",),
            faded=taken,
        )
    yield Scene(
        pieces=ring,
        caption="removal.ring",
        words={"move": "c3xe5xg3xe1xc3", "taken": taken},
        plays=("c3-e5-g3-e1-c3",),
        never=("c3-e5-g3-e1-c3-e5",),
        faded=taken if rules.removal == "after" else "",
    )


def _promotion(_: Rules) -> Iterator[Scene]:
    caught = "wd6 be7 bg7"
    for kept, crowns in (("go", True), ("pass", False)):
        yield Scene(
            pieces=caught,
            caption=f"promotion.{kept}",
            words={"move": "d6xf8xh6", "end": "f8"},
            placed="top",
            plays=("d6-f8-h6",),
            crowns=crowns,
        )
    yield Scene(
        pieces=caught,
        caption="promotion.stop",
        words={"move": "d6xf8", "other": "g7"},
        placed="top",
        plays=("d6-f8",),
        crowns=True,
        forbids=("d6-f8-h6",),
    )


def _king_move(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="Wd4", caption="king_move", words={"king": "d4"}, targets="d4")


def _king_capture(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wb2 be5 bc5",
        caption="king_capture.flying",
        words={"move": "b2xf6", "taken": "e5", "via": "d4", "other": "c5"},
        plays=("b2-f6",),
        forbids=("b2-d4-b6",),
    )
    yield Scene(
        pieces="Wd4 be5 bc3",
        caption="king_capture.short",
        words={"king": "d4", "taken": "c3|e5"},
        plays=("d4-f6", "d4-b2"),
    )


def _king_landing(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wb2 bd4",
        caption="king_landing.adjacent",
        words={"king": "b2", "taken": "d4", "end": "e5"},
        targets="b2",
        beyond="d4 e5",
    )
    yield Scene(
        pieces="Wb2 bd4",
        caption="king_landing.any",
        words={"king": "b2", "taken": "d4"},
        targets="b2",
    )


def _man_takes_king(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 Bd4",
        caption="man_takes_king.true",
        words={"move": "c3xe5", "taken": "d4"},
        plays=("c3-e5",),
    )
    yield Scene(
        pieces="wc3 Bd4",
        caption="man_takes_king.false",
        words={"move": "c3xe5", "taken": "d4"},
        forbids=("c3-e5",),
    )


def _precedence(rules: Rules) -> Iterator[Scene]:
    if not rules.precedence:
        yield Scene(
            pieces="wc3 bb4 bd4 bd6",
            caption="precedence.free",
            words={"moves": "c3xa5 c3xe5xc7"},
            plays=("c3-e5-c7", "c3-a5"),
        )
        return
    if rules.precedence[0] == "count" and rules.man_takes_king:
        yield _MEN_OR_KINGS
    yield from _FIRST_KEY[rules.precedence[0]]


# One man may take three men or two kings.
_MEN_OR_KINGS: Final = Scene(
    pieces="we1 bd2 bb4 bb6 Bf2 Bf4",
    caption="precedence.men_or_kings",
    words={"move": "e1xc3xa5xc7", "barred": "e1xg3xe5"},
    plays=("e1-c3-a5-c7",),
    forbids=("e1-g3-e5",),
)

_COUNT: Final = (
    Scene(
        pieces="wc3 bb4 bd4 bd6",
        caption="precedence.must",
        words={"move": "c3xe5xc7", "barred": "c3xa5"},
        plays=("c3-e5-c7",),
        forbids=("c3-a5",),
    ),
)

_WITH_KING: Final = (
    Scene(
        pieces="wc3 bb4 Wf2 bg3",
        caption="precedence.must",
        words={"move": "f2xh4", "barred": "c3xa5"},
        plays=("f2-h4",),
        forbids=("c3-a5",),
    ),
)

_KINGS: Final = tuple(
    Scene(
        pieces=f"{capturer}c3 Bb4 bd4",
        caption="precedence.must",
        words={"move": "c3xa5", "barred": "c3xe5"},
        plays=("c3-a5",),
        forbids=("c3-e5",),
    )
    for capturer in "wW"
)

_KING_EARLY: Final = tuple(
    Scene(
        pieces=f"{capturer}e1 Bd2 bb4 bf2 Bf4",
        caption="precedence.must",
        words={"move": "e1xc3xa5", "barred": "e1xg3xe5"},
        plays=("e1-c3-a5",),
        forbids=("e1-g3-e5",),
    )
    for capturer in "wW"
)

_FIRST_KEY: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {"count": _COUNT, "with_king": _WITH_KING, "kings": _KINGS, "king_early": _KING_EARLY}
)


def _obligation(rules: Rules) -> Iterator[Scene]:
    if rules.obligation == "huff":
        # Another move can be played there: that is what the next picture is about.
        yield Scene(
            pieces="wc3 bd4 wg3",
            caption="obligation.huff",
            words={"move": "c3xe5", "other": "g3-h4"},
            plays=("c3-e5",),
            must=True,
        )
        return
    yield Scene(
        pieces="wc3 bd4 wg3",
        caption="precedence.must",
        words={"move": "c3xe5", "barred": "g3-h4"},
        plays=("c3-e5",),
        forbids=("g3-h4",),
        must=True,
    )


def _huffing(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 bd4 wg3",
        caption="huffing",
        words={"played": "g3-h4", "missed": "c3xe5", "man": "c3"},
        played="g3-h4",
        huffable="c3",
    )


def _no_moves(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="wa3 bb4 bc5", caption="no_moves", placed="bottom", stuck=True)


def _agreement(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="Wg1 Bb8", caption="agreement", placed="edges")


def _repetition(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wg1 Bb8",
        caption="repetition",
        words={"there": "g1-h2 b8-a7", "back": "h2-g1 a7-b8"},
        placed="edges",
        plays=("g1-h2",),
        reply="b8-a7",
        repeats=True,
    )


def _same_move(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wg1 Bb8",
        caption="same_move",
        words={"move": "g1-h2"},
        placed="edges",
        plays=("g1-h2",),
    )


def _no_progress(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wc1 Wg1 Bb8",
        caption="no_progress",
        placed="edges",
        plays=("c1-b2",),
        reply="b8-a7",
        repeats=True,
    )


def _how_to_move(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 we3 bd6 bf6",
        caption="how_to_move",
        words={"man": "c3", "ends": "b4|d4"},
        targets="c3",
    )


def _central(rules: Rules, board: Board) -> Move:
    """Return the legal move that ends nearest to the middle."""

    def far(move: Move) -> int:
        row, column = rules.cell(move.end)
        return abs(2 * row - rules.height + 1) + abs(2 * column - rules.width + 1)

    return min(board.legal_moves, key=far)


_SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "goal": _goal,
        "start": _start,
        "first": _first,
        "your_turn": _your_turn,
        "man_move": _man_move,
        "man_capture": _man_capture,
        "chain": _chain,
        "removal": _removal,
        "promotion": _promotion,
        "king_move": _king_move,
        "king_capture": _king_capture,
        "king_landing": _king_landing,
        "man_takes_king": _man_takes_king,
        "precedence": _precedence,
        "obligation": _obligation,
        "huffing": _huffing,
        "no_moves": _no_moves,
        "agreement": _agreement,
        "repetition": _repetition,
        "same_move": _same_move,
        "no_progress": _no_progress,
        "how_to_move": _how_to_move,
    }
)
