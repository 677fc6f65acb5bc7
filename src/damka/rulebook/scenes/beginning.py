"""Scenes: the objective of the game, and its start."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.board import Board
from damka.rulebook.scene import Scene
from damka.rulebook.scenes.squares import ahead_of_c3

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["SCENES"]


def _goal(rules: Rules) -> Iterator[Scene]:
    if rules.objective == "losing":
        # Preferably from the side, so that the arrows cross instead of overlapping.
        for black, sacrifice, landing in (
            ("c5", "d4", "e3"),
            ("b4", "c4", "d4"),
            ("e5", "d4", "c3"),
            ("c5", "c4", "c3"),
        ):
            yield Scene(
                pieces=f"wc3 b{black}",
                caption="goal.losing",
                words={"move": f"c3-{sacrifice}", "reply": f"{black}x{landing}"},
                plays=(f"c3-{sacrifice}",),
                reply=f"{black}-{landing}",
                loses=True,
            )
        return
    if rules.objective == "breakthrough":
        for move in ("c7-d8", "c7-c8"):
            yield Scene(
                pieces="wc7 bb4",
                caption="goal.breakthrough",
                words={"move": move},
                placed="top",
                plays=(move,),
                crowns=True,
            )
        return
    taken, landing = ahead_of_c3(rules)
    yield Scene(
        pieces=f"wc3 b{taken}",
        caption="goal.normal",
        words={"move": f"c3x{landing}"},
        plays=(f"c3-{landing}",),
        wins=True,
    )


def _start(rules: Rules) -> Iterator[Scene]:
    yield Scene(pieces="start", caption="start", turn=rules.first)


def _first(rules: Rules) -> Iterator[Scene]:
    move = _central_move(rules, Board(rules))
    text = f"{move.start}-{move.end}"
    yield Scene(
        pieces="start",
        caption="first",
        words={"move": text},
        turn=rules.first,
        plays=(text,),
    )


def _your_turn(rules: Rules) -> Iterator[Scene]:
    board = Board(rules)
    first = _central_move(rules, board)
    board.push(first)
    answer = _central_move(rules, board)
    first_text = f"{first.start}-{first.end}"
    route = board.routes(answer)[0]
    yield Scene(
        pieces="start",
        caption="your_turn",
        words={
            "first": first_text,
            "move": ("x" if answer.is_capture else "-").join(map(str, route)),
        },
        turn=rules.first,
        played=first_text,
        plays=("-".join(map(str, route)),),
    )


def _notation(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="", caption="notation")


def _how_to_move(_: Rules) -> Iterator[Scene]:
    for ends in ("b4|d4", "b3|c4|d3", "b3|b4|c4|d3|d4"):
        yield Scene(
            pieces="wc3 we3 bd6 bf6",
            caption="how_to_move",
            words={"man": "c3", "ends": ends},
            targets="c3",
        )


def _central_move(rules: Rules, board: Board) -> Move:
    """Return the legal move that ends nearest to the centre."""

    def distance(move: Move) -> int:
        row, column = rules.cell(move.end)
        return abs(2 * row - rules.height + 1) + abs(2 * column - rules.width + 1)

    return min(board.legal_moves, key=distance)


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "goal": _goal,
        "start": _start,
        "first": _first,
        "your_turn": _your_turn,
        "notation": _notation,
        "how_to_move": _how_to_move,
    }
)
