"""Pages receive only the changes since their state."""

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


def raw(live: Live) -> Json:
    """Return the next raw frame."""
    frame: Json = json.loads(live.connection.recv(timeout=10))
    return frame


def test_deltas_lead_to_the_full_state(browser: Browser, stranger: Browser) -> None:
    """Moves, offers, answers and takebacks, with huffing, for both kinds of page."""
    draw = random.Random(1)
    game = browser.new_game(rules="dama100")
    page, player = browser.live(game, has={}), browser.live(game)
    watcher = stranger.live(game, has={})
    for live in (page, player, watcher):
        live.state()
    for _ in range(40):
        state = player.now
        what = draw.choice(["move"] * 6 + ["huff", "undo", "draw"])
        if what == "move" or state["ply"] < 3 or (what == "huff" and not state["huffable"]):
            move = draw.choice([*state["legal"], *state["offences"]])
            player.send("move", ply=state["ply"], move=move["hub"])
        elif what == "huff":
            player.send("huff", ply=state["ply"], square=state["huffable"][0])
        elif state["undo_offer"]:
            player.send("undo_answer", ok=draw.random() < 0.7)
        elif state["draw_offer"]:
            player.send("draw_answer", ok=False)
        elif state["can"][what]:
            player.send(what)
        else:
            continue
        player.version(state["version"] + 1)
        assert page.version(state["version"] + 1) == player.now
        seen = watcher.version(state["version"] + 1)
        assert seen["history"] == player.now["history"]
        assert seen["pieces"] == player.now["pieces"]
    assert len({entry["side"] for entry in player.now["history"]}) == 2


def test_a_returning_page_receives_the_missed_changes(browser: Browser, stranger: Browser) -> None:
    game = browser.new_game()
    page, player = stranger.live(game, has={}), browser.live(game)
    before = page.state()
    player.state()
    for move in ("22-18", "11-15", "18x11x15", "8x15x11"):
        before = page.version(player.play(move)["version"])
        if move == "11-15":
            page.close()
            left = before
            page = stranger.live(game, has=left)
            page.state()
    again = stranger.live(game, has=left)
    frame = raw(again)
    assert (frame["t"], frame["keep"], len(frame["add"])) == ("delta", 2, 2)
    assert stranger.live(game, has=left).state()["history"] == player.now["history"]
    # A move was taken back while the page was away.
    player.send("undo")
    player.state(lambda state: state["undo_offer"])
    player.send("undo_answer", ok=True)
    player.state(lambda state: state["ply"] < 4)
    frame = raw(stranger.live(game, has=before))
    assert (frame["t"], frame["add"]) == ("delta", [])
    assert frame["keep"] == player.now["ply"]
    assert stranger.live(game, has=before).state()["history"] == player.now["history"]


@pytest.mark.parametrize(
    "have", ["?have=", "?have=0.1", "?have=99.0", "?have=99999999999.0", "?have=x", "?have=1", ""]
)
def test_a_page_that_has_something_else_gets_everything(browser: Browser, have: str) -> None:
    live = browser.live(browser.new_game())
    live.state()
    game = live.play("22-18")["id"]
    address = f"{browser.url.replace('http', 'ws', 1)}/live/{game}{have}"
    with connect(address, additional_headers={"Origin": browser.url}) as other:
        frame = json.loads(other.recv(timeout=10))
    assert (frame["t"], len(frame["history"])) == ("state", 1)


def test_a_move_costs_the_same_however_long_the_game_is(browser: Browser) -> None:
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


def test_viewers_of_one_view_share_its_state(
    server: Server, browser: Browser, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = browser.new_game()
    player = browser.live(game)
    player.state()
    watchers = [stranger.live(game, has={}) for _ in range(20)]
    for watcher in watchers:
        watcher.state()
    made: list[Any] = []

    def counted(*args: Any, **named: Any) -> Any:
        made.append(args)
        return state(*args, **named)

    monkeypatch.setattr("damka.server.publisher.state", counted)
    player.play("22-18")
    for watcher in watchers:
        watcher.version(1)
    assert len(made) == 2, "one for the player, one for all who watch"
    later = stranger.live(game, has=watchers[0].now)
    later.state()
    assert len(made) == 2, "the state is cached"


class FakeGame:
    """A game stub that has only the kept length of the history."""

    def __init__(self) -> None:
        self.seq = 0
        self.lengths = [0]

    def unchanged_plies(self, version: int, plies: int) -> int | None:
        assert self.lengths[version] == plies
        return min(self.lengths[version:])


def test_a_viewer_that_misses_states_can_catch_up() -> None:
    draw = random.Random(2)
    live: Any = FakeGame()
    updates = ViewUpdates()
    entries: list[bytes] = []
    shown: list[tuple[ViewerState, Json]] = []
    for number in range(600):
        takebacks = draw.randrange(3) if draw.random() < 0.3 else 0
        entries = entries[: max(0, len(entries) - takebacks)] + [b"%d" % number] * (not takebacks)
        live.seq += 1
        live.lengths.append(len(entries))
        fields = {"version": b"%d" % live.seq, "a": b"%d" % draw.randrange(2), "b": b"1"}
        updates.update(live, fields, entries)
        whole = json.loads(updates.full_state())
        assert whole.pop("t") == "state"
        shown.append((updates.viewer_state(), whole))
        viewer_state, before = shown[-1 - draw.randrange(min(len(shown), 300))]
        frame = json.loads(updates.changes_since(viewer_state))
        if frame["t"] == "delta":
            past = [*before["history"][: frame["keep"]], *frame["add"]]
            assert {**before, **frame["changes"], "history": past} == whole
            assert "b" not in frame["changes"]
        else:
            assert updates.number - viewer_state.history > 100, (
                "only what is long past is forgotten"
            )
