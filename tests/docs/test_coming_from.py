"""The tables for those who come from another library: what they say of Damka works."""

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
"""For each page a rule set, moves of which the last one may be made next, and a game."""

_ROW = re.compile(r"^\| `.+?` \| (.+?) \|", re.MULTILINE)
_SPAN = re.compile(r"`([^`]+)`")
_IMPORTS = re.compile(r"^```python\n((?:import |from ).*?)^```", re.MULTILINE | re.DOTALL)

NOT_CALLED = {
    'connect("localhost:27531", "dxp")',
    'connect("damka hub", rules="international")',
    'damka.tablebase.Tablebases("american")',
}
"""Calls that need other programs or files; tests of the packages make them."""


def _calls(page: Path) -> list[str]:
    cells = _ROW.findall(page.read_text("utf-8"))
    return [call for cell in cells for call in _SPAN.findall(cell)]


class _External:
    def choose(self, game: damka.Game, seconds: float) -> damka.Move:
        return game.legal_moves[0]


def _names(page: Path, tmp_path: Path) -> dict[str, object]:
    """Return the names that the page's calls use; made anew for each, since some change the board.

    Classes and packages are those that the page imports itself, before its tables.
    """
    rules, moves, text = PLAYED[page.stem]
    path = tmp_path / "games.pdn"
    path.write_text(text, "utf-8")
    board = damka.Board(rules)
    for played in moves[:-1]:
        board.push(played)
    move = board.parse(moves[-1])
    imported: dict[str, object] = {}
    shown = page.read_text("utf-8").partition("\n| ")[0]
    for block in _IMPORTS.findall(shown):
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
def test_the_calls_work(page: Path, tmp_path: Path) -> None:
    calls = _calls(page)
    assert len(calls) > 20
    for call in calls:
        names = _names(page, tmp_path)
        if call in NOT_CALLED:
            continue
        with contextlib.redirect_stdout(io.StringIO()):
            eval(call, names)  # noqa: S307
