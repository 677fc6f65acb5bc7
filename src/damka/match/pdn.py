"""Games of a match as Portable Draughts Notation, also read again by an interrupted match.

A record has the tags of PDN 3.0 and some of the match's own (`damka.match.store`). "1-0" ("2-0" in
the games where a win counts two points) is a win for White, the side at the bottom, whoever moves
first. Moves are written as the federation prints them; a huff stands in a comment before the move.
Source: Portable Draughts Notation 3.0.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from damka.board import Board
from damka.notation import fen, labels, pdn_game_type, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from damka.game import Game
    from damka.rules import Side

__all__ = ["read", "record"]

_TWO_POINTS: Final = (20, 27)
"""The game types in which a win counts two points."""

_WIDTH: Final = 80
_TAG: Final = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


def record(
    game: Game,
    *,
    winner: Side | None,
    names: Mapping[Side, str],
    own: Mapping[str, str],
) -> str:
    """Return the record of a finished game, with an empty line at its end.

    `winner` need not be the game's own: it may have been given up or adjudicated. `own` are tags
    beside the standard's own, in their order.
    """
    rules = game.rules
    result = _result(rules.game_type, winner)
    head = {
        "Event": f"{rules.title_in('en')}: a match",
        "Date": datetime.now(UTC).strftime("%Y.%m.%d"),
        "White": names["W"],
        "Black": names["B"],
        "Result": result,
        "GameType": pdn_game_type(rules),
    }
    if game.start_fen != rules.start_fen:
        board = Board(rules, game.start_fen)
        head["FEN"] = fen.format(rules, board.pieces, board.turn, labels=True)
    head["PlyCount"] = str(len(game.history))
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in (head | dict(own)).items()]
    return "\n".join([*lines, "", *_wrapped([*_moves(game), result]), "", ""])


def read(whole: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the tags of each record that is whole, in order, with where in the text it ends."""
    end = 0
    for part in re.split(r"(?m)^(?=\[Event )", whole):
        end += len(part)
        found = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(part)}
        words = part.split()
        if found and part.endswith("\n\n") and words[-1] == found.get("Result"):
            yield end, found


def _moves(game: Game) -> Iterator[str]:
    board = Board(game.rules, game.start_fen)
    on = labels(game.rules)
    for number, ply in enumerate(game.history):
        first = number % 2 == 0
        if ply.huff is not None:
            yield f"{{huff {on.name(ply.huff)}}}"
            board = board.remove(ply.huff)
        move = text.write(board, ply.move)
        if first:
            yield f"{number // 2 + 1}. {move}"
        else:
            yield move
        board.push_unchecked(ply.move)


def _result(game_type: int, winner: Side | None) -> str:
    won, drawn, lost = ("2", "1", "0") if game_type in _TWO_POINTS else ("1", "1/2", "0")
    if winner is None:
        return f"{drawn}-{drawn}"
    return f"{won}-{lost}" if winner == "W" else f"{lost}-{won}"


def _wrapped(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def _escaped(value: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')
