"""The games that somebody plays and can go on with."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request

from damka.draw import svg
from damka.server.api import house_of
from damka.server.table import Table
from damka.server.templates import drawn
from damka.server.words import Speaker

__all__ = ["running"]

RUNNING: Final = 5
AWAY_COOKIE: Final = "damka_away"
"""The games that this browser's user has put away, their ids joined by dots."""
MOST_AWAY: Final = 40


async def running(request: Request, holder: str | None, language: str) -> list[dict[str, Any]]:
    """Return the latest games that `holder` can go on with, but for those put away."""
    if holder is None:
        return []
    rooms = house_of(request).rooms
    away = request.cookies.get(AWAY_COOKIE, "").split(".")[:MOST_AWAY]
    games = await rooms.from_store(lambda store: store.running(holder, RUNNING + len(away)))
    shown = []
    for game_id, updated in [each for each in games if each[0] not in away][:RUNNING]:
        async with rooms.enter(game_id) as room:
            if room is not None:
                entry = await room.read(lambda table: _running_game(table, holder, language))
                shown.append({**entry, "ago": updated.isoformat()})
    return shown


def _running_game(table: Table, holder: str, language: str) -> dict[str, Any]:
    you = table.sides_of(holder)
    speaker = Speaker(table, you, language)
    board = svg.mini(table.rules, table.game.board.pieces, flip=you == ("B",))
    return {
        "id": table.id,
        "url": f"/game/{table.id}",
        "title": table.rules.title_in(language),
        "svg": drawn(board),
        "sentence": speaker.status()[0],
        "you": you,
        "opponent": _opponent(table, speaker),
    }


def _opponent(table: Table, speaker: Speaker) -> str:
    if table.computer is None:
        names = [table.game.players.get(seat.side) for seat in table.seats.values()]
        if all(names):
            return speaker.say("name.between", one=names[0], other=names[1])
        return speaker.say("name.two_people")
    if table.engine is not None:
        return speaker.say("name.against_engine", engine=table.engine)
    return speaker.say("name.against_computer", level=table.seats[table.computer].level or 1)
