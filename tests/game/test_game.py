"""Games: history, undo, draws, results, agreement, resignation, rematch."""

from __future__ import annotations

import random
import re
from typing import get_args

import pytest

import damka
from damka import Game, rules
from damka.errors import FenError, IllegalActionError, IllegalMoveError, RulesError
from damka.game import Counter, DrawAccepted, DrawOffered, Event, GameEvent, Result
from damka.live import events as live

LIVE = tuple(each for each in get_args(live.Event) if each not in get_args(Event))

DAMA64 = rules.load("dama64")
# White's king moves between 30 and 25, Black's between 3 and 7.
KINGS = "W:WK30:BK3"
ROUND = "30-25 3-7 25-30 7-3 "


def played(game: Game, *moves: str) -> Game:
    for move in moves:
        game.play(move)
    return game


def counter(game: Game, kind: str) -> Counter | None:
    return next((counter for counter in game.counters if counter.kind == kind), None)


def refused(action: object, *args: object) -> str:
    with pytest.raises(IllegalActionError) as error:
        action(*args)  # type: ignore[operator]
    return error.value.refusal.code


# Start


def test_a_game_begins_at_the_start_position() -> None:
    game = Game("american")
    assert game.board == damka.Board("american")
    assert (game.turn, game.result, game.moves) == ("B", None, ())
    assert game.start_fen == game.rules.start_fen


def test_counters_of_a_game_from_a_fen_start_at_zero() -> None:
    game = Game("dama64", KINGS)
    assert game.counters == (Counter("no_progress", 0, 30), Counter("repetition", 1, 3))


def test_the_players_may_choose_the_obligation() -> None:
    assert Game("dama100").rules.obligation == "huff"
    forced = Game("dama100", obligation="forced")
    assert forced.rules == rules.load("dama100").replace(obligation="forced")
    with pytest.raises(RulesError):
        Game("dama100", obligation="maybe")  # type: ignore[arg-type]


def test_an_invalid_fen_is_an_error() -> None:
    with pytest.raises(FenError):
        Game("dama64", "W:W33:B1")


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("W:W:B3", Result("B", "no_pieces")),
        ("B:W22:B", Result("W", "no_pieces")),
        ("W:W13:B9,6", Result("B", "no_moves")),
        ("W:W:B", Result("B", "no_pieces")),
    ],
)
def test_a_game_may_be_over_at_its_start_position(fen: str, result: Result) -> None:
    game = Game("dama64", fen)
    assert game.result == result
    assert game.legal_moves == []
    with pytest.raises(IllegalMoveError):
        game.play("22-18")


# Moves and history


def test_moves_are_played_as_text_move_or_clicks() -> None:
    game = Game("dama64")
    game.play("c3-d4")
    game.play(game.legal_moves[0])
    game.play([24, 20])
    assert [move.hub() for move in game.moves[::2]] == ["22-18", "24-20"]


def test_the_history_has_every_turn() -> None:
    game = played(Game("dama64", "W:W22:B18,3"), "22x15", "3-7")
    first, second = game.history
    assert (first.side, first.text, first.move.captures) == ("W", "22x15", (18,))
    assert first.before == "..b..............b...w.........."
    assert first.pieces == second.before == "..b...........w................."
    assert (second.side, second.text, second.pieces) == ("B", "3-7", game.board.pieces)
    assert not first.offence
    assert first.huff is None


def test_an_ambiguous_text_is_replaced_by_a_route() -> None:
    game = Game("american", "W:W31:B18,19,26,27")
    with pytest.raises(damka.errors.AmbiguousMoveError):
        game.play("31x15")
    game.play("31x24x15")
    assert game.history[0].text == "31x24x15"
    assert game.moves[0].captures == (19, 27)


def test_a_refused_move_changes_nothing() -> None:
    game = Game("dama64")
    before = game.copy()
    for attempt in ("22-17-13", "12-16", "x", [22], [], [99], "22-18-15"):
        with pytest.raises(ValueError, match=r"."):
            game.play(attempt)
    assert game == before
    assert game.key() == before.key()


def test_moving_out_of_turn_is_refused() -> None:
    game = Game("dama64")
    with pytest.raises(IllegalMoveError, match="not your turn"):
        game.play("12-16", side="B")
    game.play("22-18", side="W")
    game.play("12-16", side="B")


# Undo


def test_undo_removes_one_ply() -> None:
    game = played(Game("dama64"), "22-18", "12-16")
    game.undo()
    assert (game.turn, [str(ply) for ply in game.history]) == ("B", ["22-18"])
    game.undo()
    assert game == Game("dama64")
    assert refused(game.undo) == "nothing_to_undo"


def test_undo_removes_a_huff_with_the_following_move() -> None:
    game = played(Game("dama100", "W:W32,33,38,47:B27,8,9"), "33-29", "(32) 8-12")
    game.undo()
    assert game.offences == (32,)
    assert game.pending_huff is None
    assert [event.kind for event in game.events] == ["move"]


def test_undo_removes_a_huff_without_a_following_move() -> None:
    game = played(Game("dama100", "W:W32,33,38,47:B27,8,9"), "33-29")
    key = game.key()
    game.huff(32)
    game.undo()
    assert game.key() == key
    assert game.history[-1].text == "33-29"
    game.huff(32)
    game.play("8-12")


def test_undo_reopens_a_finished_game() -> None:
    game = played(Game("dama64", "W:W22:B18"), "22x15")
    results = [game.result]
    game.undo()
    assert [*results, game.result] == [Result("W", "no_pieces"), None]
    assert len(game.legal_moves) == 1
    game.resign("W")
    assert refused(game.undo) == "nothing_to_undo"


def test_undo_removes_later_draw_offers() -> None:
    game = played(Game("dama64"), "22-18")
    game.offer_draw("W")
    game.accept_draw("B")
    game.undo()
    assert (game.result, game.draw_offer, game.events) == (None, None, ())


def test_undo_restores_a_lapsed_draw_offer() -> None:
    game = Game("dama64")
    game.offer_draw("B")
    game.play("22-18")
    offers = [game.draw_offer]
    game.undo()
    assert [*offers, game.draw_offer] == [None, "B"]


# Draws


@pytest.mark.parametrize(
    ("of", "fen", "moves", "expected"),
    [
        ("dama64", KINGS, ROUND, Counter("repetition", 2, 3)),
        # Black returns in one move, White in two, so the other side is to move.
        ("dama64", KINGS, "30-25 3-7 25-21 7-3 21-30 3-7 30-25", Counter("repetition", 1, 3)),
        ("dama100", "W:WK47:BK4", "47-42 4-10 42-47 10-4 " * 2, Counter("same_move", 2, 3)),
        (DAMA64.replace(repetition=0), KINGS, ROUND * 7 + "30-25", Counter("no_progress", 29, 30)),
        # A man's move and a capture by a king are progress.
        ("dama64", "W:WK30,28:BK3,20", "30-25 3-7", Counter("no_progress", 2, 30)),
        ("dama64", "W:WK30,28:BK3,20", "30-25 3-7 28-24", Counter("no_progress", 0, 30)),
        ("dama64", "W:WK30:BK3,1", "30-25 3-8", Counter("no_progress", 2, 30)),
        ("dama64", "W:WK30:BK3,1", "30-25 3-8 25x4", Counter("no_progress", 0, 30)),
    ],
)
def test_draw_counters(of: str | rules.Rules, fen: str, moves: str, expected: Counter) -> None:
    game = played(Game(of, fen), *moves.split())
    assert counter(game, expected.kind) == expected
    assert game.result is None


def test_a_lost_game_takes_precedence_over_a_draw() -> None:
    # The ply that would draw the game blocks White's king.
    game = Game(DAMA64.replace(no_progress_moves=1), "W:WK25:BK21,18,22")
    played(game, "25-29", "21-25")
    assert counter(game, "no_progress") == Counter("no_progress", 2, 2)
    assert game.result == Result("B", "no_moves")


# Agreement and resignation


def test_a_draw_is_offered_and_accepted() -> None:
    game = Game("dama64")
    game.offer_draw("W")
    assert game.draw_offer == "W"
    game.accept_draw("B")
    assert game.result == Result(None, "agreement")
    assert game.events == (DrawOffered("W"), DrawAccepted("B"))
    assert game.draw_offer is None


def test_a_draw_may_be_declined_and_offered_again() -> None:
    game = Game("dama64")
    game.offer_draw("W")
    game.decline_draw("B")
    assert (game.draw_offer, game.result) == (None, None)
    game.offer_draw("B")
    game.decline_draw("W")


def test_an_offer_is_open_until_the_opponent_moves() -> None:
    game = Game("dama64")
    game.offer_draw("W")
    game.play("22-18")
    offers = [game.draw_offer]
    game.play("12-16")
    assert [*offers, game.draw_offer] == ["W", None]
    assert refused(game.accept_draw, "B") == "no_draw_offer"


def test_only_the_opponent_may_answer_an_offer() -> None:
    game = Game("dama64")
    assert refused(game.accept_draw, "B") == "no_draw_offer"
    assert refused(game.decline_draw, "B") == "no_draw_offer"
    game.offer_draw("W")
    assert refused(game.accept_draw, "W") == "no_draw_offer"
    assert refused(game.offer_draw, "W") == "draw_already_offered"
    assert refused(game.offer_draw, "B") == "draw_already_offered"


def test_a_player_may_resign_at_any_time() -> None:
    game = Game("dama64")
    game.resign("B")
    assert game.result == Result("W", "resignation")
    for action in (game.offer_draw, game.accept_draw, game.decline_draw, game.resign):
        assert refused(action, "W") == "game_over"


def test_an_unknown_side_is_refused() -> None:
    game = Game("dama64")
    for action in (game.offer_draw, game.accept_draw, game.decline_draw, game.resign):
        with pytest.raises(ValueError, match="not 'X'"):
            action("X")  # type: ignore[arg-type]


# Rematch


def test_an_alternating_rematch_swaps_the_sides() -> None:
    game = Game("american", players={"W": "Ana", "B": "Bo"})
    again, swap = game.rematch()
    assert swap
    assert again.players == {"W": "Bo", "B": "Ana"}
    assert again == Game("american", players=again.players)


def test_a_rematch_may_assign_the_sides_at_random() -> None:
    game = Game("dama64", players={"W": "Ana"})
    drawn = {swap: again for again, swap in (game.rematch(random.Random(i)) for i in range(20))}
    assert drawn[True].players == {"B": "Ana"}
    assert drawn[False].players == {"W": "Ana"}


def test_a_rematch_starts_from_the_same_position_by_the_same_rules() -> None:
    game = Game("dama100", "W:W32:B27,8", obligation="forced")
    again, _ = game.rematch()
    assert (again.rules, again.start_fen) == (game.rules, game.start_fen)


# Players, copies and equality


def test_invalid_player_names_are_refused() -> None:
    for players in ({"W": ""}, {"W": "x" * 81}, {"W": "a\nb"}, {"X": "Ana"}):
        with pytest.raises(ValueError, match=r"player|side: "):
            Game("dama64", players=players)  # type: ignore[arg-type]


def test_a_copy_is_independent() -> None:
    game = played(Game("dama100", "W:W32,33,38,47:B27,8,9"), "33-29")
    game.huff(32)
    other = game.copy()
    assert other == game
    played(other, "8-12")
    assert len(game.history) == 1
    other.undo()
    played(other, "(32) 8-12")
    game.undo()
    assert game.offences == (32,)
    game.play("8-12")
    assert other.history[-1].huff == 32
    assert game.history[-1].huff is None


def test_games_are_equal_if_their_histories_are() -> None:
    game = played(Game("dama64"), "22-18")
    assert game == played(Game("dama64"), "22-18")
    assert game != played(Game("dama64"), "22-17")
    assert game != played(Game("czech"), "22-18")
    assert game != "a game"
    with pytest.raises(TypeError):
        hash(game)


def test_the_repr_of_a_game_shows_its_status() -> None:
    assert repr(Game("dama64")) == "<Game of dama64: 0 plies, W to move>"
    game = Game("dama64")
    game.resign("W")
    assert repr(game) == "<Game of dama64: 0 plies, ('B', 'resignation')>"


# Events


def test_the_documented_event_kinds_are_complete() -> None:
    documented = re.findall(r'"(\w+)"', GameEvent.kind.__doc__ or "")
    kinds = [each.__struct_config__.tag for each in (*get_args(Event), *LIVE)]
    assert documented == kinds
    assert {each for each in subclasses(GameEvent) if each.__module__.startswith("damka.")} == {
        *get_args(Event),
        *LIVE,
    }


def subclasses(of: type) -> set[type]:
    direct: set[type] = set(of.__subclasses__())
    return direct.union(*(subclasses(each) for each in direct))


def test_an_event_has_its_kind() -> None:
    game = Game("american")
    game.play("11-15")
    game.offer_draw("B")
    game.decline_draw("W")
    game.resign("W")
    assert [event.kind for event in game.events] == ["move", "draw_offer", "draw_decline", "resign"]
