"""Unfinished games of a player, which the start page offers to continue."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request

from damka.pages.contexts import running_game
from damka.server.api import app_state_of
from damka.server.store import own_games

__all__ = ["running_games"]

MAX_LISTED: Final = 5
MAX_CHECKED: Final = 12
DISMISSED_COOKIE: Final = "damka_away"
"""Cookie with the ids of dismissed games, separated by dots."""
MAX_DISMISSED: Final = 40


async def running_games(
    request: Request, holder: str | None, language: str
) -> list[dict[str, Any]]:
    """Return the latest games that `holder` can continue, except dismissed ones.

    Online games in which the holder is to move come first.
    """
    if holder is None:
        return []
    sessions = app_state_of(request).sessions
    dismissed = request.cookies.get(DISMISSED_COOKIE, "").split(".")[:MAX_DISMISSED]
    games = await sessions.database.read(
        lambda store: store.running(holder, MAX_CHECKED + len(dismissed))
    )
    titles = await app_state_of(request).accounts.read(
        lambda connection: own_games.titles(connection, holder, [game for game, _ in games])
    )
    entries = []
    for game_id, updated in [each for each in games if each[0] not in dismissed][:MAX_CHECKED]:
        async with sessions.enter(game_id) as session:
            if session is not None:
                entry = await session.read(lambda live: running_game(live, holder, language))
                title = titles.get(game_id) or entry["title"]
                entries.append({**entry, "title": title, "ago": updated.isoformat()})
    # The sort is stable: in each group the latest games come first.
    entries.sort(key=lambda game: not game["turn"])
    return entries[:MAX_LISTED]
