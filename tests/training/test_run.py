"""Complete training runs, interrupted and resumed."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest

from damka import Board, _core, tablebase
from damka.engine import Engine
from damka.engine.weights import WeightsFile, read
from damka.errors import TrainingError
from damka.rules import load
from damka.training import Run, records, selfplay
from damka.training.files import read_json
from damka.training.score import MatchScore
from damka.training.selfplay import Batch, play
from tests.cli.inside import damka
from tests.training.tiny_run import RULES, TINY, FakeView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray


def run_files(folder: Path) -> dict[str, bytes]:
    """Return the files that are equal in two runs with the same settings."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "time-" not in path.name and not path.name.startswith("report")
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    Run(RULES, folder, TINY, FakeView()).run()
    return folder


def test_a_run_writes_games_weights_and_figures(whole: Path) -> None:
    report = json.loads((whole / "report.json").read_text())
    stages = {each["stage"]: each for each in report}
    assert {"generation-1", "generation-1: gate", "generation-2: gate"} <= stages.keys()
    gate = stages["generation-1: gate"]
    assert gate["wins"] + gate["draws"] + gate["losses"] <= 40
    picture = ElementTree.parse(whole / "report.svg")  # noqa: S314  our own file
    texts = {each.text for each in picture.iter() if each.text}
    assert {"generation-1", "generation-1, network", "generation-2, network"} <= texts
    assert len(list(picture.iterfind("{*}polyline"))) == 8  # two fits and networks, held out or not
    matches = sum("wins" in each for each in report)
    assert len(list(picture.iterfind("{*}circle"))) == matches >= 2
    games = [records.read(p) for p in (whole / "generation-1").glob("*.games")]
    assert sum(len(each.results) for each in games) == 120
    candidate = whole / "generation-2" / "candidate.weights"
    assert Engine(weights=candidate).search(Board(RULES), depth=4).move
    verdicts = [json.loads(p.read_text())["kept"] for p in whole.glob("*/verdict.json")]
    assert (whole / "best.weights").exists() == any(verdicts)


@pytest.mark.parametrize("after", [0, 1, 3, 6, 9])
def test_a_resumed_run_has_the_same_result(whole: Path, tmp_path: Path, after: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        Run(RULES, tmp_path, TINY, FakeView(after)).run()
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.games")}
    Run(RULES, tmp_path, TINY, FakeView()).run()
    assert {p: p.stat().st_mtime_ns for p in before} == before
    assert run_files(tmp_path) == run_files(whole)


def test_a_killed_process_loses_a_batch_at_most(whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.training.tiny_run", str(tmp_path)]
    root = Path(__file__).parents[2]
    process = subprocess.Popen(command, cwd=root)
    first = tmp_path / "generation-1"
    deadline = time.monotonic() + 60
    while not list(first.glob("*.games")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(first.glob("*.games"))
    Run(RULES, tmp_path, TINY, FakeView()).run()
    assert not list(tmp_path.rglob("*.part"))
    assert run_files(tmp_path) == run_files(whole)


def test_another_runs_folder_is_refused(whole: Path) -> None:
    with pytest.raises(TrainingError, match="the run in this folder has nodes = 40, not 50"):
        Run(RULES, whole, replace(TINY, nodes=50), FakeView())


def test_a_run_continues_with_more_generations(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    before = {
        path: data for path, data in run_files(whole).items() if path.startswith("generation-")
    }
    assert before
    Run(RULES, tmp_path, replace(TINY, generations=3, window=1, trials=4), FakeView()).run()
    after = run_files(tmp_path)
    assert {path: after[path] for path in before} == before
    assert any(path.startswith("generation-3/games") for path in after)
    losses = [json.loads(after[f"generation-{n}/losses.json"]) for n in (2, 3)]
    assert losses[1]["positions"] < losses[0]["positions"]  # of one generation, not of two


@pytest.mark.parametrize("name", ["generation-1/games-00000.games", "generation-1/verdict.json"])
def test_a_damaged_file_is_named(whole: Path, tmp_path: Path, name: str) -> None:
    for path, data in run_files(whole).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    (tmp_path / name).write_bytes(b"damka games 1\n{}\nxx")
    (tmp_path / "generation-2" / "verdict.json").unlink()
    (tmp_path / "generation-2" / "candidate.weights").unlink()
    with pytest.raises(TrainingError, match=f"{Path(name).name}: damaged: .*delete it"):
        Run(RULES, tmp_path, TINY, FakeView()).run()


def test_a_game_depends_only_on_its_number() -> None:
    batch = Batch(RULES.to_dict(), 0, first=0, count=6, seed=3, one=None, nodes=30, record=True)
    whole = play(batch)
    last = play(
        Batch(RULES.to_dict(), 0, first=4, count=2, seed=3, one=None, nodes=30, record=True)
    )
    assert whole.results[4:] == last.results
    assert whole.records.endswith(last.records)
    assert play(batch) == whole


def test_games_may_be_played_with_endgame_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMKA_TABLEBASES", str(tmp_path))
    plain = Batch(RULES.to_dict(), 0, first=0, count=6, seed=3, one=None, nodes=30, record=True)
    knowing = replace(plain, pieces=3)
    with pytest.raises(TrainingError, match="mini-american --pieces 3 builds the missing tables"):
        play(knowing)
    tablebase.build(RULES, 3, tmp_path)
    assert play(knowing) != play(plain)
    # More of them change nothing.
    first = play(knowing)
    tablebase.build(RULES, 4, tmp_path)
    assert play(knowing) == first
    selfplay._open_tables.clear()
    assert play(knowing) == first
    selfplay._open_tables.clear()


def _patterns(numbers: bytes) -> NDArray[np.int64]:
    """Return weights without a network's."""
    count = _core.weights_layout(RULES)["numbers"]
    return np.frombuffer(numbers, np.int16)[:count].astype(np.int64)


def test_fits_include_games_of_other_runs(whole: Path, tmp_path: Path) -> None:
    settings = replace(TINY, generations=1, also=(str(whole),), pairs=1)
    Run(RULES, tmp_path / "run", settings, FakeView()).run()
    alone = read_json(whole / "generation-1" / "losses.json")["positions"]
    both = read_json(tmp_path / "run" / "generation-1" / "losses.json")["positions"]
    assert both > 2 * alone
    with pytest.raises(TrainingError, match=r"not the folder of a run: settings\.json is missing"):
        Run(RULES, tmp_path / "two", replace(settings, also=("nowhere",)), FakeView()).run()
    with pytest.raises(TrainingError, match="a run of mini-american, not of mini-international"):
        Run(load("mini-international"), tmp_path / "three", settings, FakeView()).run()


def test_keep_mixes_in_the_best_weights(whole: Path, tmp_path: Path) -> None:
    start = whole / "generation-1" / "candidate.weights"
    found = {}
    for keep in (0.0, 0.5, 1.0):
        folder = tmp_path / str(keep)
        folder.mkdir()
        shutil.copytree(whole / "generation-1", folder / "generation-1")
        for path in (folder / "generation-1").iterdir():
            if not path.name.startswith("games-"):
                path.unlink()
        Run(
            RULES, folder, replace(TINY, generations=1, start=str(start), keep=keep), FakeView()
        ).run()
        candidate = read(folder / "generation-1" / "candidate.weights")
        found[keep] = _patterns(candidate.numbers)
    assert (found[1.0] == _patterns(read(start).numbers)).all()
    assert np.abs(2 * found[0.5] - found[0.0] - found[1.0]).max() <= 1


def _mirrored(weights: WeightsFile) -> WeightsFile:
    """Return weights that prefer bad positions."""
    numbers = np.frombuffer(weights.numbers, np.int16)
    assert numbers.min() > -(1 << 15)
    return replace(weights, numbers=(-numbers).tobytes())


@pytest.mark.parametrize("better", [False, True])
def test_only_a_candidate_that_wins_its_match_is_kept(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, better: bool
) -> None:
    good = read(whole / "generation-1" / "candidate.weights")
    candidate, best = (good, _mirrored(good)) if better else (_mirrored(good), good)
    start = tmp_path / "start.weights"
    start.write_bytes(best.encode())
    # A run that was interrupted when it had fitted its first candidate.
    folder = tmp_path / "run"
    first = folder / "generation-1"
    first.mkdir(parents=True)
    for games in (whole / "generation-1").glob("games-*"):
        shutil.copy(games, first)
    (first / "candidate.weights").write_bytes(candidate.encode())

    settings = replace(TINY, generations=1, trials=0, start=str(start))
    view = FakeView()
    path = Run(RULES, folder, settings, view).run()
    assert read_json(first / "verdict.json")["kept"] is better
    gate = MatchScore.of(first.glob("gate-*.json"))
    assert gate.share > 0.9 if better else gate.share < 0.1
    (line,) = (line for line in view.lines if "against the best" in line)
    assert line.endswith("; accepted" if better else "; rejected")
    assert path == (folder / "best.weights" if better else None)
    assert [file.read_bytes() for file in folder.glob("best.*")] == [candidate.encode()] * better

    # The next generation is played by the better of the two, who must be beaten in its match.
    batches: list[Batch] = []

    def recorded(requested: Iterable[Batch], workers: int) -> Iterator[tuple[Batch, records.Games]]:
        requested = list(requested)
        batches.extend(requested)
        return selfplay.play_locally(requested, workers)

    monkeypatch.setattr("damka.training.data.play_locally", recorded)
    Run(RULES, folder, replace(settings, generations=2), FakeView()).run()
    assert {batch.one for batch in batches if batch.record} == {good.encode()}
    assert {batch.two for batch in batches if not batch.record} == {good.encode()}


def test_a_lack_of_even_openings_is_reported() -> None:
    rules = RULES.replace(name="doomed", objective="losing", rows=1)
    batch = Batch(rules.to_dict(), 0, first=0, count=1, seed=0, one=None, nodes=5, opening_plies=60)
    with pytest.raises(TrainingError, match="no even opening after 60"):
        play(batch)


def test_a_tally_counts_pairs_and_games() -> None:
    score = MatchScore()
    score.add([1, 0, -1, -1, 1, 1])
    assert score.pairs == [1, 0, 0, 1, 1]
    assert score.games == [3, 1, 2]
    assert score.share == pytest.approx(3.5 / 6)
    assert str(score).startswith("+3 =1 -2, 58.3%, Elo +")


def test_train_needs_a_rule_set_or_all(tmp_path: Path) -> None:
    assert "--all" in damka("train", home=tmp_path, status=2)


def test_an_unreachable_cluster_is_reported_without_a_trace(tmp_path: Path) -> None:
    command = ("train", "mini-american", "--ray", "127.0.0.1:1", "--folder", str(tmp_path))
    output = " ".join(damka(*command, home=tmp_path, status=2).split())
    assert "no Ray cluster at 127.0.0.1:1: [Errno 111] Connection refused" in output
