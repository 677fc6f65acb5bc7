"""The unfinished games of a player, which the start page offers to continue."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request

from damka.draw import svg
from damka.live.live_game import LiveGame
from damka.live.sentences import Sentences
from damka.server.api import app_state_of
from damka.server.templates import drawn

__all__ = ["running_games"]

RUNNING: Final = 5
DISMISSED_COOKIE: Final = "damka_away"
"""The games that the user of this browser has dismissed: their ids, joined by dots."""
MAX_DISMISSED: Final = 40


async def running_games(
    request: Request, holder: str | None, language: str
) -> list[dict[str, Any]]:
    """Return the latest games that `holder` can go on with, without the dismissed ones."""
    if holder is None:
        return []
    sessions = app_state_of(request).sessions
    dismissed = request.cookies.get(DISMISSED_COOKIE, "").split(".")[:MAX_DISMISSED]
    games = await sessions.from_store(lambda store: store.running(holder, RUNNING + len(dismissed)))
    shown = []
    for game_id, updated in [each for each in games if each[0] not in dismissed][:RUNNING]:
        async with sessions.enter(game_id) as session:
            if session is not None:
                entry = await session.read(lambda live: _running_game(live, holder, language))
                shown.append({**entry, "ago": updated.isoformat()})
    return shown


def _running_game(live: LiveGame, holder: str, language: str) -> dict[str, Any]:
    you = live.sides_of(holder)
    sentences = Sentences(live, you, language)
    board = svg.mini(live.rules, live.game.board.pieces, flip=you == ("B",))
    return {
        "id": live.id,
        "url": f"/game/{live.id}",
        "title": live.rules.title_in(language),
        "svg": drawn(board),
        "sentence": sentences.status()[0],
        "you": you,
        "opponent": _opponent(live, sentences),
    }


def _opponent(live: LiveGame, sentences: Sentences) -> str:
    if live.computer is None:
        names = [live.game.players.get(seat.side) for seat in live.seats.values()]
        if all(names):
            return sentences.say("name.between", one=names[0], other=names[1])
        return sentences.say("name.two_people")
    if live.engine is not None:
        return sentences.say("name.against_engine", engine=live.engine)
    return sentences.say("name.against_computer", level=live.seats[live.computer].level or 1)
