"""The page "Your games": the games of this browser, and a file of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from damka.errors import DamkaError
from damka.live.guided import is_same_course
from damka.live.own_games import MAX_LISTED, Listing, OwnGame, Query, clean_title
from damka.live.problems import Problem
from damka.live.saving import save
from damka.pages import own_games as pages
from damka.rules import other
from damka_site.games import HOLDER
from damka_site.store import ListedGame, NewerVersionError, StorageError, StoredResult, read_record

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.rules import Rules
    from damka_site.games import Games

__all__ = ["change_listing", "context", "file_of_all", "running_guided"]

_UNREADABLE: Final = (msgspec.MsgspecError, NewerVersionError)


async def context(games: Games, query: Query, language: str) -> dict[str, Any]:
    """Return the context of games.html. Raises Problem if the store cannot be read."""
    listed = await _list(games)
    loaded = await _load(games, pages.games_to_load(listed, query))
    return pages.context(listed, query, loaded, HOLDER, language)


async def file_of_all(games: Games) -> tuple[str, str]:
    """Return the name and the text of a PDN file of all games. Raises Problem as `context`."""
    texts = []
    for listed in await _list(games):
        # One game in memory at a time.
        for live in (await _load(games, [listed.id])).values():
            try:
                texts.append(f"{save(live, 'pdn').text.strip()}\n\n")
            except DamkaError:
                continue  # It is too long, or has too many captures to list.
    return f"damka-{datetime.now(UTC).date().isoformat()}.pdn", "".join(texts)


async def running_guided(games: Games, of: Rules) -> str | None:
    """Return the id of the latest unfinished guided game of the course of some rules, or None."""
    for row in await _rows(games):
        if row.over:
            continue
        try:
            guide = read_record(row.record).guide
        except _UNREADABLE:
            continue
        if guide is not None and is_same_course(guide, of):
            return row.id
    return None


async def change_listing(games: Games, game_id: str, listing: Listing) -> str:
    """Rename or remove a game; return its listing as JSON. Raises Problem."""
    change: dict[str, object] = {}
    if listing.title is not msgspec.UNSET:
        change["title"] = clean_title(listing.title)
    if listing.removed is not msgspec.UNSET:
        change["removed"] = listing.removed
    try:
        changed = await games.store.change_listing(game_id, msgspec.json.encode(change).decode())
    except StorageError as error:
        raise Problem(507, "full") from error
    if not changed:
        raise Problem(404, "unknown_game")
    return changed


async def _rows(games: Games) -> list[ListedGame]:
    try:
        rows = msgspec.json.decode(await games.store.list(), type=list[ListedGame])
    except StorageError as error:
        raise Problem(503, "no_games", detail=str(error)[:300]) from error
    return sorted(rows, key=lambda row: -row.updated)[:MAX_LISTED]


async def _list(games: Games) -> list[OwnGame]:
    """Return the games of this browser, latest first."""
    rows = await _rows(games)
    unknown = await _load(games, [row.id for row in rows if row.over and row.result is None])
    return [game for row in rows if (game := _own_game(row, unknown.get(row.id))) is not None]


def _own_game(row: ListedGame, live: LiveGame | None) -> OwnGame | None:
    """Return the entry of a stored game; None for a new one without moves."""
    result = row.result
    if result is None and live is not None and live.result is not None:
        result = StoredResult(*live.result)
    reason = result.reason if result is not None else "aborted" if row.over else None
    game = OwnGame(
        id=row.id,
        rules="",
        side=None,
        level=None,
        opponent=None,
        title=row.title,
        winner=None if result is None else result.winner,
        reason=reason,
        updated=datetime.fromtimestamp(row.updated / 1000, UTC),
    )
    try:
        record = read_record(row.record)
    except _UNREADABLE:
        return game
    if not (row.played or row.over or record.base is not None):
        return None
    computer = next((seat for seat in record.seats if seat.kind == "computer"), None)
    return replace(
        game,
        rules=str(record.rules.get("name", "")),
        side=None if computer is None else other(computer.side),
        level=None if computer is None else computer.level,
    )


async def _load(games: Games, ids: Iterable[str]) -> dict[str, LiveGame]:
    """Return the games with these ids, except unreadable ones."""
    loaded = {}
    for game_id in ids:
        try:
            loaded[game_id] = await games.load(game_id)
        except Problem:
            continue  # The page of the game explains why, and offers to save it.
    return loaded
