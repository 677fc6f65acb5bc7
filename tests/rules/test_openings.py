"""Files of openings beside a rule file, and their errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from damka import Game, box
from damka.errors import RulesError
from damka.rules import from_dict, load
from damka.rules.openings import entry, numbered

OPENINGS = """\
# Our own openings
12. Kitchen opening: 9-13 22-18   # a comment
7. Two against two:  W:W21,K30:B5,9

B:W21,30:B5,9 9-13
"""


def write(folder: Path, openings: str | bytes, name: str = "openings.txt") -> Path:
    (folder / "box").mkdir(exist_ok=True)
    data = openings if isinstance(openings, bytes) else openings.encode()
    (folder / "box" / "openings.txt").write_bytes(data)
    mine = folder / "box" / "mine.toml"
    mine.write_text(f'base = "american"\nname = "mine"\n\nballots = "{name}"\n', "utf-8")
    return mine


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_rule_file_may_name_a_file_of_openings(tmp_path: Path, mark: str) -> None:
    rules = load(write(tmp_path, mark + OPENINGS))
    assert rules.openings == (
        "12. Kitchen opening: 9-13 22-18",
        "7. Two against two: W:W21,K30:B5,9",
        "B:W21,30:B5,9 9-13",
    )
    third = Game(rules, ballot=2).opening
    assert third is not None
    assert third.number == 3
    # The file's contents become part of the rules.
    assert from_dict(rules.to_dict()) == rules == box.decode(box.encode(rules))


@pytest.mark.parametrize(
    ("openings", "line", "expected"),
    [
        ("11-15\n\n3. Twice: 9-13\n3. Again: 10-15\n", 4, "a number other than 3"),
        ("11-15\nA name alone:\n", 2, "moves or a position"),
        ("# none\n" + "9-13 " * 200, 2, "at most 500 printable characters"),
        ("\n9-13 \x07", 2, "printable"),
    ],
)
def test_an_invalid_line_is_reported(
    tmp_path: Path, openings: str, line: int, expected: str
) -> None:
    with pytest.raises(RulesError, match=expected) as error:
        load(write(tmp_path, openings))
    assert error.value.line == line
    assert error.value.source.endswith("openings.txt")
    assert f"openings.txt:{line}: " in str(error.value)


@pytest.mark.parametrize(
    ("openings", "name", "expected"),
    [
        ("", "openings.txt", "an opening on each line"),
        ("# nothing\n", "openings.txt", "an opening on each line"),
        (b"\xff\xfe9-13", "openings.txt", "UTF-8"),
        ("9-13\n" * 20_000, "openings.txt", "at most 65536 bytes"),
        ("9-13", "absent.txt", "a readable file"),
        ("9-13", "a\\u0000.txt", "a readable file"),
    ],
)
def test_a_file_without_openings_is_refused(
    tmp_path: Path, openings: str | bytes, name: str, expected: str
) -> None:
    with pytest.raises(RulesError, match=expected) as error:
        load(write(tmp_path, openings, name))
    assert error.value.key == "ballots"


def test_only_a_rule_file_may_name_a_file(tmp_path: Path) -> None:
    """Rules from text or over the network cannot make Damka read a file."""
    mine = write(tmp_path, OPENINGS)
    with pytest.raises(RulesError, match="or a list of openings"):
        load(mine.read_text("utf-8").replace("openings.txt", str(mine.parent / "openings.txt")))
    with pytest.raises(RulesError, match="or a list of openings"):
        from_dict({"base": "american", "name": "mine", "ballots": "openings.txt"})


def test_the_total_size_of_openings_is_limited() -> None:
    american = load("american")
    long = "9-13 " * 99 + "9-13"
    with pytest.raises(RulesError, match="in total"):
        american.replace(ballots=[long] * 1100)
    with pytest.raises(RulesError, match="at most 3000"):
        american.replace(ballots=["9-13"] * 3001)


@pytest.mark.parametrize(
    ("text", "index", "line"),
    [
        ('ballots = ["9-13", "10-15"]\n', 1, 1),
        ('rows = 3\nballots = [\n  "9-13",\n  # "11-15",\n  \'10-15 ]\', "x"\n]\n', 1, 5),
        ('ballots = [\n"3. \\"A\\" [FEN]: 9-13",\n\n"10-15",\n]\n', 1, 4),
        ('ballots = ["9-13"]\nname = "mine"\n', 1, 1),
        ('ballots = "a.txt"\nname = "mine"\n', 1, 1),
    ],
)
def test_the_line_of_an_opening_in_a_rule_file(text: str, index: int, line: int) -> None:
    assert box.line_of(f"ballots[{index}]", text) == line


PIECES = st.sampled_from(
    ("12.", "7", "0.", ":", ": ", " ", "A", "[FEN", '"', "]", "W:W31:B5", "9-13")
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=9).map("".join)))
@example("1. 2. 3: 9-13")
@example('A: [FEN "W: W31 : B5"] 31-26')
@example("99999. x: y: 9-13")
def test_any_line_is_an_opening_or_an_error(line: str) -> None:
    try:
        opening = entry(line, 3)
    except RulesError:
        return
    assert 0 < opening.number < 100_000
    assert opening.text
    assert len(opening.name) <= 80
    assert entry(str(opening), 1) == opening
    assert numbered([str(opening)]) == (opening,)
