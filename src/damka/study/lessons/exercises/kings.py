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

__all__ = ["king_captures", "kings"]

_MANY = 12_000
_MORE = 40_000
"""Tries for positions that are seldom found."""


def kings(rules: Rules) -> Iterator[Recipe]:
    """Yield crowning, how kings move, and whether a man may take one."""
    if not has_kings(rules):
        yield from _promotion(rules)
        return
    yield _crown()
    yield _moves(rules)
    if _applies(rules, "man_takes_king"):
        yield from _man_takes_king(rules)
    yield from _promotion(rules)


def king_captures(rules: Rules) -> Iterator[Recipe]:
    """Yield how kings capture, the easy parts first, and choices between captures by kings."""
    if not has_kings(rules):
        return
    yield from _captures(rules)
    yield from _landing(rules)
    yield from _choice(rules)
    yield from _through(rules)


def _crown() -> Recipe:
    return Recipe(
        stage="kings",
        teaches=("crown", "last_row"),
        kind="move",
        asks="crown",
        sketch=Sketch(needs="w", others="wb", number=(1, 2), row=1),
        wants=lambda at, _: not wanted.captures(at),
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
    if rules.promotion != "stop":
        yield replace(through, kind="move", asks="capture", piece="")


def _moves(rules: Rules) -> Recipe:
    return Recipe(
        stage="kings",
        teaches=("king_range", rules.king_range),
        kind="land",
        asks="land",
        piece="W",
        sketch=Sketch(needs="W", others="wb", number=(1, 2)),
        wants=lambda at, piece: (
            not wanted.captures(at) and 1 < len(wanted.first(at, "land", piece)) < 6
        ),
    )


def _captures(rules: Rules) -> Iterator[Recipe]:
    yield from three(
        Recipe(
            stage="king_captures",
            teaches=("king_range", rules.king_range),
            kind="move",
            asks="capture",
            sketch=Sketch(paths=(Path(ranks="W"),), others="wbb", number=(1, 3)),
            wants=lambda at, _: wanted.lengths(at) == {1} and wanted.captures(at)[0].is_king,
        ),
        required=2,
    )


def _landing(rules: Rules) -> Iterator[Recipe]:
    if not _applies(rules, "king_landing"):
        return
    victims = "bB" if rules.king_landing == "any" else "B"
    landing = Recipe(
        stage="king_captures",
        teaches=("king_landing", rules.king_landing),
        kind="land",
        asks="land",
        piece="W",
        sketch=Sketch(paths=(Path(ranks="W", victims=victims),), others="wb", number=(0, 2)),
        wants=wanted.is_capturer,
    )
    yield from three(landing)
    if rules.king_landing != "adjacent":
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


def _man_takes_king(rules: Rules) -> Iterator[Recipe]:
    takes = rules.man_takes_king
    victims = (Path(victims="B"),) if takes else (Path(victims="B"), Path())
    yield from three(
        Recipe(
            stage="kings",
            teaches=("man_takes_king", str(takes).lower()),
            kind="move",
            asks="capture",
            sketch=Sketch(paths=victims, others="wb", number=(0, 2)),
            wants=lambda at, _: bool(wanted.captures(at)),
        )
    )


def _through(rules: Rules) -> Iterator[Recipe]:
    """Yield recipes for the removal of captured pieces, and for a king that turns back."""
    through = Recipe(
        stage="king_captures",
        teaches=("removal", rules.removal),
        kind="count",
        asks="most",
        piece="W",
        sketch=Sketch(paths=(Path(ranks="W", jumps=(3, 4)),), others="b", number=(0, 1)),
        wants=wanted.is_capturer,
        tries=_MORE,
    )
    for key, value in (("u_turn", str(rules.u_turn).lower()), ("removal", rules.removal)):
        if _applies(rules, key) and rules.king_range == "flying":
            taught = replace(through, teaches=(key, value))
            yield taught
            yield replace(taught, kind="move", asks="capture", piece="", spare=True)
            yield replace(taught, spare=True)


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
                stage="king_captures",
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
