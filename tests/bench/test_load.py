"""Short runs of the load generator."""

from __future__ import annotations

import asyncio
import importlib
from pathlib import Path

import pytest
from bench.faults import SCENARIOS as FAULTS
from bench.load import playing, watching
from bench.load.__main__ import SCENARIOS as LOADS
from bench.load.__main__ import run
from bench.load.context import Context, Line, Scenario, Sizes, correct, figure
from bench.load.store_check import SentGame, compare_store

from damka.live.events import Moved
from damka.live.stored_game import Seat
from damka.server.store import Store

pytestmark = pytest.mark.native

SMALL = Sizes(games=8, seconds=1.0, every=0.6, spectators=8, shown_moves=1)


def run_scenario(scenario: Scenario, folder: Path) -> list[Line]:
    """Run a scenario; assert that all its correctness checks pass."""
    lines = asyncio.run(_awaited(scenario, Context(sizes=SMALL, folder=folder)))
    checks = [line for line in lines if line.is_correctness]
    assert checks
    assert all(line.is_met for line in checks), lines
    return lines


async def _awaited(scenario: Scenario, context: Context) -> list[Line]:
    return await scenario(context)


def test_games_scenario_checks_the_stored_moves(tmp_path: Path) -> None:
    lines = {line.what: line for line in run_scenario(playing.games, tmp_path)}
    assert "moves of" in lines["acknowledged and stored"].value
    assert lines["to the other player, p99"].limit == "≤ 50 ms"


def test_spectators_scenario(tmp_path: Path) -> None:
    run_scenario(watching.spectators, tmp_path)


def test_the_comparison_finds_missing_duplicate_and_wrong_entries(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    store = Store(url)
    seats = (Seat("W", "person", player=1), Seat("B", "person", player=2))
    for game, moves in {"kept": "ab", "lost": "a", "doubled": "abb", "wrong": "ac"}.items():
        store.create(game, {}, seats)
        for seq, move in enumerate(moves):
            store.append(game, seq, Moved("W", move))
    store.close()

    def verdict(game: str) -> tuple[int, int, int]:
        report = compare_store(url, [SentGame(game, ("a", "b"), 2)])
        return report.lost, report.doubled, report.wrong

    assert verdict("kept") == (0, 0, 0)
    assert verdict("lost") == (1, 0, 0)
    assert verdict("doubled") == (0, 1, 0)
    assert verdict("wrong") == (1, 0, 1)
    assert verdict("none") == (2, 0, 0)


def test_exit_status_depends_on_correctness_checks_only(capsys: pytest.CaptureFixture[str]) -> None:
    async def slow(_: Context) -> list[Line]:
        return [figure("too slow", 60.0, "ms", 50.0)]

    async def bad(_: Context) -> list[Line]:
        return [correct("nothing lost", False, "1 lost")]

    async def broken(_: Context) -> list[Line]:
        raise RuntimeError("server did not start")

    assert run({"slow": slow}, SMALL) == 0
    assert run({"bad": bad, "slow": slow}, SMALL) == 1
    assert run({"broken": broken, "slow": slow}, SMALL) == 1
    output = capsys.readouterr().out
    assert "server did not start" in output
    assert "missed" in output


def test_every_scenario_has_a_description() -> None:
    for scenario in LOADS.values():
        assert scenario.__doc__


@pytest.mark.parametrize("node", FAULTS.values(), ids=FAULTS)
def test_every_fault_scenario_names_an_existing_test(node: str) -> None:
    path, _, test = node.partition("::")
    name, _, parameters = test.partition("[")
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert callable(getattr(module, name))
    if parameters:
        assert parameters.removesuffix("]") in module.KINDS_OF_LOSS
