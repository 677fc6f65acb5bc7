"""`damka analyze`: lines as they deepen, for people and for programs."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from damka import Board, Game
from tests.cli.test_commands import DAMKA, damka

LINE = re.compile(r" *(\d+) +(\S+|won \d+|lost \d+) +([\d,]+) +[\d.]+ s  (.+)")


def test_prints_a_line_for_each_depth(tmp_path: Path) -> None:
    head, *lines = damka("analyze", "start", "-d", "6", home=tmp_path).splitlines()
    assert head.split() == ["depth", "score", "nodes", "time", "line"]
    found = [LINE.fullmatch(line) for line in lines]
    assert [each and each[1] for each in found] == ["1", "2", "3", "4", "5", "6"]


def test_tells_a_proved_win_and_a_loss(tmp_path: Path) -> None:
    output = damka("analyze", "W:W22:B18", "-r", "american", "-d", "4", home=tmp_path)
    assert "won 1" in output
    assert output.rstrip().endswith("22x15")
    output = damka("analyze", "B:W25,21:B17", "-r", "american", "-d", "6", home=tmp_path)
    assert "lost" in output


def test_shows_the_next_best_moves(tmp_path: Path) -> None:
    lines = damka("analyze", "start", "-d", "3", "-l", "3", home=tmp_path).splitlines()
    assert len(lines) == 1 + 3 * 3
    first = [re.search(r"[+-]\d\.\d\d +(?:.* s  )?(\S+)", line) for line in lines[-3:]]
    assert len({each and each[1] for each in first}) == 3


def test_answers_a_program_with_moves_that_can_be_played(tmp_path: Path) -> None:
    command = ("analyze", "start", "-r", "russian", "--depth", "5", "--lines", "2", "--json")
    answers = [json.loads(line) for line in damka(*command, home=tmp_path).splitlines()]
    assert [each["depth"] for each in answers] == [1, 2, 3, 4, 5]
    last = answers[-1]
    assert last.keys() == {"rules", "fen", "depth", "nodes", "seconds", "lines"}
    assert last["rules"] == "russian"
    assert len(last["lines"]) == 2
    for line in last["lines"]:
        assert line.keys() == {"score", "mate", "moves"}
        board = Board("russian")
        for move in line["moves"]:
            board.push(move)


def test_analyzes_the_end_of_a_saved_game(tmp_path: Path) -> None:
    game = Game("american")
    game.play("11-15")
    game.save(tmp_path / "game.json")
    answer = json.loads(damka("analyze", "game.json", "-d", "1", "--json", home=tmp_path))
    assert answer["rules"] == "american"
    assert answer["fen"].startswith("W:")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("rubbish",), "damka: "),
        (("W:W:B1", "-r", "american"), "the game is over"),
        (("start", "--depth", "0"), "depth"),
        (("start", "--seconds", "0"), "seconds"),
        (("missing.json",), "missing.json: cannot be read"),
        (("start", "-r", "nonesuch"), "no rule set is called 'nonesuch'"),
    ],
)
def test_says_what_is_wrong(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in damka("analyze", *arguments, home=tmp_path, status=2)


def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [DAMKA, "analyze", "start", "--seconds", "60", "--json"],
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
