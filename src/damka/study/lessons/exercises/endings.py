"""The end of a game, and what is special in some games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from damka.rulebook.words import has_kings
from damka.rules.conditions import holds
from damka.rules.material import Force, MaterialDraw
from damka.rules.parameters import PARAMETERS
from damka.study.lessons.exercises import leads, wanted
from damka.study.lessons.exercises.recipe import Recipe, three
from damka.study.lessons.sketch import Path, Sketch

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["end", "special"]

_MANY = 12_000
_ONE_EACH = MaterialDraw(moves=0, strong=Force(pieces=(1, 1)), weak=Force(pieces=(1, 1)))
"""An immediate draw when each player has only one piece; other draws by material take moves."""


def end(rules: Rules) -> Iterator[Recipe]:
    """Yield how a game is won, and the draws."""
    yield from _wins(rules)
    if has_kings(rules):
        yield from _draws(rules)


def _wins(rules: Rules) -> Iterator[Recipe]:
    last = Recipe(
        stage="end",
        teaches=("objective", rules.objective),
        kind="win",
        asks="win",
        sketch=Sketch(
            paths=(Path(victims="bB" if has_kings(rules) else "b", jumps=(2, 2)),),
            others="w",
            number=(1, 2),
        ),
        wants=lambda at, _: len(wanted.captures(at)) == 1,
    )
    if rules.objective == "losing":
        last = replace(
            last,
            asks="win_soon",
            sketch=Sketch(needs="w", others="b", number=(1, 3)),
            wants=lambda at, _: at.pieces.count("w") == 1 and not wanted.captures(at),
            tries=_MANY,
        )
    elif rules.objective == "breakthrough":
        last = replace(
            last,
            sketch=Sketch(needs="w", others="wb", number=(1, 3), row=1),
            wants=lambda at, _: not wanted.captures(at),
        )
    yield last
    if rules.objective == "normal":
        yield replace(
            last,
            teaches=("no_moves", "normal"),
            sketch=Sketch(blocks=True, others="wwb", number=(0, 5)),
            wants=lambda at, _: (
                not wanted.captures(at) and len(wanted.answers(at, "win")) < len(at.legal)
            ),
            tries=2 * _MANY,
        )


def _draws(rules: Rules) -> Iterator[Recipe]:
    back = Recipe(
        stage="end",
        teaches=("repetition", str(rules.repetition)),
        kind="draw",
        asks="draw",
        sketch=Sketch(needs="WB", others="wbWB", number=(0, 1)),
        lead=leads.repeating(rules.repetition, opening=True),
        wants=lambda at, _: not at.drawn and at.winner is None,
        tries=400,
    )
    if rules.repetition:
        yield back
    if rules.same_move:
        yield replace(
            back,
            teaches=("same_move", str(rules.same_move)),
            lead=leads.repeating(rules.same_move, opening=False),
        )
    if _ONE_EACH in rules.material_draws:
        yield replace(
            back,
            teaches=("material_draws", "one_each"),
            sketch=Sketch(paths=(Path(),), needs="b", number=(0, 0)),
            lead=leads.at_once,
            wants=lambda at, _: bool(wanted.captures(at)),
            tries=_MANY,
        )
    if rules.no_progress_moves:
        yield replace(
            back,
            teaches=("no_progress_moves", str(rules.no_progress_moves)),
            kind="count",
            asks="idle",
            lead=leads.at_once,
            wants=lambda at, _: not wanted.captures(at),
            tries=60,
        )


def special(rules: Rules) -> Iterator[Recipe]:
    """Yield huffing, and the rest of a king."""
    if rules.obligation == "huff":
        missed = Recipe(
            stage="special",
            teaches=("huffing", "remove"),
            kind="huff",
            asks="huff",
            sketch=Sketch(
                paths=(Path(ranks="b", victims="w"),), needs="bw", others="wb", number=(0, 2)
            ),
            turn="B",
            lead=leads.offence,
            wants=lambda at, _: len(at.huffable) == 1,
        )
        yield missed
        yield replace(missed, spare=True)
        yield replace(
            missed,
            sketch=Sketch(paths=(Path(ranks="b", victims="w"),) * 2, needs="b", number=(0, 2)),
            wants=lambda at, _: len(at.huffable) == 2,
        )
    if rules.king_streak and holds(PARAMETERS["king_streak"].relevant, rules.value_of):
        yield from three(
            Recipe(
                stage="special",
                teaches=("king_streak", str(rules.king_streak)),
                kind="select",
                asks="movers",
                sketch=Sketch(needs="WwB", others="wb", number=(0, 2)),
                lead=leads.streak,
                wants=lambda at, _: not wanted.captures(at),
            )
        )
