"""Calibration: the fit recovers a known curve, and a run resumes and checks its folder."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from damka.engine import chances
from damka.errors import TrainingError
from damka.rules import load
from damka.training.calibration import Calibration, CalibrationSettings
from damka.training.curve import CurveFit, Positions, errors, fit
from damka.training.curve_file import write_curves
from tests.training.tiny_run import FakeView

RULES = load("mini-american")
TINY = CalibrationSettings(games=6, nodes=30, positions=3, score_nodes=60)
TRUE = CurveFit((4, 7, 12, 18, 24), (60, 50, 40, 30, 20), (20, 25, 30, 30, 25), (100,) * 5)


class View(FakeView):
    """Accepts progress without a note."""

    def advance(self, parts: int, note: str) -> None:
        super().advance(parts, note or "-")


def drawn(count: int, seed: int) -> Positions:
    """Draw scores, numbers of pieces, and results with the probabilities of TRUE."""
    rng = np.random.default_rng(seed)
    positions = Positions(
        rng.normal(0, 120, count), rng.integers(2, 25, count).astype(float), np.zeros(count)
    )
    win, draw, _ = TRUE.chances(positions)
    at = rng.random(count)
    results = np.where(at < win, 1.0, np.where(at < win + draw, 0.0, -1.0))
    return Positions(positions.scores, positions.pieces, results)


def calibration(folder: Path, view: View | None = None, **changes: int) -> Calibration:
    settings = CalibrationSettings(**{**vars_of(TINY), **changes})
    return Calibration(RULES, folder, settings, view or View())


def vars_of(settings: CalibrationSettings) -> dict[str, int]:
    return {name: getattr(settings, name) for name in settings.__slots__ if name[0] != "_"}


def test_the_fit_recovers_the_chances_behind_the_results() -> None:
    fitted = fit(drawn(40_000, 1), 24)
    assert fitted.pieces == TRUE.pieces
    unseen = drawn(20_000, 2)
    for found, true in zip(fitted.chances(unseen), TRUE.chances(unseen), strict=True):
        assert np.abs(found - true).mean() < 0.015
    assert max(errors(fitted, unseen)) < 0.015


def test_the_errors_are_the_gaps_between_predictions_and_results() -> None:
    scores = np.repeat([50.0, -50.0], 500)
    # Predicted: the better side wins 4 of 5. What happened: it won 3 of 5, and lost the others.
    results = np.sign(scores) * np.tile([1, 1, 1, -1, -1], 200)
    steep = CurveFit((4, 24), (0.01, 0.01), (50 / np.log(4),) * 2, (1e9, 1e9))
    found = errors(steep, Positions(scores, np.full(1000, 10.0), results))
    assert found.win == pytest.approx(0.2, abs=0.005)
    assert found.loss == pytest.approx(0.2, abs=0.005)
    assert found.draw == pytest.approx(0, abs=0.005)


def test_an_interrupted_run_resumes_to_the_same_curve(tmp_path: Path) -> None:
    whole = calibration(tmp_path / "whole").run()
    with pytest.raises(KeyboardInterrupt):
        calibration(tmp_path / "parts", View(after=0), games=2).run()
    assert not (tmp_path / "parts" / "scores.jsonl").exists()
    # A crash cut the last line off.
    games = tmp_path / "parts" / "games.jsonl"
    games.write_bytes(games.read_bytes()[:-5])
    resumed = calibration(tmp_path / "parts").run()
    assert resumed.curve == whole.curve
    assert resumed.errors == whole.errors
    assert (whole.fitted_games, whole.unseen_games) == (3, 3)
    assert 0 < len(whole.fitted) <= 3 * TINY.positions
    again = View()
    calibration(tmp_path / "whole", again).run()
    assert again.done == {"mini-american: games": 6, "mini-american: scores": 6}


def test_new_scores_keep_the_games(tmp_path: Path) -> None:
    calibration(tmp_path).run()
    games = (tmp_path / "games.jsonl").read_bytes()
    scores = (tmp_path / "scores.jsonl").read_bytes()
    run = calibration(tmp_path)
    run.forget_scores()
    run.run()
    assert (tmp_path / "games.jsonl").read_bytes() == games
    assert (tmp_path / "scores.jsonl").read_bytes() == scores


def test_a_folder_with_other_settings_or_damage_is_refused(tmp_path: Path) -> None:
    calibration(tmp_path).run()
    with pytest.raises(TrainingError, match="have nodes = 30, not 40; choose another folder"):
        calibration(tmp_path, nodes=40)
    calibration(tmp_path, games=8)
    (tmp_path / "games.jsonl").write_text('{"no": 1}\n')
    with pytest.raises(TrainingError, match=r"games\.jsonl: damaged"):
        calibration(tmp_path).run()


def test_the_file_keeps_other_curves(tmp_path: Path) -> None:
    result = calibration(tmp_path / "games").run()
    path = tmp_path / "chances.toml"
    write_curves(path, {"american": result})
    written = tomllib.loads(path.read_text("utf-8"))
    shipped = tomllib.loads(chances.DATA.read_text("utf-8"))
    assert written["rules"]["american"]["games"] == 3
    assert written["families"]["short"]["from"] == ["american"]
    for kind, changed in (("rules", "american"), ("families", "short")):
        assert written[kind].pop(changed) != shipped[kind].pop(changed)
        assert json.dumps(written[kind]) == json.dumps(shipped[kind])
