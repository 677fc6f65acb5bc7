"""Openings and the choice of rules on the static site, as its worker answers the page."""

from __future__ import annotations

import json
from typing import Any

from damka import box
from damka.live.files import MEDIA_TYPE
from damka.rules import load
from tests.damka_site.test_session import Page, run

BOX = load("american").replace(name="mine", ballots=["7. Two against two: W:W21,K30:B5,9"])


def test_an_opening_is_drawn_and_stored() -> None:
    async def work() -> None:
        page = Page()
        game = await page.new(rules=box.table(BOX))
        assert page.state["opening"]["sentence"] == "Opening 7: Two against two"
        assert page.state["turn"] == "W"
        await page.move(game, "21-17")
        reopened = await page.open(game.live.id)
        assert page.state["opening"]["number"] == 7
        await reopened.wait_idle()
        for kind in ("file", "pdn"):
            saved = await page.fetch(f"/api/games/{game.live.id}/{kind}")
            media_type = MEDIA_TYPE if kind == "pdn" else "application/json"
            answer = await page.fetch("/api/games/load", saved.text.encode(), media_type)
            assert answer.status == 201, answer.text
            loaded = await page.open(json.loads(answer.text)["id"])
            assert loaded.live.game.opening == game.live.game.opening
            assert loaded.live.game.moves == game.live.game.moves

    run(work())


def test_openings_are_drawn_from_the_shipped_lists() -> None:
    async def work() -> None:
        for name, plies in (("american-3move", 3), ("american-11man", 2)):
            page = Page()
            await page.new(rules=name)
            assert page.state["ply"] == plies
            assert page.state["opening"]["number"] > 0

    run(work())


def test_a_text_is_loaded_by_the_chosen_rules_or_offers_a_choice() -> None:
    async def work() -> None:
        page = Page()

        async def load_text(text: str, query: str) -> tuple[int, Any]:
            answer = await page.fetch(f"/api/games/load?{query}", text.encode(), MEDIA_TYPE)
            return answer.status, json.loads(answer.text)

        status, data = await load_text("W:W22:B9", "rules=pool")
        assert status == 201
        assert (await page.open(data["id"])).live.rules.name == "pool"
        tagged = '[GameType "25"]\n\n1. c3-d4 *'
        status, data = await load_text(tagged, "rules=brazilian")
        assert (status, data["choice"]["number"], data["choice"]["error"]) == (200, 1, None)
        status, data = await load_text(tagged, "rules=brazilian&game=1&read_as=chosen")
        assert (await page.open(data["id"])).live.rules.name == "brazilian"
        status, data = await load_text("1. 32-28 *\n\n1. 31-27 *", "rules=international&after=1")
        assert (status, [each["number"] for each in data["games"]]) == (200, [2])

    run(work())
