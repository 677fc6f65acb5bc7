"""Bans, blocks and reports in the database, and the moderation log."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import (
    BindParameter,
    Connection,
    bindparam,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.orm import aliased

from damka.server.store.account_models import (
    AccountRow,
    BanRow,
    BlockRow,
    ModerationRow,
    ReportRow,
)
from damka.server.store.models import GameRow, SeatRow

__all__ = [
    "REASONS",
    "VERDICTS",
    "LogEntry",
    "Report",
    "active_ban",
    "ban",
    "banned",
    "block",
    "blocked",
    "blocked_by",
    "blocked_either_way",
    "either_blocks",
    "has_reported",
    "log",
    "log_entries",
    "network_of",
    "opponent_in",
    "report",
    "reported_by",
    "reports",
    "settle",
    "unban",
    "unblock",
]

Reason = Literal["cheating", "stalling", "insult", "name", "other"]
REASONS: Final[tuple[Reason, ...]] = ("cheating", "stalling", "insult", "name", "other")

Verdict = Literal["nothing", "warning", "day", "week", "month", "ever"]
VERDICTS: Final[dict[Verdict, timedelta | None]] = {
    "nothing": None,
    "warning": None,
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "ever": None,
}
"""Decisions of an arbiter, with the duration of the ban, if any; "ever" is permanent."""
MAX_NOTE_LENGTH: Final = 500


@dataclass(frozen=True, slots=True)
class Report:
    """A reported game."""

    id: int
    game_id: str
    rules: dict[str, Any]
    reporter: str
    accused: str | None
    accused_id: str | None
    reason: Reason
    text: str
    created: datetime


class LogEntry(NamedTuple):
    """A log entry; names are "" for the operator's command line and for closed accounts."""

    at: datetime
    actor: str
    action: str
    whom: str
    note: str


# Bans


def network_of(text: str) -> str:
    """Normalise an address or a network. Raises ValueError for other text."""
    network = ipaddress.ip_network(text.strip(), strict=False)
    return str(network.network_address if network.num_addresses == 1 else network)


def ban(
    connection: Connection,
    *,
    account_id: str | None = None,
    network: str | None = None,
    until: datetime | None = None,
    actor_id: str | None = None,
    note: str = "",
) -> None:
    """Ban an account or a network, replacing an earlier ban."""
    unban(connection, account_id=account_id, network=network)
    row = {
        "account_id": account_id,
        "network": network,
        "created": datetime.now(UTC),
        "until": until,
    }
    connection.execute(insert(BanRow), row)
    when = "" if until is None else until.strftime("%Y-%m-%d %H:%M UTC")
    entry = " ".join(filter(None, (when, note)))
    log(connection, "ban", entry, actor_id=actor_id, account_id=account_id, network=network)


def unban(
    connection: Connection, *, account_id: str | None = None, network: str | None = None
) -> int:
    """Lift the bans of an account or a network; return their number."""
    now = datetime.now(UTC)
    banned = BanRow.network == network if account_id is None else BanRow.account_id == account_id
    lifted = connection.execute(update(BanRow).where(banned, _is_active(now)).values(lifted=now))
    return lifted.rowcount


def active_ban(
    connection: Connection, account_id: str | None, address: str
) -> tuple[datetime | None] | None:
    """Return the end of an active ban (None: permanent) in a tuple; None if there is no ban."""
    rows = connection.execute(_BANS_ON, {"account": account_id, "now": datetime.now(UTC)})
    ends = [row.until for row in rows if row.network is None or _within(address, row.network)]
    if not ends:
        return None
    return (None,) if None in ends else (max(ends),)


def banned(connection: Connection, holders: Collection[str]) -> set[str]:
    """Return the holders whose accounts are banned."""
    query = (
        select(AccountRow.holder)
        .join(BanRow, BanRow.account_id == AccountRow.id)
        .where(AccountRow.holder.in_(holders), _is_active(datetime.now(UTC)))
    )
    return set(connection.execute(query).scalars())


def _is_active(now: Any) -> Any:
    return BanRow.lifted.is_(None) & (BanRow.until.is_(None) | (BanRow.until > now))


# Built once, because every new game executes it.
_BANS_ON: Final = select(BanRow.network, BanRow.until).where(
    or_(BanRow.network.is_not(None), BanRow.account_id == bindparam("account")),
    _is_active(bindparam("now")),
)


def _within(address: str, network: str) -> bool:
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        ip = ip.ipv4_mapped
    return ip in ipaddress.ip_network(network)


# Blocks


def block(connection: Connection, account_id: str, other_id: str) -> None:
    """Block another account; idempotent."""
    if not blocked(connection, account_id, other_id):
        row = {"account_id": account_id, "blocked_id": other_id, "at": datetime.now(UTC)}
        connection.execute(insert(BlockRow), row)


def unblock(connection: Connection, account_id: str, other_id: str) -> None:
    """Unblock another account."""
    connection.execute(
        delete(BlockRow).where(BlockRow.account_id == account_id, BlockRow.blocked_id == other_id)
    )


def blocked(connection: Connection, account_id: str, other_id: str) -> bool:
    """Whether an account has blocked another."""
    query = exists().where(BlockRow.account_id == account_id, BlockRow.blocked_id == other_id)
    return bool(connection.scalar(select(query)))


def either_blocks(connection: Connection, one: str, two: str) -> bool:
    """Whether either of two holders has blocked the other."""
    rows = connection.execute(_BLOCKS_BETWEEN, {"one": one, "two": two})
    return rows.first() is not None


def blocked_either_way(connection: Connection, holder: str) -> set[str]:
    """Return the holders that have blocked this one or are blocked by it."""
    rows = connection.execute(_BLOCKS_OF, {"holder": holder})
    return {each for row in rows for each in row} - {holder}


# Created once: aliases contain hundreds of reference cycles.
_first, _second = aliased(AccountRow), aliased(AccountRow)
_BLOCKS: Final = (
    select(_first.holder, _second.holder)
    .select_from(BlockRow)
    .join(_first, _first.id == BlockRow.account_id)
    .join(_second, _second.id == BlockRow.blocked_id)
)
_PAIR: Final[tuple[BindParameter[Any], ...]] = (bindparam("one"), bindparam("two"))
_BLOCKS_BETWEEN: Final = _BLOCKS.where(_first.holder.in_(_PAIR), _second.holder.in_(_PAIR))
_BLOCKS_OF: Final = _BLOCKS.where(
    or_(_first.holder == bindparam("holder"), _second.holder == bindparam("holder"))
)


# Reports


def opponent_in(connection: Connection, game_id: str, holder: str) -> tuple[str | None] | None:
    """Return the opponent's account id (None: a guest) in a tuple; None if there is no opponent."""
    seats = connection.execute(select(SeatRow.holder).where(SeatRow.game_id == game_id)).scalars()
    holders = [each for each in seats if each is not None]
    others = [each for each in holders if each != holder]
    if holder not in holders or not others:
        return None
    query = select(AccountRow.id).where(AccountRow.holder == others[0])
    return (connection.scalar(query.where(AccountRow.closed.is_(None))),)


def report(
    connection: Connection,
    game_id: str,
    reporter_id: str,
    accused_id: str | None,
    reason: Reason,
    text: str,
) -> None:
    """Store a report. Raises IntegrityError if the account has already reported the game."""
    row = {
        "game_id": game_id,
        "reporter_id": reporter_id,
        "accused_id": accused_id,
        "reason": reason,
        "text": text[:MAX_NOTE_LENGTH],
        "created": datetime.now(UTC),
    }
    connection.execute(insert(ReportRow), row)


def has_reported(connection: Connection, account_id: str, game_id: str) -> bool:
    """Whether an account has already reported a game."""
    query = exists().where(ReportRow.reporter_id == account_id, ReportRow.game_id == game_id)
    return bool(connection.scalar(select(query)))


def reports(connection: Connection, limit: int) -> list[Report]:
    """Return the open reports, oldest first."""
    reporter, accused = aliased(AccountRow), aliased(AccountRow)
    query = (
        select(
            ReportRow.id,
            ReportRow.game_id,
            GameRow.rules,
            reporter.name,
            accused.name,
            ReportRow.accused_id,
            ReportRow.reason,
            ReportRow.text,
            ReportRow.created,
        )
        .join(GameRow, GameRow.id == ReportRow.game_id)
        .join(reporter, reporter.id == ReportRow.reporter_id)
        .outerjoin(accused, accused.id == ReportRow.accused_id)
        .where(ReportRow.settled.is_(None))
        .order_by(ReportRow.created, ReportRow.id)
        .limit(limit)
    )
    return [Report(*row) for row in connection.execute(query)]


def settle(
    connection: Connection, report_id: int, verdict: Verdict, actor_id: str, note: str
) -> bool:
    """Settle a report and apply the ban, if any; return False if it was already settled."""
    now = datetime.now(UTC)
    settled = connection.execute(
        update(ReportRow)
        .where(ReportRow.id == report_id, ReportRow.settled.is_(None))
        .values(settled=now, settled_by=actor_id, verdict=verdict)
    )
    if settled.rowcount != 1:
        return False
    query = select(ReportRow.accused_id, ReportRow.game_id).where(ReportRow.id == report_id)
    accused_id, game_id = connection.execute(query).one()
    entry = " ".join(filter(None, (f"/game/{game_id}", note)))
    is_banned = verdict not in {"nothing", "warning"} and accused_id is not None
    if is_banned:
        period = VERDICTS[verdict]
        until = None if period is None else now + period
        ban(connection, account_id=accused_id, until=until, actor_id=actor_id, note=entry)
    else:
        log(connection, verdict, entry, actor_id=actor_id, account_id=accused_id)
    return True


def blocked_by(connection: Connection, account_id: str) -> list[str]:
    """Return the names of accounts that an account has blocked."""
    query = select(AccountRow.name).join(BlockRow, BlockRow.blocked_id == AccountRow.id)
    query = query.where(BlockRow.account_id == account_id).order_by(AccountRow.name)
    return list(connection.execute(query).scalars())


def reported_by(connection: Connection, account_id: str) -> list[tuple[str, str, str, datetime]]:
    """Return the reports by an account: game, reason, text and time."""
    query = (
        select(ReportRow.game_id, ReportRow.reason, ReportRow.text, ReportRow.created)
        .where(ReportRow.reporter_id == account_id)
        .order_by(ReportRow.id)
    )
    return [(row[0], row[1], row[2], row[3]) for row in connection.execute(query)]


# Log


def log(
    connection: Connection,
    action: str,
    note: str = "",
    *,
    actor_id: str | None = None,
    account_id: str | None = None,
    network: str | None = None,
) -> None:
    """Add a log entry: actor (None: the operator at the command line), action and target."""
    row = {
        "at": datetime.now(UTC),
        "actor_id": actor_id,
        "action": action,
        "account_id": account_id,
        "network": network,
        "note": note[:MAX_NOTE_LENGTH],
    }
    connection.execute(insert(ModerationRow), row)


def log_entries(connection: Connection, limit: int) -> list[LogEntry]:
    """Return the latest log entries, newest first."""
    actor, whom = aliased(AccountRow), aliased(AccountRow)
    query = (
        select(
            ModerationRow.at,
            actor.name.label("actor"),
            ModerationRow.action,
            whom.name.label("whom"),
            ModerationRow.network,
            ModerationRow.note,
        )
        .outerjoin(actor, actor.id == ModerationRow.actor_id)
        .outerjoin(whom, whom.id == ModerationRow.account_id)
        .order_by(ModerationRow.id.desc())
        .limit(limit)
    )
    return [
        LogEntry(row.at, row.actor or "", row.action, row.network or row.whom or "", row.note)
        for row in connection.execute(query)
    ]
