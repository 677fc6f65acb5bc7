"""Openings drawn by lot: forced moves, rematches, files, and invalid ballots."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from damka import Board, Game, box
from damka.errors import GameFileError, IllegalActionError, RulesError
from damka.game import check_openings
from damka.rules import from_dict, load, names

BALLOTS = ("9-13 22-18 10-15", "B:W21,30:B5,9 9-13 21-17", "11-15")
RULES = load("american").replace(name="by-lot", ballots=BALLOTS)


def test_the_opening_is_played() -> None:
    game = Game(RULES, ballot=0)
    assert [str(ply) for ply in game.history] == ["9-13", "22-18", "10-15"]
    assert all(ply.balloted for ply in game.history)
    assert game.opening_plies == len(game.history)
    assert (game.turn, game.ballot) == ("W", 0)
    game.play(game.legal_moves[0])
    assert not game.history[-1].balloted
    assert game.opening_plies == len(game.history) - 1


def test_without_a_ballot_there_is_no_opening() -> None:
    game = Game(RULES)
    assert (game.history, game.ballot) == ((), None)


def test_an_opening_may_start_from_a_position() -> None:
    game = Game(RULES, ballot=1)
    assert game.start_fen == "B:W21,30:B5,9"
    assert game.board.fen == "B:W17,30:B5,13"


def test_an_opening_may_remove_men_from_the_start_position() -> None:
    game = Game(RULES.replace(ballots=["(9) (24) 11-15 22-18"]), ballot=0)
    full = Game(RULES).board.pieces
    assert Game(RULES, game.start_fen).board.pieces == full[:8] + "." + full[9:23] + "." + full[24:]
    assert [str(ply) for ply in game.history] == ["11-15", "22-18"]
    assert Game.from_json(game.to_json()) == game


def test_opening_moves_cannot_be_undone() -> None:
    game = Game(RULES, ballot=0)
    game.play(game.legal_moves[0])
    game.undo()
    with pytest.raises(IllegalActionError) as refused:
        game.undo()
    assert refused.value.refusal.code == "nothing_to_undo"
    assert game == Game(RULES, ballot=0)


def test_a_ballot_distinguishes_games_with_the_same_moves() -> None:
    by_hand = Game(RULES)
    for text in BALLOTS[0].split():
        by_hand.play(text)
    assert by_hand.board == Game(RULES, ballot=0).board
    assert by_hand != Game(RULES, ballot=0)


def test_a_rematch_repeats_the_opening_and_the_next_draws_another() -> None:
    game = Game(RULES, ballot=0, players={"W": "Ana", "B": "Bo"})
    again, swap = game.rematch()
    assert (swap, again.ballot, again.returned, again.players["W"]) == (True, 0, True, "Bo")
    drawn = {again.rematch(random.Random(seed))[0].ballot for seed in range(30)}
    assert drawn == {0, 1, 2}
    third, swap = again.rematch()
    assert (swap, third.returned, third.players["W"]) == (True, False, "Ana")


def test_with_sides_by_lot_every_rematch_draws_an_opening() -> None:
    game = Game(RULES.replace(rematch="lots"), ballot=0)
    games = [game.rematch(random.Random(seed))[0] for seed in range(30)]
    assert {each.ballot for each in games} == {0, 1, 2}
    assert not any(each.returned for each in games)


@pytest.mark.parametrize("ballot", [0, 1])
@pytest.mark.parametrize("returned", [False, True])
def test_a_game_with_an_opening_round_trips(ballot: int, returned: bool) -> None:
    game = Game(RULES, ballot=ballot, returned=returned)
    game.play(game.legal_moves[0])
    game.offer_draw("W")
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.history == game.history
    assert (loaded.ballot, loaded.returned) == (ballot, returned)


def test_a_file_without_an_opening_omits_its_keys() -> None:
    assert not {"ballot", "returned"} & json.loads(Game(RULES).to_json()).keys()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": ["9-13", "22-17"]}, r"moves\[1\]: expected 22-18"),
        ({"moves": ["9-13"]}, r"moves\[1\]: expected 22-18"),
        ({"start": "B:W21,30:B5,9"}, "start: expected B:W21,22"),
        ({"ballot": 3}, "ballot: ballot 3: the rule set has 3"),
        ({"ballot": -1}, "ballot"),
    ],
)
def test_a_file_that_contradicts_its_opening_is_refused(
    changes: dict[str, object], message: str
) -> None:
    whole = json.loads(Game(RULES, ballot=0).to_json())
    with pytest.raises(GameFileError, match=message):
        Game.from_json(json.dumps({**whole, **changes}))


def test_offers_during_the_opening_are_refused() -> None:
    whole = json.loads(Game(RULES, ballot=0).to_json())
    whole["offers"] = [{"after": 1, "side": "W", "act": "offer"}]
    with pytest.raises(GameFileError, match="offers"):
        Game.from_json(json.dumps(whole))


@pytest.mark.parametrize(
    ("ballot", "message"),
    [
        ("9-13 22-17 13x22 9-14", "9-14"),
        ("9-13 tea", "tea"),
        ("B:W99:B1 9-13", "99"),
        ("(99) 9-13", "99 is not a square"),
        ("(9) (9) 11-15", "square 9 is empty"),
        ("W:W:B9", "expected a position in which both sides have pieces"),
        ("W:W21:B", "expected a position in which both sides have pieces"),
        ("W:W5:B1", "expected a position with a legal move"),
        ("W:W1:B9", "expected a legal position; the white man on 1 would be a king there"),
        ("?:W21:B9", "the side to move is unknown"),
        ("7. Ends at once: B:W18:B14 14x23", "expected a position in which both sides have pieces"),
        ("B:W18:B14 14x23", "expected a position in which both sides have pieces"),
        ("B:W5:BK6 6-1", "expected moves that do not end the game"),
    ],
)
def test_an_unplayable_ballot_is_reported(ballot: str, message: str) -> None:
    rules = RULES.replace(ballots=["11-15", ballot])
    Game(rules, ballot=0)
    with pytest.raises(RulesError, match=message) as error:
        Game(rules, ballot=1)
    assert error.value.key == "ballots[1]"


@pytest.mark.parametrize("ballot", [-1, 3])
def test_an_unknown_ballot_is_refused(ballot: int) -> None:
    with pytest.raises(IndexError, match=f"ballot {ballot}: the rule set has 3"):
        Game(RULES, ballot=ballot)


def test_a_start_position_and_a_ballot_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="fen and ballot exclude each other"):
        Game(RULES, RULES.start_fen, ballot=0)


@pytest.mark.parametrize("name", [name for name in names() if load(name).openings])
def test_every_shipped_ballot_can_be_played(name: str) -> None:
    rules = load(name)
    check_openings(rules)
    count = len(rules.openings)
    starts = {Game(rules, ballot=n).board.fen for n in range(0, count, 1 + count // 400)}
    assert len(starts) > 60


# Numbers, names and positions

TABLE = (
    "12. Kitchen opening: 9-13 22-18 10-15",
    "7. Two against two: W:W21,K30:B5,9",
    "3. B:W21,30:B5,9 9-13 21-17",
    '40. As a tag: [FEN "W:W21, 22:B1-4."] 22-17',
    "5. 11-15",
)


def test_an_opening_has_a_number_and_a_name() -> None:
    rules = RULES.replace(ballots=TABLE)
    openings = [Game(rules, ballot=n).opening for n in range(len(TABLE))]
    assert [each and (each.number, each.name) for each in openings] == [
        (12, "Kitchen opening"),
        (7, "Two against two"),
        (3, ""),
        (40, "As a tag"),
        (5, ""),
    ]
    assert [each and each.title for each in openings][:3] == [
        "12. Kitchen opening",
        "7. Two against two",
        "3",
    ]


def test_openings_are_numbered_by_default() -> None:
    openings = [Game(RULES, ballot=n).opening for n in range(len(BALLOTS))]
    assert [each and (each.number, each.name) for each in openings] == [(1, ""), (2, ""), (3, "")]


def test_a_position_is_an_opening() -> None:
    game = Game(RULES.replace(ballots=TABLE), ballot=1)
    assert (game.start_fen, game.turn, game.history) == ("W:W21,K30:B5,9", "W", ())
    game.play("21-17")
    game.undo()
    with pytest.raises(IllegalActionError):
        game.undo()


def test_openings_may_use_the_federations_notation() -> None:
    """Russian draughts has algebraic notation: in a FEN, in moves, or in both."""
    rules = load("russian").replace(
        name="letters",
        ballots=["Letters: B:Wc3,e3,Kd2:Bf6,h8 f6-e5", "c3-d4 d6-c5", "W:W22,23:B1"],
    )
    game = Game(rules, ballot=0)
    assert [str(move) for move in game.moves] == ["11-15"]
    assert game.turn == "W"
    assert game.start_fen == Game(rules, "B:Wc3,e3,Kd2:Bf6,h8").start_fen
    assert len(Game(rules, ballot=1).moves) == 2


@pytest.mark.parametrize(
    ("ballots", "index", "expected"),
    [
        (["1. A: 9-13", "1. B: 11-15"], 1, "a number other than 1, which opening 1"),
        (["9-13", "11-15", "2. B: 10-15"], 2, "a number other than 2, which opening 2"),
        (["A name alone: "], 0, "moves or a position"),
        (["7."], 0, "moves or a position"),
        (["0. A: 9-13"], 0, "moves or a position"),
        ([f"{'x' * 81}: 9-13"], 0, "a name of at most 80"),
    ],
)
def test_invalid_numbers_and_names_are_refused(
    ballots: list[str], index: int, expected: str
) -> None:
    with pytest.raises(RulesError, match=expected) as error:
        RULES.replace(ballots=ballots)
    assert error.value.key == f"ballots[{index}]"
    assert error.value.value == ballots[index]


# Round trips of openings of any kind


@st.composite
def drawn_openings(draw: st.DrawFn) -> str:
    """Generate an opening by american rules: moves, a position, or both."""
    board = Board("american")
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 30))):
        if not board.is_over:
            board.push(rng.choice(board.legal_moves))
    moves = []
    start = board.fen
    for _ in range(draw(st.integers(0, 4))):
        if board.is_over:
            break
        move = rng.choice(board.legal_moves)
        moves.append(board.text(move))
        board.push(move)
    assume(not board.is_over)
    name = draw(st.one_of(st.just(""), st.text("Aé:. 5б(", min_size=1, max_size=20)))
    name = " ".join(name.split()).rstrip(":")
    return f"{name + ': ' if name else ''}{start} {' '.join(moves)}".rstrip()


@settings(max_examples=60, deadline=None)
@given(lines=st.lists(drawn_openings(), min_size=1, max_size=4), data=st.data())
def test_openings_round_trip_in_every_format(lines: list[str], data: st.DataObject) -> None:
    numbers = data.draw(st.permutations(range(1, len(lines) + 1)))
    rules = RULES.replace(ballots=[f"{n}. {line}" for n, line in zip(numbers, lines, strict=True)])
    check_openings(rules)
    # The rule set as TOML, as plain values and in a link
    for again in (
        load(rules.to_toml()),
        load(rules.to_toml(base="american")),
        from_dict(rules.to_dict()),
        box.decode(box.encode(rules)),
    ):
        assert again.openings == rules.openings
    place = data.draw(st.integers(0, len(lines) - 1))
    game = Game(rules, ballot=place, returned=data.draw(st.booleans()))
    game.play(game.legal_moves[0])
    # The saved game
    loaded = Game.from_json(game.to_json())
    assert (loaded, loaded.opening) == (game, game.opening)
    assert loaded.opening_plies == game.opening_plies
    # PDN, with these rules and with those in its Rules tag
    for read in (Game.from_pdn(game.pdn(), rules), Game.from_pdn(game.pdn())):
        assert (read.opening, read.returned) == (game.opening, game.returned)
        assert (read.start_fen, read.moves) == (game.start_fen, game.moves)


def test_pdn_has_tags_for_the_opening() -> None:
    text = Game(RULES.replace(ballots=TABLE), ballot=1).pdn()
    assert '[Ballot "7"]' in text
    assert '[Opening "Two against two"]' in text
    assert '[FEN "W:W21,K30:B5,9"]' in text
    assert "Opening" not in Game(RULES.replace(ballots=TABLE), ballot=4).pdn()


def test_pdn_read_without_the_openings_has_the_position() -> None:
    text = Game(RULES.replace(ballots=TABLE), ballot=1).pdn()
    read = Game.from_pdn(text, "american")
    assert (read.start_fen, read.ballot) == ("W:W21,K30:B5,9", None)
    changed = Game.from_pdn(text.replace("K30", "K29"), RULES.replace(ballots=TABLE))
    assert (changed.start_fen, changed.ballot) == ("W:W21,K29:B5,9", None)


def test_pdn_has_only_the_drawn_opening_of_a_long_list() -> None:
    lines = [f"Opening number {n}: W:W21,K30:B5,{n % 3 + 9}" for n in range(1, 900)]
    game = Game(RULES.replace(ballots=lines), ballot=450)
    text = game.pdn()
    assert len(text) < 1000
    read = Game.from_pdn(text)
    assert read.opening == game.opening
    assert read.opening is not None
    assert read.opening.title == "451. Opening number 451"
    assert (read.start_fen, read.rules.openings) == (
        game.start_fen,
        (f"451. {lines[450]}",),
    )
    # Read with the whole list, the game is equal.
    assert Game.from_pdn(text, RULES.replace(ballots=lines)) == game
