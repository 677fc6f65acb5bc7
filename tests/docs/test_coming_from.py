"""The calls in the tables for users of other libraries work."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import damka
from damka import pdn
from damka.engine import Engine, SearchLimits
from damka.match.ratings import Meeting

PAGES = sorted((Path(__file__).parents[2] / "docs" / "coming-from").glob("p*.md"))
PLAYED = {
    "py-draughts": ("international", ("34-30", "20-25", "31-27"), '[GameType "20"] 1. 31-27 *'),
    "pydraughts": ("international", ("34-30", "20-25", "32-28"), '[White "Ana"] 1. 32-28 19-23 *'),
    "python-chess": ("american", ("9-13", "21-17", "11-15"), '[White "Ana"] 1. 11-15 23-19 *'),
}
"""A rule set, moves (the last is for the call), and a game for each page."""

_ROW = re.compile(r"^\| `.+?` \| (.+?) \|", re.MULTILINE)
_SPAN = re.compile(r"`([^`]+)`")
_IMPORTS = re.compile(r"^```python\n((?:import |from ).*?)^```", re.MULTILINE | re.DOTALL)

NOT_CALLED = {
    'connect("localhost:27531", "dxp")',
    'connect("damka hub", rules="international")',
    'damka.tablebase.Tablebases("american")',
}
"""Calls that need other programs or files; they are tested elsewhere."""


def _calls(page: Path) -> list[str]:
    cells = _ROW.findall(page.read_text("utf-8"))
    return [call for cell in cells for call in _SPAN.findall(cell)]


class _External:
    def choose(self, game: damka.Game, seconds: float) -> damka.Move:
        return game.legal_moves[0]


def _names(page: Path, tmp_path: Path) -> dict[str, object]:
    """Return the names that the page's calls use; new for each call, since some change the board.
    The page imports classes and packages before its tables.
    """
    rules, moves, text = PLAYED[page.stem]
    path = tmp_path / "games.pdn"
    path.write_text(text, "utf-8")
    board = damka.Board(rules)
    for text_of_move in moves[:-1]:
        board.push(text_of_move)
    move = board.parse(moves[-1])
    imported: dict[str, object] = {}
    introduction = page.read_text("utf-8").partition("\n| ")[0]
    for block in _IMPORTS.findall(introduction):
        exec(block, imported)  # noqa: S102
    return imported | {
        "board": board,
        "damka_game": damka.Game("american"),
        "engine": Engine(hash_mb=1),
        "external": _External(),
        "fen": "W:W22:B6",
        "file": io.StringIO(text),
        "game": next(pdn.read(text)),
        "index": board.move_to_index(move),
        "limits": SearchLimits(nodes=100),
        "meetings": [Meeting("a", "b", 3, 2)],
        "move": move,
        "moves": moves[:-1],
        "node": next(next(pdn.read(text)).mainline()),
        "path": path,
        "text": text,
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_calls_in_the_tables_work(page: Path, tmp_path: Path) -> None:
    calls = _calls(page)
    assert len(calls) > 20
    for call in calls:
        names = _names(page, tmp_path)
        if call in NOT_CALLED:
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            eval(call, names)  # noqa: S307
