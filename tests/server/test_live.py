"""A game over the live connection: states, actions and permissions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from damka.game import Game
from tests.server.support import Browser, Live


def open_game(browser: Browser, **options: Any) -> Live:
    """Start a game and connect to it."""
    live = browser.live(browser.new_game(**options))
    live.state()
    return live


def loaded(browser: Browser, game: Game, **options: Any) -> Live:
    """Load a game and connect to it."""
    live = browser.live(browser.load_game(game.to_json(), **options))
    live.state()
    return live


def code(answer: dict[str, Any]) -> str:
    return str(answer["code"])


# States


def test_the_first_state_is_complete(browser: Browser) -> None:
    state = open_game(browser).now
    assert state["version"] == state["ply"] == 0
    assert (state["turn"], state["you"]) == ("W", ["W", "B"])
    assert state["pieces"] == state["start"] == "b" * 12 + "." * 8 + "w" * 12
    assert {"21-17", "22-18"} < {move["hub"] for move in state["legal"]}
    assert all("routes" not in move for move in state["legal"]), "one way each"
    assert state["must"] == state["offences"] == state["huffable"] == state["counters"] == []
    assert state["result"] is state["warn"] is state["draw_offer"] is state["undo_offer"] is None
    assert state["status"] == {"sentence": "White to move.", "news": "", "rule": None}
    assert state["players"]["W"]["name"] == "Player 1"
    assert state["can"]["resign"]
    assert not state["can"]["undo"]


def test_a_move_is_broadcast(browser: Browser, stranger: Browser) -> None:
    live = open_game(browser)
    viewer = stranger.live(live.now["id"], lang="it")
    assert viewer.state()["you"] == []
    state = live.play("22-18")
    assert state["turn"] == "B"
    assert state["history"][0]["text"] == "22-18"
    assert state["history"][0]["pieces"] == state["pieces"]
    assert state["announce"] == "White: 22 to 18. Black to move."
    seen = viewer.state()
    assert seen["pieces"] == state["pieces"]
    assert seen["announce"] == "Il bianco: da 22 a 18. Il nero deve muovere."
    assert not any(seen["can"].values())


def test_a_capture_is_compulsory_announced_and_linked_to_its_rule(browser: Browser) -> None:
    live = loaded(browser, Game("dama64", "B:W18,25,30:B4,11"), opponent="person")
    state = live.play("11-15")
    assert state["must"] == [18]
    assert state["announce"] == "Black: 11 to 15. White to move. The man on 18 must capture."
    assert state["status"]["rule"]["url"].endswith("#p-obligation")
    state = live.play("18x11x15")
    assert state["announce"] == "White: 18 takes 15. Black to move."
    assert state["taken"] == {"W": 1, "B": 0}


def test_against_the_computer_the_player_is_called_you(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    assert live.now["you"] == ["W"]
    assert live.now["status"]["sentence"] == "Your turn."
    assert live.now["players"]["W"]["name"] == "You"
    computer = live.now["players"]["B"]
    assert (computer["kind"], computer["level"], computer["name"]) == ("computer", 1, "Computer")
    assert computer["detail"] == "level 1"
    state = live.play("22-18")
    assert state["thinking"]
    assert state["status"]["sentence"] == "The computer is thinking."
    state = live.state(lambda state: state["turn"] == "W" and not state["thinking"])
    assert state["ply"] == 2
    assert state["history"][1]["side"] == "B"


def test_the_computer_begins_when_the_colour_says_so(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1, colour="second")
    state = live.now if live.now["ply"] else live.state(lambda state: state["ply"] == 1)
    assert state["you"] == ["B"]


def test_a_refused_move_is_explained(browser: Browser) -> None:
    live = open_game(browser)
    answer = live.ask("why", clicks=[22, 21])
    assert answer["t"] == "refusal"
    assert answer["code"]
    assert answer["sentence"]
    assert answer["rule"]["url"].startswith("/rules/dama64?game=")
    assert "#p-" in answer["rule"]["url"]
    assert answer["clicks"] == [22, 21]
    assert code(live.ask("why", clicks=[22, 18])) == "none"


# Takebacks


def test_undo_against_the_computer_goes_back_to_the_players_previous_turn(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    start = live.now["pieces"]
    assert code(live.ask("undo")) == "nothing_to_undo"
    live.play("22-18")
    live.state(lambda state: state["ply"] == 2)
    live.send("undo")
    state = live.state(lambda state: state["ply"] == 0)
    assert state["pieces"] == start
    assert state["version"] == 3
    assert state["announce"].startswith("White took back a move.")


def test_undo_while_the_computer_thinks_takes_the_players_move_back(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=10)
    live.play("22-18")
    live.send("undo")
    state = live.state(lambda state: state["ply"] == 0)
    assert not state["thinking"]
    live.play("23-19")
    live.state(lambda state: state["ply"] == 2)


def test_two_people_take_back_by_consent(browser: Browser) -> None:
    live = open_game(browser)
    live.play("22-18")
    live.send("undo")
    state = live.version(2)
    assert (state["undo_offer"], state["ply"]) == ("W", 1)
    assert state["undo_asks"] == "White asks to take back a move. Do you agree?"
    assert code(live.ask("undo_answer", ok=True, side="W")) == "no_offer"
    live.send("undo_answer", ok=False)
    state = live.version(3)
    assert (state["undo_offer"], state["ply"]) == (None, 1)
    assert code(live.ask("undo")) == "too_soon"
    live.play("11-15")
    live.send("undo", side="W")
    assert live.version(5)["undo_offer"] == "W"
    live.send("undo_answer", ok=True)
    state = live.version(6)
    assert (state["ply"], state["turn"]) == (0, "W")


def test_a_request_to_take_back_lapses_with_the_next_move(browser: Browser) -> None:
    live = open_game(browser)
    live.play("22-18")
    live.send("undo")
    live.version(2)
    assert live.play("11-15")["undo_offer"] is None
    assert code(live.ask("undo_answer", ok=True)) == "no_offer"


# Draws and resignation


def test_a_draw_by_agreement(browser: Browser) -> None:
    live = open_game(browser)
    assert code(live.ask("draw_answer", ok=True)) == "no_offer"
    live.send("draw")
    state = live.version(1)
    assert state["draw_offer"] == "W"
    assert state["draw_asks"] == "White offers a draw. Do you accept?"
    assert code(live.ask("draw_answer", ok=True, side="W")) == "no_offer"
    live.send("draw_answer", ok=True, side="B")
    result = live.version(2)["result"]
    assert (result["winner"], result["reason"]) == (None, "agreement")
    assert result["sentence"] == "Draw. Both sides agreed."
    assert result["rule"]["url"].endswith("#p-agreement")


def test_the_computer_accepts_a_draw_when_neither_can_win(browser: Browser) -> None:
    live = loaded(browser, Game("dama64", "W:WK29:BK1"), opponent="computer", side="W")
    live.send("draw")
    assert live.state(lambda state: state["result"])["result"]["reason"] == "agreement"


def test_the_computer_declines_when_it_wins(browser: Browser) -> None:
    live = loaded(
        browser, Game("dama64", "W:W29:BK1,K2,K3,K5"), opponent="computer", level=5, side="W"
    )
    live.send("draw")
    state = live.version(2)
    assert state["result"] is state["draw_offer"] is None
    assert state["announce"].startswith("Black declined the draw.")


def test_resignation(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    live.send("resign")
    result = live.version(1)["result"]
    assert (result["winner"], result["reason"]) == ("B", "resignation")
    assert result["sentence"] == "You lose. White resigned."
    assert result["rule"] is None
    assert live.now["can"]["rematch"]
    assert live.now["legal"] == []


def test_the_last_piece_taken_ends_the_game_with_its_rule(browser: Browser) -> None:
    live = loaded(browser, Game("dama64", "W:W22:B18"), opponent="person")
    state = live.play("22x15x18")
    assert state["result"]["reason"] == "no_pieces"
    assert state["result"]["sentence"] == "White wins. Black has no pieces left."
    assert state["announce"] == "White: 22 takes 18. White wins. Black has no pieces left."
    assert state["result"]["rule"]["url"].endswith("#p-goal")


def test_the_counters_appear_above_zero(browser: Browser) -> None:
    live = loaded(browser, Game("dama64", "W:WK32:BK1"), opponent="person")
    assert live.now["counters"] == []
    for move in ("32-27", "1-6"):
        live.play(move)
    counter = next(c for c in live.now["counters"] if c["kind"] == "no_progress")
    assert (counter["n"], counter["limit"]) == (1, 15)
    assert counter["sentence"] == "Without a capture or man move: 1 of 15 moves"


# Huffing


OFFENCE = "W:W33,41:B28,7,12"
"""dama100: 33 must take 28; playing 41 instead is an offence."""


def test_the_player_is_warned_of_an_offence_and_may_be_huffed(browser: Browser) -> None:
    live = loaded(browser, Game("dama100", OFFENCE), opponent="person")
    state = live.now
    assert state["must"] == [33]
    assert state["warn"]["squares"] == [33]
    assert state["warn"]["sentence"].startswith("The man on 33 can capture.")
    quiet = next(move["hub"] for move in state["offences"] if move["from"] == 41)
    state = live.play(quiet)
    assert state["history"][0]["offence"]
    assert state["huffable"] == [33]
    assert state["can"]["huff"]
    assert state["huff_asks"]["sentence"].startswith("You may huff the man on 33: it could have")
    assert state["huff_asks"]["rule"]["url"].endswith("#p-huffing")
    live.send("huff", ply=1, square=33)
    state = live.version(2)
    assert state["pieces"][32] == "."
    assert (state["turn"], state["ply"]) == ("B", 1)
    assert state["announce"].startswith("Green huffs the man on 33: it could have captured.")
    assert state["huffable"] == []
    state = live.play(state["legal"][0]["hub"])
    assert state["history"][1]["huff"] == 33


def test_a_huff_can_be_declined_by_moving_and_taken_back(browser: Browser) -> None:
    live = loaded(browser, Game("dama100", OFFENCE), opponent="person")
    live.play(live.now["offences"][0]["hub"])
    live.send("huff", ply=1, square=33)
    live.version(2)
    live.send("undo", side="B")
    live.version(3)
    live.send("undo_answer", ok=True)
    state = live.version(4)
    assert state["pieces"][32] == "w"
    assert state["huffable"] == [33]
    live.play(state["legal"][0]["hub"])
    assert live.now["huffable"] == []


def test_only_an_offending_piece_can_be_huffed(browser: Browser) -> None:
    live = loaded(browser, Game("dama100", OFFENCE), opponent="person")
    assert code(live.ask("huff", ply=0, square=33)) == "bad_move"
    live.play(next(move["hub"] for move in live.now["offences"] if move["from"] == 41))
    assert code(live.ask("huff", ply=1, square=36)) == "bad_move"


def test_forced_capture_can_be_chosen_in_dama100(browser: Browser) -> None:
    live = open_game(browser, rules="dama100", obligation="forced")
    assert live.now["offences"] == []


# Hints


def test_a_hint_is_a_legal_move(browser: Browser) -> None:
    live = open_game(browser)
    answer = live.ask("hint")
    assert answer["t"] == "hint"
    assert answer["move"]["hub"] in [move["hub"] for move in live.now["legal"]]
    assert isinstance(answer["score"], int)


# Attacks


def test_players_cannot_move_from_the_opponents_seat(browser: Browser, stranger: Browser) -> None:
    game = browser.new_game(opponent="computer", level=1, colour="first")
    live = browser.live(game)
    live.state()
    assert code(live.ask("move", ply=0, move="22-18", side="B")) == "not_your_side"
    assert code(live.ask("resign", side="B")) == "not_your_side"
    assert code(live.ask("draw", side="B")) == "not_your_side"
    assert live.now["version"] == 0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("move", {"ply": 0, "move": "22-18"}),
        ("move", {"ply": 0, "move": "22-18", "side": "W"}),
        ("resign", {}),
        ("resign", {"side": "B"}),
        ("draw", {}),
        ("draw_answer", {"ok": True}),
        ("undo", {}),
        ("undo_answer", {"ok": True}),
        ("huff", {"ply": 0, "square": 22}),
        ("hint", {}),
    ],
)
def test_a_spectator_can_do_nothing(
    browser: Browser, stranger: Browser, kind: str, fields: dict[str, Any]
) -> None:
    game = browser.new_game()
    stranger.new_game()  # Has a seat in another game.
    viewer = stranger.live(game)
    viewer.state()
    assert code(viewer.ask(kind, **fields)) == "not_yours"
    live = browser.live(game)
    assert live.state()["version"] == 0


def test_out_of_turn(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=10, colour="first")
    live.play("22-18")
    assert live.now["thinking"]
    assert code(live.ask("move", ply=1, move="11-15")) == "not_your_turn"
    live = open_game(browser)
    assert code(live.ask("move", ply=0, move="11-15")) == "bad_move"
    assert code(live.ask("move", ply=0, move="22-18", side="B")) == "not_your_turn"


def test_a_stale_or_duplicate_ply_changes_nothing_and_is_answered_with_the_state(
    browser: Browser,
) -> None:
    live = open_game(browser)
    live.play("22-18")
    for ply in (0, 2, 1000):
        assert code(live.ask("move", ply=ply, move="22-18")) == "stale"
        assert live.state()["version"] == 1


def test_a_move_resent_from_before_an_undo_is_stale(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    live.send("move", ply=0, move="22-18", version=0)
    live.state(lambda state: state["ply"] == 2)
    live.send("undo")
    live.version(3)
    assert code(live.ask("move", ply=0, move="22-18", version=0)) == "stale"
    assert code(live.ask("move", ply=0, move="22-18", version=99)) == "stale"
    live.send("move", ply=0, move="22-18", version=3)
    live.state(lambda state: state["ply"] == 1)


def test_a_message_sent_twice_counts_once(browser: Browser) -> None:
    live = open_game(browser)
    live.send("move", ply=0, move="22-18")
    live.send("move", ply=0, move="22-18")
    assert code(live.receive("error")) == "stale"
    assert live.state()["ply"] == 1


def test_resignation_and_move_at_the_same_time_are_serialised(browser: Browser) -> None:
    game = browser.new_game()
    one, two = browser.live(game), browser.live(game)
    one.state()
    two.state()
    one.send("move", ply=0, move="22-18")
    two.send("resign", side="B")
    final = one.state(lambda state: state["result"])
    assert final["result"]["winner"] == "W"
    assert final["version"] - final["ply"] == 1, "the move counts or was refused, nothing between"


def test_draw_offers_are_limited(browser: Browser) -> None:
    live = open_game(browser)
    live.send("draw")
    live.version(1)
    for _ in range(20):
        assert code(live.ask("draw", side="W")) == "too_soon"
    live.send("draw_answer", ok=False)
    live.version(2)
    for _ in range(20):
        assert code(live.ask("draw", side="W")) == "too_soon"
    assert not live.now["can"]["draw"]
    for move in ("22-18", "11-15", "18x11x15", "8x15x11"):
        live.play(move)
    live.send("draw", side="W")
    assert live.version(7)["draw_offer"] == "W"


def test_nothing_changes_after_the_end(browser: Browser) -> None:
    live = open_game(browser)
    live.play("22-18")
    live.send("resign", side="W")
    result = live.version(2)["result"]
    for kind, fields in (
        ("move", {"ply": 1, "move": "11-15"}),
        ("resign", {"side": "B"}),
        ("draw", {}),
        ("draw_answer", {"ok": True}),
        ("undo", {}),
        ("undo_answer", {"ok": True}),
        ("huff", {"ply": 1, "square": 18}),
        ("hint", {}),
    ):
        assert code(live.ask(kind, **fields)) == "game_over"
    again = browser.live(live.now["id"])
    assert again.state()["result"] == result
    assert again.now["version"] == 2


def test_a_game_of_another_id_is_not_there(browser: Browser) -> None:
    for game in ("A" * 22, "x", "..%5C..", "%00", "%C3%A9"):
        assert browser.live(game).closed_with() == 4404


# Whole games


@pytest.mark.parametrize("name", ["dama64", "american", "dama100"])
def test_a_whole_game_against_the_computer(browser: Browser, name: str) -> None:
    """Random moves against level 1, including offences and huffs, to a result or a draw."""
    rng = random.Random(name)
    live = browser.live(browser.new_game(rules=name, opponent="computer", level=1, colour="second"))
    state = live.state()
    for _ in range(150):
        while state["result"] is None and state["turn"] not in state["you"]:
            state = live.state()
        if state["result"] is not None:
            break
        if state["huffable"] and rng.random() < 0.5:
            square = rng.choice(state["huffable"])
            live.send("huff", ply=state["ply"], square=square, version=state["version"])
            state = live.version(state["version"] + 1)
            continue
        playable = state["legal"] + (state["offences"] if rng.random() < 0.3 else [])
        state = live.play(rng.choice(playable)["hub"], version=state["version"])
    log = browser.http.get(f"/api/games/{state['id']}/file").text
    game = Game.from_json(log)
    assert game.board.pieces == state["pieces"]
    assert len(game.history) == state["ply"] > 20
    assert browser.live(state["id"]).state() == state


# Typed moves, and events not shown on the board


@pytest.mark.parametrize(
    ("typed", "code"),
    [("21-13", "not_diagonal"), ("22-25", "target_occupied"), ("zz", "not_understood")],
)
def test_a_typed_move_is_explained_like_a_clicked_one(
    browser: Browser, typed: str, code: str
) -> None:
    live = open_game(browser)
    assert live.ask("why", text=typed)["code"] == code


def test_the_status_line_reports_a_declined_draw(browser: Browser) -> None:
    live = open_game(browser)
    live.send("draw", side="W")
    live.state(lambda state: state["draw_offer"] == "W")
    live.send("draw_answer", ok=False, side="B")
    state = live.state(lambda state: state["draw_offer"] is None)
    assert state["status"]["sentence"] == "Black declined the draw. White to move."
