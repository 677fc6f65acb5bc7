"""Games between two browsers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.server.support import Browser, Json, Live

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


def create_invitation(inviter: Browser, **options: Any) -> str:
    """Create a game with an open seat; return its id."""
    options = {"opponent": "invite", "colour": "first", **options}
    return inviter.new_game(**options)


def code_of(live: Live) -> str:
    code: str = live.current["invitation"]["code"]
    return code


def join(guest: Browser, game: str, name: str = "") -> Json:
    response = guest.post(f"/api/games/{game}/join", {"name": name})
    assert response.status_code == 200, response.text
    data: Json = response.json()
    return data


def start_online_game(inviter: Browser, guest: Browser, **options: Any) -> tuple[Live, Live]:
    """Start a game between two browsers; return their connections, the first mover's first."""
    game = create_invitation(inviter, **options)
    join(guest, game)
    first, second = inviter.live(game), guest.live(game)
    first.state()
    second.state()
    return first, second


def ply_reached(ply: int) -> Callable[[Json], bool]:
    """Return a predicate: whether at least this many plies have been played."""
    return lambda state: bool(state["ply"] >= ply)


def play(first: Live, second: Live, moves: str) -> None:
    """Play moves in turn; wait until both connections have received each."""
    for move in moves.split():
        ply = first.current["ply"]
        side = first.current["turn"]
        mover, other = (first, second) if side in first.current["you"] else (second, first)
        mover.play(move)
        other.state(ply_reached(ply + 1))
