"""Men: how they move and capture, and which captures are compulsory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from damka.rulebook.words import precedence
from damka.study.lessons.exercises import wanted
from damka.study.lessons.exercises.recipe import Recipe, three
from damka.study.lessons.sketch import Path, Sketch

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["capture", "chains", "choice", "men", "must"]


def men(rules: Rules) -> Iterator[Recipe]:
    """Yield how men move."""
    man = Recipe(
        stage="men",
        teaches=("move_lines", rules.move_lines),
        kind="move",
        asks="advance",
        piece="w",
        sketch=Sketch(needs="w", others="b", number=(1, 1)),
        # Where men go in five directions a random move would too often be right.
        wants=lambda at, piece: (
            not wanted.captures(at)
            and wanted.is_free(at, piece) is (rules.move_lines != "diagonal+orthogonal")
        ),
    )
    yield man
    yield replace(
        man,
        kind="land",
        asks="land",
        sketch=Sketch(needs="ww", others="wb", number=(1, 2)),
        wants=lambda at, piece: not wanted.captures(at) and not wanted.is_free(at, piece),
    )


def capture(rules: Rules) -> Iterator[Recipe]:
    """Yield how men capture."""
    jump = Recipe(
        stage="capture",
        teaches=("capture", "jump"),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(),), others="wb", number=(0, 1)),
        wants=lambda at, _: (
            wanted.lengths(at) == {1} and len(at.legal) == 1 and wanted.is_ahead(at)
        ),
    )
    yield jump
    # One of the pieces has another right behind it.
    protected = Sketch(paths=(Path(),), needs="wbb", number=(0, 1))
    yield replace(jump, sketch=protected, wants=wanted.all_of(jump.wants, wanted.has_protected))
    if rules.capture_lines != "diagonal":
        yield from three(
            replace(
                jump,
                teaches=("capture_lines", rules.capture_lines),
                sketch=Sketch(paths=(Path(),), others="wb", number=(1, 3)),
                wants=lambda at, _: wanted.lengths(at) == {1},
            )
        )
    yield from three(
        replace(
            jump,
            teaches=("man_capture", rules.man_capture),
            sketch=Sketch(paths=(Path(), Path()), others="wb", number=(0, 2)),
            wants=lambda at, _: bool(wanted.captures(at)),
        ),
        required=2,
    )


def _has_gifts(rules: Rules) -> bool:
    """Whether the opponent must take a piece that is given, and to lose pieces is bad."""
    return rules.obligation == "forced" and rules.objective != "losing"


def must(rules: Rules) -> Iterator[Recipe]:
    """Yield the duty to capture."""
    duty = Recipe(
        stage="must",
        teaches=("obligation", rules.obligation),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(),), needs="ww", others="wb", number=(0, 1)),
        wants=lambda at, _: (
            wanted.lengths(at) == {1} and len(wanted.captures(at)) == 1 and len(at.quiet) > 2
        ),
    )
    which = replace(
        duty,
        kind="select",
        asks="movers" if rules.obligation == "free" else "must",
        sketch=Sketch(paths=(Path(), Path()), needs="w", others="wb", number=(0, 2)),
        wants=lambda at, _: (
            1 < len(wanted.first(at, "capturers", 0)) < at.pieces.count("w") and len(at.quiet) > 1
        ),
    )
    if rules.obligation == "free":
        yield from three(which, required=2)
    else:
        yield duty
        yield which
        if _has_gifts(rules):
            yield replace(
                duty,
                kind="sequence",
                asks="exchange",
                sketch=Sketch(paths=(Path(),), gives=True, needs="b", others="wb", number=(0, 1)),
                wants=wanted.is_exchange,
            )
        yield replace(duty, spare=_has_gifts(rules))


def chains(rules: Rules) -> Iterator[Recipe]:
    """Yield captures of several pieces."""
    most = 3 if rules.height > 6 else 2
    chain = Recipe(
        stage="chains",
        teaches=("chain", "whole"),
        kind="move",
        asks="capture",
        sketch=Sketch(paths=(Path(jumps=(2, 2)),), number=(0, 1)),
        wants=lambda at, _: wanted.lengths(at) == {2} and len(wanted.captures(at)) == 1,
    )
    yield chain
    yield replace(
        chain,
        kind="count",
        asks="most",
        piece="w",
        sketch=Sketch(paths=(Path(jumps=(2, 3)),), others="b", number=(0, 2)),
        wants=lambda at, piece: (
            wanted.first(at, "most", piece, ()) and wanted.lengths(at) in ({2}, {3})
        ),
    )
    yield replace(
        chain,
        spare=True,
        sketch=Sketch(paths=(Path(jumps=(most, most)),), others="wb", number=(0, 2)),
        wants=lambda at, _: (
            max(wanted.lengths(at), default=0) == most and len(wanted.captures(at)) == 1
        ),
    )
    if _has_gifts(rules):
        yield Recipe(
            stage="chains",
            teaches=("obligation", "forced"),
            kind="sequence",
            asks="shot",
            sketch=Sketch(paths=(Path(jumps=(2, 2)),), gives=True, others="wb", number=(0, 1)),
            wants=wanted.is_shot,
        )


def choice(rules: Rules) -> Iterator[Recipe]:
    """Yield which capture to make, if that does not depend on kings."""
    keys = precedence(rules)
    which = Recipe(
        stage="choice",
        teaches=("precedence", "free"),
        kind="select",
        asks="capturers",
        sketch=Sketch(paths=(Path(), Path(jumps=(2, 2))), needs="w", others="wb", number=(0, 1)),
        wants=lambda at, _: len(wanted.first(at, "capturers", 0)) > 1,
    )
    if set(keys) <= {"with_king"}:
        # Between men the choice is free.
        yield which
        yield replace(
            which,
            kind="move",
            asks="capture",
            sketch=Sketch(paths=(Path(jumps=(1, 2)),), needs="bww", others="wb", number=(0, 2)),
            wants=lambda at, _: len(wanted.captures(at)) > 1,
        )
        yield replace(which, spare=True)
    if "count" in keys:
        yield from three(
            replace(
                which,
                teaches=("precedence", "count"),
                kind="move",
                asks="capture",
                sketch=Sketch(paths=(Path(), Path(jumps=(2, 3))), others="wb", number=(0, 2)),
                wants=lambda at, _: max(wanted.lengths(at), default=0) > 1,
            ),
            required=2,
        )
