"""Games between two browsers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.server.support import Browser, Json, Live

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


def invited(inviter: Browser, **options: Any) -> str:
    """Open a game with an open seat; return its id."""
    options = {"opponent": "invite", "colour": "first", **options}
    return inviter.new_game(**options)


def code_of(live: Live) -> str:
    code: str = live.now["invitation"]["code"]
    return code


def join(guest: Browser, game: str, name: str = "") -> Json:
    answer = guest.post(f"/api/games/{game}/join", {"name": name})
    assert answer.status_code == 200, answer.text
    told: Json = answer.json()
    return told


def two(inviter: Browser, guest: Browser, **options: Any) -> tuple[Live, Live]:
    """Let two browsers join a game; return their connections, the first mover's first."""
    game = invited(inviter, **options)
    join(guest, game)
    first, second = inviter.live(game), guest.live(game)
    first.state()
    second.state()
    return first, second


def at(ply: int) -> Callable[[Json], bool]:
    """Return a check of the number of plies."""
    return lambda state: bool(state["ply"] >= ply)


def play(first: Live, second: Live, moves: str) -> None:
    """Play moves in turn; both connections receive each."""
    for move in moves.split():
        ply = first.now["ply"]
        side = first.now["turn"]
        mover, other = (first, second) if side in first.now["you"] else (second, first)
        mover.play(move)
        other.state(at(ply + 1))
