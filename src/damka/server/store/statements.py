"""SQL statements for moves and new games, built once.

Building a statement takes longer than executing it. Parameters are named.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, exists, func, insert, select, update

from damka.server.store.account_models import AccountRow
from damka.server.store.bulk_insert import BulkStatement
from damka.server.store.event_models import TournamentGameRow
from damka.server.store.models import EventRow, GameRow, SeatRow

__all__ = [
    "APPEND",
    "APPEND_ALL",
    "CHANGE_SEAT",
    "CLOSE",
    "GAME",
    "GAME_BY_CODE",
    "INVITE",
    "LOG",
    "NEW_GAME",
    "NEW_SEATS",
    "OPEN_INVITATIONS",
    "RELIST",
    "SEATS_OF",
    "TOUCH",
    "TOUCH_ALL",
    "TOUCH_OWN",
]

_GAMES: Final[Any] = GameRow.__table__
_EVENTS: Final[Any] = EventRow.__table__
_SEATS: Final[Any] = SeatRow.__table__
_ACCOUNTS: Final[Any] = AccountRow.__table__

APPEND: Final = insert(_EVENTS)
TOUCH: Final = (
    update(_GAMES)
    .where(_GAMES.c.id == bindparam("game"))
    .values({name: bindparam(name) for name in ("updated", "winner", "reason")})
)
TOUCH_OWN: Final = TOUCH.where(_GAMES.c.owner == bindparam("by"))
APPEND_ALL: Final = BulkStatement(
    f"INSERT INTO events ({', '.join(_EVENTS.c.keys())}) VALUES", dict(_EVENTS.c)
)
TOUCH_ALL: Final = BulkStatement(
    "UPDATE games SET updated = new.column2, winner = new.column3, reason = new.column4"
    " FROM (VALUES",
    {"game": _GAMES.c.id, **{name: _GAMES.c[name] for name in ("updated", "winner", "reason")}},
    ") AS new WHERE games.id = new.column1",
)
_following: Final = _GAMES.alias()
GAME: Final = select(
    _GAMES,
    select(_following.c.id)
    .where(_following.c.previous_id == _GAMES.c.id)
    .scalar_subquery()
    .label("following"),
    exists().where(TournamentGameRow.game_id == _GAMES.c.id).label("in_event"),
).where(_GAMES.c.id == bindparam("game"))
SEATS_OF: Final = select(
    _SEATS,
    exists()
    .where(_ACCOUNTS.c.holder == _SEATS.c.holder, _ACCOUNTS.c.closed.is_(None))
    .label("member"),
).where(_SEATS.c.game_id == bindparam("game"))
LOG: Final = select(_EVENTS).where(_EVENTS.c.game_id == bindparam("game")).order_by(_EVENTS.c.seq)
GAME_BY_CODE: Final = select(_GAMES.c.id).where(
    _GAMES.c.code == bindparam("code"), _GAMES.c.reason.is_(None)
)
OPEN_INVITATIONS: Final = (
    select(func.count())
    .select_from(_GAMES)
    .where(_GAMES.c.code.is_not(None), _GAMES.c.reason.is_(None))
    .where(_GAMES.c.id.in_(select(_SEATS.c.game_id).where(_SEATS.c.holder == bindparam("holder"))))
)
NEW_GAME: Final = insert(_GAMES)
NEW_SEATS: Final = insert(_SEATS)
_SEAT_VALUES: Final = ("kind", "holder", "level", "name", "rating", "provisional")
CHANGE_SEAT: Final = (
    update(_SEATS)
    .where(_SEATS.c.game_id == bindparam("game"), _SEATS.c.side == bindparam("of"))
    .where(_SEATS.c.kind == "person")
    .where(_SEATS.c.holder.is_not_distinct_from(bindparam("expected")))
    # The title and the removal belong to the former holder.
    .values({name: bindparam(name) for name in _SEAT_VALUES} | {"title": None, "removed": False})
)
INVITE: Final = (
    update(_GAMES).where(_GAMES.c.id == bindparam("game")).values(code=bindparam("code"))
)
RELIST: Final = update(_SEATS).where(_SEATS.c.game_id == bindparam("game")).values(removed=False)
"""Put a game in which an opponent is awaited back into its players' lists."""
CLOSE: Final = update(_GAMES).where(_GAMES.c.id == bindparam("game")).values(code=None)
"""Remove the invitation code of a finished game."""
