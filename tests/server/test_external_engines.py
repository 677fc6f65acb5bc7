"""External engines as opponents on the page; their failures do not end games."""

from __future__ import annotations

import asyncio
import io
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from damka import Game, Move, rules
from damka.engine import Decision, Stop, levels
from damka.engine.external import EngineDeadError, EngineError, EngineUnfitError
from damka.live.events import Event, Huffed, Moved, Resigned
from damka.live.search_request import SearchRequest
from damka.server import external_engines
from damka.server.engine_pool import StoppedError
from damka.server.external_engines import ConfiguredEngine, ExternalEngines
from tests.cli.inside import run_main
from tests.engine.dxp.hosts import RESIGNS, damka_at, engine_at, scripted
from tests.server.support import Browser, Live, Server, serving
from tests.workers.support import Here, pool

FAULTY = Path(__file__).parents[1] / "engine" / "external" / "faulty.py"
LISTENING = "Damka is at "


def command(fault: str, moves: str = "") -> str:
    words = ["env", f"MOVES={moves}", sys.executable, "-I", "-S", str(FAULTY), fault]
    return shlex.join(words)


def engine(name: str, fault: str, moves: str = "") -> ConfiguredEngine:
    return ConfiguredEngine(name, command(fault, moves), "hub", ("dama64", "international"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    configured = (
        engine("Good", "none", "9-13 10-14 5-9"),
        engine("Mortal", "dies"),
        engine("Cheat", "illegal"),
    )
    folder = tmp_path_factory.mktemp("engines")
    with serving(folder, engines=configured, engine_seconds=0.1) as server:
        yield server


def open_game(browser: Browser, engine: str, **options: object) -> Live:
    game = browser.new_game(opponent="computer", engine=engine, obligation="forced", **options)
    live = browser.live(game)
    live.state()
    return live


def test_the_page_lists_engines_with_their_rule_sets(browser: Browser) -> None:
    page = browser.http.get("/").text
    offered = re.findall(r'<option data-rules="([^"]*)">([^<]*)', page)
    assert offered == [("dama64 international", name) for name in ("Good", "Mortal", "Cheat")]


def test_the_page_has_no_engine_list_without_engines(tmp_path: Path) -> None:
    with serving(tmp_path) as plain, plain.browser() as browser:
        assert 'id="engine"' not in browser.http.get("/").text
        assert 'id="engine"' not in browser.http.get("/box").text


def test_an_engine_plays(browser: Browser) -> None:
    live = open_game(browser, "Good")
    computer = live.current["players"]["B"]
    assert (computer["name"], computer["detail"], computer["level"]) == ("Computer", "Good", None)
    live.play("22-18")
    state = live.state(lambda state: state["turn"] == "W")
    assert [entry["text"] for entry in state["history"]] == ["22-18", "9-13"]


@pytest.mark.parametrize("engine", ["Mortal", "Cheat"])
def test_a_failing_engine_is_reported_and_replaced_by_damka(browser: Browser, engine: str) -> None:
    live = open_game(browser, engine)
    live.play("22-18")
    announced = f"{engine} stopped playing. Damka has taken over."
    state = live.state(lambda state: engine in state["announce"])
    assert state["announce"].startswith(announced)
    state = live.state(lambda state: state["ply"] == 2)
    assert state["status"]["sentence"].startswith(announced)
    assert state["players"]["B"]["detail"] == "level 10"
    state = live.play(state["legal"][0]["hub"])
    state = live.state(lambda state: state["ply"] == 4)
    assert engine not in state["status"]["sentence"]


def test_a_server_without_the_engine_continues_its_games(tmp_path: Path) -> None:
    with serving(tmp_path, engines=(engine("Good", "none", "9-13"),)) as first:
        browser = first.browser()
        with browser:
            live = open_game(browser, "Good")
            game = live.current["id"]
            live.play("22-18")
            live.state(lambda state: state["ply"] == 2)
            cookies = dict(browser.http.cookies)
    with serving(tmp_path) as second, second.browser() as browser2:
        browser2.http.cookies.update(cookies)
        live = browser2.live(game)
        live.state()
        assert live.current["players"]["B"]["detail"] == "Good"
        live.play(live.current["legal"][0]["hub"])
        live.state(lambda state: "Good stopped playing" in state["announce"])
        live.state(lambda state: state["ply"] == 4)


@pytest.mark.parametrize(
    "options", [{"engine": "Unknown"}, {"engine": "Good", "rules": "american"}, {"engine": 7}]
)
def test_unknown_and_unsuitable_engines_are_refused(
    browser: Browser, options: dict[str, object]
) -> None:
    response = browser.post("/api/games", {"rules": "dama64", "opponent": "computer", **options})
    assert response.status_code == 422
    assert response.json()["where"] == "engine"


def test_custom_rules_with_the_same_name_are_refused(browser: Browser) -> None:
    box = rules.load("dama64").replace(king_landing="any").to_dict()
    response = browser.post("/api/games", {"rules": box, "opponent": "computer", "engine": "Good"})
    assert response.status_code == 422


def test_a_game_between_people_ignores_the_engine(browser: Browser) -> None:
    game = browser.new_game(opponent="person", engine="Good")
    live = browser.live(game)
    assert [seat["kind"] for seat in live.state()["players"].values()] == ["person", "person"]


def test_engines_stay_open_between_moves_and_are_closed_at_the_end() -> None:
    engines = ExternalEngines((engine("Good", "none", "22-18 21-17 24-20"),), 0.1, at_once=1)
    game = Game("dama64")
    assert engines.choose("Good", game, Stop()).hub() == "22-18"
    # A restarted engine would repeat its first move.
    assert engines.choose("Good", game, Stop()).hub() == "21-17"
    engines.close()
    with pytest.raises(EngineDeadError, match="not configured"):
        engines.choose("Unknown", game, Stop())


def decisions(engines: ExternalEngines, request: SearchRequest) -> tuple[Event, ...]:
    async def decide() -> tuple[Event, ...]:
        async with pool(Here(), engines) as pooled:
            return await pooled.decide(request).answer()

    return asyncio.run(decide())


def test_damka_chooses_huffs_and_the_external_engine_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def huff(*_: object, **__: object) -> Decision:
        return Decision(32, None, 0, offer_draw=False)

    class FakeEngines(ExternalEngines):
        def choose(self, name: str, game: Game, stop: Stop) -> Move:
            return game.legal_moves[0]

    monkeypatch.setattr(levels, "choose", huff)
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    search_request = SearchRequest(
        game, "B", 3, about_draw=False, may_offer_draw=False, engine="Other"
    )
    huffed, moved = decisions(FakeEngines((), 1, 1), search_request)
    assert huffed == Huffed("B", 32)
    assert isinstance(moved, Moved)


def test_a_stopped_search_lets_the_next_one_begin() -> None:
    configured = engine("Slow", "late", "22-18"), engine("Good", "none", "24-20")
    engines = ExternalEngines(configured, 60, at_once=1)
    search_request = SearchRequest(
        Game("dama64"), "W", 3, about_draw=False, may_offer_draw=False, engine="Slow"
    )

    async def test() -> None:
        async with pool(Here(), engines) as pooled:
            replies = [pooled.decide(search_request) for _ in range(3)]
            await asyncio.sleep(0.3)
            for reply in reversed(replies):
                reply.stop()
                with pytest.raises(StoppedError):
                    await reply.answer()
            last = pooled.decide(replace(search_request, engine="Good"))
            assert await last.answer() == (Moved("W", "24-20"),)

    asyncio.run(test())
    engines.close()


def test_an_engine_can_resign() -> None:
    with engine_at(scripted(*RESIGNS)) as address:
        engine_option = ConfiguredEngine("Far", address, "dxp", ("dama64",))
        engines = ExternalEngines((engine_option,), 60, at_once=1)
        search_request = SearchRequest(
            Game("dama64"), "W", 3, about_draw=False, may_offer_draw=False, engine="Far"
        )
        entries = decisions(engines, search_request)
        engines.close()
    assert entries == (Resigned("W"),)


def test_an_engine_plays_over_dxp() -> None:
    with engine_at(damka_at("dama64")) as address:
        engines = ExternalEngines(
            (ConfiguredEngine("Far", address, "dxp", ("dama64",)),), 1, at_once=1
        )
        game = Game("dama64")
        for _ in range(4):
            game.play(engines.choose("Far", game, Stop()))
            game.play(game.legal_moves[0])
        engines.close()
    assert len(game.moves) == 8


def test_a_configured_engine_names_its_rule_sets() -> None:
    configured = external_engines.configure(f"My friend = {command('none')}")
    assert configured.name == "My friend"
    assert configured.rules == ("dama64", "international")
    assert configured.protocol == "hub"


@pytest.mark.parametrize("text", ["", "name", "=command", "name=", "\x1b=x", "n" * 41 + "=x"])
def test_a_malformed_engine_option_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="NAME=COMMAND"):
        external_engines.configure(text)


def test_an_engine_that_does_not_answer_is_refused() -> None:
    with pytest.raises(EngineDeadError, match="cannot find my book"):
        external_engines.configure(f"Dead={command('dead')}")
    with pytest.raises(EngineError, match="not a Hub engine"):
        external_engines.configure(f"Mute={command('silent')}", patience=0.2)
    with pytest.raises(EngineUnfitError, match="HOST:PORT"):
        external_engines.configure("Far=dxp:nowhere")
    with pytest.raises(EngineDeadError, match="no connection"):
        external_engines.configure("Gone=dxp:127.0.0.1:9")


def test_the_command_reports_the_fault_of_an_engine() -> None:
    output, errors = io.StringIO(), io.StringIO()
    command = ("serve", "--no-browser", "--engine", "Lost=./no-such-engine")
    assert run_main(*command, typed="", output=output, errors=errors) == 2
    assert "No such file" in errors.getvalue()
    assert LISTENING not in output.getvalue()
