"""A club tournament: many devices in one network."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from damka.server.settings import Limits
from tests.server.events.support import act, create_event, event_data, join, wait_for
from tests.server.support import serving

DEVICES = 40


def test_a_club_can_play_behind_one_address(tmp_path: Path) -> None:
    """The default limits allow forty devices at one address."""
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, limits=Limits()))
        arbiter = stack.enter_context(server.browser())
        path = create_event(arbiter, server, rounds=1)
        guests = [stack.enter_context(server.browser()) for _ in range(DEVICES)]
        for number, guest in enumerate(guests):
            join(guest, path, f"Nina {number}")
        for action in ("start", "pair", "begin"):
            act(arbiter, path, action)
        boards = []
        for guest in guests:
            read_event = partial(event_data, guest, path)
            game = wait_for(read_event, lambda event: event["me"]["game"])["me"]["game"]
            live = stack.enter_context(closing(guest.live(game.rpartition("/")[2])))
            boards.append((live, live.state()))
        for live, state in boards:
            if state["turn"] in state["you"]:
                live.send("move", ply=0, move=state["legal"][0]["hub"])
        for live, _ in boards:
            live.state(lambda state: state["ply"] == 1)
