"""The output of `damka train`, and the rule sets of `--all`."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from damka.cli import app
from damka.cli.train_view import TrainView
from damka.engine.weights import play_of, shipped_file
from damka.rules import load, names

if TYPE_CHECKING:
    from pathlib import Path

    from damka.rules import Rules


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name, value in (("TERM", "xterm"), ("COLUMNS", "160"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)
    return Terminal()


def last_line(screen: Terminal) -> str:
    """Return the last line on a screen."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())
    return text.replace("\r", "\n").rstrip().splitlines()[-1]


def test_a_progress_bar_shows_the_current_stage(terminal: Terminal) -> None:
    with redirect_stderr(terminal), TrainView() as view:
        view.begin("generation 1: self-play", 100, 40)
        view.advance(20, "51 plies a game")
        view.advance(15, "49 plies a game")
    assert "generation 1: self-play" in last_line(terminal)
    assert " 75/100 " in last_line(terminal)
    assert "49 plies a game" in last_line(terminal)


def test_a_new_stage_replaces_the_previous_bar(terminal: Terminal) -> None:
    with redirect_stderr(terminal), TrainView() as view:
        view.begin("generation 1: self-play", 100, 0)
        view.advance(100, "51 plies a game")
        view.log("generation 1: kept")
        view.begin("generation 2: self-play", 200, 0)
        view.advance(3, "50 plies a game")
    assert "generation 2: self-play" in last_line(terminal)
    assert "   3/200 " in last_line(terminal)
    assert "51 plies" not in last_line(terminal)
    assert "generation 1: kept" in terminal.getvalue()


def test_all_trains_each_distinct_game_without_shipped_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[Rules] = []

    class RecordedRun:
        """A run that only records its rules."""

        def __init__(self, rules: Rules, folder: Path, *_: object) -> None:
            assert folder == tmp_path / rules.name
            trained.append(rules)

        def run(self) -> None: ...

    monkeypatch.setattr("damka.training.Run", RecordedRun)
    output = CliRunner().invoke(app, ["train", "--all", "--folder", str(tmp_path)])
    assert output.exit_code == 0, output.output
    trained_games = [play_of(rules) for rules in trained]
    every = {name: load(name) for name in names()}
    without = {name for name, rules in every.items() if shipped_file(rules) is None}
    assert "american" not in without
    assert "mini-american" in without
    assert {name for name in every if play_of(every[name]) in trained_games} == without
    assert len(set(trained_games)) == len(trained_games)
    for rules in trained:
        assert f"{rules.name}: no improvement" in output.output


def test_calibrate_fits_a_curve_and_says_where_it_is(tmp_path: Path) -> None:
    tiny = ["--games", "6", "--nodes", "30", "--positions", "3", "--score-nodes", "60", "-j", "1"]
    line = ["train", "calibrate", "mini-american", "--folder", str(tmp_path), *tiny]
    result = CliRunner().invoke(app, line)
    assert result.exit_code == 0, result.output
    assert "mini-american" in result.output
    assert "%" in result.output
    assert (tmp_path / "chances.toml").read_text("utf-8").count("mini-american") == 2
    refused = CliRunner().invoke(app, [*line, "--seed", "1"])
    assert "choose another folder" in str(refused.exception)
