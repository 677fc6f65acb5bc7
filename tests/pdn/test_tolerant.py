"""Tolerant reading: unreadable text is an error, and no move is lost silently."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.fuzz import damage

import damka
from damka import pdn
from damka.errors import PdnError


def one(text: str, rules: str | None = "international") -> pdn.PdnGame:
    [game] = pdn.read(text, rules)
    return game


def moves(game: pdn.PdnGame) -> list[str]:
    return [str(node.move) for node in game.mainline()]


def problems(game: pdn.PdnGame) -> list[tuple[str, str]]:
    return [(error.code, error.text) for error in game.errors]


@settings(max_examples=800, deadline=None)
@given(st.data())
def test_a_damaged_token_never_loses_a_move_silently(data: st.DataObject) -> None:
    samples = damage.samples()

    def choose(below: int) -> int:
        return data.draw(st.integers(0, below - 1))

    damage.check(damage.damage_token(samples[choose(len(samples))], choose))


# The game up to the error


def test_an_illegal_move_ends_only_its_line() -> None:
    game = one("1. 32-28 19-23 2. 28x19 14x99 3. 33-28 18-22 1-0")
    assert moves(game) == ["32-28", "19-23", "28x19"]
    [error] = game.errors
    assert (error.source, error.game, error.line, error.column) == ("", 1, 1, 25)
    assert (error.code, error.text, error.expected) == ("no_square", "14x99", "a legal move")
    assert error.rest == "3. 33-28 18-22"
    assert not error.variation
    assert game.result == "1-0"
    assert game.main_line_error is error


def test_an_illegal_move_in_a_variation_does_not_affect_the_main_line() -> None:
    game = one("1. 32-28 19-23 (1... 20-99 2. 31-27 (2. 31-26) 20-24) 2. 28x19 14x23 *")
    assert moves(game) == ["32-28", "19-23", "28x19", "14x23"]
    [error] = game.errors
    assert (error.text, error.variation) == ("20-99", True)
    assert error.rest == "2. 31-27 (2. 31-26) 20-24"
    assert game.main_line_error is None
    assert [str(node.move) for node in game.variations[0].variations] == ["19-23"]


def test_every_invalid_token_is_one_error() -> None:
    game = one("1. 32-28 (1. 31-99) (1. 33-28 19-88 2. 34-29) 19-23 (1... 20-77) 2. 28x66 *")
    assert moves(game) == ["32-28", "19-23"]
    assert [error.text for error in game.errors] == ["31-99", "19-88", "20-77", "28x66"]
    assert [error.column for error in game.errors] == sorted(e.column or 0 for e in game.errors)
    assert [str(node.move) for node in game.variations] == ["32-28", "33-28"]


def test_errors_have_the_file_name(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text("1. 32-28 *\n\n1. 32-28\n19-99 *\n")
    first, second = pdn.read(file, "international")
    assert first.errors == []
    [error] = second.errors
    assert (error.source, error.game, error.line, error.column) == (str(file), 2, 4, 1)
    assert str(error).startswith(f"{file}: game 2, line 4, column 1: 19-99: ")


def test_strict_reading_raises_the_first_error() -> None:
    text = "1. 32-28 *\n\n1. 32-28 (1. 31-99) 19-99 *"
    games = pdn.read(text, "international", strict=True)
    assert moves(next(games)) == ["32-28"]
    with pytest.raises(PdnError) as caught:
        next(games)
    assert (caught.value.game, caught.value.text) == (2, "31-99")


@pytest.mark.parametrize("errors", ["raise", "skip"])
def test_the_deprecated_errors_argument_still_works(errors: str) -> None:
    skipped: list[PdnError] = []
    with pytest.deprecated_call(match="errors="):
        games = pdn.read(
            "1. 32-28 *\n\n1. 32-99 *\n\n1. 33-28 *",
            "international",
            errors,  # type: ignore[arg-type]
            skipped=skipped.append,
        )
    assert moves(next(games)) == ["32-28"]
    if errors == "raise":
        with pytest.raises(PdnError, match="32-99"):
            next(games)
    else:
        assert moves(next(games)) == ["33-28"]
        assert [error.text for error in skipped] == ["32-99"]


def test_errors_can_be_pickled_with_their_game() -> None:
    game = one("1. 32-28 19-99 2. 33-28 *")
    again = pickle.loads(pickle.dumps(game))  # noqa: S301
    assert [str(error) for error in again.errors] == [str(error) for error in game.errors]
    assert again.errors[0].rest == "2. 33-28"


def test_a_game_needs_a_main_line_without_errors() -> None:
    with pytest.raises(PdnError, match="19-99"):
        damka.Game.from_pdn("1. 32-28 19-99 *", "international")
    game = damka.Game.from_pdn("1. 32-28 \u00b1 (1. 31-99) 19-23 *", "international")
    assert len(game.moves) == 2


def test_the_number_of_errors_is_limited() -> None:
    game = one("1. 32-28 " + "\u00b1 " * 5000 + "19-23 *")
    assert len(game.errors) == 1000
    assert game.errors[-1].code == "too_many_faults"
    assert "19-23" in (game.errors[-1].rest or "")


def test_ambiguous_captures_are_resolved_by_the_moves_before_an_error() -> None:
    # As in test_read, where the next move disambiguates the capture.
    text = (
        "1. g3-f4 h6-g5 2. f4xh6 f6-g5 3. h6xf4 b6-c5 4. f4-g5 g7-h6 5. f2-g3 h6xf4 6. e3xg5 c5-b4 "
        "7. a3xc5 d6xb4 8. c3xa5 a7-b6 9. b2-c3 b8-a7 10. g1-f2 e7-d6 11. a1-b2 b6-c5 12. b2-a3 "
        "c7-b6 13. a5xe5 c5-d4 14. f2-e3 d4xb2 15. h2-g3 a1-z9 *"
    )
    game = one(text, "russian")
    assert len(moves(game)) == 29
    node = [*game.mainline()][-2]
    assert node.move is not None
    assert len(node.move.captures) == 5
    assert problems(game) == [("no_square", "a1-z9")] or problems(game) == [("unreadable", "a1-z9")]


# Signs between squares, numbers


@pytest.mark.parametrize(
    ("text", "rules", "expected"),
    [
        ("1. 11x15 23-19 *", "american", ["11-15", "23-19"]),
        ("1. 32x28 19:23 2. 28-19 *", "international", ["32-28", "19-23", "28x19"]),
        ("1. c3:d4 f6xg5 *", "russian", ["22-18", "11-16"]),
        ("1. 32-28 19 23 *", "international", ["32-28", "19-23"]),
        ('[GameType "21"] 1. 11 15 23 19 *', None, ["11-15", "23-19"]),
        ("1. 32=28 19=23 2. 28*19 *", "international", ["32-28", "19-23", "28x19"]),
        ("1. 32*28 *", "international", ["32-28"]),
        ("1 32 28 19 23 2 28 19 14 23 *", "international", ["32-28", "19-23", "28x19", "14x23"]),
        ("32 28 19 23 28 19 14 23", "international", ["32-28", "19-23", "28x19", "14x23"]),
        ("1. c3 d4 f6 g5 2. d4 e5 *", "russian", ["22-18", "11-16", "18-15"]),
        ("1. c3=d4 f6*g5 *", "russian", ["22-18", "11-16"]),
        ("1 32-28 19-23 2 28x19 14x23", "international", ["32-28", "19-23", "28x19", "14x23"]),
        ("1. 32-28 {a} 1 19-23 *", "international", ["32-28", "19-23"]),
        (
            "32\u201228 19\u201523 28\u271519 14\uff1a23 33\uff0d28 *",
            "international",
            ["32-28", "19-23", "28x19", "14x23", "33-28"],
        ),
    ],
)
def test_other_signs_between_squares_are_accepted(
    text: str, rules: str | None, expected: list[str]
) -> None:
    game = one(text, rules)
    assert (moves(game), game.errors) == (expected, [])


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("19/23", "2. 28x19 14x23"),
        ("19_23", "2. 28x19 14x23"),
        ("19~23", "2. 28x19 14x23"),
        ("19.23", "2. 28x19 14x23"),
        ("19,23", "2. 28x19 14x23"),
        ("1923x", "2. 28x19 14x23"),
        ("19-2a", "2. 28x19 14x23"),
        ("19(23", "2. 28x19 14x23"),
        ("19", "2. 28x19 14x23"),
    ],
)
def test_a_damaged_move_is_an_error_with_its_position(text: str, rest: str) -> None:
    game = one(f"1. 32-28 {text} 2. 28x19 14x23 *")
    assert moves(game) == ["32-28"]
    [error] = game.errors
    assert (error.line, error.column, error.rest) == (1, 10, rest)


def test_a_misplaced_number_is_an_error() -> None:
    game = one("1. 32-28 19-23 7 28x19 14x23 *")
    assert moves(game) == ["32-28", "19-23", "28x19", "14x23"]
    assert problems(game) == [("number", "7")]


# NAGs, positions, inference


@pytest.mark.parametrize("fen", ["W:Wd8,Kd4:Be1,c5", "W:Wa1,b8:Bg1", "W:WKd4:Be1,c5"])
def test_inference_does_not_rotate_algebraic_positions(fen: str) -> None:
    [game] = pdn.read(f'[FEN "{fen}"] *')
    assert game.rules.name == "russian"
    assert [error.message.count("would be a king") for error in game.errors] == [1]


@pytest.mark.parametrize("number", ["25", "26", "29"])
def test_numeric_games_keep_the_rules_of_the_previous_game(number: str) -> None:
    text = f'[GameType "{number}"] 1. 21-17 12-16 *\n\n1. 21-17 *\n\n[Event "x"] 1-0\n\n1. 22-18 *'
    games = list(pdn.read(text))
    assert len({game.rules.name for game in games}) == 1
    assert [len(moves(game)) for game in games] == [2, 1, 0, 1]
    assert [game.rules.notation for game in games[1:]] == ["N2"] * 3


@pytest.mark.parametrize("name", ["czech", "turkish", "jamaican", "mini-american", "canadian"])
@pytest.mark.parametrize("ending", ["*", "1-0", "{no moves} 1/2-1/2"])
def test_a_game_without_moves_keeps_the_rules_of_the_previous_game(name: str, ending: str) -> None:
    first = pdn.PdnGame(name)
    board = damka.Board(name)
    first.add_variation(board.legal_moves[0])
    games = list(pdn.read(f'{pdn.format(first)}\n[Event "x"]\n{ending}'))
    assert [game.rules.name for game in games] == [name, name]
    assert games[1].rules == games[0].rules
    assert pdn.to_dict(games[1])["notation"] == games[0].rules.notation


def test_large_nags_are_preserved() -> None:
    game = one("1. 34-30 $1000 20-25 $256 2. 30-24 $999 *")
    assert [node.nags for node in game.mainline()] == [{1000}, {256}, {999}]
    assert game.errors == []
    assert "$1000" in pdn.format(game)
    assert problems(one("1. 34-30 $ 20-25 $12345678901 *")) == [
        ("unreadable", "$"),
        ("unreadable", "$12345678901"),
    ]


@pytest.mark.parametrize("fen", ["?", "*", "-", "startpos", "", " ", "none"])
def test_an_empty_fen_is_ignored(fen: str) -> None:
    game = one(f'[GameType "20"][FEN "{fen}"] 1. 32-28 *', None)
    assert (moves(game), game.fen, game.errors) == (["32-28"], None, [])


def test_inference_does_not_renumber_squares() -> None:
    text = '[FEN "W:W2,K20:B30,K9"] *\n\n[FEN "W:W21:B10"] 1. 21-17 *\n'
    first, second = pdn.read(text)
    assert [error.code for error in first.errors] == ["fen"]
    assert "man on 2" in first.errors[0].message
    # A man on its crowning row becomes a king, with an error; the position is not mirrored.
    assert first.start().pieces[1] == "W"
    assert first.start().piece_at(20) == "W"
    assert second.start().piece_at(21) == "w"
    assert moves(second) == ["21-17"]
    with pytest.raises(PdnError, match="man on 2"):
        list(pdn.read(text, strict=True))
    # The GameType determines the numbering.
    spanish = one('[GameType "24"][FEN "W:W2,K20:B30,K9"] *', None)
    assert spanish.errors == []
    assert spanish.start().piece_at(31) == "w"


def test_moves_after_an_invalid_fen_are_kept_as_text() -> None:
    game = one('[FEN "W:W99:B1"] 1. 32-28 19-23 *')
    assert (game.move_count, moves(game)) == (0, [])
    [error] = game.errors
    assert (error.code, error.rest) == ("fen", "1. 32-28 19-23 *")
    assert game.main_line_error is error


def test_a_game_without_moves_does_not_affect_inference() -> None:
    czech = Path(__file__).parents[1] / "data" / "pdn" / "no-type-czech.pdn"
    text = czech.read_text()
    empty = '[White "Unknown"]\n[Result "*"]\n\n*\n\n'
    short = "1. c3-d4 *\n\n"
    games = list(pdn.read(text + "\n" + empty + '[White "x"]\n\n' + short))
    assert games[0].rules.name == "czech"
    assert games[-1].rules.name == "czech"


# Routes


def test_intermediate_squares_are_landings_if_possible() -> None:
    game = one('[FEN "W:WK42:B21,27,29,37"] 1. 42x18x34 *')
    [node] = game.mainline()
    assert node.move is not None
    board = game.start()
    assert any(18 in route[1:-1] for route in board.routes(node.move))
    others = [move for move in board.legal_moves if (move.start, move.end) == (42, 34)]
    for move in others:
        lands = any(18 in route[1:-1] for route in board.routes(move))
        assert lands is (move == node.move)


def test_ambiguous_squares_are_an_error() -> None:
    fen = "W:WK20:B3,10,11,17,30,32,33,K48"
    game = one(f'[GameType "20"][FEN "{fen}"] 1. 20x38x35 11-16 *', None)
    assert (problems(game), moves(game)) == ([("ambiguous", "20x38x35")], [])
    assert game.errors[0].rest == "11-16"
    # All landing squares disambiguate it.
    board = damka.Board("international", fen)
    for move in board.legal_moves:
        for route in board.routes(move):
            text = "x".join(map(str, route))
            whole = one(f'[GameType "20"][FEN "{fen}"] 1. {text} *', None)
            assert [node.move for node in whole.mainline()] == [move]


# Rule sets named by a tag, and algebraic notation


def test_the_game_type_determines_the_rules() -> None:
    game = one('[GameType "20"] 1. c3-d4 d6-c5 *', None)
    assert game.rules.name == "international"
    [error] = game.errors
    assert "d4" in error.message
    assert "34" not in error.message
    # A tag that gives White the first move is trusted.
    game = one('[GameType "21,W,8,8,N2,0"] 1. 11-15 23-19 *', None)
    assert (game.rules.first, game.move_count) == ("W", 0)


def test_algebraic_moves_may_be_from_the_starting_sides_view() -> None:
    for text in ("1. c3-d4 f6-e5", "1. f6-e5 c3-d4"):
        game = one(f'[GameType "21"] {text} *', None)
        assert (game.rules.name, game.errors) == ("american", [])
        assert moves(game)[0] in ("11-15", "10-15", "11-16")


def test_errors_for_numeric_moves_in_algebraic_games_are_numeric() -> None:
    game = one('[GameType "25"] 1. 22-14 *', None)
    [error] = game.errors
    assert "14" in error.message
    assert "c5" not in error.message


# Unknown moves and signs


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. 32-28 19-23 41. - -", "unknown_move"),
        ("1. 32-28 19-23 -", "unknown_move"),
        ("1. 32-28 19-23 --", "unknown_move"),
        ("1. 32-28 \u2013 19-23", "unknown_move"),
        ("1. 32-28 - 19-23", "unknown_move"),
        ("1. 32-28 \u00b1 19-23", "sign"),
        ("1. 32-28 \u221e 19-23", "sign"),
        ("1. 32-28 \u2a72 19-23 \u2213", "sign"),
        ("1. 32-28 +/- 19-23", "sign"),
        ("1. 32-28 } 19-23", "sign"),
        ("1. 32-28 ) 19-23", "extra_close"),
    ],
)
def test_unknown_signs_are_skipped_with_an_error(text: str, code: str) -> None:
    game = one(text)
    assert moves(game) == ["32-28", "19-23"]
    assert {error.code for error in game.errors} == {code}
    assert all(error.rest is None for error in game.errors)


@pytest.mark.parametrize("dots", ["...", "\u2026", "1...", "1\u2026", ".."])
def test_ellipses_are_not_an_error(dots: str) -> None:
    game = one(f"1. 32-28 {dots} 19-23 *")
    assert (moves(game), game.errors) == (["32-28", "19-23"], [])


def test_words_end_a_line() -> None:
    game = one("1. 32-28 19-23 White resigns 0-1")
    assert moves(game) == ["32-28", "19-23"]
    assert [(error.text, error.rest) for error in game.errors] == [("White", "resigns")]
    assert game.result == "0-1"


def test_a_result_inside_a_game_is_an_error() -> None:
    game = one("1. 32-28 1-1 2. 28x19 14x23 *")
    assert problems(game) == [("result_inside", "1-1")]
    assert game.errors[0].rest == "2. 28x19 14x23"
    # These are still two games.
    assert [moves(each) for each in pdn.read("1. 32-28 1-1 1. 33-28 *", "international")] == [
        ["32-28"],
        ["33-28"],
    ]
    assert [moves(each) for each in pdn.read("32-28 1-1\n33-28 1-1", "international")] == [
        ["32-28"],
        ["33-28"],
    ]


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("0.35", "number"),
        ("0.35.12", "number"),
        (".35", "number"),
        ("+1", "number"),
        ("+0.5", "number"),
        ("+/-", "sign"),
        ("$-1", "unreadable"),
        ("$\uff11", "unreadable"),
        ("$", "unreadable"),
    ],
)
def test_an_unknown_word_is_one_error(word: str, code: str) -> None:
    game = one(f"1. 32-28 {word} 19-23 *")
    assert moves(game) == ["32-28", "19-23"]
    assert [(each.code, each.column, each.text) for each in game.errors] == [(code, 10, word)]


@pytest.mark.parametrize("word", ["+abc", "$abc", "$-19-23"])
def test_a_word_that_may_be_a_move_ends_the_line(word: str) -> None:
    game = one(f"1. 32-28 {word} 2. 28x19 *")
    assert [(each.column, each.text, each.rest) for each in game.errors] == [(10, word, "2. 28x19")]


# Damaged tags


@pytest.mark.parametrize(
    "broken",
    [
        'White "Ana"]',
        '[White "Ana"]]',
        '["White" "Ana"]',
        "[]",
        '(White "Ana"]',
        '{White "Ana"]',
        '"White" "Ana"',
        '[12 "Ana"]',
        '] [White "Ana"',
    ],
)
def test_a_damaged_tag_does_not_start_a_game(broken: str) -> None:
    text = f'[Event "E"]\n{broken}\n[Black "B"]\n\n1. 32-28 19-23 *\n\n[Event "F"]\n\n1. 33-28 *'
    first, second = pdn.read(text, "international")
    assert (first.headers["Event"], first.headers["Black"]) == ("E", "B")
    assert (moves(first), moves(second)) == (["32-28", "19-23"], ["33-28"])
    assert first.errors
    assert {error.code for error in first.errors} == {"tag"} or broken.startswith("{")
    assert second.errors == []


def test_thousands_of_damaged_tags_belong_to_one_game() -> None:
    broken = "".join(f'[T{n} "x"]]\nT "{n}"]\n' for n in range(3000))
    text = f'[White "a"]\n{broken}\n1. 32-28 *\n\n[White "b"]\n\n1. 33-28 *\n'
    first, second = pdn.read(text, "international")
    assert (first.headers["White"], moves(first)) == ("a", ["32-28"])
    assert {error.code for error in first.errors} == {"tag", "too_many_tags"}
    assert (second.headers, second.errors) == ({"White": "b"}, [])
    with pytest.deprecated_call():
        games = pdn.read(text, "international", "skip")
    assert [game.headers["White"] for game in games] == ["b"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "broken",
    ['[GameType "25', '[FEN "W:W31:B2', "[FEN W:W31:B2]", '[Site "s"', "[Black]", 'White "Ana"]'],
)
def test_games_with_damaged_tags_are_not_merged(broken: str, end: str) -> None:
    text = f'[Event "one"]\n[White "Petra"]\n{broken}\n\n[Event "two"]\n\n1. 32-28 19-23 *'
    first, second = pdn.read(text.replace("\n", end), "international")
    assert first.headers["White"] == "Petra"
    assert "tag" in {error.code for error in first.errors}
    assert (second.headers, moves(second)) == ({"Event": "two"}, ["32-28", "19-23"])
    assert second.errors == []


@pytest.mark.parametrize(
    ("broken", "tag"),
    [
        ('Event "x"]\n', "Event"),
        ('Event "x"]\n', "White"),
        ('[= "x"]\n', "Event"),
        ('[= "x"]\n', "White"),
        ('[= "x"]\n[Site "s"]\n', "Event"),
        ('[Event "x"\n', "Event"),
        ("[Event x]\n", "Event"),
    ],
)
def test_the_game_after_damaged_tags_is_read(broken: str, tag: str) -> None:
    text = broken * 3000 + f'\n[{tag} "good"]\n\n1. 32-28 *\n'
    damaged, good = pdn.read(text, "international")
    assert {error.code for error in damaged.errors} <= {"tag", "too_many_tags"}
    assert (good.headers, good.errors) == ({tag: "good"}, [])


@pytest.mark.parametrize(
    ("tag", "headers"),
    [
        ('[White "A]', {"White": "A"}),
        ("[White A]", {"White": "A"}),
        ('[White "A"', {"White": "A"}),
        ("[White]", {"White": ""}),
        ('[White: "A"]', {"White": "A"}),
        ('[White = "A"]', {"White": "A"}),
        ('[White "A" Black "B"]', {"White": "A"}),
    ],
)
def test_a_damaged_tag_is_an_error(tag: str, headers: dict[str, str]) -> None:
    game = one(f'[Event "E"]\n{tag}\n[Site "S"]\n\n1. 32-28 *')
    assert game.headers == {"Event": "E", **headers, "Site": "S"}
    assert [(each.code, each.line, each.column, each.text) for each in game.errors] == [
        ("tag", 2, 1, tag)
    ]


def test_an_unclosed_tag_ends_before_the_next() -> None:
    game = one('[White "A" [Black "B"]\n\n1. 32-28 *')
    assert game.headers == {"White": "A", "Black": "B"}
    assert problems(game) == [("tag", '[White "A"')]
    game = one('[White "A" 1. 32-28 *')
    assert (game.headers, moves(game)) == ({"White": "A"}, ["32-28"])
    assert problems(game) == [("tag", '[White "A"')]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (("The Cup", "of Assen"), "The Cup of Assen"),
        (("The Cup ", "  of Assen"), "The Cup of Assen"),
        (("The Cup", ""), "The Cup "),
        (("The Cup", 'of \\"Assen\\"'), 'The Cup of "Assen"'),
        (("The Cup", "1. 32-28 19-23"), "The Cup 1. 32-28 19-23"),
        (("The", "Cup", "of", "Assen"), "The Cup of Assen"),
    ],
)
def test_a_value_over_several_lines_is_one_error(
    lines: tuple[str, ...], value: str, end: str
) -> None:
    broken = '[Event "' + end.join(lines) + '"]'
    for after in (f'{end}[White "A"]{end}{end}', f'[White "A"]{end}', ' [White "A"] '):
        game = one(f"{broken}{after}1. 32-28 19-23 *")
        assert game.headers == {"Event": value, "White": "A"}
        assert moves(game) == ["32-28", "19-23"]
        assert [(each.code, each.line, each.column) for each in game.errors] == [("tag", 1, 1)]
        assert game.errors[0].text.startswith('[Event "The')
        assert game.errors[0].text.endswith('"]')


@pytest.mark.parametrize(
    "broken",
    [
        '[Event "The Cup\n',
        '[Event "The Cup\n\nof Assen"]\n',
        '[Event "The Cup\n[Site "of Assen"]\n',
        '[Event "The Cup]\nof Assen"]\n',
        '[Event "The Cup\nSite "Assen"]\n',
        '[Event "The Cup\n%of Assen"]\n',
    ],
)
def test_a_value_does_not_continue_after_another_tag_or_an_empty_line(broken: str) -> None:
    first = one(f'{broken}[White "A"]\n\n1. 32-28 19-23 *')
    assert first.headers["Event"] == "The Cup"
    assert first.headers["White"] == "A"
    assert moves(first) == ["32-28", "19-23"]
    assert {error.code for error in first.errors} == {"tag"}


@pytest.mark.parametrize("value", ['The "Big" Cup', '"Big" Cup', 'A "B" and "C d" E', 'The "Cup"'])
def test_quotes_in_a_value_are_not_an_error(value: str) -> None:
    game = one(f'[Event "{value}"]\n\n1. 32-28 *')
    assert (game.headers, game.errors) == ({"Event": value}, [])


# Comments


def test_moves_after_an_open_comment_are_kept_as_text() -> None:
    text = '1. 32-28 {oops 19-23 2. 28x19\n\n[White "b"]\n\n1. 33-28 *'
    first, second = pdn.read(text, "international")
    assert (moves(first), moves(second)) == (["32-28"], ["33-28"])
    assert [(error.code, error.rest) for error in first.errors] == [
        ("open_comment", "oops 19-23 2. 28x19")
    ]


@pytest.mark.parametrize("text", ["1. 32-28; 19-23 2. 28x19 *", "%1. 32-28 19-23 2. 28x19 *"])
def test_moves_commented_out_by_mistake_are_reported(text: str) -> None:
    [game] = pdn.read(text, "international")
    assert problems(game)[0][0] == "moves_in_comment"
    assert one("1. 32-28 ; then 19-23\n19-23 *").errors == []
    assert one("% 1. 31-27\n1. 32-28 *").errors == []


def test_an_unclosed_variation_is_reported() -> None:
    game = one("1. 32-28 19-23 (1... 20-24 2. 31-27")
    assert moves(game) == ["32-28", "19-23"]
    assert problems(game) == [("open_variation", "(")]


def test_errors_are_the_same_for_bytes() -> None:
    text = "1. 32-28 19-99 2. 28x19 *"
    [game] = pdn.read(io.BytesIO(text.encode()), "international")
    assert str(game.errors[0]) == str(one(text).errors[0])


# Clocks, results, names and output


@pytest.mark.parametrize(
    ("comment", "clock", "clocks"),
    [
        ("[%clk 0:49:11]", 2951.0, {}),
        ("[%clock 0:49:11]", 2951.0, {}),
        ("[%clk w0:00:10 B0:00:03]", 10.0, {"W": 10.0, "B": 3.0}),
        ("[%clock w0:01:59 B0:02:00]", 119.0, {"W": 119.0, "B": 120.0}),
        ("[%clk 90]", 90.0, {}),
        ("[%CLK 0:49:11]", 2951.0, {}),
        ("[%Clock 0:49:11]", 2951.0, {}),
        ("[ %clk 0:49:11 ]", 2951.0, {}),
        ("[%clk: 0:49:11]", 2951.0, {}),
        ("[%clk:0:49:11]", 2951.0, {}),
        ("[%clk 0:49:11,%emt 0:00:05]", 2951.0, {}),
        ("[%emt 0:00:05, %clk 0:49:11]", 2951.0, {}),
        ("[%clk 0.49.11]", 2951.0, {}),
        ("[%clk 49.25]", 49.25, {}),
        ("[%clk -0:00:05]", -5.0, {}),
        ("[%clk 0:10:00 0:09:58]", 600.0, {"W": 600.0, "B": 598.0}),
        ("[%clk W0.10.00 b-0:00:02]", 600.0, {"W": 600.0, "B": -2.0}),
        ("[%clk]", None, {}),
        ("[%clk x]", None, {}),
        ("[%clk 1.2.3.4]", None, {}),
        ("a remark", None, {}),
    ],
)
def test_clock_formats(comment: str, clock: float | None, clocks: dict[str, float]) -> None:
    [node] = one(f"1. 32-28 {{{comment}}} *").mainline()
    assert (node.clock, node.clocks) == (clock, clocks)


def test_elapsed_times_are_read() -> None:
    text = "1. 32-28 {[%emt 0:00:05.5] [%egt 0:20:00] [%mct 17:10:42] good} 19-23 {[%emt 12]} *"
    first, second = one(text).mainline()
    assert (first.elapsed, first.elapsed_game) == (5.5, 1200.0)
    assert first.mechanical_clock == 17 * 3600 + 10 * 60 + 42
    assert (first.clock, first.text) == (None, "good")
    assert (second.elapsed, second.elapsed_game, second.mechanical_clock) == (12.0, None, None)


def test_times_are_kept_when_a_game_is_written() -> None:
    text = (
        "1. 32-28 {[%clock 0:49:11] [%emt 0:00:05]} "
        "19-23 {[%clk w0:00:10 B0:00:03] [%mct 17:10:42]} *"
    )
    first, second = one(pdn.format(one(text))).mainline()
    assert (first.clock, first.elapsed) == (2951.0, 5.0)
    assert second.clocks == {"W": 10.0, "B": 3.0}
    assert second.mechanical_clock == 17 * 3600 + 10 * 60 + 42


@pytest.mark.parametrize(
    "text",
    ["[%EMT 0:00:05]", "[ %emt 0:00:05 ]", "[%emt:0.00.05]", "[%clk 0:01:00,%emt 0:00:05]"],
)
def test_elapsed_times_in_other_forms(text: str) -> None:
    [node] = one(f"1. 32-28 {{{text} good}} *").mainline()
    assert (node.elapsed, node.text) == (5.0, "good")


@pytest.mark.parametrize("text", ["[%EVAL 0.5]", "[ %eval: 0.5 ]", "[%clk 0:01:00,%eval 0.5]"])
def test_evaluations_in_other_forms(text: str) -> None:
    [node] = one(f"1. 32-28 {{{text}}} *").mainline()
    assert node.evaluation == (0.5, None)


def test_spaces_are_preserved_in_names_but_not_in_results() -> None:
    game = one('[White "A  B "][Result " 1-0 "][GameType "20"] 1. 32-28 1-0', None)
    assert (game.result, game.headers["Result"]) == ("1-0", "1-0")
    assert game.headers["White"] == "A  B "
    text = pdn.format(game)
    assert '[White "A  B "]' in text
    assert '[Result "1-0"]' in text
    assert one(text, None).headers["White"] == "A  B "
    game = pdn.PdnGame("international", headers={"White": "A\n\tB", "Result": " 1-0 "})
    assert '[White "A B"]\n[Result "1-0"]' in pdn.format(game)


def test_star_replaces_the_result_in_the_moves() -> None:
    game = one('[Result "1-0"][GameType "20"] 1. 32-28 19-23 1-0', None)
    assert pdn.format(game, star=True).endswith("1. 32-28 19-23 *\n")
    assert pdn.format(game).endswith("1. 32-28 19-23 1-0\n")
    assert one(pdn.format(game, star=True), None).result == "1-0"
    file = io.StringIO()
    pdn.write([game, game], file, star=True)
    assert [each.result for each in pdn.read(file.getvalue())] == ["1-0", "1-0"]


def test_ambiguous_captures_are_written_with_the_nearest_landing_squares() -> None:
    game = pdn.PdnGame("international", "W:WK8:B19,21,38,39,40")
    moves_here = game.start().legal_moves
    for move in moves_here:
        game.append(move)
    text = pdn.format(game)
    assert "8x30x43x32x16" in text
    assert [node.move for node in one(text, None).variations] == list(moves_here)


def test_jamaican_games_have_a_game_type() -> None:
    game = pdn.PdnGame("jamaican")
    game.append(game.start().legal_moves[0])
    text = pdn.format(game)
    assert '[GameType "23,B,8,8,A1,1"]' in text
    assert one(text, None).rules.name == "jamaican"


def test_a_percent_sign_inside_a_line_does_not_hide_moves() -> None:
    first, second = pdn.read("1. 32-28 *% 1. 33-28 19-23 *", "international")
    assert (moves(first), moves(second)) == (["32-28"], ["33-28", "19-23"])
    assert second.move_count == 2
