"""Refusals as values, their sentences, and properties of any attempt on any board."""

from __future__ import annotations

import functools
import itertools
import pickle
import random
import string
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damka
from damka import Board, Game, Move, locales, reference
from damka.errors import IllegalMoveError
from damka.locales import LANGUAGES
from damka.notation import lettered
from damka.refusal import CODES, Refusal, explain, labelled, resolve
from tests.strategies import positions, rule_sets
from tests.support import RULE_SETS, write_fen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka import Rules


# The ids of the rulebook's paragraphs
TOPICS = {
    *("goal", "start", "first", "man_move", "man_capture", "chain", "removal", "promotion"),
    *("king_move", "king_capture", "king_landing", "man_takes_king", "precedence", "obligation"),
    *("huffing", "no_moves", "agreement", "repetition", "same_move", "no_progress"),
    "king_streak",
    *("how_to_move", "your_turn"),
}


COUNTS = {"best", "taken", "limit"}


def why(rules: str, fen: str, attempt: str | Sequence[int] | Move) -> Refusal:
    refusal = Board(rules, fen).why_not(attempt)
    assert refusal is not None
    return refusal


# Refusals as values


def test_a_refusal_is_a_value() -> None:
    one = Refusal("two_in_a_row", {"squares": (14, 18)})
    assert one == Refusal("two_in_a_row", {"squares": (14, 18)})
    assert one != Refusal("two_in_a_row", {"squares": (14, 19)})
    assert len({one, Refusal("two_in_a_row", {"squares": (14, 18)})}) == 1
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  our own


def test_a_refusal_cannot_be_changed() -> None:
    args: dict[str, object] = {"start": 22}
    refusal = Refusal("no_piece", args)
    args["start"] = 23
    assert refusal.args == {"start": 22}
    with pytest.raises(TypeError):
        refusal.args["start"] = 23  # type: ignore[index]
    with pytest.raises(AttributeError):
        refusal.code = "ambiguous"  # type: ignore[misc]


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown refusal code 'bad_luck'"):
        Refusal("bad_luck")


def test_every_topic_is_in_the_rulebook() -> None:
    for code, piece in itertools.product(CODES, ("man", "king")):
        assert Refusal(code, {"piece": piece}).topic in TOPICS


def test_refusals_of_kings_link_to_the_rules_of_kings() -> None:
    assert why("dama64", "W:W22:B3", "22-14").topic == "man_move"
    assert why("dama64", "W:WK29:B3", "29-30").topic == "king_move"
    assert why("dama64", "W:W22,26:B3", "26-17").topic == "man_capture"
    assert why("dama64", "W:WK29,22:B3", "29-15").topic == "king_capture"


# Sentences


def test_a_custom_function_shows_the_squares() -> None:
    refusal = why("dama64", "W:W22,28:B18", "28-24")
    assert refusal.sentence("en", show=lambda square: f"<{square}>") == (
        "You must capture: the man on <22> can take <18>."
    )


def test_counts_are_not_squares() -> None:
    refusal = Refusal("must_take_most", {"best": 3, "taken": 2})
    assert refusal.sentence("en", show=lambda square: f"<{square}>") == (
        "You must take 3 pieces, not 2."
    )


@pytest.mark.parametrize(
    ("best", "sentence"),
    [
        (2, "Musíš vziať 2 figúrky, nie 1."),
        (5, "Musíš vziať 5 figúrok, nie 1."),
    ],
)
def test_slovak_has_three_forms(best: int, sentence: str) -> None:
    assert Refusal("must_take_most", {"best": best, "taken": 1}).sentence("sk") == sentence


def test_control_characters_of_a_text_are_replaced() -> None:
    refusal = why("dama64", "W:W22:B3", "{start}\n\x1b[31m" + "y" * 100)
    assert refusal.sentence("en").startswith("“{start}··[31myyy")
    assert len(refusal.sentence("en")) < 140


def test_sentences_in_every_language() -> None:
    refusal = why("dama64", "W:W22,28:B18", "28-24")
    assert {language: refusal.sentence(language) for language in LANGUAGES} == {
        "bg": "Трябва да вземеш: пулът на 22 може да вземе 18.",
        "en": "You must capture: the man on 22 can take 18.",
        "it": "Devi mangiare: la pedina in 22 può mangiare 18.",
        "sk": "Musíš brať: kameň na 22 môže vziať 18.",
    }


def test_every_text_belongs_to_a_code() -> None:
    for key in locales.catalogue("en", "refusal."):
        assert key.split(".")[1] in CODES


def test_custom_colours_are_named() -> None:
    refusal = Refusal("not_your_turn", {"colour": "orange"})
    assert refusal.sentence("en") == "It’s not your turn. Orange to move."
    assert refusal.sentence("sk") == "Nie si na ťahu. Hráč „Orange“ je na ťahu."


# Attempts of every kind


def test_a_legal_move_may_be_illegal_in_another_position() -> None:
    board = Board("dama64", "W:W22:B18,3")
    legal = board.legal_moves[0]
    assert explain(board, legal) is None
    assert explain(board, Move(22, 15, (17,))) == Refusal("not_understood", {"text": "22x15"})
    foreign = explain(board, Board("dama64").legal_moves[0])
    assert foreign is not None


def test_clicks_may_omit_landing_squares() -> None:
    board = Board("american", "W:W31:B18,19,26,27")
    assert resolve(board, [31, 22]) == resolve(board, [31, 22, 15]) == board.parse("31x22x15")
    assert isinstance(resolve(board, [31, 15]), Refusal)
    # Landing squares may be omitted, but not reordered.
    assert explain(board, [31, 15, 22]) is not None


def test_a_click_on_a_piece_with_one_move_is_that_move() -> None:
    board = Board("dama64", "W:W22,25:B18,3")
    assert resolve(board, [22]) == board.legal_moves[0]


def test_clicks_may_end_where_another_capture_continues() -> None:
    board = Board("american", "W:WK22:B17,18,19,26,27")
    assert resolve(board, [22, 13]) == board.parse("22x13")
    assert resolve(board, [22, 15]) == board.parse("22x15x24x31x22x13")


def test_a_sequence_of_clicks_may_be_a_tuple() -> None:
    assert explain(Board("dama64"), (22, 18)) is None


@pytest.mark.parametrize("clicks", [[], [22] * 101, [-1, 18], [10**9, 1]])
def test_invalid_clicks_are_refused(clicks: list[int]) -> None:
    refusal = explain(Board("dama64"), clicks)
    assert refusal is not None
    assert refusal.code in ("not_understood", "not_a_square")


# Properties of every attempt


@st.composite
def boards(draw: st.DrawFn) -> Board:
    drawn = draw(st.one_of(st.sampled_from(list(RULE_SETS.values())), rule_sets()))
    return Board(drawn, write_fen(draw(positions(drawn))))


def candidate_routes(board: Board, rng: random.Random) -> list[list[int]]:
    """Return routes to try: random squares, and altered routes of legal moves."""
    last = board.square_count
    own = [s for s in range(1, last + 1) if (board.piece_at(s) or "").upper() == board.turn]
    routes = [[rng.choice(own or [1]), rng.randint(1, last)] for _ in range(12)]
    routes += [[rng.randint(1, last) for _ in range(rng.randint(1, 4))] for _ in range(2)]
    for move in rng.sample(board.legal_moves, min(4, len(board.legal_moves))):
        route = list(move.route)
        routes += [route, route[:-1], [*route, rng.randint(1, last)], [route[0], route[-1]]]
        altered = route.copy()
        altered[rng.randrange(len(altered))] = rng.randint(1, last)
        routes.append(altered)
        del route[rng.randrange(len(route))]
        routes.append(route)
    return [route for route in routes if route]


@functools.lru_cache(maxsize=1)
def legal_moves(rules: Rules, position: reference.Position) -> list[reference.Move]:
    """Return the reference's legal moves, cached for the attempts on a board."""
    return reference.legal_moves(rules, position)


def plain_moves(board: Board) -> list[reference.Move]:
    position = reference.Position(board.pieces, board.turn, board.streaks)
    return legal_moves(board.rules, position)


def fits_text(board: Board, route: list[int], sign: str) -> list[reference.Move]:
    """Return the moves that the text means by the reference: its ends, or all its squares."""
    legal = plain_moves(board)
    if sign == "x":
        captures = [move for move in legal if move.captures]
        ends = [move for move in captures if [move.start, move.end] == route]
        # Between two squares x may stand for a hyphen.
        legal = captures if ends or len(route) > 2 else legal
    straight = [move for move in legal if tuple(route) in move.routes]
    if len(route) > 2 or straight:
        return straight
    return [move for move in legal if [move.start, move.end] == route]


def fits_clicks(board: Board, clicks: list[int]) -> list[reference.Move]:
    """Return the moves that clicks mean by the reference: as text, or squares in this order."""
    if len(clicks) > 1 and (moves := fits_text(board, clicks, "-")):
        return moves
    return [
        move
        for move in plain_moves(board)
        if move.start == clicks[0]
        and any(
            tuple(clicks[1:]) in itertools.combinations(route[1:], len(clicks) - 1)
            for route in move.routes
        )
    ]


def check_sentences(refusal: Refusal) -> None:
    assert refusal.code in CODES
    assert refusal.topic in TOPICS
    for language in LANGUAGES:
        sentence = refusal.sentence(language)
        assert sentence[-1] in ".?!", sentence
        # No placeholder or empty list is left.
        assert not any(name for _, name, *_ in string.Formatter().parse(sentence)), sentence
        assert "  " not in sentence
        assert " ." not in sentence
        assert ": ." not in sentence


@settings(max_examples=100, deadline=None)
@given(boards(), st.integers(0, 2**32))
def test_any_attempt_is_one_legal_move_or_refused(board: Board, seed: int) -> None:
    fen = board.fen
    for route in candidate_routes(board, random.Random(seed)):
        attempts: list[tuple[str | list[int], list[reference.Move]]] = [
            (route, fits_clicks(board, route))
        ]
        if len(route) > 1:
            for sign in "-x":
                text = sign.join(map(str, route))
                attempts.append((text, fits_text(board, route, sign)))
        for attempt, fit in attempts:
            resolved = resolve(board, attempt)
            refusal = explain(board, attempt)
            if isinstance(resolved, Refusal):
                assert refusal == resolved
                assert len(fit) != 1, attempt
                assert (resolved.code == "ambiguous") == (len(fit) > 1)
                check_sentences(resolved)
            else:
                assert refusal is None
                assert len(fit) == 1, attempt
                assert (resolved.start, resolved.end, resolved.captures) == (
                    fit[0].start,
                    fit[0].end,
                    fit[0].captures,
                )
    assert board.fen == fen


@settings(max_examples=100, deadline=None)
@given(boards())
def test_every_piece_that_cannot_move_has_a_reason(board: Board) -> None:
    movers = {move.start for move in board.legal_moves}
    due = {move.start for move in board.legal_moves if move.is_capture}
    for square in range(1, board.square_count + 1):
        refusal = explain(board, [square])
        if square in movers:
            assert refusal is None or refusal.code == "ambiguous"
            continue
        assert refusal is not None
        check_sentences(refusal)
        piece = board.piece_at(square)
        if not movers:
            expected = {"game_over"}
        elif piece is None:
            expected = {"no_piece"}
        elif piece.upper() != board.turn:
            expected = {"opponents_piece"}
        elif not due:
            expected = {"way_blocked", "king_rests"}
        else:
            expected = {"way_blocked", "must_capture", *(c for c in CODES if c[:9] == "must_take")}
            expected.add("must_use_king")
        assert refusal.code in expected


@settings(max_examples=40, deadline=None)
@given(boards(), st.integers(0, 2**32))
def test_games_with_huffing_also_allow_quiet_moves_only(board: Board, seed: int) -> None:
    game = Game(board.rules.replace(obligation="huff"), board.fen)
    playable = [*game.legal_moves, *game.offence_moves]
    for route in candidate_routes(board, random.Random(seed)):
        text = "-".join(map(str, route))
        refusal = game.why_not(text)
        if refusal is None:
            assert resolve(game.board, text, playable) in playable
        else:
            assert refusal.code != "must_capture"
            check_sentences(refusal)


# Languages and labels


def test_algebraic_attempts_get_algebraic_sentences() -> None:
    refusal = Board("russian").why_not("g1-h2")
    assert refusal is not None
    assert refusal == Refusal("target_occupied", {"piece": "man", "square": 28, "kind": "own"})
    assert refusal.sentence("bg") == "На h2 има твоя фигура."
    assert refusal.sentence("bg", str) == "На 28 има твоя фигура."
    again = pickle.loads(pickle.dumps(refusal))  # noqa: S301  our own
    assert again.sentence("sk") == refusal.sentence("sk") == "Na h2 stojí tvoja vlastná figúrka."
    from_game = Game("russian").why_not("g1-h2")
    assert from_game is not None
    assert from_game.sentence("it") == "In h2 c’è già un tuo pezzo."


def test_numeric_attempts_get_numeric_sentences() -> None:
    assert why("russian", "W:W22,32:B1", "32-28x").sentence() != ""
    assert why("russian", "W:W32,28:B1", "32-28").sentence() == "Your own piece is on 28."
    assert why("russian", "W:W32,28:B1", [32, 28]).sentence() == "Your own piece is on 28."
    assert why("russian", "W:W32,28:B1", Move(32, 28)).sentence() == "Your own piece is on 28."


def test_algebraic_attempts_get_algebraic_sentences_on_numeric_boards() -> None:
    assert why("american", "W:W32,28:B1", "g1-h2").sentence() == "Your own piece is on h2."


def test_errors_use_the_notation_of_the_text() -> None:
    board, game = Board("russian", "W:W22:B18,1"), Game("russian", "W:W22:B18,1")
    for method in (board.push, board.parse, board.push_unchecked, game.play):
        with pytest.raises(IllegalMoveError) as error:
            method("c3-b4")
        assert str(error.value) == "You must capture: the man on c3 can take d4."
        assert error.value.refusal.sentence("it").startswith("Devi mangiare: la pedina in c3")
        again = pickle.loads(pickle.dumps(error.value))  # noqa: S301  our own
        assert str(again) == str(error.value)
        assert again.refusal.sentence("bg") == error.value.refusal.sentence("bg")
    with pytest.raises(IllegalMoveError) as error:
        board.push("22-17")
    assert str(error.value) == "You must capture: the man on 22 can take 18."


def test_moves_in_a_sentence_have_the_federations_capture_sign() -> None:
    mine = damka.rules.load("american").replace(name="mine", notation="A3", capture_sign=":")
    refusal = Board(mine, "B:W6,7,8,14,15,16,22,23,24:BK2").why_not("d8:b2")
    assert refusal is not None
    assert refusal.args["moves"] == (
        *("2x9x18x11x20x27x18x25", "2x9x18x25"),
        *("2x11x18x25", "2x11x20x27x18x25"),
    )
    assert "d8:b6:d4:b2, d8:f6:d4:b2 or d8:f6:h4:f2:d4:b2" in refusal.sentence()


def test_attempts_with_labels_get_sentences_with_labels() -> None:
    board, game = Board("portuguese"), Game("portuguese")
    for source in (board, game):
        refusal = source.why_not("32-30", labels=True)
        assert refusal is not None
        assert refusal.args["start"] == 1
        assert refusal.sentence() == "The man on 32 is your opponent’s."
    with pytest.raises(IllegalMoveError, match="The man on 32 is"):
        board.parse("32-30", labels=True)
    with pytest.raises(IllegalMoveError, match="The man on 32 is"):
        game.play("32-30", labels=True)
    assert labelled(why("portuguese", game.start_fen, "1-3"), game.rules).sentence() == (
        "The man on 32 is your opponent’s."
    )


@settings(deadline=None)
@given(st.data())
def test_algebraic_refusals_have_no_square_numbers(data: st.DataObject) -> None:
    """On any board, for any two squares, the code is that of the numeric attempt."""
    box = data.draw(rule_sets())
    board = Board(box, write_fen(data.draw(positions(box))))
    square = st.integers(1, box.square_count)
    start, end = data.draw(square), data.draw(square)
    on = lettered(box)
    plain = board.why_not(f"{start}-{end}")
    algebraic = board.why_not(f"{on.name(start)}-{on.name(end)}")
    assert (plain is None) == (algebraic is None)
    if plain is None or algebraic is None:
        return
    assert plain.code == algebraic.code
    for language in LANGUAGES:
        sentence = algebraic.sentence(language)
        counts = {str(value) for name, value in algebraic.args.items() if name in COUNTS}
        words = {word.strip(".,:;?“”„") for word in sentence.split()}
        assert not {word for word in words if word.isdigit()} - counts, sentence
