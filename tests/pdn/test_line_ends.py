"""Line endings and non-ASCII spaces."""

from __future__ import annotations

import io

import pytest

from damka import pdn
from damka.pdn import PdnGame

LINE_ENDS = ["\n", "\r\n", "\r"]


def moves(game: PdnGame) -> list[str]:
    return [str(node.move) for node in game.mainline()]


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize("line", ["1. 32-28 ; a comment", "1. 32-28\n% ignored"])
def test_line_comments_end_at_any_line_ending(end: str, line: str) -> None:
    text = f'[GameType "20"]\n{line}\n19-23 *\n'
    for source in (text.replace("\n", end), io.BytesIO(text.replace("\n", end).encode())):
        [game] = pdn.read(source)
        assert moves(game) == ["32-28", "19-23"]
        assert game.errors == []


@pytest.mark.parametrize("end", LINE_ENDS)
@pytest.mark.parametrize("line", ["; a title", "% j10", "{j10}"])
def test_comments_do_not_hide_the_squares_of_a_game(line: str, end: str) -> None:
    [game] = pdn.read(f"{line}\n1. c3-d4 f6-g5 2. d4-c5\n*".replace("\n", end))
    assert (game.rules.name, len(moves(game)), game.errors) == ("russian", 3, [])


@pytest.mark.parametrize("end", LINE_ENDS)
def test_errors_and_games_have_line_numbers(end: str) -> None:
    text = '[White "a"]\n\n1. 32-28\n19-99 *\n\n[White "b"]\n\n1. 32-28\n\n19-23 banana *\n'
    first, second = pdn.read(text.replace("\n", end), "international")
    assert (first.line_number, second.line_number) == (1, 6)
    assert [(each.line, each.column) for each in first.errors] == [(4, 1)]
    assert [(each.line, each.column) for each in second.errors] == [(10, 7)]


@pytest.mark.parametrize("end", LINE_ENDS)
def test_lines_are_counted_across_the_chunks_of_a_file(
    monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr("damka.pdn.reader.MAX_GAME_BYTES", 200)
    text = "{" + f"x{end}" * 5000 + f'}} 1. 32-28 *{end}[White "b"]{end}{end}1. 33-28 *{end}'
    for chunk in (100, 101):
        monkeypatch.setattr("damka.pdn.reader.CHUNK", chunk)
        *_, last = pdn.read(text, "international")
        assert (last.headers, last.line_number, moves(last)) == ({"White": "b"}, 5002, ["33-28"])


@pytest.mark.parametrize("end", LINE_ENDS)
def test_games_without_tags_begin_on_a_new_line(end: str) -> None:
    games = pdn.read(f"32-28 1-1{end}33-28 1-1{end}", "international")
    assert [moves(game) for game in games] == [["32-28"], ["33-28"]]


@pytest.mark.parametrize("end", LINE_ENDS)
def test_an_open_comment_ends_at_the_next_game(end: str) -> None:
    text = '1. 32-28 {oops\n\n[White "b"]\n\n1. 33-28 *'.replace("\n", end)
    first, second = pdn.read(text, "international")
    assert [error.code for error in first.errors] == ["open_comment"]
    assert (second.headers, moves(second)) == ({"White": "b"}, ["33-28"])


def test_a_written_comment_does_not_start_a_tag() -> None:
    game = PdnGame(rules="international")
    game.add_variation("32-28").comment = 'a\r[White "b"]\n[White "c"]'
    [again] = pdn.read(pdn.format(game))
    assert again.errors == []
    assert moves(again) == ["32-28"]


@pytest.mark.parametrize("space", ["\xa0", "\u2007", "\u2009", "\u200b", "\u202f", "\u3000"])
def test_non_ascii_spaces_separate_moves(space: str) -> None:
    text = "1. 32-28 19-23 2. 28x19 {é} 14x23 *"
    [game] = pdn.read(text.replace(" ", space), "international")
    assert (moves(game), game.errors) == (["32-28", "19-23", "28x19", "14x23"], [])


@pytest.mark.parametrize("page", ["cp1252", "cp1251"])
def test_no_break_spaces_in_code_pages_separate_moves(page: str) -> None:
    text = '[White "Ж"]\n\n1. 32-28\xa019-23 2.\xa028x19 {a}\xa014x23\xa0*'
    data = text.replace("Ж", "é" if page == "cp1252" else "Ж").encode(page)
    [game] = pdn.read(io.BytesIO(data), "international")
    assert (moves(game), game.errors) == (["32-28", "19-23", "28x19", "14x23"], [])
    [game] = pdn.read(io.BytesIO("1. 32-28\xa0banana *".encode(page)), "international")
    assert [(each.column, each.text) for each in game.errors] == [(10, "banana")]
