"""Pages receive only the changes since their last state."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from websockets.sync.client import connect

from damka import Game, rules
from damka.live.state import state
from damka.server.publisher import ViewerState, ViewUpdates
from tests.server.support import Browser, Json, Live, Server


def next_frame(live: Live) -> Json:
    """Return the next raw frame."""
    frame: Json = json.loads(live.connection.recv(timeout=10))
    return frame


def test_deltas_add_up_to_the_full_state(browser: Browser, stranger: Browser) -> None:
    """Random moves, huffs, offers and takebacks, for pages of a player and a spectator."""
    rng = random.Random(1)
    game = browser.new_game(rules="dama100")
    page, player = browser.live(game, has={}), browser.live(game)
    spectator = stranger.live(game, has={})
    for live in (page, player, spectator):
        live.state()
    for _ in range(40):
        state = player.current
        action = rng.choice(["move"] * 6 + ["huff", "undo", "draw"])
        if action == "move" or state["ply"] < 3 or (action == "huff" and not state["huffable"]):
            move = rng.choice([*state["legal"], *state["offences"]])
            player.send("move", ply=state["ply"], move=move["hub"])
        elif action == "huff":
            player.send("huff", ply=state["ply"], square=state["huffable"][0])
        elif state["undo_offer"]:
            player.send("undo_answer", ok=rng.random() < 0.7)
        elif state["draw_offer"]:
            player.send("draw_answer", ok=False)
        elif state["can"][action]:
            player.send(action)
        else:
            continue
        player.version(state["version"] + 1)
        assert page.version(state["version"] + 1) == player.current
        spectator_state = spectator.version(state["version"] + 1)
        assert spectator_state["history"] == player.current["history"]
        assert spectator_state["pieces"] == player.current["pieces"]
    assert len({entry["side"] for entry in player.current["history"]}) == 2


def test_a_returning_page_receives_the_missed_changes(browser: Browser, stranger: Browser) -> None:
    game = browser.new_game()
    page, player = stranger.live(game, has={}), browser.live(game)
    before = page.state()
    player.state()
    for move in ("22-18", "11-15", "18x11x15", "8x15x11"):
        before = page.version(player.play(move)["version"])
        if move == "11-15":
            page.close()
            last_state = before
            page = stranger.live(game, has=last_state)
            page.state()
    reconnected = stranger.live(game, has=last_state)
    frame = next_frame(reconnected)
    assert (frame["t"], frame["keep"], len(frame["add"])) == ("delta", 2, 2)
    assert stranger.live(game, has=last_state).state()["history"] == player.current["history"]
    # A takeback while the page was disconnected.
    player.send("undo")
    player.state(lambda state: state["undo_offer"])
    player.send("undo_answer", ok=True)
    player.state(lambda state: state["ply"] < 4)
    frame = next_frame(stranger.live(game, has=before))
    assert (frame["t"], frame["add"]) == ("delta", [])
    assert frame["keep"] == player.current["ply"]
    assert stranger.live(game, has=before).state()["history"] == player.current["history"]


@pytest.mark.parametrize(
    "have", ["?have=", "?have=0.1", "?have=99.0", "?have=99999999999.0", "?have=x", "?have=1", ""]
)
def test_a_page_with_an_unknown_state_receives_the_full_state(browser: Browser, have: str) -> None:
    live = browser.live(browser.new_game())
    live.state()
    game = live.play("22-18")["id"]
    address = f"{browser.url.replace('http', 'ws', 1)}/live/{game}{have}"
    with connect(address, additional_headers={"Origin": browser.url}) as other:
        frame = json.loads(other.recv(timeout=10))
    assert (frame["t"], len(frame["history"])) == ("state", 1)


def test_the_size_of_a_delta_does_not_grow_with_the_game(browser: Browser) -> None:
    endless = rules.load("international").replace(
        repetition=0, same_move=0, no_progress_moves=0, material_draws=()
    )
    sizes = []
    for plies in (4, 2000):
        game = Game(endless, "W:WK1:BK50")
        while len(game.moves) < plies:
            for move in ("1-6", "50-45", "6-1", "45-50"):
                game.play(move)
        live = browser.live(browser.load_game(game.to_json()), has={})
        assert len(live.state()["history"]) == plies
        live.send("move", ply=plies, move="1-6")
        text = live.connection.recv(timeout=10)
        sizes.append(len(text))
        assert json.loads(text)["keep"] == plies
    assert sizes[1] < sizes[0] + 200
    assert sizes[1] < 4000


def test_spectators_share_one_encoded_state(
    server: Server, browser: Browser, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = browser.new_game()
    player = browser.live(game)
    player.state()
    spectators = [stranger.live(game, has={}) for _ in range(20)]
    for spectator in spectators:
        spectator.state()
    calls: list[Any] = []

    def count_calls(*args: Any, **options: Any) -> Any:
        calls.append(args)
        return state(*args, **options)

    monkeypatch.setattr("damka.server.publisher.state", count_calls)
    player.play("22-18")
    for spectator in spectators:
        spectator.version(1)
    assert len(calls) == 2, "one for the player, one for all spectators"
    later = stranger.live(game, has=spectators[0].current)
    later.state()
    assert len(calls) == 2, "the state is cached"


class FakeGame:
    """A game stub that knows only the number of unchanged plies."""

    def __init__(self) -> None:
        self.seq = 0
        self.lengths = [0]

    def unchanged_plies(self, version: int, plies: int) -> int | None:
        assert self.lengths[version] == plies
        return min(self.lengths[version:])


def test_a_page_that_missed_states_can_catch_up() -> None:
    rng = random.Random(2)
    live: Any = FakeGame()
    updates = ViewUpdates()
    entries: list[bytes] = []
    states: list[tuple[ViewerState, Json]] = []
    for number in range(600):
        takebacks = rng.randrange(3) if rng.random() < 0.3 else 0
        entries = entries[: max(0, len(entries) - takebacks)] + [b"%d" % number] * (not takebacks)
        live.seq += 1
        live.lengths.append(len(entries))
        fields = {"version": b"%d" % live.seq, "a": b"%d" % rng.randrange(2), "b": b"1"}
        updates.update(live, fields, entries)
        whole = json.loads(updates.full_state())
        assert whole.pop("t") == "state"
        states.append((updates.viewer_state(), whole))
        viewer_state, before = states[-1 - rng.randrange(min(len(states), 300))]
        frame = json.loads(updates.changes_since(viewer_state))
        if frame["t"] == "delta":
            history = [*before["history"][: frame["keep"]], *frame["add"]]
            assert {**before, **frame["changes"], "history": history} == whole
            assert "b" not in frame["changes"]
        else:
            assert updates.number - viewer_state.history > 100, "only old changes are forgotten"
