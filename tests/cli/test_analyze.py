"""`damka analyze`: lines by depth, as text and as JSON."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from damka import Board, Game, pdn
from tests.cli.inside import DAMKA, damka

LINE = re.compile(r" *(\d+) +(\S+|won \d+|lost \d+) +(\d+/\d+/\d+) +([\d,]+) +[\d.]+ s  (.+)")


def test_prints_a_line_for_each_depth(tmp_path: Path) -> None:
    head, *lines = damka("analyze", "start", "-d", "6", home=tmp_path).splitlines()
    assert head.split() == ["depth", "score", "win/draw/loss", "nodes", "time", "line"]
    matches = [LINE.fullmatch(line) for line in lines]
    assert [each and each[1] for each in matches] == ["1", "2", "3", "4", "5", "6"]
    for each in matches:
        assert each
        assert sum(map(int, each[3].split("/"))) == 100


def test_reports_a_proved_win_and_a_loss(tmp_path: Path) -> None:
    output = damka("analyze", "W:W22:B18", "-r", "american", "-d", "4", home=tmp_path)
    assert re.search(r"won 1 +100/0/0 ", output)
    assert output.rstrip().endswith("22x15")
    output = damka("analyze", "B:W25,21:B17", "-r", "american", "-d", "6", home=tmp_path)
    assert "lost" in output


def test_shows_the_next_best_moves(tmp_path: Path) -> None:
    lines = damka("analyze", "start", "-d", "3", "-l", "3", home=tmp_path).splitlines()
    assert len(lines) == 1 + 3 * 3
    first = [re.search(r"[+-]\d\.\d\d +(?:.* s  )?(\S+)", line) for line in lines[-3:]]
    assert len({each and each[1] for each in first}) == 3


def test_json_output_has_legal_moves(tmp_path: Path) -> None:
    command = ("analyze", "start", "-r", "russian", "--depth", "5", "--lines", "2", "--json")
    answers = [json.loads(line) for line in damka(*command, home=tmp_path).splitlines()]
    assert [each["depth"] for each in answers] == [1, 2, 3, 4, 5]
    last = answers[-1]
    assert last.keys() == {"rules", "fen", "depth", "nodes", "seconds", "lines"}
    assert last["rules"] == "russian"
    assert len(last["lines"]) == 2
    for line in last["lines"]:
        assert line.keys() == {"score", "mate", "chances", "moves"}
        assert line["chances"].keys() == {"win", "draw", "loss"}
        assert sum(line["chances"].values()) == pytest.approx(1, abs=0.001)
        board = Board("russian")
        for move in line["moves"]:
            board.push(move)


GAMES = """\
[White "Ana"]
[GameType "20"]

1. 32-28 {a [%eval 9] remark} 19-23 2. 28x19 14x23 (2... 13x24) 1-1

[GameType "25"]
[FEN "W:Wc3,g1:Bb8,d4"]

1. c3:e5 *
"""


def test_annotates_games(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(GAMES, "utf-8")
    damka("analyze", "games.pdn", "-d", "4", "-o", "out.pdn", home=tmp_path)
    first, second = pdn.read(tmp_path / "out.pdn")
    assert first.headers["White"] == "Ana"
    assert len(first.next.variations[0].variations[0].variations) == 2  # type: ignore[union-attr]
    for node in (first, *first.mainline()):
        assert node.evaluation is not None
        line = re.search(r"\[%pv ([^\]]+)\]", node.comment)
        assert line
        board = node.board()
        for move in line[1].split():
            board.push(move)
    assert next(first.mainline()).text == "a remark"
    assert next(first.mainline()).comment.count("%eval") == 1
    # White is a man ahead, in both positions and for either side to move.
    for node in (second, *second.mainline()):
        assert node.evaluation is not None
        assert (node.evaluation.win_in or node.evaluation.score or 0) > 0
    again = damka("analyze", "out.pdn", "-d", "4", home=tmp_path)
    assert again == (tmp_path / "out.pdn").read_text("utf-8")


def test_annotates_games_as_json(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(GAMES, "utf-8")
    output = damka("analyze", "games.pdn", "-d", "1", "--json", home=tmp_path)
    answers = [json.loads(line) for line in output.splitlines()]
    assert [(each["game"], each["ply"]) for each in answers][4:7] == [(1, 4), (2, 0), (2, 1)]
    assert [each["move"] for each in answers][:2] == [None, "32-28"]
    assert {"rules", "fen", "depth", "nodes", "seconds", "lines"} < answers[0].keys()


def test_annotates_a_saved_game_with_its_huffs(tmp_path: Path) -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    for text in ("33-29", "(32) 8-13"):
        game.play(text)
    game.save(tmp_path / "game.json")
    output = damka("analyze", "game.json", "-d", "2", home=tmp_path)
    assert output.count("[%eval") == 3
    assert Game.from_pdn(output).history == game.history


def test_does_not_overwrite_the_input_file(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text(GAMES, "utf-8")
    output = damka("analyze", "games.pdn", "-o", "games.pdn", home=tmp_path, status=2)
    assert "another file" in output
    assert (tmp_path / "games.pdn").read_text("utf-8") == GAMES


def test_games_with_errors_are_annotated_up_to_the_error(tmp_path: Path) -> None:
    (tmp_path / "games.pdn").write_text("1. 11-15 23-19 2. 32-27 *  1. 11-15 *", "utf-8")
    options = ("-r", "american", "--nodes", "10", "-o", "out.pdn")
    output = damka("analyze", "games.pdn", *options, home=tmp_path, status=1)
    assert "games.pdn: game 1, line 1, column 19" in output
    assert [game.move_count for game in pdn.read(tmp_path / "out.pdn")] == [2, 1]


def test_writes_no_output_for_an_unreadable_file(tmp_path: Path) -> None:
    options = ("-r", "american", "-o", "out.pdn")
    output = damka("analyze", "games.pdn", *options, home=tmp_path, status=2)
    assert "games.pdn" in output
    assert not (tmp_path / "out.pdn").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rubbish",), "damka: "),
        (("W:W:B1", "-r", "american"), "the game is over in this position (no pieces)"),
        (("W:WK1:B20", "-r", "breakthrough"), "the game is over in this position (breakthrough)"),
        (("start", "--depth", "0"), "depth"),
        (("start", "-o", "x.pdn"), "is for games as PDN"),
        (("x.pdn", "--json", "-o", "y.pdn"), "is for games as PDN"),
        (("x.pdn", "--lines", "2"), "for games with --json"),
        (("start", "--time", "0"), "--time must be at least 0.001"),
        (("missing.json",), "missing.json: cannot be read"),
        (("missing.pdn",), "missing.pdn: cannot be read"),
        (("start", "-r", "nonesuch"), "unknown rule set 'nonesuch'"),
    ],
)
def test_invalid_arguments_are_reported(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    assert message in damka("analyze", *arguments, home=tmp_path, status=2)


def test_ctrl_c_ends_an_analysis(tmp_path: Path) -> None:
    with subprocess.Popen(
        [DAMKA, "analyze", "start", "--time", "60", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output = process.stdout.read()
    assert process.returncode == 130
    assert "Traceback" not in output


REVIEWED = """[GameType "21"]
[White "Ana"]
[Black "Bo"]

1. 9-14 23-18 2. 14x23 26x19 3. 11-16 27-23 4. 16-20 32-27 5. 6-9 30-26 6. 9-13 22-18
7. 8-11 21-17 8. 13x22 *
"""


def test_reviews_the_games_of_a_file_in_words(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(REVIEWED + "\n" + REVIEWED)
    command = ("analyze", str(file), "--review", "--nodes", "20000")
    lines = damka(*command, home=tmp_path).splitlines()
    assert [line for line in lines if "–" in line] == ["1. Ana – Bo", "2. Ana – Bo"]
    assert lines[0] == "Positions searched where a game turns (--nodes): 20000"
    assert "7...  21-17 was the losing move; 19-15 kept the balance." in "\n".join(lines)
    [accuracy, again] = [line.strip() for line in lines if "Accuracy" in line]
    assert re.fullmatch(r"Accuracy: White \(Ana\) \d+%, Red \(Bo\) \d+%", accuracy)
    assert again == accuracy
    italian = damka(*command, "--lang", "it", home=tmp_path)
    assert "21-17 è la mossa perdente; 19-15 manteneva l’equilibrio." in italian
    assert re.search(r"Precisione: Bianco \(Ana\) \d+%, Rosso \(Bo\) \d+%", italian)


def test_a_review_states_its_strength_and_names_sides_without_players_by_colour(
    tmp_path: Path,
) -> None:
    file = tmp_path / "games.pdn"
    file.write_text("1. 32-28 19-23 2. 28x19 14x23 *")
    lines = damka("analyze", str(file), "--review", home=tmp_path).splitlines()
    assert lines[0] == "Positions searched where a game turns (--nodes): 200000"
    assert re.fullmatch(r" +Accuracy: White \d+%, Black \d+%", lines[-1])


def test_reviews_as_json_have_the_lines_in_the_federations_notation(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text(REVIEWED)
    output = damka("analyze", str(file), "--review", "--nodes", "20000", "--json", home=tmp_path)
    [game] = [json.loads(line) for line in output.splitlines()]
    assert game.keys() == {"game", "nodes", "rules", "accuracy", "graph", "moments"}
    assert game["nodes"] == 20_000
    assert len(game["graph"]) == 16
    moment = game["moments"][-1]
    assert (moment["move"], moment["best"]) == ("21-17", "19-15")
    assert moment["line"][:2] == ["19-15", "10x19"]
    assert moment["reply"][:2] == ["21-17", "13x22"]


@pytest.mark.parametrize("more", [("start", "--review"), ("games.pdn", "--review", "--depth", "4")])
def test_a_review_needs_a_file_and_no_other_limit(tmp_path: Path, more: tuple[str, ...]) -> None:
    (tmp_path / "games.pdn").write_text(REVIEWED)
    arguments = [str(tmp_path / "games.pdn") if each == "games.pdn" else each for each in more]
    assert "--review is for a file" in damka("analyze", *arguments, home=tmp_path, status=2)
