"""Rule sets of every kind that the parameters allow, and an exhaustive search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka import Board, Game, reference
from damka.engine import WIN, Engine, levels
from damka.rules import MaterialDraw, Rules, load
from tests.support import RULE_SETS

if TYPE_CHECKING:
    import random

_AMERICAN = load("american")
_INTERNATIONAL = load("international")
_RUSSIAN = load("russian")


def _house(base: Rules, name: str, **changes: object) -> Rules:
    return base.replace(name=name, **changes)


KINDS: Final[dict[str, Rules]] = {
    rules.name: rules
    for rules in (
        RULE_SETS["turkish"],
        _house(
            RULE_SETS["turkish"],
            "armenian",
            move_lines="diagonal+orthogonal",
            removal="after",
            precedence=(),
        ),
        RULE_SETS["frisian"],
        RULE_SETS["canadian"],
        RULE_SETS["killer"],
        _house(_RUSSIAN, "spantsiretti", width=10, height=8),
        _house(_AMERICAN, "small", width=6, height=6, rows=2),
        _house(_INTERNATIONAL, "antidraughts", objective="losing"),
        _house(_AMERICAN, "giveaway", objective="losing"),
        _house(_RUSSIAN, "poddavki", objective="losing"),
        _house(_INTERNATIONAL, "breakthrough", objective="breakthrough"),
        _house(RULE_SETS["frisian"], "frisian-breakthrough", objective="breakthrough"),
        _house(_AMERICAN, "free", obligation="free"),
        _house(_RUSSIAN, "free-losing", obligation="free", objective="losing"),
        _house(_INTERNATIONAL, "wide-losing", width=12, height=12, rows=5, objective="losing"),
        _house(load("dama100"), "huff-losing", objective="losing"),
    )
}


def without_draws(rules: Rules) -> Rules:
    """Return the rules without draw rules."""
    draws = {"repetition": 0, "same_move": 0, "no_progress_moves": 0, "material_draws": ()}
    return rules.replace(name=f"{rules.name}-on", **draws)


def exact_score(rules: Rules, position: reference.Position, plies: int) -> int:
    """Return the exact score for the side to move if the game ends within `plies`, else 0.

    The scale is the engine's: WIN - n for a win in n plies, n - WIN for a loss. Computed by
    exhaustive search with the reference rules.
    """
    winner = reference.winner(rules, position)
    if winner:
        return WIN if winner == position.turn else -WIN
    if plies == 0:
        return 0
    replies = (
        exact_score(rules, reference.apply(rules, position, move), plies - 1)
        for move in reference.legal_moves(rules, position)
    )
    return max(-reply + (reply > 0) - (reply < 0) for reply in replies)


def tiny_position(rules: Rules, rng: random.Random, max_pieces: int) -> reference.Position:
    """Return a random position with one to `max_pieces` pieces per side, some of them kings.

    All are within four rows and six columns, so that they interact.
    """
    top, left = rng.randint(0, rules.height - 4), rng.randint(0, rules.width - 6)
    cells = [(row, column) for row in range(top, top + 4) for column in range(left, left + 6)]
    near = [square for cell in cells if (square := rules.square_at(*cell))]
    squares = rng.sample(near, rng.randint(2, 2 * max_pieces))
    pieces = {}
    for number, square in enumerate(squares):
        side = "WB"[number % 2]
        king = rules.objective != "breakthrough" and rng.random() < 0.3
        if rules.cell(square)[0] == rules.crowning_row(side):  # type: ignore[arg-type]
            if rules.objective == "breakthrough":
                continue
            king = True
        pieces[square] = side if king else side.lower()
    return reference.place(rules, rng.choice("WB"), pieces)  # type: ignore[arg-type]


def board_of(rules: Rules, position: reference.Position) -> Board:
    """Return the position as a board."""
    return Board(rules).with_pieces(position.pieces, position.turn)


def act(game: Game, engine: Engine, level: int, rng: random.Random) -> None:
    """Play a level's turn, including a huff; the game refuses illegal actions."""
    game.apply(levels.choose(engine, game, level, rng))


def material(**fields: object) -> tuple[MaterialDraw, ...]:
    """Return a single material draw rule."""
    return (MaterialDraw(**fields),)  # type: ignore[arg-type]
