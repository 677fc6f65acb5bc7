"""What the levels of each stage teach, and positions in which to look for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from damka.rules.conditions import holds
from damka.rules.parameters import PARAMETERS
from damka.study.lessons.questions import ask
from damka.study.lessons.sketch import Path, Sketch

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.level import Kind, StageId
    from damka.study.lessons.positions import Asked

__all__ = ["Recipe", "recipes"]

Wants: TypeAlias = "Callable[[Asked, int], bool]"


def _always(_: Asked, _piece: int) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A level to look for.

    `piece` is the rank of the piece asked about. `wants` is what the position must have besides,
    given it and the square of this piece.
    """

    stage: StageId
    teaches: tuple[str, str]
    kind: Kind
    asks: str
    sketch: Sketch
    piece: str = ""
    wants: Wants = _always


def recipes(rules: Rules) -> list[Recipe]:
    """Return what to look for under these rules, in the order of a course."""
    return [recipe for stage in _STAGES for recipe in stage(rules)]


# Men.


def _men(rules: Rules) -> Iterator[Recipe]:
    man = Recipe(
        stage="men",
        teaches=("move_lines", rules.move_lines),
        kind="move",
        asks="advance",
        piece="w",
        sketch=Sketch(needs="w", others="b", number=(1, 1)),
        wants=lambda at, piece: not _captures(at) and _is_free(at, piece),
    )
    yield man
    yield replace(
        man,
        kind="land",
        asks="land",
        sketch=Sketch(needs="ww", others="wb", number=(1, 2)),
        wants=lambda at, piece: not _captures(at) and not _is_free(at, piece),
    )
    yield replace(
        man,
        kind="select",
        asks="movers",
        piece="",
        sketch=Sketch(needs="www", others="wb", number=(1, 3)),
        wants=lambda at, _: not _captures(at) and 1 < len(_starts(at)) < at.pieces.count("w"),
    )


def _capture(rules: Rules) -> Iterator[Recipe]:
    jump = Recipe(
        stage="capture",
        teaches=("capture", "jump"),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(),), others="wb", number=(0, 1)),
        wants=lambda at, _: _lengths(at) == {1} and len(at.legal) == 1 and _is_ahead(at),
    )
    yield jump
    # One of the pieces has another right behind it.
    protected = Sketch(paths=(Path(),), needs="wbb", number=(0, 1))
    yield replace(jump, sketch=protected, wants=_all_of(jump.wants, _has_protected))
    yield replace(
        jump,
        kind="select",
        asks="taken",
        piece="w",
        sketch=Sketch(paths=(Path(),), needs="bb", number=(0, 2)),
        wants=lambda at, piece: (
            _lengths(at) == {1} and 0 < len(_first(at, "taken", piece)) < _enemies(at)
        ),
    )
    if rules.capture_lines != "diagonal":
        yield from _three(
            replace(
                jump,
                teaches=("capture_lines", rules.capture_lines),
                sketch=Sketch(paths=(Path(),), others="wb", number=(1, 3)),
                wants=lambda at, _: _lengths(at) == {1},
            )
        )
    yield from _three(
        replace(
            jump,
            teaches=("man_capture", rules.man_capture),
            sketch=Sketch(paths=(Path(), Path()), others="wb", number=(0, 2)),
            wants=lambda at, _: bool(_captures(at)),
        )
    )


def _must(rules: Rules) -> Iterator[Recipe]:
    duty = Recipe(
        stage="must",
        teaches=("obligation", rules.obligation),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(),), needs="ww", others="wb", number=(0, 1)),
        wants=lambda at, _: _lengths(at) == {1} and len(_captures(at)) == 1 and len(at.quiet) > 2,
    )
    which = replace(
        duty,
        kind="select",
        asks="movers" if rules.obligation == "free" else "must",
        sketch=Sketch(paths=(Path(), Path()), needs="w", others="wb", number=(0, 2)),
        wants=lambda at, _: (
            1 < len(_first(at, "capturers", 0)) < at.pieces.count("w") and len(at.quiet) > 1
        ),
    )
    if rules.obligation == "free":
        yield from _three(which)
    else:
        yield duty
        yield which
        yield duty


def _chains(_: Rules) -> Iterator[Recipe]:
    chain = Recipe(
        stage="chains",
        teaches=("chain", "whole"),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(jumps=(2, 2)),), number=(0, 1)),
        wants=lambda at, _: _lengths(at) == {2} and len(_captures(at)) == 1,
    )
    yield chain
    yield replace(
        chain,
        kind="count",
        asks="most",
        piece="w",
        sketch=Sketch(paths=(Path(jumps=(2, 3)),), others="b", number=(0, 2)),
        wants=lambda at, piece: _first(at, "most", piece, ()) and _lengths(at) in ({2}, {3}),
    )
    yield replace(
        chain,
        sketch=Sketch(paths=(Path(jumps=(3, 3)),), others="wb", number=(0, 2)),
        wants=lambda at, _: max(_lengths(at), default=0) == 3 and len(_captures(at)) == 1,
    )


_STAGES: Final = (_men, _capture, _must, _chains)


# Other values of a parameter.


def _applies(rules: Rules, key: str) -> bool:
    return holds(PARAMETERS[key].relevant, rules.value_of)


def _three(recipe: Recipe) -> Iterator[Recipe]:
    yield from (recipe, recipe, recipe)


# What a position must have.


def _all_of(*wants: Wants) -> Wants:
    return lambda at, piece: all(want(at, piece) for want in wants)


def _captures(at: Asked) -> list[Any]:
    return [move for move in at.legal if move.captures]


def _lengths(at: Asked) -> set[int]:
    return {len(move.captures) for move in at.legal if move.captures}


def _starts(at: Asked) -> set[int]:
    return {move.start for move in at.legal}


def _enemies(at: Asked) -> int:
    return at.pieces.count("b") + at.pieces.count("B")


def _first(at: Asked, question: str, piece: int, default: Any = ()) -> Any:
    return next(iter(ask(question, at, piece)), default)


def _is_free(at: Asked, piece: int) -> bool:
    """Whether a man in the middle of the board has every move that it could have."""
    row, column = at.rules.cell(piece)
    everywhere = {"diagonal": 2, "orthogonal": 3, "diagonal+orthogonal": 5}
    inside = 1 < row < at.rules.height - 2 and 0 < column < at.rules.width - 1
    ends = [move for move in at.legal if move.start == piece]
    return inside and len(ends) == everywhere[at.rules.move_lines]


def _is_ahead(at: Asked) -> bool:
    """Whether every capture goes forward, the way that all men capture."""
    return all(
        at.rules.cell(move.end)[0] < at.rules.cell(move.start)[0]
        and abs(at.rules.cell(move.end)[0] - at.rules.cell(move.start)[0]) == 2
        for move in at.legal
    )


def _has_protected(at: Asked, _: int) -> bool:
    """Whether a man could capture forward another piece, were the square behind it empty."""
    rules = at.rules
    for square, piece in enumerate(at.pieces, 1):
        if piece != "w":
            continue
        row, column = rules.cell(square)
        for right in (-1, 0, 1):
            over = rules.square_at(row - 1, column + right)
            behind = rules.square_at(row - 2, column + 2 * right)
            if over and behind and {at.pieces[over - 1], at.pieces[behind - 1]} <= {"b", "B"}:
                return True
    return False
