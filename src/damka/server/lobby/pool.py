"""Pairing of the pool: the input of a wave, read from the database, and its pairs."""

from __future__ import annotations

import importlib.util
import secrets
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, select
from sqlalchemy.orm import aliased

from damka.server.accounts.history import NEW
from damka.server.lobby.seeks import Seek, is_open
from damka.server.ratings import standings
from damka.server.store.account_models import AccountRow, BlockRow
from damka.server.store.models import GameRow, SeatRow
from damka.tournament.lobby import Seeker, wave
from damka.tournament.matching import EXACT

if TYPE_CHECKING:
    from damka.rules import Side

__all__ = ["Waiting", "groups", "pairs"]

_RECENT_GAMES: Final = 12
"""Number of recent games in the colour balance."""
_AVOID_WAVES: Final = 3
"""Number of waves for which the last opponent is avoided."""

Waiting = list[tuple[Seek, Seeker]]
"""Seeks that can be paired with each other."""


def groups(connection: Connection, seeks: Sequence[Seek]) -> list[Waiting]:
    """Return the groups of compatible seeks in the pool, with at least two seeks each."""
    now = datetime.now(UTC)
    by_group: dict[object, list[Seek]] = defaultdict(list)
    for seek in seeks:
        if seek.pool and is_open(seek, now):
            by_group[seek.group].append(seek)
    return [_seekers(connection, each) for each in by_group.values() if len(each) > 1]


def _seekers(connection: Connection, seeks: Sequence[Seek]) -> Waiting:
    ratings = standings(connection, {(seek.holder, seek.rules) for seek in seeks})
    blocks = _blocks(connection, {seek.holder for seek in seeks})
    by_holder = {seek.holder: seek.id for seek in seeks}
    waiting = []
    for seek in seeks:
        recent = _recent_games(connection, seek.holder)
        avoids = {by_holder[holder] for holder in blocks[seek.holder]}
        last = by_holder.get(recent[0][1]) if recent else None
        if last is not None and seek.missed < _AVOID_WAVES:
            avoids.add(last)
        standing = ratings.get((seek.holder, seek.rules))
        seeker = Seeker(
            id=seek.id,
            rating=(NEW if standing is None else standing.strength).rating,
            missed=seek.missed,
            balance=sum(1 if side == "W" else -1 for side, _ in recent),
            avoids=frozenset(avoids),
        )
        waiting.append((seek, seeker))
    return waiting


def pairs(waiting: Waiting) -> tuple[list[tuple[Seek, Seek]], list[Seek]]:
    """Return the pairs, White first, and the unpaired seeks."""
    seeks = {seek.id: seek for seek, _ in waiting}
    seekers = sorted((seeker for _, seeker in waiting), key=lambda each: each.rating)
    size = len(seekers)
    if size > EXACT and importlib.util.find_spec("networkx") is None:
        size = EXACT  # without the matching library, groups are smaller
    matched: list[tuple[Seek, Seek]] = []
    for start in range(0, len(seekers), size):
        result = wave(seekers[start : start + size], secrets.randbits(32))
        matched += [(seeks[each.white], seeks[each.black]) for each in result.pairings]
    matched_ids = {seek.id for pair in matched for seek in pair}
    return matched, [seek for seek in seeks.values() if seek.id not in matched_ids]


def _recent_games(connection: Connection, holder: str) -> list[tuple[Side, str]]:
    """Return the side and the opponent in a holder's last games with others, latest first."""
    own_seat, other_seat = aliased(SeatRow), aliased(SeatRow)
    query = (
        select(own_seat.side, other_seat.holder)
        .join(GameRow, GameRow.id == own_seat.game_id)
        .join(
            other_seat,
            (other_seat.game_id == own_seat.game_id) & (other_seat.side != own_seat.side),
        )
        .where(own_seat.holder == holder, other_seat.holder != holder)
        .order_by(GameRow.updated.desc(), GameRow.id)
        .limit(_RECENT_GAMES)
    )
    return [("W" if row[0] == "W" else "B", str(row[1])) for row in connection.execute(query)]


def _blocks(connection: Connection, holders: set[str]) -> dict[str, set[str]]:
    """Return for each holder the holders with a block in either direction."""
    one, two = aliased(AccountRow), aliased(AccountRow)
    query = (
        select(one.holder, two.holder)
        .select_from(BlockRow)
        .join(one, one.id == BlockRow.account_id)
        .join(two, two.id == BlockRow.blocked_id)
        .where(one.holder.in_(holders), two.holder.in_(holders))
    )
    blocks: dict[str, set[str]] = defaultdict(set)
    for first, second in connection.execute(query):
        blocks[first].add(second)
        blocks[second].add(first)
    return blocks
