"""`damka pdn`: check, convert, split, filter and count games in files."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import pytest
from rich.console import Console

from damka import pdn
from damka.cli.pdn.conditions import outcome
from damka.cli.pdn.reading import Bar
from tests.cli.inside import damka
from tests.cli.test_answers import documented, keys

GOOD = """\
[Event "Cup"]
[White "Ana"]
[Black "Bo"]
[GameType "20"]
[Result "1-1"]

1. 32-28 {a [%csl G28]} 19-23 2. 28x19 14x23 (2... 13x24) 1-1

[White "Chi?"]
[GameType "25"]
[FEN "W:Wc3,g1:Bb8,d4"]

1. c3:e5 *

[White "Chi!"]
[Black "ana b"]
[GameType "21"]
[Result "0-1"]

1. 11-15 23-19 0-1
"""
WRONG = """
[White "Dora"]
[GameType "20"]

1. 32-28 19-23
2. 33-29 *
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "good.pdn").write_text(GOOD, "utf-8")
    (tmp_path / "mixed.pdn").write_text(GOOD + WRONG + "\n" + GOOD, "utf-8")
    return tmp_path


def whites(path: Path) -> list[str]:
    return [game.headers.get("White", "") for game in pdn.read(path)]


def test_check_reports_errors_and_their_places(home: Path) -> None:
    output = damka("pdn", "check", "good.pdn", home=home)
    assert output.splitlines()[-1] == "3 games, 0 with errors"
    output = damka("pdn", "check", "good.pdn", "mixed.pdn", home=home, status=1)
    lines = output.splitlines()
    assert lines[0].startswith("mixed.pdn: game 4, line 26, column 4: 33-29: ")
    assert [line.split()[:2] for line in lines if line.startswith("russian")] == [["russian", "3"]]
    assert lines[-1] == "10 games, 1 with errors"


def test_check_writes_json(home: Path) -> None:
    report = json.loads(damka("pdn", "check", "mixed.pdn", "--json", home=home, status=1))
    assert (report["ok"], report["games"], report["wrong"]) == (False, 7, 1)
    [fault] = report["faults"]
    assert (fault["file"], fault["game"], fault["line"], fault["column"]) == ("mixed.pdn", 4, 26, 4)
    assert keys(report) == documented("pdn check")


def test_check_warns_of_a_result_that_contradicts_the_tag(home: Path) -> None:
    (home / "results.pdn").write_text(GOOD.replace("(2... 13x24) 1-1", "(2... 13x24) 2-0"))
    output = damka("pdn", "check", "results.pdn", home=home)
    first, *_, last = output.splitlines()
    place = "results.pdn: game 1, line 7, column 59"
    assert first == f"warning: {place}: 2-0: another result than in the Result tag: expected 1-1"
    assert last == "3 games, 0 with errors, 1 warning"
    report = json.loads(damka("pdn", "check", "results.pdn", "--json", home=home))
    assert report["ok"]
    [warning] = report["warnings"]
    assert (warning["code"], warning["line"], warning["column"]) == ("result", 7, 59)
    assert (warning["text"], warning["expected"]) == ("2-0", "the result of the Result tag")


def test_check_accepts_a_star_that_ends_a_game_with_a_result(home: Path) -> None:
    """PDN 3.0 separates all games by `*`, and has results in tags only."""
    (home / "star.pdn").write_text(GOOD.replace("(2... 13x24) 1-1", "(2... 13x24) *"))
    output = damka("pdn", "check", "star.pdn", home=home)
    assert output.splitlines()[-1] == "3 games, 0 with errors"
    assert "warning" not in output


def test_errors_option_keeps_or_skips_games_or_stops(home: Path) -> None:
    output = damka("pdn", "convert", "mixed.pdn", "-o", "out.pdn", home=home, status=1)
    assert output.startswith("damka: mixed.pdn: game 4, line 26")
    assert len(whites(home / "out.pdn")) == 7
    skipping = ("pdn", "convert", "mixed.pdn", "-o", "out.pdn", "--errors", "skip")
    assert "(skipped)" in damka(*skipping, home=home, status=1)
    assert len(whites(home / "out.pdn")) == 6
    command = ("pdn", "stats", "mixed.pdn", "--errors", "stop")
    output = damka(*command, home=home, status=2)
    assert output.startswith("damka: mixed.pdn: game 4, line 26, column 4: 33-29: ")


def test_convert_changes_the_notation(home: Path) -> None:
    output = damka("pdn", "convert", "good.pdn", "--notation", "algebraic", home=home)
    assert "1. d4-e5 {a [%csl Ge5]} 1... g7-f6 2. e5xg7 h8xf6 (2... f8xh6) 1-1" in output
    assert "1. f6-e5 e3-f4 0-1" in output
    again = [[node.move for node in game.mainline()] for game in pdn.read(output)]
    assert again == [[node.move for node in game.mainline()] for game in pdn.read(GOOD)]
    output = damka("pdn", "convert", "good.pdn", "--notation", "numeric", home=home)
    assert '[FEN "W:W22,32:B1,18"]' in output
    assert "1. 22:15 *" in output
    (home / "numbers.pdn").write_text(output, "utf-8")
    output = damka("pdn", "convert", "numbers.pdn", "--notation", "rules", home=home)
    assert "1. c3:e5 *" in output
    assert "1. 32-28" in output


def test_convert_writes_positions_in_another_dialect(home: Path) -> None:
    output = damka("pdn", "convert", "good.pdn", "--fen-notation", "numeric", home=home)
    assert '[FEN "W:W22,32:B1,18"]' in output
    assert "1. c3:e5 *" in output
    again = list(pdn.read(output))
    assert [game.fen for game in again] == [game.fen for game in pdn.read(GOOD)]


def test_convert_lists_captures_on_request(home: Path) -> None:
    (home / "two.pdn").write_text(
        '[GameType "25,W,8,8,N2,0"][FEN "W:WK20:B7,8,12,15,23,24"] 1. 20x2 <7, 15, 23, 24> *',
        "utf-8",
    )
    output = damka("pdn", "convert", "two.pdn", "--listed", home=home)
    assert "1. 20:2 <7, 15, 23, 24> *" in output
    assert "<" not in damka("pdn", "convert", "two.pdn", home=home)


def test_convert_writes_json(home: Path) -> None:
    lines = damka("pdn", "convert", "good.pdn", "--json", home=home).splitlines()
    games = [json.loads(line) for line in lines]
    assert [game["rules"] for game in games] == ["international", "russian", "american"]
    assert games[0]["moves"] == ["32-28", "19-23", "28x19", "14x23"]
    assert games[1]["fen"] == "W:Wg1,c3:Bd4,b8"
    assert games[0].keys() == documented("pdn convert")


def test_reads_standard_input(home: Path) -> None:
    output = damka("pdn", "convert", "-", home=home, typed=GOOD)
    assert len(list(pdn.read(output))) == 3
    output = damka("pdn", "check", "-", home=home, status=1, typed=WRONG)
    assert output.startswith("standard input: game 1, line 6, column 4: ")


def test_the_input_file_is_not_overwritten(home: Path) -> None:
    output = damka("pdn", "convert", "good.pdn", "-o", "./good.pdn", home=home, status=2)
    assert "another file" in output
    assert (home / "good.pdn").read_text("utf-8") == GOOD
    (home / "00001.pdn").write_text(GOOD, "utf-8")
    split = ("pdn", "split", "00001.pdn", "--every", "1", "-o", ".", "--force")
    assert "is the input file" in damka(*split, home=home, status=2)
    assert (home / "00001.pdn").read_text("utf-8") == GOOD


def test_split_by_number_of_games(home: Path) -> None:
    output = damka("pdn", "split", "good.pdn", "--every", "2", "-o", "out", home=home)
    assert output == "out: 2 files, 3 games\n"
    assert whites(home / "out" / "00001.pdn") == ["Ana", "Chi?"]
    assert whites(home / "out" / "00002.pdn") == ["Chi!"]
    again = ("pdn", "split", "good.pdn", "--every", "2", "-o", "out")
    assert "--force" in damka(*again, home=home, status=2)
    damka(*again, "--force", home=home)
    assert whites(home / "out" / "00001.pdn") == ["Ana", "Chi?"]


def test_split_by_rules_player_or_event(home: Path) -> None:
    damka("pdn", "split", "good.pdn", "--by", "rules", "-o", "rules", home=home)
    names = {path.name for path in (home / "rules").iterdir()}
    assert names == {"international.pdn", "russian.pdn", "american.pdn"}
    damka("pdn", "split", "good.pdn", "--by", "player", "-o", "players", home=home)
    # Names that map to the same file get distinct files.
    files = {path.name: whites(path) for path in (home / "players").iterdir()}
    assert files == {
        "Ana.pdn": ["Ana"],
        "Bo.pdn": ["Ana"],
        "Chi.pdn": ["Chi?"],
        "unknown.pdn": ["Chi?"],
        "Chi-2.pdn": ["Chi!"],
        "ana-b.pdn": ["Chi!"],
    }
    damka("pdn", "split", "good.pdn", "--by", "event", "-o", "events", home=home)
    assert len(whites(home / "events" / "unknown.pdn")) == 2
    assert "either" in damka("pdn", "split", "good.pdn", "-o", "x", home=home, status=2)


def test_split_writes_only_into_its_folder(home: Path) -> None:
    text = '[White "../../x"][Black "con"][GameType "20"] 1. 32-28 *'
    (home / "odd.pdn").write_text(text, "utf-8")
    damka("pdn", "split", "odd.pdn", "--by", "player", "-o", "a/b", home=home)
    assert {path.name for path in (home / "a" / "b").iterdir()} == {"x.pdn", "con-.pdn"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--player", "ANA"), ["Ana", "Chi!"]),
        (("--player", "ana", "--player", "chi"), ["Chi!"]),
        (("--white", "chi"), ["Chi?", "Chi!"]),
        (("--black", "chi"), []),
        (("--rules", "russian"), ["Chi?"]),
        (("--result", "draw"), ["Ana"]),
        (("--result", "black"), ["Chi!"]),
        (("--result", "none", "--white", "chi"), ["Chi?"]),
        (("--result", "1-1"), ["Ana"]),
        (("--material", "2-1"), ["Chi?"]),
        (("--material", "1-2M"), ["Chi?"]),
        (("--material", "2K-1"), []),
        (("--material", "20-20"), ["Ana"]),
        (("--position", "B:Wg1,e5:Bb8"), ["Chi?"]),
        (("--position", "W:Wg1,e5:Bb8"), []),
    ],
)
def test_filter_selects_games(options: tuple[str, ...], expected: list[str], home: Path) -> None:
    output = damka("pdn", "filter", "good.pdn", *options, home=home)
    assert [game.headers.get("White") for game in pdn.read(output)] == expected


def test_filter_prints_the_number_of_selected_games(home: Path) -> None:
    command = ("pdn", "filter", "good.pdn", "--white", "nobody", "-o", "none.pdn")
    assert damka(*command, home=home) == "none.pdn: 0 of 3 games\n"
    assert not (home / "none.pdn").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give at least one condition"),
        (("--material", "2Q-1"), "must be such as"),
        (("--material", "3"), "must be such as"),
        (("--position", "here"), "the side to move must be W or B"),
        (("--rules", "ludo"), "ludo"),
    ],
)
def test_filter_refuses_invalid_conditions(
    options: tuple[str, ...], message: str, home: Path
) -> None:
    assert message in damka("pdn", "filter", "good.pdn", *options, home=home, status=2)


def test_stats_counts_games_players_and_first_moves(home: Path) -> None:
    output = damka("pdn", "stats", "good.pdn", home=home)
    rows = [line.split() for line in output.splitlines()]
    assert ["games", "3"] in rows
    assert ["plies", "all", "7"] in rows
    stats = json.loads(damka("pdn", "stats", "good.pdn", "--json", home=home))
    assert (stats["games"], stats["plies"], stats["shortest"], stats["longest"]) == (3, 7, 1, 4)
    assert {each["name"] for each in stats["players"]} == {"Ana", "Bo", "Chi?", "Chi!", "ana b"}
    # The game from a position has no opening move.
    assert {each["move"] for each in stats["first_moves"]} == {"32-28", "11-15"}
    assert keys(stats) == documented("pdn stats")


def test_an_empty_file_has_no_games(home: Path) -> None:
    (home / "empty.pdn").write_text("", "utf-8")
    assert damka("pdn", "check", "empty.pdn", home=home) == "0 games, 0 with errors\n"
    assert json.loads(damka("pdn", "stats", "empty.pdn", "--json", home=home))["longest"] is None
    assert "games" in damka("pdn", "stats", "empty.pdn", home=home)


@pytest.mark.parametrize("command", ["check", "convert", "stats"])
def test_a_missing_file_is_reported(command: str, home: Path) -> None:
    output = damka("pdn", command, "none.pdn", home=home, status=2)
    assert output == "damka: none.pdn: No such file or directory\n"


def test_outcomes_of_result_texts() -> None:
    texts = ("2-0", "1-0", "0-1", "4-6", "1/2-1/2", "½-½", "1-1", "0-0", "*", "adjourned")
    expected = ("white", "white", "black", "black", "draw", "draw", "draw", "none", "none", "none")
    assert tuple(map(outcome, texts)) == expected


def test_a_progress_bar_appears_only_when_reading_takes_long() -> None:
    for after, shown in ((0.0, True), (60.0, False)):
        screen = io.StringIO()
        bar = Bar("games.pdn", 100, console=Console(file=screen, force_terminal=True), after=after)
        bar.advance(50)
        time.sleep(0.01)
        bar.stop()
        assert ("games.pdn" in screen.getvalue()) is shown
