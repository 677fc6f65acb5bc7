"""Finished games of a guest."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import update

from damka.live import events, setup
from damka.live.stored_game import Seat
from damka.rules import Side, load, other
from damka.server import security
from damka.server.store.models import GameRow
from tests.server.support import Browser, Server


def resigned_game(browser: Browser, side: str = "W") -> str:
    """Play a move in a game of two players at one screen, and resign."""
    game = browser.new_game()
    live = browser.live(game)
    state = live.state()
    live.play(state["legal"][0]["hub"])
    live.send("resign", side=side)
    live.state(lambda state: state["result"])
    live.close()
    return game


class Past:
    """Finished games of a guest, written into the store."""

    def __init__(self, server: Server, browser: Browser) -> None:
        if "damka_seat" not in browser.http.cookies:
            browser.new_game()
        cookie = browser.http.cookies["damka_seat"]
        holder = security.holder_of(cookie)
        assert holder is not None
        self._holder = holder
        self._store = server.app.state.damka.store

    def add(self, level: int, winner: Side | None, rules: str = "dama64", minute: int = 0) -> str:
        """Add a game in which the guest is white."""
        game = setup.new_id()
        of = load(rules)
        seats = (
            Seat("W", "person", player=1, holder=self._holder),
            Seat("B", "computer", player=2, level=level),
        )
        self._store.create(game, of.to_dict(), seats)
        result = (winner, "resignation" if winner else "agreement")
        end: list[events.Event] = [events.DrawOffered("W"), events.DrawAccepted("B")]
        if winner is not None:
            end = [events.Resigned(other(winner))]
        for seq, event in enumerate(end):
            self._store.append(game, seq, event, result=result)
        at = datetime(2026, 11, 1, 12, minute % 60, tzinfo=UTC)
        with self._store.transaction() as connection:
            connection.execute(update(GameRow).where(GameRow.id == game).values(updated=at))
        return game
