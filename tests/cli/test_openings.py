"""Openings on the command line: choice by number, validation, and positions of faults."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from damka import Game
from tests.cli.inside import damka

OPENINGS = "12. Kitchen opening: 9-13 22-18\n7. Two against two: W:W21,K30:B5,9\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    write(tmp_path, OPENINGS)
    return tmp_path


def write(folder: Path, openings: str) -> None:
    (folder / "openings.txt").write_text(openings, "utf-8")
    text = 'base = "american"\nname = "mine"\n\nballots = "openings.txt"\n'
    (folder / "mine.toml").write_text(text, "utf-8")


def test_an_opening_is_chosen_by_its_number(home: Path) -> None:
    output = damka(
        *("play", "mine.toml", "--two", "--opening", "7", "--output", "game.json"),
        home=home,
        typed="21-17\nquit\n",
    )
    assert "Opening 7: Two against two" in output
    game = Game.load(home / "game.json")
    assert (game.start_fen, game.ballot, len(game.moves)) == ("W:W21,K30:B5,9", 1, 1)


def test_by_default_an_opening_is_drawn_by_lot(home: Path) -> None:
    titles = set()
    for _ in range(12):
        output = damka("play", "mine.toml", "--two", home=home, typed="quit\n")
        titles |= {each for each in ("Kitchen opening", "Two against two") if each in output}
    assert len(titles) == 2


@pytest.mark.parametrize("number", ["1", "13"])
def test_an_unknown_opening_number_is_refused(home: Path, number: str) -> None:
    output = damka("play", "mine.toml", "--opening", number, home=home, status=2)
    assert f"mine has no opening {number}" in output
    output = damka("play", "american", "--opening", "1", home=home, status=2)
    assert "american has no opening 1" in output


def test_an_unplayable_opening_is_reported_with_its_line(home: Path) -> None:
    write(home, "# ours\n11-15\n\nBad one: W:W21,22:B5 21-18 5-9\n")
    for command in (("rules", "check"), ("rules", "check", "--lang", "it")):
        output = damka(*command, "mine.toml", home=home, status=2)
        assert "openings.txt:4: Bad one: W:W21,22:B5 21-18 5-9: expected legal moves" in output
    assert "L’apertura «Bad one" in output
    report = json.loads(damka("rules", "check", "mine.toml", "--json", home=home, status=2))
    assert [(each["key"], each["line"]) for each in report["errors"]] == [("ballots[1]", 4)]
    # No command accepts rules with invalid openings.
    assert "21-18" in damka("play", "mine.toml", "--two", home=home, status=2)
    (home / "mine.toml").write_text(
        'base = "american"\nname = "mine"\nballots = [\n  "11-15",\n  "W:W1:B5",\n]\n', "utf-8"
    )
    output = damka("rules", "check", "mine.toml", home=home, status=2)
    assert "mine.toml:5: ballots[1] = 'W:W1:B5': expected a legal position; the white man" in output


def test_a_duplicate_number_is_reported_with_its_line(home: Path) -> None:
    write(home, "3. A: 11-15\n3. B: 9-13\n")
    output = damka("rules", "check", "mine.toml", home=home, status=2)
    assert "openings.txt:2: 3. B: 9-13: expected a number other than 3" in output
    assert "its own number" in output


@pytest.mark.parametrize("kind", ["ballots", "openings.txt", "games.pdn"])
def test_a_match_plays_every_opening_twice_with_the_colours_swapped(home: Path, kind: str) -> None:
    (home / "games.pdn").write_text(
        '[GameType "21"]\n[Opening "Kitchen opening"]\n\n1. 9-13 22-18 *\n\n'
        '[GameType "21"]\n[Opening "Two against two"]\n[FEN "W:W21,K30:B5,9"]\n\n*\n',
        "utf-8",
    )
    damka(
        *("match", "random", "oneply", "--rules", "mine.toml", "--games", "4", "--nodes", "10"),
        *("--openings", kind, "--output", "out.pdn"),
        home=home,
    )
    text = (home / "out.pdn").read_text("utf-8")
    games = [dict(_tags(each)) for each in text.split("[Event ")[1:]]
    assert len(games) == 4
    for one, other in (games[:2], games[2:]):
        assert one["Opening"] == other["Opening"]
        assert (one["White"], one["Black"]) == (other["Black"], other["White"])
    positions = {each["Opening"].partition(": ")[0].lstrip("0123456789. "): each for each in games}
    assert positions["Two against two"]["FEN"] == "W:W21,K30:B5,9"
    assert "FEN" not in positions["Kitchen opening"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.txt", "11-15\n\n9-13 9-14\n", "a.txt, line 3: opening '9-13 9-14'"),
        ("a.txt", "11-15\nW:W1:B9\n", "a.txt, line 2: opening 'W:W1:B9'"),
        ("a.txt", "1. A: 11-15\n1. B: 9-13\n", "a.txt:2: 1. B: 9-13: expected a number other than"),
        ("a.txt", "A name alone:\n", "a.txt:1: A name alone:: expected moves or a position"),
        ("a.txt", "\n", "a.txt: ballots: expected an opening on each line"),
        ("a.pdn", "1. 11-15 *\n\n1. 9-13 9-14 *\n", "line 3, column"),
        ("a.pdn", '1. 11-15 *\n\n[FEN "W:W1:B9"]\n*\n', "line 3"),
        (
            *("a.pdn", '1. 11-15 *\n\n[GameType "21"]\n\n*\n'),
            "a.pdn, game 2, line 3: the game has no moves and no position",
        ),
        ("a.pdn", '[FEN "W:W21:B"]\n\n*\n', "game 1, line 1: opening 'W:W21:B'"),
        ("a.pdn", "", "the file contains no game"),
        ("absent.pdn", None, "cannot be read"),
        ("absent.txt", None, "a readable file"),
    ],
)
def test_an_invalid_openings_file_is_reported_with_its_line(
    home: Path, name: str, text: str | None, expected: str
) -> None:
    if text is not None:
        (home / name).write_text(text, "utf-8")
    output = damka(
        *("match", "random", "oneply", "--rules", "american", "--games", "2", "--nodes", "10"),
        *("--openings", name),
        home=home,
        status=2,
    )
    assert expected in " ".join(output.split()), output


def _tags(text: str) -> list[tuple[str, str]]:
    lines = (line for line in f"[Event {text}".splitlines() if line.startswith("["))
    return [(name, value.strip('"')) for name, _, value in (x[1:-1].partition(" ") for x in lines)]


def test_rules_too_long_for_a_link_are_not_served(home: Path) -> None:
    rng = random.Random(1)
    write(home, "\n".join(f"{n}. Made up {rng.random()}: 9-13" for n in range(1, 1500)))
    output = damka("serve", "--house-rules", ".", "--port", "0", home=home, status=2)
    assert "mine.toml" in output
    assert "fewer openings: a link has at most 24576 characters" in output
    assert "The list of openings can’t be read, or is too long." in output
