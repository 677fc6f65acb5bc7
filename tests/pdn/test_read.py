"""Games as found in practice, in every supported dialect."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

import damka
from damka import pdn
from damka.errors import PdnError, UnknownRulesError


def moves(game: pdn.PdnGame) -> list[str]:
    return [node.move.hub() for node in game.mainline() if node.move]


def one(text: str, rules: str | None = None) -> pdn.PdnGame:
    [game] = pdn.read(text, rules)
    return game


def test_tags_moves_and_result_are_read() -> None:
    game = one(
        '[Event "Cup"]\n[White "A. Name"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n', "american"
    )
    assert game.headers == {"Event": "Cup", "White": "A. Name", "Result": "1-0"}
    assert moves(game) == ["11-15", "23-19"]
    assert game.result == "1-0"
    assert game.move_count == 2
    assert game.rules.name == "american"
    assert game.board().fen == damka.Board("american").fen


@pytest.mark.parametrize(
    "text",
    [
        "1. 32-28 19-23 2. 28x19 14x23",
        "1. 32 - 28 19 -23 2. 28 x 19 14 x23",
        "1.32-28 19-23 2.28:19 14:23",
        "1. 32-28 1... 19-23 2. 28X19 2... 14×23",
        "32-28 19-23 28x19 14x23",
        "1 32-28 19-23 2 28x19 14x23",
        "1. 3228 1923 2. 2819 1423",
        "1. 032-028 19-23 2. 28-19 14-23",
        "1. 32–28 19–23 2. 28х19 14х23",
        "... 32-28 19-23 ... 28x19 14x23",
        "1. 32-28! 19-23(?!) 2. 28x19 $3 14x23??",
        "1. 32-28\n19-23\r\n2. 28x19\t14x23",
        "%a line\n1. 32-28 19-23\n% another {\n2. 28x19 14x23",
        "1. 32-28 {a} 19-23 ; to the end\n2. 28x19 [%clk 0:01] 14x23",
        "1. 32-28 (1. 31-26 19-23 (1... 20-24)) 19-23 2. 28x19 14x23 (2... 13x24)",
        "1. 32-28 19-23 2. 28x19 <23> 14x23 < 19 >",
        "1. 32-28* 19-23 +- 2. 28x19 = 14x23",
        "\ufeff1. 32-28 19-23 2. 28x19 14x23",
        "1. 32-28 19-23 2. 28x19 14x23 ) ",
        "1. 32-28 19-23 2. 28x19 14x23 (2... 13x24",
    ],
)
def test_spellings_of_the_same_moves(text: str) -> None:
    assert moves(one(text, "international")) == ["32-28", "19-23", "28x19x23", "14x23x19"]


@pytest.mark.parametrize(
    "text",
    [
        "1. c3-d4 d6-c5 2. b2-c3 f6-g5",
        "1. c3 - d4 d6 - c5 2. b2 - c3 f6 - g5",
        "1. c3d4 d6c5 2. b2c3 f6g5",
        "1. C3-D4 D6-C5 2. B2-C3 F6-G5",
        "1. 22-18 11-15 2. 25-22 10-14".replace("11-15", "10-15").replace("10-14", "11-16"),
        "1. c3-18 d6-c5 2. b2-22 f6-16",
        "1. с3-d4 d6-с5 2. b2-с3 f6-g5",
    ],
)
def test_algebraic_and_numeric_moves(text: str) -> None:
    # In algebraic games, numbers are the library's: d6 is 10, c5 is 14.
    if "10-15" in text:
        text = "1. 22-18 10-14 2. 25-22 11-16"
    assert moves(one(text, "russian")) == ["22-18", "10-14", "25-22", "11-16"]


@pytest.mark.parametrize(
    "result",
    ["1-0", "0-1", "1/2-1/2", "1/2", "0-0", "*", "2-0", "0-2", "1-1", "½-½", "1.5-0.5", "12-0"],
)
def test_results_end_a_game(result: str) -> None:
    text = f"1. 32-28 19-23 {result}\n1. 33-28 18-23 {result}\n"
    games = list(pdn.read(text, "international"))
    assert [moves(game) for game in games] == [["32-28", "19-23"], ["33-28", "18-23"]]
    assert [game.result for game in games] == [result.replace("½", "1/2")] * 2


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 - 0", "1-0"),
        ("0–1", "0-1"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("½ - ½", "1/2-1/2"),
        ("½–½", "1/2-1/2"),
        ("1 — 0", "1-0"),
        ("2−0", "2-0"),
    ],
)
def test_results_are_normalized(text: str, result: str) -> None:
    moves_only, tag_only, both = pdn.read(
        f'1. 32-28 {text}\n\n[Result " {text} "]\n1. 32-28\n\n[Result "{text}"]\n1. 32-28 {text}\n',
        "international",
    )
    for game in (moves_only, tag_only, both):
        assert (game.result, moves(game), game.errors) == (result, ["32-28"], [])
        written = pdn.format(game)
        assert f'[Result "{result}"]' in written
        assert written.endswith(f"1. 32-28 {result}\n")


@pytest.mark.parametrize(
    ("tag", "ending", "warned"),
    [
        ("1-0", "0-1", True),
        ("1-0", "1/2-1/2", True),
        ("*", "1-0", True),
        ("2-0", "1-0", False),
        ("1-1", "½-½", False),
        ("1-0", "*", False),
        ("White wins", "1-0", False),
    ],
)
def test_a_result_with_another_winner_than_the_tag_is_a_warning(
    tag: str, ending: str, warned: bool
) -> None:
    [game] = pdn.read(f'[Result "{tag}"]\n[GameType "20"]\n\n1. 32-28 19-23\n{ending}\n')
    assert (game.result, game.errors, game.move_count) == (tag, [], 2)
    places = [(each.code, each.line, each.column, each.text) for each in game.warnings]
    assert places == ([("result", 5, 1, ending)] if warned else [])
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert [str(each) for each in copy.warnings] == [str(each) for each in game.warnings]


@pytest.mark.parametrize(
    ("text", "result"), [("1 : 0", "1-0"), ("2:0", "2-0"), ("1 / 2 : 1 / 2", "1/2-1/2")]
)
def test_results_with_colons_in_a_tag_are_normalized(text: str, result: str) -> None:
    game = one(f'[Result "{text}"] 1. 32-28', "international")
    assert (game.result, game.headers["Result"]) == (result, result)
    assert pdn.format(game).endswith(f"1. 32-28 {result}\n")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        *(("1:1", "1-1"), ("2:0", "2-0"), ("0:2", "0-2"), ("1:0", "1-0"), ("0:1", "0-1")),
        *(("0:0", "0-0"), ("1 : 1", "1-1"), ("2\u22360", "2-0"), ("0\uff1a2", "0-2")),
        *(("1/2:1/2", "1/2-1/2"), ("½ : ½", "1/2-1/2"), ("1.5:0.5", "1.5-0.5")),
    ],
)
def test_results_with_colons_after_the_moves(text: str, result: str) -> None:
    first, second = pdn.read(
        f"1. 32-28 19-23 2. {text}\n1. 33-28 (1. 31-27 {text}) {text} *\n",
        "international",
    )
    assert [game.result for game in (first, second)] == [result, result]
    assert [moves(game) for game in (first, second)] == [["32-28", "19-23"], ["33-28"]]
    assert [game.errors for game in (first, second)] == [[], []]
    assert f'[Result "{result}"]' in pdn.format(first)


@pytest.mark.parametrize(
    "text", ["0:12", "1:00", "00:1", "0:02", "12:12", "5:5", "2:2", "0:1:30", "1x1", "2x0"]
)
def test_times_and_captures_are_no_results(text: str) -> None:
    for after in ("", " *", "\n\n1. 33-28 *"):
        game = one(f"1. 32-28 19-23 {text}{after}", "international")
        assert (moves(game), game.result) == (["32-28", "19-23"], "*")
        assert [error.text for error in game.errors] == [text]
    game = one(f"1. 32-28 {{{text}}} 19-23 {{[%clk 0:0{text}]}} 1:1", "international")
    assert (moves(game), game.result, game.errors) == (["32-28", "19-23"], "1-1", [])


def test_points_with_a_colon_after_the_moves_are_those_of_the_tag() -> None:
    text = '[Result "4:6"]\n1. 32-28 19-23 4:6\n\n[Result "12:0"]\n1. 33-28 12:0'
    first, second = pdn.read(text, "international")
    assert (first.result, second.result) == ("4-6", "12-0")
    assert (moves(first), first.errors) == (["32-28", "19-23"], [])
    assert (moves(second), second.errors) == (["33-28"], [])
    # Without a tag, 4:6 may be a time or a capture.
    assert [error.text for error in one("1. 32-28 4:6", "international").errors] == ["4:6"]


def test_a_capture_with_a_colon_is_no_result() -> None:
    game = one('[FEN "W:W12:B8"] 1. 12:3 1:0', "international")
    assert (moves(game), game.result) == (["12x3x8"], "1-0")


def test_a_result_with_a_colon_inside_a_game() -> None:
    game = one("1. 32-28 1:1 2. 28x19 *", "international")
    assert [(error.code, error.text) for error in game.errors] == [("result_inside", "1:1")]
    assert game.errors[0].rest == "2. 28x19"


@pytest.mark.parametrize("result", ["4-6", "10-2", "White wins", "unknown", "7-5"])
def test_a_result_like_the_tag_ends_a_game(result: str) -> None:
    text = f'[Result "{result}"]\n1. 32-28 19-23 {result}\n\n[Result "*"]\n1. 33-28 *'
    first, second = pdn.read(text, "international")
    assert first.result == result
    assert moves(first) == ["32-28", "19-23"]
    assert moves(second) == ["33-28"]


def test_a_micro_match_result_is_not_a_move() -> None:
    assert one("1. 32-28 19-23 4-6", "international").result == "4-6"
    # 1-7 is a move here; 1-1 never is.
    game = one('[FEN "B:W48:B1"] 1. 1-7', "international")
    assert moves(game) == ["1-7"]


def test_a_result_followed_by_a_star_ends_one_game() -> None:
    assert len(list(pdn.read("1. 32-28 2-0 * 1. 33-28 1-1 {end} *", "international"))) == 2


def test_captured_squares_resolve_ambiguous_captures() -> None:
    board = damka.Board("russian", "W:WK20:B7,8,12,15,23,24")
    by_ends: dict[tuple[int, int], list[damka.Move]] = {}
    for move in board.legal_moves:
        by_ends.setdefault((move.start, move.end), []).append(move)
    alike = [group for group in by_ends.values() if len(group) > 1]
    assert alike
    for group in alike:
        for move in group:
            route = "x".join(map(str, move.route))
            listed = ", ".join(map(str, move.captures))
            hub = f"{move.start}x{move.end}x{'x'.join(map(str, move.captures))}"
            for text in (route, f"{move.start}x{move.end} <{listed}>", hub):
                game = one(f'[FEN "{board.fen}"] 1. {text} *', "russian")
                assert moves(game) == [move.hub()], text


def test_games_may_begin_with_any_tag() -> None:
    text = '[White "a"]\n[Black "b"]\n[Event "c"]\n\n1. c3-d4 1-1\n\n[White "d"]\n\n1. a3-b4 *\n'
    assert [game.headers["White"] for game in pdn.read(text, "russian")] == ["a", "d"]


def test_games_without_moves_are_read() -> None:
    text = '[White "a"]\n[Result "2-0"]\n\n[White "b"]\n[Result "0-2"]\n\n2-0\n\n[White "c"]\n\n'
    games = list(pdn.read(text, "international"))
    assert [(game.headers["White"], game.result) for game in games] == [
        ("a", "2-0"),
        ("b", "0-2"),
        ("c", "*"),
    ]


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        (r'[Event "The \"Big\" Cup"]', 'The "Big" Cup'),
        ('[Event "The "Big" Cup"]', 'The "Big" Cup'),
        ('[ Event  "Cup"  ]', "Cup"),
        ('[Event "Cup [2] of {3}"]', "Cup [2] of {3}"),
        ('[Event "Cup"', "Cup"),
        ("[Event Cup]", "Cup"),
        (r'[Event "C:\\Cup\\"]', "C:\\Cup\\"),
        (r'[Event "C:\Cup"]', "C:\\Cup"),
        (r'[Event "Cup\"]', "Cup\\"),
        ('[Event ""]', ""),
    ],
)
def test_quotes_and_brackets_in_tags(tag: str, value: str) -> None:
    game = one(f'{tag}\n[White "w"]\n\n1. 32-28 *', "international")
    assert game.headers == {"Event": value, "White": "w"}


def test_several_tags_on_a_line_are_read() -> None:
    assert one('[White "a"] [Black "b"][Site "c"] 1. 32-28', "international").headers == {
        "White": "a",
        "Black": "b",
        "Site": "c",
    }


def test_a_position_set_up_before_the_moves() -> None:
    game = one('/FEN "W:W32:B19"/ 1. 32-28 19-23 *', "international")
    assert game.fen == "W:W32:B19"
    assert game.start().fen == "W:W32:B19"
    assert game.variations[0].variations[0].board().fen == "W:W28:B23"


def test_a_position_set_up_between_moves() -> None:
    game = one('1. 32-28 /FEN "B:W32:B19"/ {as it was} 19-23 (19-24) *', "international")
    first, second = game.mainline()
    assert first.setup is None
    assert second.setup == "B:W32:B19"
    assert second.board().fen == "W:W32:B23"
    assert first.variations[1].board().fen == "W:W32:B24"
    assert first.comment == "as it was"


def test_variations_around_a_position_set_up() -> None:
    text = (
        '1. 32-28 /FEN "W:W32:B19"/ (32-27 (32-28) 19-23) 32-28 (/FEN "B:W10:B19"/ 19-24) 19-23 *'
    )
    game = one(text, "international")
    first, second, third = game.mainline()
    assert second.setup == "W:W32:B19"
    assert [str(node.move) for node in first.variations] == ["32-28", "32-27", "32-28", "19-24"]
    assert third.board().fen == "W:W28:B23"
    [again] = pdn.read(pdn.format(game))
    assert pdn.format(again) == pdn.format(game)
    assert moves(again) == moves(game)


def test_numeric_positions_of_algebraic_games() -> None:
    for numbers, square in (("W:W22:B1", "c3-d4"), ("W:W9:B32", "a3-b4")):
        game = one(f'[GameType "25"][FEN "{numbers}"] 1. {square}')
        assert game.move_count == 1
    # 9 is a3 counted from a1's corner, but would be b6 counted from the top.
    assert game.start().fen == "W:W21:B4"


def test_an_unknown_side_to_move_is_inferred() -> None:
    assert one('[FEN "?:W32:B19"] 1. 19-23', "international").start().turn == "B"


def test_comments_before_and_after_moves() -> None:
    game = one(
        "{first} 1. 32-28 {after} {more} 19-23 ({before} 1... 20-24 $1 {then} 2. 31-26) 2. 28x19",
        "international",
    )
    assert game.comment == "first"
    first = game.variations[0]
    assert first.comment == "after more"
    main, other = first.variations
    assert (other.starting_comment, other.comment, other.nags) == ("before", "then", {1})
    assert [str(node.move) for node in other.mainline()] == ["31-26"]
    assert [str(node.move) for node in main.mainline()] == ["28x19"]
    assert other.line() == [first, other]
    assert other.game is game


def test_nags_are_read() -> None:
    text = "1. 32-28! 19-23? 2. 28x19!! 14x23?? 3. 31-27!? 10-14?! 4. 33-28 $14 $7 *"
    assert [node.nags for node in one(text, "international").mainline()] == [
        *({1}, {2}, {3}, {4}, {5}, {6}),
        {14, 7},
    ]


def test_commands_in_comments_of_other_programs() -> None:
    game = one(
        "1. 32-28 { [%clock w0:01:59 B0:02:00] [%eval 0.5] } 19-23 "
        "{ [%clk 1:59:56.5] Good. [%csl R12,G23] [%cal B12-23] [%eval #-3] }",
        "international",
    )
    first, second = game.mainline()
    assert first.clocks == {"W": 119, "B": 120}
    assert first.clock == 119
    assert first.evaluation == pdn.Evaluation(0.5)
    assert first.text == ""
    assert second.clock == 7196.5
    assert second.clocks == {}
    assert second.evaluation == pdn.Evaluation(None, -3)
    assert second.text == "Good."
    assert second.marks == (
        pdn.Mark("R", 12, 12),
        pdn.Mark("G", 23, 23),
        pdn.Mark("B", 12, 23),
    )


def test_an_ambiguous_capture_is_resolved_by_the_next_moves() -> None:
    # A random game. 14... d4xb2 may capture c3, or e3, g3, g5, e5 and c3. The next move goes to g3.
    text = (
        "1. g3-f4 h6-g5 2. f4xh6 f6-g5 3. h6xf4 b6-c5 4. f4-g5 g7-h6 5. f2-g3 h6xf4 6. e3xg5 c5-b4 "
        "7. a3xc5 d6xb4 8. c3xa5 a7-b6 9. b2-c3 b8-a7 10. g1-f2 e7-d6 11. a1-b2 b6-c5 12. b2-a3 "
        "c7-b6 13. a5xe5 c5-d4 14. f2-e3 d4xb2"
    )
    last = [*one(text, "russian").mainline()][-1]
    assert last.move is not None
    # A straight jump is tried first.
    assert last.move.captures == (22,)
    resolved = [*one(text + " 15. h2-g3 *", "russian").mainline()][-2]
    assert resolved.move is not None
    assert len(resolved.move.captures) == 5


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1251", "koi8-r"]


@pytest.mark.parametrize("encoding", [*ENCODINGS, "cp866"])
def test_encodings_of_russian_are_detected(encoding: str, tmp_path: Path) -> None:
    text = '[White "Чижов Алексей"]\n[Black "Королёв"]\n\n1. c3-d4 {хороший ход} 1-1\n'
    file = tmp_path / "games.pdn"
    file.write_bytes(text.encode(encoding))
    for source in (file, io.BytesIO(text.encode(encoding))):
        [game] = pdn.read(source, "russian")
        assert game.headers["White"] == "Чижов Алексей"
        assert game.headers["Black"] == "Королёв"
        assert game.variations[0].comment == "хороший ход"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8"])
def test_encodings_of_western_europe_are_detected(encoding: str) -> None:
    data = '[White "Sijbrands, Née Gérard"]\n\n1. 32-28 {à l’école} *'
    if encoding == "latin-1":
        data = data.replace("’", "'")
    [game] = pdn.read(io.BytesIO(data.encode(encoding)), "international")
    assert game.headers["White"] == "Sijbrands, Née Gérard"
    assert game.variations[0].comment.startswith("à l")


def test_every_kind_of_source_is_read(tmp_path: Path) -> None:
    text = "1. 32-28 19-23 *\n1. 33-28 *\n"
    file = tmp_path / "a.pdn"
    file.write_text(text)
    with file.open() as words, file.open("rb") as data:
        for source in (text, file, words, data, io.StringIO(text), io.BytesIO(text.encode())):
            assert len(list(pdn.read(source, "international"))) == 2


def test_a_str_is_never_a_file_name(tmp_path: Path) -> None:
    file = tmp_path / "a.pdn"
    file.write_text("1. 32-28 *")
    with pytest.raises(PdnError):
        list(pdn.read(str(file), strict=True))


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PdnError, match=r"none\.pdn: cannot be read"):
        next(pdn.read(tmp_path / "none.pdn"))


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="errors"):
        pdn.read("", errors="ignore")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        pdn.read(3)  # type: ignore[arg-type]
    with pytest.raises(UnknownRulesError):
        pdn.read("", "nothing")


def test_tag_names_are_case_insensitive() -> None:
    game = one('[EVENT "Cup"][gametype "25"][Fen "W:W22:B1"][RESULT "2-0"] 1. c3-d4 *')
    assert game.headers == {"Event": "Cup", "GameType": "25", "FEN": "W:W22:B1", "Result": "2-0"}
    assert game.result == "2-0"
    assert game.fen == "W:W22:B1"


def test_an_end_of_file_character_is_ignored() -> None:
    assert [game.move_count for game in pdn.read("1. 32-28 *\r\n\x1a", "international")] == [1]
    assert [game.move_count for game in pdn.read("1. 32-28 *\n\x00\x00", "international")] == [1]


def test_numbers_from_the_corner_of_a1_are_detected() -> None:
    # Counted from a1, 9 is a3 and 24 is h6; counted from the top, 9 has a black man.
    game = one('[GameType "25"] 1. 9-13 24-20 *')
    assert moves(game) == ["21-17", "12-16"]


def test_games_can_be_pickled() -> None:
    text = '[White "a"]\n[GameType "20"]\n\n' + "1. 32-28 {c} (1. 31-27) 19-23 *"
    long = "W:WK1:BK50"
    path = "1. 1-7 50-44 " + "7-1 44-50 1-7 50-44 " * 600
    for game in (one(text), one(f'[FEN "{long}"] {path}', "international")):
        again = pickle.loads(pickle.dumps(game))  # noqa: S301
        assert str(again) == str(game)
        assert again.headers["Result"] == "*"


def test_inputs_without_games() -> None:
    for text in ("", " \n\n", "% a line only", "\ufeff", "{a comment}"):
        assert sum(game.move_count for game in pdn.read(text)) == 0


def test_a_long_file_is_read_incrementally() -> None:
    class Endless(io.RawIOBase):
        """An endless stream of games."""

        total = 0

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            game = b'[White "a"]\n\n1. 32-28 19-23 {a comment} 2. 28x19 14x23 1-1\n\n'
            self.total += size
            return game * (size // len(game) + 1)

    source = Endless()
    games = pdn.read(source, "international")  # type: ignore[arg-type]
    for _ in range(3000):
        next(games)
    assert source.total < 2_000_000


def test_games_may_be_split_anywhere_between_reads() -> None:
    text = '[White "a"]\n[GameType "20"]\n\n1. 32-28 {b} 19-23 2. 28x19 14x23 1-1\n\n' * 40

    class SmallReads(io.StringIO):
        def read(self, size: int | None = -1) -> str:
            return super().read(7)

    assert [moves(game) for game in pdn.read(SmallReads(text))] == [moves(one(text[:67]))] * 40
