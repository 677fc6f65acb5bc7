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
from tests.static_site.support import ALL, open_context
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
def bridge_core() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMKA_LIBRARY", str(built(LIBRARY)))
        return bridge.load("damka_levels_core")


@pytest.fixture
def page(browser: Browser, host: Host) -> Iterator[Page]:
    with open_context(browser) as context:
        page = context.new_page()
        page.goto(f"{host.url}en/index.html")
        yield page


def search_in_browser(
    bridge_core: Any, page: Page, game: Game, search: levels.SearchTask
) -> Analysis:
    """Run a search task in the site's search worker."""
    rules = game.rules
    board = bridge_core.Board(rules, None, None)
    for ply in game.history:
        move = ply.move
        board.push(bridge_core.Move(move.start, move.end, move.captures, crowns=move.crowns))
    assert board.pieces == search.board.pieces
    path = shipped_file(rules)
    data, task, read = bridge_core.search_task(
        board,
        choices=None
        if search.moves is None
        else [bridge_core.Move(m.start, m.end, m.captures, crowns=m.crowns) for m in search.moves],
        depth=search.limits.depth or 100,
        nodes=search.limits.nodes,
        seconds=float("inf"),
        handicap=search.handicap,
        contempt=search.contempt,
    )
    text = [base64.b64encode(each).decode() for each in (data, task)]
    result = bytes(page.evaluate(SEARCH, [text[0], path and path.name, text[1]]))
    depth, nodes, seconds, lines = read(result)
    converted = tuple(
        (
            score,
            tuple(_core.Move(m.start, m.end, m.captures, crowns=m.crowns) for m in line),
        )
        for score, line in lines
    )
    return analysis_of((depth, nodes, seconds, converted))


@pytest.mark.parametrize("name", ["international", "dama64", "frisian", "turkish"])
@pytest.mark.parametrize("number", [1, 4, 7, 9] if ALL else [4])
def test_the_same_seed_gives_the_same_moves(
    bridge_core: ModuleType, page: Page, name: str, number: int
) -> None:
    rules = load(name)
    shipped_level = skill.level(number, rules)
    # Time limits depend on the machine. No captures are overlooked, so there are no huffs.
    level = replace(shipped_level, limits=replace(shipped_level.limits, seconds=None), forget=0)
    engine, game = Engine(hash_mb=SERVER_HASH_MB), Game(rules)
    for ply in range(PLIES):
        on_server = levels.choose(engine, game, level, random.Random(ply))
        steps = levels.decision_steps(game, level, random.Random(ply))
        try:
            search = next(steps)
            while True:
                search = steps.send(search_in_browser(bridge_core, page, game, search))
        except StopIteration as end:
            in_browser = end.value
        assert in_browser == on_server, f"ply {ply}"
        game.apply(replace(on_server, offer_draw=False))
        if game.result is not None:
            break
    assert len(game.history) > PLIES // 2
