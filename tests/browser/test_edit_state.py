"""Unit tests of the editor's pure modules: positions, undo, and their text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from damka import Board, Rules, rules
from damka.notation import fen, labels
from tests.browser.support import Window, open_window
from tests.server.support import Server

STATE = """async (steps) => {
  const editing = await import("/static/edit_state.js");
  let state = editing.begin({ pieces: "w..b", turn: "W" });
  for (const [name, ...values] of steps) {
    if (name in { undo: 1, redo: 1 }) state = editing[name](state);
    else state = editing.change(state, editing[name](state.position, ...values));
  }
  const { position, past, future } = state;
  return [position.pieces, position.turn, past.length, future.length];
}"""
TEXT = """async (cases) => {
  const { format, parse } = await import("/static/edit_fen.js");
  return cases.map(({ pieces, turn, names, order }) => {
    const text = format({ pieces, turn });
    const back = parse(text, pieces.length);
    return [text, format({ pieces, turn }, names, order), back && [back.pieces, back.turn]];
  });
}"""
PARSE = """async ([texts, count]) => {
  const { parse } = await import("/static/edit_fen.js");
  return texts.map((text) => parse(text, count));
}"""


@pytest.fixture(scope="module")
def window(browser: Browser, server: Server) -> Iterator[Window]:
    with open_window(browser, server.url) as window:
        yield window.open("/")


def test_changes_can_be_undone_and_redone(window: Window) -> None:
    def after(*steps: tuple[Any, ...]) -> list[Any]:
        result: list[Any] = window.page.evaluate(STATE, [list(step) for step in steps])
        return result

    assert after(("use", 2, "W")) == ["wW.b", "W", 1, 0]
    assert after(("use", 1, "w")) == ["...b", "W", 1, 0], "the same piece is removed"
    assert after(("use", 1, "b")) == ["b..b", "W", 1, 0], "another one is replaced"
    assert after(("move", 1, 4)) == ["...w", "W", 1, 0]
    assert after(("move", 1, 0)) == ["...b", "W", 1, 0]
    assert after(("move", 1, 1)) == ["w..b", "W", 0, 0], "nothing has changed"
    assert after(("crown", [1, 4])) == ["W..B", "W", 1, 0]
    assert after(("clear",)) == ["....", "W", 1, 0]
    assert after(("use", 2, "W"), ("mirror",)) == ["w.Bb", "B", 2, 0]
    assert after(("mirror",), ("mirror",)) == ["w..b", "W", 2, 0]
    assert after(("undo",)) == ["w..b", "W", 0, 0]
    assert after(("clear",), ("mirror",), ("undo",)) == ["....", "W", 1, 1]
    assert after(("clear",), ("undo",), ("undo",), ("redo",)) == ["....", "W", 1, 0]
    assert after(("clear",), ("undo",), ("use", 2, "b")) == ["wb.b", "W", 1, 0]


def test_positions_are_written_as_by_the_library(window: Window) -> None:
    boards = {of.name: of for of in map(rules.load, rules.names())}
    cases = [case(of, turn) for of in boards.values() for turn in "WB"]
    texts = window.page.evaluate(TEXT, cases)
    for each, (numbers, shown, back) in zip(cases, texts, strict=True):
        of, pieces, turn = boards[each["name"]], each["pieces"], each["turn"]
        assert numbers == fen.format(of, pieces, turn)
        assert shown == fen.format(of, pieces, turn, labels=True)
        assert back == [pieces, turn]


def case(of: Rules, turn: str) -> dict[str, Any]:
    pieces = Board(of).pieces
    middle = of.square_count // 2
    names, order = labels(of).names, [labels(of).order(n) for n in range(1, of.square_count + 1)]
    return {
        "name": of.name,
        "pieces": f"{pieces[: middle - 1]}WB{pieces[middle + 1 :]}",
        "turn": turn,
        "names": names,
        "order": order,
    }


def test_other_texts_are_left_to_the_library(window: Window) -> None:
    texts = ["", "W", "W:W1-4:B9", "W:Wc3:B9", "W:W9,9:B1", "W:W33:B1", "w:W1:B2", "W:W0:B1"]
    assert window.page.evaluate(PARSE, [texts, 32]) == [None] * len(texts)
