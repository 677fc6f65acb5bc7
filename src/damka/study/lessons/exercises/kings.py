"""Kings: how they move and capture, and captures in which kings make a difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from damka.rulebook.words import has_kings, precedence
from damka.rules.conditions import holds
from damka.rules.parameters import PARAMETERS
from damka.study.lessons.exercises import wanted
from damka.study.lessons.exercises.recipe import Recipe, three
from damka.study.lessons.sketch import Path, Sketch

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["kings"]

_MANY = 12_000
_MORE = 40_000
"""Tries for positions that are seldom found."""


def kings(rules: Rules) -> Iterator[Recipe]:
    """Yield crowning, and how kings move and capture."""
    if has_kings(rules):
        yield from _crown()
    yield from _promotion(rules)
    if not has_kings(rules):
        return
    yield from _moves(rules)
    yield from _captures(rules)
    yield from _choice(rules)


def _crown() -> Iterator[Recipe]:
    crown = Recipe(
        stage="kings",
        teaches=("crown", "last_row"),
        kind="move",
        asks="crown",
        sketch=Sketch(needs="w", others="wb", number=(1, 2), row=1),
        wants=lambda at, _: not wanted.captures(at),
    )
    yield crown
    yield replace(
        crown,
        sketch=Sketch(paths=(Path(row=2),), others="wb", number=(1, 2)),
        wants=lambda at, _: wanted.lengths(at) == {1},
    )


def _promotion(rules: Rules) -> Iterator[Recipe]:
    arriving = Path(row=2, jumps=(2, 2) if rules.promotion == "stop" else (2, 3))
    through = Recipe(
        stage="kings",
        teaches=("promotion", rules.promotion),
        kind="land",
        asks="land",
        piece="w",
        sketch=Sketch(paths=(arriving,), others="wb", number=(0, 2)),
        wants=wanted.is_capturer,
        tries=_MANY,
    )
    yield through
    yield replace(through, kind="move", asks="capture", piece="")
    yield replace(through, kind="count", asks="most")


def _moves(rules: Rules) -> Iterator[Recipe]:
    king = Recipe(
        stage="kings",
        teaches=("king_range", rules.king_range),
        kind="land",
        asks="land",
        piece="W",
        sketch=Sketch(needs="W", others="wb", number=(1, 2)),
        wants=lambda at, piece: (
            not wanted.captures(at) and 1 < len(wanted.first(at, "land", piece)) < 8
        ),
    )
    yield king
    yield replace(king, sketch=Sketch(needs="W", others="wb", number=(2, 4)))
    yield from three(
        replace(
            king,
            kind="move",
            asks="capture",
            piece="",
            sketch=Sketch(paths=(Path(ranks="W"),), others="wbb", number=(1, 3)),
            wants=lambda at, _: wanted.lengths(at) == {1} and wanted.captures(at)[0].is_king,
        )
    )


def _captures(rules: Rules) -> Iterator[Recipe]:
    landing = Recipe(
        stage="kings",
        teaches=("king_landing", rules.king_landing),
        kind="land",
        asks="land",
        piece="W",
        sketch=Sketch(
            paths=(Path(ranks="W", victims="bB" if rules.king_landing == "any" else "B"),),
            others="wb",
            number=(0, 2),
        ),
        wants=wanted.is_capturer,
    )
    if _applies(rules, "king_landing"):
        if rules.king_landing == "adjacent":
            yield landing
            yield replace(landing, kind="move", asks="capture", piece="")
            yield landing
        else:
            yield from three(landing)
            yield from three(
                replace(
                    landing,
                    teaches=("land_on", "continue"),
                    kind="move",
                    asks="capture",
                    piece="",
                    sketch=Sketch(paths=(Path(ranks="W", jumps=(2, 2)),), number=(0, 1)),
                    wants=wanted.must_choose_landing,
                )
            )
    if _applies(rules, "man_takes_king"):
        takes = rules.man_takes_king
        victims = (Path(victims="B"),) if takes else (Path(victims="B"), Path())
        yield from three(
            replace(
                landing,
                teaches=("man_takes_king", str(takes).lower()),
                kind="move",
                asks="capture",
                piece="",
                sketch=Sketch(paths=victims, others="wb", number=(0, 2)),
                wants=lambda at, _: bool(wanted.captures(at)),
            )
        )
    through = replace(
        landing,
        sketch=Sketch(paths=(Path(ranks="W", jumps=(3, 5)),), others="b", number=(0, 2)),
        wants=wanted.is_capturer,
        tries=_MORE,
    )
    for key, value in (("removal", rules.removal), ("u_turn", str(rules.u_turn).lower())):
        if _applies(rules, key) and rules.king_range == "flying":
            yield replace(through, teaches=(key, value), kind="count", asks="most")
            yield replace(through, teaches=(key, value), kind="move", asks="capture", piece="")
            yield replace(through, teaches=(key, value))


def _choice(rules: Rules) -> Iterator[Recipe]:
    for key in precedence(rules):
        if key == "count":
            continue
        first = key == precedence(rules)[0]
        # Among captures that are equal by the criteria before.
        path = Path(
            ranks="wW" if first or key == "with_king" else "W",
            victims="bB",
            jumps=(1, 2) if first else (2, 2),
        )
        yield from three(
            Recipe(
                stage="kings",
                teaches=("precedence", key),
                kind="move",
                asks="capture",
                sketch=Sketch(
                    paths=(path, path),
                    others="wbB",
                    number=(0, 2),
                ),
                wants=lambda at, _: bool(wanted.captures(at)),
                tries=_MANY,
            )
        )


def _applies(rules: Rules, key: str) -> bool:
    return holds(PARAMETERS[key].relevant, rules.value_of)
