"""The live view of `damka match`, and its final report."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from damka.cli import app, match_view
from damka.engine import SearchLimits
from damka.match import MatchGame, MatchSettings, Score, Sprt
from damka.rules import load

SETTINGS = MatchSettings("level:5", "random", load("mini-american"), SearchLimits())
TEST = Sprt(0, 400)


def games(points: str) -> list[MatchGame]:
    """Return games with these points: 0, 1, or = for ½."""
    values = {"0": 0.0, "=": 0.5, "1": 1.0}
    return [
        MatchGame(
            number=number,
            opening="",
            points=values[each],
            plies=40,
            termination="normal",
            reason="",
            seconds=(0.002, 0.001),
            pdn="",
        )
        for number, each in enumerate(points)
    ]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Console:
    """Make the console of every view a terminal that records its output."""
    console = Console(file=io.StringIO(), force_terminal=True, width=120, record=True)
    monkeypatch.setattr(match_view, "Console", lambda **_: console)
    return console


def watch(points: str, *, test: Sprt | None = TEST, before: int = 0) -> Score:
    """Show these games of a match of 100, the first `before` of them from an earlier run."""
    score = Score()
    played = games(points)
    for game in played[:before]:
        score.add(game)
    with match_view.View(SETTINGS, 100, test, played[:before], None) as view:
        for game in played[before:]:
            score.add(game)
            view.show(game, score)
    return score


def row(console: Console, name: str) -> str:
    """Return the last text of a row of the live table."""
    lines = re.findall(rf"^{name} +(.*?) *$", console.export_text(clear=False), re.MULTILINE)
    assert lines, f"no row {name}"
    return str(lines[-1])


def test_a_live_table_shows_score_elo_and_test(
    terminal: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    score = watch("11=10111")
    assert row(terminal, "match") == "level:5 – random"
    assert row(terminal, "games") == "8 of 100: +6 =1 -1"
    assert row(terminal, "pairs") == "0  0  1  1  2   (0, ½, 1, 1½, 2 points)"
    assert row(terminal, "Elo") == str(score.elo)
    assert row(terminal, "Elo").startswith("+254.7 (-")  # 400 log10(6.5 / 1.5)
    ratio = f"{TEST.ratio(score.pairs):+.2f}"
    expected = f"SPRT 0 against 400 Elo: undecided, log-likelihood ratio {ratio} of ±2.94"
    assert row(terminal, "test") == expected
    assert row(terminal, "speed").endswith(" left")
    output = capsys.readouterr().out.splitlines()
    assert output[0] == str(SETTINGS)
    assert output[1] == "8 games: +6 =1 -1, 81.2% of the points"
    assert output[3] == f"Elo {score.elo}, 95% interval"
    assert output[-1] == expected


@pytest.mark.parametrize(("points", "verdict"), [("11" * 9, "accepted"), ("01" * 9, "rejected")])
def test_table_and_report_show_the_result_of_the_test(
    terminal: Console, capsys: pytest.CaptureFixture[str], points: str, verdict: str
) -> None:
    watch(points)
    assert row(terminal, "test").startswith(f"SPRT 0 against 400 Elo: {verdict}, ")
    assert capsys.readouterr().out.splitlines()[-1] == row(terminal, "test")


def test_the_test_row_appears_only_with_a_test(
    terminal: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    watch("11=10111", test=None)
    assert row(terminal, "Elo")
    assert "SPRT" not in terminal.export_text() + capsys.readouterr().out


def test_games_of_an_earlier_run_are_counted(
    terminal: Console, capsys: pytest.CaptureFixture[str]
) -> None:
    score = watch("11=10111", before=6)
    assert row(terminal, "games") == "8 of 100: +6 =1 -1"
    assert row(terminal, "Elo") == str(score.elo)
    assert capsys.readouterr().err == "continuing after 6 games\n"


def test_a_match_ends_when_its_test_is_decided(tmp_path: Path) -> None:
    pdn = tmp_path / "match.pdn"
    command = ["match", "engine:nodes=300,tablebases=none", "random", "--rules", "mini-american"]
    output = CliRunner().invoke(app, [*command, "--sprt", "0,400", "--output", str(pdn)])
    assert output.exit_code == 0, output.output
    lines = output.stdout.splitlines()
    count = pdn.read_text("utf-8").count("[Event ")
    assert 2 < count < 40
    assert lines[1].startswith(f"{count} games: +")
    assert re.fullmatch(r"Elo \+\S+ \(\+\d+\.\d to \+\S+\), 95% interval", lines[3])
    ratio = re.fullmatch(
        r"SPRT 0 against 400 Elo: accepted, log-likelihood ratio \+(\d+\.\d\d) of ±2\.94", lines[5]
    )
    assert ratio
    assert float(ratio[1]) >= 2.94
