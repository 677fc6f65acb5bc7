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


def load_game(browser: Browser, game: Game, **options: Any) -> Live:
    """Load a game and connect to it."""
    live = browser.live(browser.load_game(game.to_json(), **options))
    live.state()
    return live


def code(response: dict[str, Any]) -> str:
    return str(response["code"])


# States


def test_the_first_state_is_complete(browser: Browser) -> None:
    state = open_game(browser).current
    assert state["version"] == state["ply"] == 0
    assert (state["turn"], state["you"]) == ("W", ["W", "B"])
    assert state["pieces"] == state["start"] == "b" * 12 + "." * 8 + "w" * 12
    assert {"21-17", "22-18"} < {move["hub"] for move in state["legal"]}
    assert all("routes" not in move for move in state["legal"]), "one route per move"
    assert state["must"] == state["offences"] == state["huffable"] == state["counters"] == []
    assert state["result"] is state["warn"] is state["draw_offer"] is state["undo_offer"] is None
    assert state["status"] == {"sentence": "White to move.", "news": "", "rule": None}
    assert state["players"]["W"]["name"] == "Player 1"
    assert state["can"]["resign"]
    assert not state["can"]["undo"]


def test_a_move_is_broadcast(browser: Browser, stranger: Browser) -> None:
    live = open_game(browser)
    spectator = stranger.live(live.current["id"], lang="it")
    assert spectator.state()["you"] == []
    state = live.play("22-18")
    assert state["turn"] == "B"
    assert state["history"][0]["text"] == "22-18"
    assert state["history"][0]["pieces"] == state["pieces"]
    assert state["announce"] == "White: 22 to 18. Black to move."
    spectator_state = spectator.state()
    assert spectator_state["pieces"] == state["pieces"]
    assert spectator_state["announce"] == "Il bianco: da 22 a 18. Il nero deve muovere."
    assert [name for name, may in spectator_state["can"].items() if may] == ["analyse"]


def test_a_compulsory_capture_is_announced_with_its_rule(browser: Browser) -> None:
    live = load_game(browser, Game("dama64", "B:W18,25,30:B4,11"), opponent="person")
    state = live.play("11-15")
    assert state["must"] == [18]
    assert state["announce"] == "Black: 11 to 15. White to move. The man on 18 must capture."
    assert state["status"]["rule"]["url"].endswith("#p-obligation")
    state = live.play("18x11x15")
    assert state["announce"] == "White: 18 takes 15. Black to move."
    assert state["taken"] == {"W": 1, "B": 0}


def test_a_player_against_the_computer_is_addressed(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    assert live.current["you"] == ["W"]
    assert live.current["status"]["sentence"] == "Your turn."
    assert live.current["players"]["W"]["name"] == "You"
    computer = live.current["players"]["B"]
    assert (computer["kind"], computer["level"], computer["name"]) == ("computer", 1, "Computer")
    assert computer["detail"] == "level 1"
    state = live.play("22-18")
    assert state["thinking"]
    assert state["status"]["sentence"] == "The computer is thinking."
    state = live.state(lambda state: state["turn"] == "W" and not state["thinking"])
    assert state["ply"] == 2
    assert state["history"][1]["side"] == "B"


def test_the_computer_begins_if_the_player_has_the_second_colour(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1, colour="second")
    state = live.current if live.current["ply"] else live.state(lambda state: state["ply"] == 1)
    assert state["you"] == ["B"]


def test_a_refused_move_is_explained(browser: Browser) -> None:
    live = open_game(browser)
    response = live.request("why", clicks=[22, 21])
    assert response["t"] == "refusal"
    assert response["code"]
    assert response["sentence"]
    assert response["rule"]["url"].startswith("/rules/dama64?game=")
    assert "#p-" in response["rule"]["url"]
    assert response["clicks"] == [22, 21]
    assert code(live.request("why", clicks=[22, 18])) == "none"


def test_spectators_learn_why_a_move_was_allowed(browser: Browser, stranger: Browser) -> None:
    live = open_game(browser)
    assert code(live.request("why_allowed", ply=1)) == "stale"
    live.play("22-18")
    spectator = stranger.live(live.current["id"], lang="it")
    spectator.state()
    answer = spectator.request("why_allowed", ply=1)
    assert answer["sentence"] == "La pedina muove di una casella in avanti."
    assert (answer["route"], answer["squares"]) == ([22, 18], [22, 18])
    assert answer["rule"]["url"].endswith("#p-man_move")


# Takebacks


def test_undo_against_the_computer_returns_to_the_players_last_turn(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    start = live.current["pieces"]
    assert code(live.request("undo")) == "nothing_to_undo"
    live.play("22-18")
    live.state(lambda state: state["ply"] == 2)
    live.send("undo")
    state = live.state(lambda state: state["ply"] == 0)
    assert state["pieces"] == start
    assert state["version"] == 3
    assert state["announce"].startswith("White took back a move.")


def test_undo_while_the_computer_thinks(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=10)
    live.play("22-18")
    live.send("undo")
    state = live.state(lambda state: state["ply"] == 0)
    assert not state["thinking"]
    live.play("23-19")
    live.state(lambda state: state["ply"] == 2)


def test_takebacks_between_people_need_consent(browser: Browser) -> None:
    live = open_game(browser)
    live.play("22-18")
    live.send("undo")
    state = live.version(2)
    assert (state["undo_offer"], state["ply"]) == ("W", 1)
    assert state["undo_asks"] == "White asks to take back a move. Do you agree?"
    assert code(live.request("undo_answer", ok=True, side="W")) == "no_offer"
    live.send("undo_answer", ok=False)
    state = live.version(3)
    assert (state["undo_offer"], state["ply"]) == (None, 1)
    assert code(live.request("undo")) == "too_soon"
    live.play("11-15")
    live.send("undo", side="W")
    assert live.version(5)["undo_offer"] == "W"
    live.send("undo_answer", ok=True)
    state = live.version(6)
    assert (state["ply"], state["turn"]) == (0, "W")


def test_a_takeback_request_lapses_with_the_next_move(browser: Browser) -> None:
    live = open_game(browser)
    live.play("22-18")
    live.send("undo")
    live.version(2)
    assert live.play("11-15")["undo_offer"] is None
    assert code(live.request("undo_answer", ok=True)) == "no_offer"


# Draws and resignation


def test_a_draw_by_agreement(browser: Browser) -> None:
    live = open_game(browser)
    assert code(live.request("draw_answer", ok=True)) == "no_offer"
    live.send("draw")
    state = live.version(1)
    assert state["draw_offer"] == "W"
    assert state["draw_asks"] == "White offers a draw. Do you accept?"
    assert code(live.request("draw_answer", ok=True, side="W")) == "no_offer"
    live.send("draw_answer", ok=True, side="B")
    result = live.version(2)["result"]
    assert (result["winner"], result["reason"]) == (None, "agreement")
    assert result["sentence"] == "Draw: both sides agreed."
    assert result["rule"]["url"].endswith("#p-agreement")


def test_the_computer_accepts_a_draw_if_neither_side_can_win(browser: Browser) -> None:
    live = load_game(browser, Game("dama64", "W:WK29:BK1"), opponent="computer", side="W")
    live.send("draw")
    assert live.state(lambda state: state["result"])["result"]["reason"] == "agreement"


def test_the_computer_declines_a_draw_if_it_is_winning(browser: Browser) -> None:
    live = load_game(
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
    assert result["sentence"] == "You lost: you resigned."
    assert result["rule"] is None
    assert live.current["can"]["rematch"]
    assert live.current["legal"] == []


def test_capturing_the_last_piece_ends_the_game(browser: Browser) -> None:
    live = load_game(browser, Game("dama64", "W:W22:B18"), opponent="person")
    state = live.play("22x15x18")
    assert state["result"]["reason"] == "no_pieces"
    assert state["result"]["sentence"] == "White wins. Black has no pieces left."
    assert state["announce"] == "White: 22 takes 18. White wins. Black has no pieces left."
    assert state["result"]["rule"]["url"].endswith("#p-goal")


def test_the_counters_appear_above_zero(browser: Browser) -> None:
    live = load_game(browser, Game("dama64", "W:WK32:BK1"), opponent="person")
    assert live.current["counters"] == []
    for move in ("32-27", "1-6"):
        live.play(move)
    counter = next(c for c in live.current["counters"] if c["kind"] == "no_progress")
    assert (counter["n"], counter["limit"]) == (1, 15)
    assert counter["sentence"] == "Draw in 14 moves without a capture or man move"


# Huffing


OFFENCE = "W:W33,41:B28,7,12"
"""dama100: 33 must take 28; moving 41 instead is an offence."""


def test_an_offence_is_warned_of_and_can_be_huffed(browser: Browser) -> None:
    live = load_game(browser, Game("dama100", OFFENCE), opponent="person")
    state = live.current
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


def test_a_huff_can_be_taken_back_and_declined(browser: Browser) -> None:
    live = load_game(browser, Game("dama100", OFFENCE), opponent="person")
    live.play(live.current["offences"][0]["hub"])
    live.send("huff", ply=1, square=33)
    live.version(2)
    live.send("undo", side="B")
    live.version(3)
    live.send("undo_answer", ok=True)
    state = live.version(4)
    assert state["pieces"][32] == "w"
    assert state["huffable"] == [33]
    live.play(state["legal"][0]["hub"])
    assert live.current["huffable"] == []


def test_only_an_offending_piece_can_be_huffed(browser: Browser) -> None:
    live = load_game(browser, Game("dama100", OFFENCE), opponent="person")
    assert code(live.request("huff", ply=0, square=33)) == "bad_move"
    live.play(next(move["hub"] for move in live.current["offences"] if move["from"] == 41))
    assert code(live.request("huff", ply=1, square=36)) == "bad_move"


def test_forced_capture_can_be_chosen_in_dama100(browser: Browser) -> None:
    live = open_game(browser, rules="dama100", obligation="forced")
    assert live.current["offences"] == []


# Hints


def test_a_hint_is_a_legal_move(browser: Browser) -> None:
    live = open_game(browser)
    response = live.request("hint")
    assert response["t"] == "hint"
    assert response["move"]["hub"] in [move["hub"] for move in live.current["legal"]]
    assert isinstance(response["score"], int)


# Attacks


def test_players_cannot_move_from_the_opponents_seat(browser: Browser, stranger: Browser) -> None:
    game = browser.new_game(opponent="computer", level=1, colour="first")
    live = browser.live(game)
    live.state()
    assert code(live.request("move", ply=0, move="22-18", side="B")) == "not_your_side"
    assert code(live.request("resign", side="B")) == "not_your_side"
    assert code(live.request("draw", side="B")) == "not_your_side"
    assert live.current["version"] == 0


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
def test_a_spectator_has_no_actions(
    browser: Browser, stranger: Browser, kind: str, fields: dict[str, Any]
) -> None:
    game = browser.new_game()
    stranger.new_game()  # The spectator has a seat in another game.
    spectator = stranger.live(game)
    spectator.state()
    assert code(spectator.request(kind, **fields)) == "not_yours"
    live = browser.live(game)
    assert live.state()["version"] == 0


def test_moves_out_of_turn_are_refused(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=10, colour="first")
    live.play("22-18")
    assert live.current["thinking"]
    assert code(live.request("move", ply=1, move="11-15")) == "not_your_turn"
    live = open_game(browser)
    assert code(live.request("move", ply=0, move="11-15")) == "bad_move"
    assert code(live.request("move", ply=0, move="22-18", side="B")) == "not_your_turn"


def test_a_stale_ply_is_refused_with_the_current_state(
    browser: Browser,
) -> None:
    live = open_game(browser)
    live.play("22-18")
    for ply in (0, 2, 1000):
        assert code(live.request("move", ply=ply, move="22-18")) == "stale"
        assert live.state()["version"] == 1


def test_a_move_resent_from_before_an_undo_is_stale(browser: Browser) -> None:
    live = open_game(browser, opponent="computer", level=1)
    live.send("move", ply=0, move="22-18", version=0)
    live.state(lambda state: state["ply"] == 2)
    live.send("undo")
    live.version(3)
    assert code(live.request("move", ply=0, move="22-18", version=0)) == "stale"
    assert code(live.request("move", ply=0, move="22-18", version=99)) == "stale"
    live.send("move", ply=0, move="22-18", version=3)
    live.state(lambda state: state["ply"] == 1)


def test_a_move_sent_twice_is_played_once(browser: Browser) -> None:
    live = open_game(browser)
    live.send("move", ply=0, move="22-18")
    live.send("move", ply=0, move="22-18")
    assert code(live.receive("error")) == "stale"
    assert live.state()["ply"] == 1


def test_simultaneous_actions_are_serialised(browser: Browser) -> None:
    game = browser.new_game()
    first, second = browser.live(game), browser.live(game)
    first.state()
    second.state()
    first.send("move", ply=0, move="22-18")
    second.send("resign", side="B")
    final = first.state(lambda state: state["result"])
    assert final["result"]["winner"] == "W"
    assert final["version"] - final["ply"] == 1, "the move was either played or refused"


def test_draw_offers_are_limited(browser: Browser) -> None:
    live = open_game(browser)
    live.send("draw")
    live.version(1)
    for _ in range(20):
        assert code(live.request("draw", side="W")) == "too_soon"
    live.send("draw_answer", ok=False)
    live.version(2)
    for _ in range(20):
        assert code(live.request("draw", side="W")) == "too_soon"
    assert not live.current["can"]["draw"]
    for move in ("22-18", "11-15", "18x11x15", "8x15x11"):
        live.play(move)
    live.send("draw", side="W")
    assert live.version(7)["draw_offer"] == "W"


def test_no_actions_are_possible_after_the_end(browser: Browser) -> None:
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
        assert code(live.request(kind, **fields)) == "game_over"
    reconnected = browser.live(live.current["id"])
    assert reconnected.state()["result"] == result
    assert reconnected.current["version"] == 2


def test_an_unknown_game_id_closes_the_connection(browser: Browser) -> None:
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
    while state["result"] is None and state["turn"] not in state["you"]:
        state = live.state()
    file = browser.http.get(f"/api/games/{state['id']}/file").text
    game = Game.from_json(file)
    assert game.board.pieces == state["pieces"]
    assert len(game.history) == state["ply"] > 20
    assert browser.live(state["id"]).state() == state


# Typed moves, and events that the board does not show


@pytest.mark.parametrize(
    ("typed", "code"),
    [("21-13", "not_diagonal"), ("22-25", "target_occupied"), ("zz", "not_understood")],
)
def test_a_typed_move_is_explained_like_a_clicked_one(
    browser: Browser, typed: str, code: str
) -> None:
    live = open_game(browser)
    assert live.request("why", text=typed)["code"] == code


def test_the_status_line_reports_a_declined_draw(browser: Browser) -> None:
    live = open_game(browser)
    live.send("draw", side="W")
    live.state(lambda state: state["draw_offer"] == "W")
    live.send("draw_answer", ok=False, side="B")
    state = live.state(lambda state: state["draw_offer"] is None)
    assert state["status"]["sentence"] == "Black declined the draw. White to move."
