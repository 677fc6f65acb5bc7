"""An exported replay plays the game in a browser."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser

from damka import Game
from damka.draw import svg

SHOWN_PIECES = """time => {
  const root = document.querySelector('svg');
  root.pauseAnimations();
  root.setCurrentTime(time);
  const shown = [];
  for (const piece of root.querySelectorAll(':scope > g')) {
    if (!piece.querySelector('circle')) continue;  // a mark
    if (!piece.transform.baseVal.length || getComputedStyle(piece).opacity < 0.5) continue;
    const { e, f } = piece.transform.animVal[0].matrix;
    const inner = [...piece.querySelectorAll(':scope > g[opacity], :scope > g')];
    const visible = inner.filter((each) => getComputedStyle(each).opacity > 0.5);
    const discs = visible.flatMap((each) => [...each.querySelectorAll('circle[r="36"]')]);
    const all = discs.length ? discs : [...piece.querySelectorAll('circle[r="36"]')];
    shown.push([Math.floor(e / 100), Math.floor(f / 100), all.length]);
  }
  return shown;
}"""


@pytest.mark.parametrize("name", ["american", "dama100"])
def test_a_replay_shows_every_position(browser: Browser, name: str) -> None:
    rng = random.Random(7)
    game = Game(name)
    while game.result is None and len(game.history) < 80:
        if game.offences and rng.random() < 0.5:
            game.huff(rng.choice(game.offences))
        else:
            game.play(rng.choice(game.legal_moves + game.offence_moves))
    page = browser.new_page()
    page.set_content(svg.replay(game))
    for number, ply in enumerate(game.history, start=1):
        displayed = {(y, x): discs for x, y, discs in page.evaluate(SHOWN_PIECES, number + 0.3)}
        expected = {
            game.rules.cell(square): 1 if piece.islower() else 2
            for square, piece in enumerate(ply.pieces, start=1)
            if piece != "."
        }
        assert displayed == expected, ply
    page.close()
