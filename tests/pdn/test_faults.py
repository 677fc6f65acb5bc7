"""Invalid games: errors and their positions."""

from __future__ import annotations

import math
import pickle
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import pdn
from damka.errors import PdnError

GOOD = '[White "a"]\n[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ("1. 32-28 19-23\n2. 33-29", 2, 4, "You must capture"),
        ("{é} 1. 32-26", 1, 8, "32-26"),
        ("1. 32-28 19-99 *", 1, 10, "19-99"),
        ("1. 32-28 banana *", 1, 10, "banana: expected a move"),
        ("1. 32-28\n {a {b} c} *", 2, 5, "expected } before {"),
        ("1. 32-28 {never closed *", 1, 10, "unclosed"),
        ('1. 32-28 {never closed *\n[White "b"]\n', 1, 10, "unclosed"),
        ("1. 32-28 (1. 32-26) *", 1, 14, "32-26"),
        ("1. 32-28 $12345678901 *", 1, 10, "expected a move"),
        ('[FEN "W:W99:B1"]\n1. 32-28', 1, 2, "FEN: 99 is not a playing square"),
        ('1. 32-28 /FEN "x"/ 19-23', 1, 16, "invalid position"),
        ("(" * 65 + "1. 32-28", 1, 65, "nested more than 64 deep"),
        ("1. 3 2-28 *", 1, 4, "3: a number without a move"),
    ],
)
def test_an_error_has_its_position_and_message(
    text: str, line: int, column: int, what: str
) -> None:
    with pytest.raises(PdnError) as caught:
        list(pdn.read(text, "international", strict=True))
    error = caught.value
    assert (error.line, error.column, error.game) == (line, column, 1)
    assert what in str(error)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (str(again), again.line) == (str(error), line)


def test_errors_name_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.pdn"
    file.write_text(GOOD * 3 + "1. 32-26 *")
    with pytest.raises(PdnError, match=rf"^{file}: game 4, line 13, column 4: 32-26: "):
        list(pdn.read(file, "international", strict=True))


@pytest.mark.parametrize(
    "bad",
    [
        '[White "b"]\n\n1. 32-26 *\n',
        '[White "b"]\n\n1. 32-28 {a {b} c} *\n',
        '[White "b"]\n\n1. 32-28 {a *\n',
        '[White "b"]\n[FEN "x"]\n\n1. 32-28 *\n',
        '[White "b"]\n\n1. 32-28 banana *\n',
        "".join(f'[T{n} "x"]\n' for n in range(1001)) + "\n1. 32-28 *\n",
    ],
)
def test_reading_continues_after_an_error(bad: str) -> None:
    games = list(pdn.read(GOOD + "\n" + bad + "\n" + GOOD, "international"))
    assert [game.number for game in games] == [1, 2, 3]
    assert [bool(game.errors) for game in games] == [False, True, False]
    assert games[2].line_number == GOOD.count("\n") + 1 + bad.count("\n") + 1 + 1


def test_too_long_a_game_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damka.pdn.reader.MAX_GAME_BYTES", 1000)
    monkeypatch.setattr("damka.pdn.reader.CHUNK", 500)
    text = "{" + "x" * 20_000 + "} 1. 32-28 *\n" + GOOD
    games = list(pdn.read(text, "international"))
    assert games[0].errors[0].code == "too_long"
    # Reading continues with the tags of the next game.
    assert [(game.move_count, game.errors) for game in games[1:]] == [(4, [])]
    with pytest.raises(PdnError, match="1000 bytes"):
        list(pdn.read(text, "international", strict=True))


PIECES = [
    *('[White "a"]', '[FEN "W:W32:B19"]', '[GameType "25"]', '[Result "1-0"]', "[", "]", '"'),
    *("1.", "32-28", "19-23", "28x19", "11-15", "c3-d4", "a3b4", "3228", "x", ":", "-", "<", ">"),
    *("{", "}", "(", ")", "$1", "$", "!", "?", "*", "1-0", "1/2-1/2", "4-6", "0-0", ";", "%", "/"),
    *('/FEN "W:W32:B19"/', "/FEN", "\n", "\r\n", " ", "\t", "\\", "\x00", "é", "½", "×", "..."),
    *("{[%clk 0:01:02]}", "[%eval 0.3]", "99999999999", "l99", "K", "W:W1"),
]


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_random_texts_raise_only_pdn_errors(text: str) -> None:
    check(text)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_raise_only_pdn_errors(data: bytes) -> None:
    import io  # noqa: PLC0415

    check(io.BytesIO(data))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_game_raises_only_pdn_errors(data: st.DataObject) -> None:
    text = list(
        '[White "a"]\n[FEN "W:W31-50:B1-20"]\n[GameType "20"]\n\n1. 32-28 {a [%clk 0:01:00]} 19-23 '
        '(1... 20-24 $1 2. 31-27) 2. 28x19 14x23 <19> 3. 33-28 /FEN "W:W32:B19"/ 32-28 1-1\n\n'
        '[Black "b"]\n\n1. c3-d4 d6-c5 *\n'
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.sampled_from([*PIECES, ""]))
    check("".join(text))


def check(source: object) -> None:
    """Read all games and access their properties."""
    for game in pdn.read(source):  # type: ignore[arg-type]
        count = 0
        for node in game.mainline():
            count += 1
            assert node.comment is not None
            assert node.marks is not None
            assert node.clock is None or math.isfinite(node.clock)
            assert node.evaluation is None or len(node.evaluation) == 2
        assert count == game.move_count
        assert pdn.format(game)


def test_no_input_needs_quadratic_time() -> None:
    for text in (
        "1-0 " + "{}" * 50_000 + " x",
        "[%" * 50_000,
        '[A "' * 50_000,
        '/FEN "' * 50_000,
        "a1*" + " " * 50_000 + "b",
        "{" * 50_000,
        "(" * 50_000,
        "1-" * 50_000,
        "a3" * 50_000,
        "<" * 50_000,
        "x" * 50_000,
        "% \n" * 50_000,
        "32-28 19-23 (" * 30_000,
        '[A ""]' * 50_000,
        "[%clk " * 50_000,
        "{[%cal " + "R1" * 50_000 + "]}",
    ):
        check(text)


def test_ambiguous_moves_are_not_replayed_repeatedly() -> None:
    """The game is long, with ambiguous captures and a move that no interpretation allows."""
    ambiguous = '/FEN "W:WK48:B6,10,14,21,29,36,40,43,44"/ 48x26 ' * 8
    long = '/FEN "W:WK1:BK50"/ ' + "1-7 50-44 7-1 44-50 " * 100_000
    started = time.perf_counter()
    with pytest.raises(PdnError, match="1-50"):
        next(pdn.read(f"{ambiguous}{long} 1-50", "international", strict=True))
    assert time.perf_counter() - started < 6


@pytest.mark.parametrize("name", ["games.pdn", "my games/Final.PDN", "C:\\games.txt"])
def test_an_error_explains_how_to_pass_a_file_name(name: str) -> None:
    with pytest.raises(PdnError, match="pass a Path to read a file"):
        next(pdn.read(name, strict=True))


def test_other_texts_do_not_mention_files() -> None:
    with pytest.raises(PdnError) as caught:
        next(pdn.read("1. 11-15 nonsense", "american", strict=True))
    assert "Path" not in str(caught.value)
