"""The static site's levels play the same moves as a server's, for the same seed."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page
from tools import bridge

from damka import Game, _core
from damka.engine import Engine, levels, skill
from damka.engine.search import Analysis, analysis_of
from damka.engine.weights.shipped import shipped_file
from damka.rules import load
from damka.server.settings import Settings
from tests.chromium import Host
from tests.static_site.support import ALL, context
from tests.wasm.support import LIBRARY, built

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

PLIES: Final = 16
SERVER_HASH_MB: Final = Settings(database_url="").engine_hash_mb
# One worker per game: its transposition table persists, as on a server.
SEARCH: Final = """async ([rules, weights, task]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const script = document.querySelector("script[type=module]").src;
  const at = (name) => new URL(name, script).href;
  const { ASSETS } = await import(at("assets.js"));
  if (!window.searcher) {
    const { kernelModule } = await import(at("open_kernel.js"));
    window.searcher = new Worker(at("search_worker.js"), { type: "module" });
    searcher.postMessage({ module: await kernelModule() });
  }
  return new Promise((done, failed) => {
    searcher.onmessage = ({ data }) => data.result ? done([...data.result]) : failed(data.error);
    const address = weights && at(ASSETS.weights[weights]);
    searcher.postMessage({ rules: bytes(rules), weights: address, task: bytes(task) });
  });
}"""


@pytest.fixture(scope="module")
def flat() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMKA_LIBRARY", str(built(LIBRARY)))
        return bridge.load("damka_levels_core")


@pytest.fixture
def page(browser: Browser, host: Host) -> Iterator[Page]:
    with context(browser) as made:
        page = made.new_page()
        page.goto(f"{host.url}en/index.html")
        yield page


def found_in_browser(flat: Any, page: Page, game: Game, question: levels.SearchTask) -> Analysis:
    """Return the answer of the site's search worker, with the site's rules and task."""
    rules = game.rules
    board = flat.Board(rules, None, None)
    for ply in game.history:
        move = ply.move
        board.push(flat.Move(move.start, move.end, move.captures, crowns=move.crowns))
    assert board.pieces == question.board.pieces
    path = shipped_file(rules)
    data, task, read = flat.search_task(
        board,
        choices=None
        if question.moves is None
        else [flat.Move(m.start, m.end, m.captures, crowns=m.crowns) for m in question.moves],
        depth=question.limits.depth or 100,
        nodes=question.limits.nodes,
        seconds=float("inf"),
        handicap=question.handicap,
        contempt=question.contempt,
    )
    text = [base64.b64encode(each).decode() for each in (data, task)]
    told = bytes(page.evaluate(SEARCH, [text[0], path and path.name, text[1]]))
    depth, nodes, seconds, lines = read(told)
    native = tuple(
        (
            score,
            tuple(_core.Move(m.start, m.end, m.captures, crowns=m.crowns) for m in line),
        )
        for score, line in lines
    )
    return analysis_of((depth, nodes, seconds, native))


@pytest.mark.parametrize("name", ["international", "dama64", "frisian", "turkish"])
@pytest.mark.parametrize("number", [1, 4, 7, 9] if ALL else [4])
def test_the_same_seed_gives_the_same_moves(
    flat: ModuleType, page: Page, name: str, number: int
) -> None:
    rules = load(name)
    found = skill.level(number, rules)
    # Time limits depend on the machine. No captures are overlooked, so there are no huffs.
    level = replace(found, limits=replace(found.limits, seconds=None), forget=0)
    engine, game = Engine(hash_mb=SERVER_HASH_MB), Game(rules)
    for ply in range(PLIES):
        on_server = levels.choose(engine, game, level, random.Random(ply))
        thinking = levels.decision_steps(game, level, random.Random(ply))
        try:
            question = next(thinking)
            while True:
                question = thinking.send(found_in_browser(flat, page, game, question))
        except StopIteration as end:
            in_browser = end.value
        assert in_browser == on_server, f"ply {ply}"
        game.apply(replace(on_server, offer_draw=False))
        if game.result is not None:
            break
    assert len(game.history) > PLIES // 2
