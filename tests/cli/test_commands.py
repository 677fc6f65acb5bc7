"""The command `damka` from a user's point of view."""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import pytest

from damka import Game, match
from damka.cli.play import play
from damka.draw import raster
from damka.engine import levels
from tests.cli.inside import DAMKA, damka, damka_process

COMMANDS = (
    "serve",
    "play",
    "rules",
    "analyze",
    "perft",
    "bench",
    "draw",
    "match",
    "tablebase",
)


def test_without_a_command_it_lists_the_commands(tmp_path: Path) -> None:
    output = damka(home=tmp_path)
    for command in COMMANDS:
        assert command in output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_an_example(command: str, tmp_path: Path) -> None:
    output = damka(command, "--help", home=tmp_path)
    assert (
        f"damka {command}" in output.partition("Usage")[2].partition("\n")[2] or command == "serve"
    )


class TestPerft:
    def test_counts(self, tmp_path: Path) -> None:
        assert damka("perft", "american", "6", home=tmp_path).startswith("36,768 leaves at depth 6")

    def test_depth_zero_is_one_leaf(self, tmp_path: Path) -> None:
        assert damka("perft", "american", "0", home=tmp_path).startswith("1 leaves")

    def test_divides(self, tmp_path: Path) -> None:
        lines = damka("perft", "dama64", "4", "--divide", home=tmp_path).splitlines()
        assert len(lines) == 8
        counts = [int(line.partition(": ")[2].replace(",", "")) for line in lines[:7]]
        assert sum(counts) == 1469

    @pytest.mark.parametrize(
        "options", [("--jobs", "2"), ("--hash", "8"), ("--jobs", "2", "--hash", "1")]
    )
    def test_counts_with_threads_and_memory(self, options: tuple[str, ...], tmp_path: Path) -> None:
        output = damka("perft", "american", "7", *options, home=tmp_path)
        assert output.startswith("179,740 leaves at depth 7")
        output = damka("perft", "american", "5", "--divide", *options, home=tmp_path)
        assert "7,361 leaves at depth 5" in output

    def test_counts_from_a_position(self, tmp_path: Path) -> None:
        output = damka("perft", "dama64", "1", "--fen", "W:W22:B18,1", home=tmp_path)
        assert output.startswith("1 leaves")

    def test_names_of_rule_sets_are_case_insensitive(self, tmp_path: Path) -> None:
        assert damka("perft", "Russian", "3", home=tmp_path).startswith("302 leaves")

    def test_reads_and_writes_the_federations_square_numbers(self, tmp_path: Path) -> None:
        """In Thai draughts, where Black starts, the library's square 11 is labelled 22."""
        output = damka("perft", "thai", "1", "--divide", "--fen", "W:W11:B30", home=tmp_path)
        assert {line.partition(":")[0] for line in output.splitlines()[:-1]} == {"11-15", "11-16"}
        output = damka("draw", "W:W22,33:B1", "-r", "thai", home=tmp_path, status=2)
        assert "33" in output

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("nonesuch", "3"), "unknown rule set 'nonesuch'"),
            (("dama64", "3", "--fen", "rubbish"), "damka: "),
            (("./missing.toml", "3"), "missing.toml"),
        ],
    )
    def test_invalid_arguments_are_reported(
        self, arguments: tuple[str, ...], message: str, tmp_path: Path
    ) -> None:
        assert message in damka("perft", *arguments, home=tmp_path, status=2)


def test_the_bench_signature_is_reproducible(tmp_path: Path) -> None:
    first, second = (
        run("bench", "--depth", "3", "-v", home=tmp_path) for run in (damka, damka_process)
    )
    assert first.rpartition(",")[0] == second.rpartition(",")[0]
    shares = [int(line.split()[1]) for line in first.splitlines()[:-1]]
    assert f"{sum(shares)} positions" in first


class TestRules:
    def test_lists_the_boxes_first(self, tmp_path: Path) -> None:
        lines = damka("rules", home=tmp_path).splitlines()
        assert [line.split()[0] for line in lines[1:4]] == ["dama64", "american", "dama100"]
        assert lines[0].strip() == "Toy boxes"
        assert "64 squares" in map(str.strip, lines)

    @pytest.mark.parametrize(
        ("lang", "word"), [("bg", "кутия"), ("it", "Scatola"), ("sk", "škatuľa"), ("en", "box")]
    )
    def test_rules_are_printed_in_four_languages(
        self, lang: str, word: str, tmp_path: Path
    ) -> None:
        assert word in damka("rules", "dama64", "--lang", lang, home=tmp_path)

    def test_uses_the_language_of_the_terminal(self, tmp_path: Path) -> None:
        assert "Scatola" in damka("rules", "dama64", home=tmp_path, lang="it_IT.UTF-8")

    def test_reads_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text('base = "dama64"\nname = "mine"\n', "utf-8")
        assert damka("rules", "mine.toml", home=tmp_path).startswith("mine")

    def test_an_error_in_a_file_names_key_value_and_expectation(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text('base = "dama64"\nking_range = "far"\n', "utf-8")
        output = damka("rules", "mine.toml", home=tmp_path, status=2)
        for part in ("mine.toml", "king_range", "'far'", '"short"', '"flying"'):
            assert part in output

    def test_writes_a_template_and_overwrites_only_with_force(self, tmp_path: Path) -> None:
        damka("rules", "new", "my-box.toml", "--from", "russian", home=tmp_path)
        text = (tmp_path / "my-box.toml").read_text("utf-8")
        assert "# May men capture backwards?\n" in text
        (tmp_path / "my-box.toml").write_text(text.replace("rows = 3", "rows = 2"), "utf-8")
        assert "--force" in damka("rules", "new", "my-box.toml", home=tmp_path, status=2)
        assert "rows = 2" in (tmp_path / "my-box.toml").read_text("utf-8")
        damka("rules", "new", "my-box.toml", "--force", "--lang", "sk", home=tmp_path)
        assert "# Kto začína?" in (tmp_path / "my-box.toml").read_text("utf-8")

    def test_check_explains_the_rules_and_the_closest_rule_set(self, tmp_path: Path) -> None:
        mine = 'base = "russian"\nname = "mine"\nking_range = "short"\n'
        (tmp_path / "mine.toml").write_text(mine, "utf-8")
        output = damka("rules", "check", "mine.toml", home=tmp_path)
        assert "A king moves one square diagonally" in output
        assert "Closest rule set: Russian draughts (russian)" in output
        assert "one square" in output.splitlines()[-1]
        assert "any distance" in output.splitlines()[-1]

    def test_check_suggests_a_correction(self, tmp_path: Path) -> None:
        (tmp_path / "mine.toml").write_text('base = "dama64"\n\nking_rang = "short"\n', "utf-8")
        output = damka("rules", "check", "mine.toml", home=tmp_path, status=2)
        assert "mine.toml:3: king_rang = 'short': expected a known key, such as " in output
        output = damka("rules", "check", "mine.toml", "--lang", "it", home=tmp_path, status=2)
        assert "Intendevi king_range?" in output

    def test_messages_use_the_name_that_damka_was_called_by(self, tmp_path: Path) -> None:
        """They include the path if it is not on PATH, so that the command can be copied."""
        output = damka_process("rules", "new", "my box.toml", home=tmp_path)
        assert output.rstrip().endswith(f"{DAMKA} rules check 'my box.toml'")
        assert f"{DAMKA} play 'my box.toml'" in (tmp_path / "my box.toml").read_text("utf-8")

    def test_all_errors_are_reported_with_their_lines(self, tmp_path: Path) -> None:
        box = 'base = "dama46"\nrows = 9\nking_range = "fly"\n\nfirst = B\nweather = 1\n'
        (tmp_path / "mine.toml").write_text(box, "utf-8")
        for command in (["rules", "check", "mine.toml"], ["play", "mine.toml"]):
            output = damka(*command, home=tmp_path, status=2)
            assert re.findall(r"mine\.toml:(\d+): (\w+)", output) == [
                ("1", "base"),
                ("2", "rows"),
                ("3", "king_range"),
                ("5", "first"),
                ("6", "weather"),
            ]

    @pytest.mark.parametrize(
        ("text", "output"),
        [
            ('base = "dama64"\nprecedence = "count"\n', 'Did you mean ["count"]?'),
            ('base = "dama64"\nprecedence = "count"\n', "Enter a list"),
            ("rows = 3\nwidth = 8\n", 'for example base = "dama64"'),
            ('base = "dama64"\n\nfirst = B\n', "mine.toml:3: first = B: expected a value"),
            ("rows =\n", "mine.toml:1: rows =: expected a value"),
            ("rows = 3\nrows = 4\n", "mine.toml:2: rows = 4: expected every key once"),
            ('colours = "a", "b"\n', "Put several values in brackets"),
            ("rows", "mine.toml:1: rows: expected TOML"),
            ('precedence = ["count"\nrows = 3\n', "has no closing ]"),
            ('precedence = ["count",\nrows = 3\n', "has no closing ]"),
            ("#" * 140_000, "mine.toml: expected at most 131072 bytes"),
        ],
    )
    def test_an_error_names_the_place_and_the_expected_value(
        self, text: str, output: str, tmp_path: Path
    ) -> None:
        (tmp_path / "mine.toml").write_text(text, "utf-8")
        assert output in damka("rules", "check", "mine.toml", home=tmp_path, status=2)

    def test_does_not_suggest_a_refused_value(self, tmp_path: Path) -> None:
        box = 'base = "dama64"\nmove_lines = "orthogonal"\n'
        (tmp_path / "mine.toml").write_text(box, "utf-8")
        assert "mean" not in damka("rules", "check", "mine.toml", home=tmp_path, status=2)

    def test_refuses_devices_and_pipes(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "mine.toml")
        for file in ("mine.toml", "/dev/zero"):
            output = damka("rules", "check", file, home=tmp_path, status=2)
            assert output.count(file) == 1
            assert "regular file" in output

    def test_check_validates_the_openings(self, tmp_path: Path) -> None:
        box = 'base = "dama64"\nwidth = 10\nfirst = "B"\nballots = ["9-13 99-1"]\n'
        (tmp_path / "mine.toml").write_text(box, "utf-8")
        output = damka("rules", "check", "mine.toml", home=tmp_path, status=2)
        assert "mine.toml:4: ballots[0] = '9-13 99-1'" in output
        assert "“9-13 99-1” can’t be played" in output
        (tmp_path / "mine.toml").write_text(box.replace("9-13 99-1", "11-16 26-21"), "utf-8")
        damka("rules", "check", "mine.toml", home=tmp_path)

    def test_serve_refuses_an_invalid_folder_of_house_rules(self, tmp_path: Path) -> None:
        assert "not a folder" in damka("serve", "--house-rules", "nowhere", home=tmp_path, status=2)
        (tmp_path / "bad.toml").write_text('base = "dama64"\nrows = 9\n', "utf-8")
        openings = 'base = "american"\nballots = ["11-15", "99-1"]\n'
        (tmp_path / "worse.toml").write_text(openings, "utf-8")
        output = damka("serve", "--house-rules", ".", home=tmp_path, status=2)
        assert "bad.toml:2: rows = 9" in output
        assert "worse.toml:2: ballots[1] = '99-1'" in output

    def test_help_explains_how_to_read_rules(self, tmp_path: Path) -> None:
        output = damka("rules", "--help", home=tmp_path)
        assert "[RULES] | COMMAND" in output
        assert "check" in output
        for arguments in (("dama64", "--help"), ("--help", "dama64")):
            output = damka("rules", *arguments, home=tmp_path)
            assert "damka rules dama64 --lang bg" in output
            assert "--lang" in output

    def test_refuses_an_unknown_language(self, tmp_path: Path) -> None:
        assert "bg, en, it, sk" in damka("rules", "--lang", "xx", home=tmp_path, status=2)


class TestDraw:
    def test_writes_a_picture(self, tmp_path: Path) -> None:
        damka("draw", "W:WK12,30:B6,K8,15", "-o", "board.svg", home=tmp_path)
        picture = ElementTree.parse(tmp_path / "board.svg").getroot()  # noqa: S314  our own file
        assert picture.tag.endswith("svg")

    def test_draws_in_the_terminal(self, tmp_path: Path) -> None:
        assert len(damka("draw", "start", home=tmp_path).splitlines()) >= 8

    def test_an_invalid_position_is_reported(self, tmp_path: Path) -> None:
        assert "damka: " in damka("draw", "W:W1:B2", home=tmp_path, status=2)

    def test_an_unwritable_output_is_reported(self, tmp_path: Path) -> None:
        output = damka("draw", "start", "-o", "none/board.svg", home=tmp_path, status=2)
        assert "cannot write" in output

    @pytest.mark.parametrize("name", ["board.jpeg", "board.svg.gz"])
    def test_refuses_an_unknown_picture_format(self, name: str, tmp_path: Path) -> None:
        output = damka("draw", "start", "-o", name, home=tmp_path, status=2)
        assert f"damka: unknown picture format: {name} must end in" in output
        assert ".svg, .png, .gif or .webp" in output
        assert not (tmp_path / name).exists()

    def test_draws_the_position_of_a_fen_tag(self, tmp_path: Path) -> None:
        rules = ("--rules", "international")
        plain = damka("draw", "W:W31-50:B1-20", *rules, home=tmp_path)
        assert damka("draw", '[FEN "W:W31-50:B1-20"]', *rules, home=tmp_path) == plain

    def test_draws_a_game_up_to_its_first_error_and_reports_it(self, tmp_path: Path) -> None:
        file = tmp_path / "game.pdn"
        file.write_text('[GameType "20"]\n\n1. 32-28 19-23 2. 28x99 *\n')
        output = damka("draw", "game.pdn", "-o", "game.svg", home=tmp_path)
        assert "line 3, column 19: 28x99: 99 is not a playing square" in output
        assert (tmp_path / "game.svg").stat().st_size > 1000

    def test_draws_a_saved_game_in_every_format(self, tmp_path: Path) -> None:
        game = Game("russian", players={"W": "Ана"})
        for text in ("22-17", "9-13", "23-18"):
            game.play(text)
        game.save(tmp_path / "game.json")
        damka("draw", "game.json", "-o", "replay.svg", home=tmp_path)
        assert "<animateTransform" in (tmp_path / "replay.svg").read_text("utf-8")
        damka("draw", "game.json", "-o", "page.svg", "--diagram-every", "2", home=tmp_path)
        assert (tmp_path / "page.svg").read_text("utf-8").count("<svg ") == 4
        for kind, begins in ((".png", b"\x89PNG"), (".gif", b"GIF89a"), (".webp", b"RIFF")):
            damka("draw", "game.json", "-o", f"x{kind}", "--size", "120", home=tmp_path)
            assert (tmp_path / f"x{kind}").read_bytes().startswith(begins)

    def test_draws_a_game_of_a_pdn_file(self, tmp_path: Path) -> None:
        (tmp_path / "games.pdn").write_text("1. 11-15 *  1. 12-16 24-19 *", "utf-8")
        command = ("draw", "games.pdn", "-r", "american", "-o", "x.svg")
        damka(*command, "--game", "2", home=tmp_path)
        assert "1... 24-19" in (tmp_path / "x.svg").read_text("utf-8")
        assert "no game 3" in damka(*command, "--game", "3", home=tmp_path, status=2)

    def test_draws_a_game_up_to_its_first_error(self, tmp_path: Path) -> None:
        (tmp_path / "games.pdn").write_text('[GameType "21"] 1. 11-15 23-19 2. 32-27 *', "utf-8")
        output = damka("draw", "games.pdn", "-o", "x.svg", home=tmp_path)
        assert "damka: games.pdn: game 1, line 1, column 35: 32-27" in output
        assert "1... 23-19" in (tmp_path / "x.svg").read_text("utf-8")

    def test_draws_a_game_that_continued_after_a_draw(self, tmp_path: Path) -> None:
        moves = "46-41 4-15 41-46 15-4 " * 5
        game = f'[GameType "20"] [FEN "W:WK46:BK4"] {moves} 1-1'
        (tmp_path / "game.pdn").write_text(game, "utf-8")
        damka("draw", "game.pdn", "-o", "x.svg", home=tmp_path)
        assert "drawn" in (tmp_path / "x.svg").read_text("utf-8")

    def test_draws_a_huff_in_pdn(self, tmp_path: Path) -> None:
        game = Game("dama100", "W:W32,33,47:B27,8,9")
        for text in ("33-29", "(32) 8-13"):
            game.play(text)
        (tmp_path / "game.pdn").write_text(game.pdn(), "utf-8")
        damka("draw", "game.pdn", "-o", "x.svg", home=tmp_path)
        assert "(32) 8-13" in (tmp_path / "x.svg").read_text("utf-8")

    def test_a_page_of_diagrams_needs_a_game(self, tmp_path: Path) -> None:
        output = damka(
            "draw", "start", "-o", "x.svg", "--diagram-every", "2", home=tmp_path, status=2
        )
        assert "file with a game" in output

    def test_missing_picture_libraries_are_reported_with_the_install_command(
        self, tmp_path: Path
    ) -> None:
        raster._libraries.cache_clear()  # Another test may have imported them.
        with mock.patch.dict(sys.modules, {"resvg_py": None}):
            output = damka("draw", "start", "-o", "x.png", home=tmp_path, status=2)
        assert "pip install 'damka[pictures]'" in output


class TestPlay:
    def test_an_unfinished_game_is_saved_and_resumed(self, tmp_path: Path) -> None:
        typed = "22-18\n9-13\nquit\n"
        output = damka_process("play", "dama64", "--two", typed=typed, home=tmp_path)
        assert "--resume" in output
        assert "remise" not in damka("play", "--resume", "--two", typed="undo\n", home=tmp_path)

    def test_starting_another_game_preserves_the_unfinished_one(self, tmp_path: Path) -> None:
        damka("play", "dama64", "--two", typed="22-18\nquit\n", home=tmp_path)
        # A position won at once, and one from a file.
        damka("play", "dama64", "--two", "--fen", "W:W30:B", typed="", home=tmp_path)
        damka("play", "--resume", "--two", typed="save first.json\nquit\n", home=tmp_path)
        assert Game.load(tmp_path / "first.json").rules.name == "dama64"
        output = damka("play", "american", "--two", typed="11-15\nquit\n", home=tmp_path)
        backup = re.search(r"play --file (\S+)", output)
        assert backup is not None
        assert Game.load(backup[1]).rules.name == "dama64"
        damka("play", "--resume", "--two", typed="save second.json\nquit\n", home=tmp_path)
        assert Game.load(tmp_path / "second.json").rules.name == "american"

    def test_a_game_against_the_computer_is_resumed_at_its_level(self, tmp_path: Path) -> None:
        options = ("--level", "2", "--side", "second")
        damka("play", "american", *options, typed="moves\nsave mine.json\nquit\n", home=tmp_path)
        assert Game.load(tmp_path / "mine.json").players == {"B": "Damka, level 2"}
        for again in (("--resume",), ("--file", "mine.json"), ("--resume", "--level", "3")):
            damka("play", *again, typed="save again.json\n", home=tmp_path)
            level = 3 if "3" in again else 2
            saved = Game.load(tmp_path / "again.json")
            (tmp_path / "again.json").unlink()
            assert saved.players == {"B": f"Damka, level {level}"}
            assert (saved.turn, len(saved.moves)) == ("W", 1)

    def test_a_game_is_saved_as_pdn_and_continued(self, tmp_path: Path) -> None:
        options = ("--two", "--output", "mine.pdn")
        output = damka("play", "russian", *options, typed="c3-d4\nquit\n", home=tmp_path)
        assert "mine.pdn" in output
        assert "1. c3-d4 *" in (tmp_path / "mine.pdn").read_text("utf-8")
        output = damka("play", *options, typed="", home=tmp_path, status=2)
        assert "already exists (use --force to overwrite)" in output
        damka("play", *options, "--file", "mine.pdn", typed="d6-c5\nquit\n", home=tmp_path)
        text = (tmp_path / "mine.pdn").read_text("utf-8")
        assert "1. c3-d4 d6-c5 *" in text
        (tmp_path / "both.pdn").write_text(f'[GameType "20"]\n\n1. 32-28 *\n\n{text}')
        second = ("--file", "both.pdn", "--game", "2", "--two")
        damka("play", *second, typed="save other.json\n", home=tmp_path)
        assert len(Game.load(tmp_path / "other.json").moves) == 2
        third = ("--file", "both.pdn", "--game", "3")
        assert "there is no game 3" in damka("play", *third, typed="", home=tmp_path, status=2)

    def test_a_game_ended_by_ctrl_c_is_saved(self, tmp_path: Path) -> None:
        with subprocess.Popen(
            [DAMKA, "play", "dama64", "--two"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write("22-18\n")
            process.stdin.flush()
            while "18○" not in process.stdout.readline():
                pass
            process.send_signal(signal.SIGINT)
            output = process.stdout.read()
        assert process.returncode == 130
        assert "--resume" in output
        assert "Traceback" not in output
        damka("play", "--resume", "--two", typed="save left.json\n", home=tmp_path)
        assert [move.hub() for move in Game.load(tmp_path / "left.json").moves] == ["22-18"]

    def test_nothing_to_resume_is_an_error(self, tmp_path: Path) -> None:
        assert "no game" in damka("play", "--resume", home=tmp_path, status=2)

    def test_plays_the_computer_from_either_side(self, tmp_path: Path) -> None:
        for side in ("first", "second", "random"):
            damka(
                "play",
                "american",
                "--level",
                "1",
                "--side",
                side,
                typed="quit\n",
                home=tmp_path,
            )

    def test_a_damaged_file_is_refused_with_a_reason(self, tmp_path: Path) -> None:
        (tmp_path / "game.json").write_text("{", "utf-8")
        assert "damka: " in damka("play", "--file", "game.json", home=tmp_path, status=2)

    def test_compulsory_capture_can_be_chosen(self, tmp_path: Path) -> None:
        output = damka(
            *("play", "dama100", "--two", "--obligation", "forced", "--fen", "W:W32,46:B27,5"),
            typed="46-41\n",
            home=tmp_path,
        )
        assert "must" in output


def test_only_serve_imports_the_web_libraries(tmp_path: Path) -> None:
    script = (
        "import sys, damka.cli\n"
        "web = {'fastapi', 'sqlalchemy', 'starlette', 'uvicorn'} & sys.modules.keys()\n"
        "assert not web, web\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)


def test_the_help_names_the_default_level() -> None:
    output = inspect.signature(play).parameters["level"].default.help
    assert f"Default: {levels.DEFAULT}, or the saved game's." in output


def test_the_help_names_every_level() -> None:
    output = " ".join((inspect.getdoc(play) or "").split())
    assert ", ".join(f"{n} {levels.title(n, 'en')}" for n in levels.LEVELS) + "." in output


def test_a_game_begins_with_a_description_of_the_level(tmp_path: Path) -> None:
    command = ("play", "dama64", "--level", "2", "--side", "first", "--lang", "sk")
    output = damka(*command, typed="quit\n", home=tmp_path)
    assert f"úrovni 2, Začiatočník: {levels.describe(2, 'sk')}" in " ".join(output.split())


class TestInterrupt:
    """Ctrl-C in a long command, shortly after its first file exists."""

    @pytest.mark.parametrize("seconds", [0.0, 1.0])
    def test_interrupted_training_can_continue(self, tmp_path: Path, seconds: float) -> None:
        command = ("train", "mini-american", "--games", "100000")
        file = tmp_path / "training" / "mini-american"
        assert "to continue" in self.interrupted(command, file, tmp_path, seconds)

    def test_interrupted_table_building_can_continue(self, tmp_path: Path) -> None:
        command = ("tablebase", "build", "american", "--pieces", "5", "--folder", "tables")
        file = tmp_path / "tables"
        assert "to continue" in self.interrupted(command, file, tmp_path, 0.5)

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_an_interrupted_match_with_a_file_can_continue(self, tmp_path: Path, jobs: str) -> None:
        command = ("match", "random", "random", "--rules", "mini-american", "--games", "100000")
        options = ("--output", "games.pdn", "--jobs", jobs)
        output = self.interrupted((*command, *options), tmp_path / "games.pdn", tmp_path, 0.3)
        assert "interrupted; run the same command to continue" in output

    def test_an_interrupted_match_without_a_file_mentions_the_option(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(match, "run", mock.Mock(side_effect=KeyboardInterrupt))
        command = ("match", "random", "random", "--rules", "mini-american")
        output = damka(*command, home=tmp_path, status=130)
        assert "use --output FILE to be able to continue a match" in output

    @staticmethod
    def interrupted(command: tuple[str, ...], file: Path, home: Path, seconds: float) -> str:
        """Return the output of a command interrupted together with its children."""
        process = subprocess.Popen(
            [DAMKA, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=home,
            env={**os.environ, "HOME": str(home), "NO_COLOR": "1"},
            start_new_session=True,
        )
        started = time.monotonic()
        try:
            while not file.exists():
                assert time.monotonic() < started + 60
                time.sleep(0.02)
            time.sleep(seconds)
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert "Traceback" not in output
        assert process.returncode == 130, output
        return output


class TestUnwritableOutput:
    """A file in place of a folder, which even root cannot write to."""

    @pytest.mark.parametrize(
        "command",
        [
            ("match", "random", "oneply", "--rules", "mini-american", "--games", "2", "--output"),
            ("train", "mini-american", "--folder"),
            ("dxp", "--connect", "127.0.0.1:1", "--output"),
        ],
    )
    def test_an_unwritable_output_is_reported_before_playing(
        self, command: tuple[str, ...], tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("")
        output = damka(*command, str(tmp_path / "file" / "x"), home=tmp_path, status=2)
        assert f"{tmp_path / 'file' / 'x'}" in output
        assert "Not a directory" in output

    def test_a_file_of_another_format_is_not_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "x.svg").write_text("<svg/>")
        command = ("dxp", "--connect", "127.0.0.1:1", "--output", "x.svg")
        assert "contains no PDN games" in damka(*command, home=tmp_path, status=2)
        assert (tmp_path / "x.svg").read_text() == "<svg/>"

    def test_an_unfinished_game_is_saved_in_another_place(self, tmp_path: Path) -> None:
        (tmp_path / "damka").write_text("")
        output = damka("play", "dama64", "--two", home=tmp_path, typed="22-18\nquit\n")
        saved = re.search(r"\S+/game\.json", output)
        assert saved
        assert [move.hub() for move in Game.load(Path(saved[0])).moves] == ["22-18"]


class TestTrainingWithInvalidNames:
    @pytest.mark.parametrize(
        ("options", "output"),
        [
            (
                ("--start", "shippd"),
                "start must be shipped, general or a weights file, not 'shippd'",
            ),
            (("--also", "nowhere"), "nowhere: not the folder of a run: settings.json is missing"),
        ],
    )
    def test_starts_no_run(self, options: tuple[str, ...], output: str, tmp_path: Path) -> None:
        command = ("train", "mini-american", "--folder", str(tmp_path / "runs"))
        assert output in damka(*command, *options, home=tmp_path, status=2)
        assert not list((tmp_path / "runs").rglob("settings.json"))


def test_too_large_a_hash_table_is_an_error(tmp_path: Path) -> None:
    """The address space is limited, so that the test does not allocate 64 GiB."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "import sys; from damka.cli import main; sys.argv[1:] = {}; main()"
    )

    def limited(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code.format(arguments)]
        return subprocess.run(
            command, input=typed, capture_output=True, text=True, check=False, cwd=tmp_path
        )

    played = limited("match", "engine:hash_mb=60000", "random", "--games", "2")
    assert played.returncode == 2
    assert "not enough memory" in played.stderr
    assert "Traceback" not in played.stderr
    hub = limited("hub", "--hash", "60000", typed="hub\ninit\nset-param name=hash value=1\ninit\n")
    output = hub.stdout.splitlines()
    assert 'error message="not enough memory; try a smaller hash"' in output
    assert output.count("ready") == 1
    assert output[-1] == "ready"
