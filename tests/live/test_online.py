"""Games of two people on two devices: permitted actions and sentences, without a server."""

from __future__ import annotations

import pytest

from damka import rules
from damka.game import Game
from damka.live import events
from damka.live.clock import ClockSettings, start
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.live.state import OnlineInfo, state
from damka.live.stored_game import Seat
from damka.locales import LANGUAGES
from damka.rules import Side
from tests.live.live_games import live_game, played

TWO_DEVICES = (
    Seat("W", "person", player=1, holder="one", name="Ana"),
    Seat("B", "person", player=2, holder="two"),
)
WAITING = (TWO_DEVICES[0], Seat("B", "person", player=2))
BLITZ = ClockSettings(kind="fischer", seconds=300, increment=3)
W: tuple[Side, ...] = ("W",)
B: tuple[Side, ...] = ("B",)


def refused(live: LiveGame, action: str, *args: object) -> str:
    with pytest.raises(Refused) as error:
        getattr(live, action)(*args)
    return error.value.code


def test_there_are_no_hints_between_two_people() -> None:
    live = live_game(seats=TWO_DEVICES)
    assert refused(live, "hint_game", W) == "no_help"
    assert not state(live, W, "en").can.hint
    assert live_game(seats=(TWO_DEVICES[0], Seat("B", "person", 2, holder="one"))).hint_game(W)


def test_draw_offers_need_two_plies_and_then_twenty_more() -> None:
    live = live_game(seats=TWO_DEVICES)
    assert refused(live, "draw", W) == "too_soon"
    for move in ("22-18", "11-15"):
        live.apply(live.move((live.game.turn,), live.ply, move))
    live.apply(live.draw(W))
    live.apply(live.answer_draw(B, ok=False))
    for plies in range(20):
        assert refused(live, "draw", W) == "too_soon", plies
        moves = live.game.legal_moves
        live.apply(live.move((live.game.turn,), live.ply, moves[0].hub()))
    assert live.result is not None or live.draw(W) == events.DrawOffered("W")


def test_a_player_can_withdraw_their_own_offer() -> None:
    live = played("22-18 11-15", seats=TWO_DEVICES)
    live.apply(live.draw(W))
    assert not state(live, W, "en").can.answer_draw
    assert state(live, B, "en").can.answer_draw
    assert state(live, W, "en").announce.startswith("You offered a draw.")
    assert state(live, B, "en").announce.startswith("White offers a draw. Do you accept?")
    assert state(live, (), "en").announce.startswith("White offers a draw. Ana to move.")
    assert refused(live, "answer_draw", W, True) == "no_offer"
    assert refused(live, "answer_draw", (), False) == "not_yours"
    live.apply(live.answer_draw(W, ok=False))
    withdrawn: events.Event | None = live.last
    assert withdrawn == events.DrawWithdrawn("W")
    assert live.game.draw_offer is None
    assert refused(live, "answer_draw", B, True) == "no_offer"
    assert refused(live, "draw", W) == "too_soon", "a withdrawn offer cannot be repeated at once"
    assert "White withdrew the draw offer." in state(live, B, "en").status.sentence
    live.apply(live.undo(B))
    assert state(live, B, "en").announce.startswith("You asked to take back a move.")
    assert not state(live, B, "en").can.answer_undo
    live.apply(live.answer_undo(B, ok=False))
    withdrawn = live.last
    assert withdrawn == events.UndoWithdrawn("B")
    assert live.undo_offer is None
    assert refused(live, "undo", B) == "too_soon"
    # A game file stores offers and answers, but no withdrawn offers.
    reloaded = Game.from_json(live.game.to_json())
    assert reloaded.draw_offer is None
    assert reloaded.moves == live.game.moves


def test_the_huffing_player_is_addressed() -> None:
    live = live_game(Game("dama100", fen="W:W32,36,37,46:B3,4,28"), seats=TWO_DEVICES)
    quiet = next(iter(live.game.offence_moves))
    live.apply(live.move(W, 0, quiet.hub()))
    [square] = live.game.offences
    live.apply(live.huff(B, live.ply, square))
    expected = f"huff the man on {square}: it could have captured."
    assert state(live, B, "en").status.sentence.startswith(f"You {expected}")
    assert f"huffs your man on {square}" in state(live, W, "en").status.sentence
    assert f"huffs the man on {square}" in state(live, (), "en").status.sentence


def test_the_player_to_move_is_named() -> None:
    live = live_game(seats=TWO_DEVICES)
    assert state(live, W, "en").status.sentence == "Your turn."
    assert state(live, B, "en").status.sentence == "Ana to move."
    assert state(live, (), "en").status.sentence == "Ana to move."
    live.apply(live.move(W, 0, "22-18"))
    assert state(live, W, "en").status.sentence == "Black to move.", "this player has no name"


def test_a_game_can_be_aborted_until_both_have_moved() -> None:
    live = live_game(seats=TWO_DEVICES)
    assert live.abort(B) == events.Aborted("B")
    assert refused(live, "abort", ()) == "not_yours"
    live.apply(live.move(W, 0, "22-18"))
    assert live.abort(W) == events.Aborted("W")
    live.apply(live.move(B, 1, "11-15"))
    assert refused(live, "abort", W) == "too_late"


def test_the_clock_runs_from_the_third_ply() -> None:
    live = live_game(seats=TWO_DEVICES, clock=BLITZ)
    running = [live.running]
    entries: tuple[events.Event, ...] = (
        *(events.Moved("W", "22-18"), events.Moved("B", "11-15")),
        *(events.UndoOffered("B"), events.Undone("B", 1)),
    )
    for entry in entries:
        live.apply(entry)
        running.append(live.running)
    assert running == [None, None, "W", "W", None], "only while both have moved"
    days = live_game(seats=TWO_DEVICES, clock=ClockSettings(kind="days", seconds=86_400))
    assert days.running == "W"


@pytest.mark.parametrize(
    ("rules_name", "fen", "flagged"),
    [
        # The side to move loses on time, unless the opponent could not win by any moves: here
        # because its only man must be captured.
        ("dama64", "W:W22:BK1", events.Flagged("W")),
        ("spanish", "W:WK1:BK32", events.Flagged("W")),
        ("dama64", "W:W22:B18", events.Flagged("W", drawn=True)),
    ],
)
def test_the_result_of_a_lost_clock(rules_name: str, fen: str, flagged: events.Flagged) -> None:
    game = Game(rules_name, fen)
    live = live_game(game, seats=TWO_DEVICES, clock=ClockSettings(kind="days", seconds=86_400))
    event = live.flag()
    assert event == flagged
    live.apply(event)
    result = live.result
    assert result == ((None, "time_draw") if flagged.drawn else ("B", "time"))
    # Both file formats store it.
    for reloaded in (Game.from_json(live.game.to_json()), Game.from_pdn(live.game.pdn())):
        assert reloaded.result == live.game.result


@pytest.mark.parametrize("result", ["time", "abandonment", "abandonment_draw", "aborted"])
def test_files_store_every_result(result: str) -> None:
    game = Game("dama64")
    game.play("22-18")
    {
        "time": lambda: game.flag("B"),
        "abandonment": lambda: game.abandon("B"),
        "abandonment_draw": lambda: game.abandon("B", drawn=True),
        "aborted": lambda: game.abort("B"),
    }[result]()
    assert game.result is not None
    assert game.result.reason == result
    assert Game.from_json(game.to_json()).result == game.result
    text = game.pdn()
    assert f'[Termination "{result}"]' in text
    assert Game.from_pdn(text).result == game.result
    assert game.pdn().rstrip().endswith("*") == (result == "aborted")


def test_claims_need_an_absent_opponent() -> None:
    live = played("22-18 11-15", seats=(TWO_DEVICES[0], Seat("B", "person", 2, holder="two")))
    assert refused(live, "claim", W, False, ()) == "not_away"
    assert refused(live, "claim", W, False, W) == "not_away", "not the claimant's own absence"
    assert live.claim(W, False, B) == events.Abandoned("B")
    assert live.claim(W, True, B) == events.Abandoned("B", drawn=True)
    assert state(live, W, "en", online_info=OnlineInfo(claimable=B)).can.claim
    assert not state(live, B, "en", online_info=OnlineInfo(claimable=B)).can.claim


def test_rematches_are_offered_and_declined() -> None:
    live = live_game("dama64", events.Resigned("W"), seats=TWO_DEVICES)
    assert refused(live, "offer_rematch", ()) == "not_yours"
    live.apply(live.offer_rematch(W))
    assert state(live, B, "en").rematch_question == "White offers a rematch. Do you accept?"
    assert not state(live, W, "en").can.rematch
    assert refused(live, "decline_rematch", W) == "no_offer"
    live.apply(live.decline_rematch(B))
    assert state(live, W, "en").status.news == "Black declined the rematch."


def test_joining_and_freeing_a_seat() -> None:
    live = live_game(seats=WAITING, code="BKRT")
    assert (live.open_side, live.online, live.sides_of(None)) == ("B", True, ())
    assert live.join("Petra") == events.Joined("B", "Petra")
    view = state(live, W, "en")
    assert view.invitation is not None
    assert view.invitation.code == "BKRT"
    assert state(live, (), "en").invitation is None
    one_screen = live_game()
    assert refused(one_screen, "join") == "seat_taken"
    assert one_screen.free(("W", "B"), "B") == events.SideFreed("B")
    assert refused(one_screen, "free", W, "W") == "not_yours"
    with_clock = live_game(seats=TWO_DEVICES, clock=BLITZ)
    assert with_clock.give_time.__name__ == "give_time"
    assert refused(with_clock, "give_time", W) == "no_clock"
    assert with_clock.clock == start(BLITZ)


EVENTS = (
    events.Joined("B"),
    events.Joined("B", "Petra"),
    events.Joined("B", level=3),
    events.TimeGiven("W", 15),
    events.RematchOffered("W"),
)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("event", EVENTS)
def test_every_event_has_a_sentence_in_every_language(event: events.Event, language: str) -> None:
    after_end = isinstance(event, events.RematchOffered)
    log = (events.Resigned("W"), event) if after_end else (event,)
    seats = (
        (TWO_DEVICES[0], Seat("B", "computer", 2, level=3))
        if "level=3" in repr(event)
        else TWO_DEVICES
    )
    for you in (W, B, ()):
        view = state(live_game("dama64", *log, seats=seats), you, language)
        assert "{" not in view.announce + view.status.sentence + (view.rematch_question or "")


def test_names_of_two_people() -> None:
    live = live_game(seats=TWO_DEVICES)
    names = {
        you: {s: p.name for s, p in state(live, you, "en").players.items()} for you in (W, B, ())
    }
    assert names == {
        W: {"W": "Ana", "B": "Player"},
        B: {"W": "Ana", "B": "You"},
        (): {"W": "Ana", "B": "Player 2"},
    }
    assert rules.load("dama64").name == live.rules.name
    assert live.game.players == {"W": "Ana"}
