"""The lobby as one viewer sees it, in the viewer's language."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, or_, select
from sqlalchemy.orm import aliased

from damka import locales, rules
from damka.pages.contexts import clock_name
from damka.rules import other
from damka.server.lobby import messages
from damka.server.store.account_models import AccountRow, BlockRow

if TYPE_CHECKING:
    from damka.server.accounts import Accounts
    from damka.server.lobby.seeks import Seek
    from damka.server.lobby.service import LobbySnapshot
    from damka.server.ratings import Standing

__all__ = ["blocked_holders", "state"]

_MAX_CHALLENGES: Final = 100
"""Maximum number of challenges shown, oldest first."""


async def blocked_holders(accounts: Accounts, holder: str | None) -> frozenset[str]:
    """Return the holders whom a member has blocked or who have blocked the member."""
    if holder is None:
        return frozenset()

    def query_blocks(connection: Connection) -> frozenset[str]:
        one, two = aliased(AccountRow), aliased(AccountRow)
        query = (
            select(one.holder, two.holder)
            .select_from(BlockRow)
            .join(one, one.id == BlockRow.account_id)
            .join(two, two.id == BlockRow.blocked_id)
            .where(or_(one.holder == holder, two.holder == holder))
        )
        return frozenset(each for row in connection.execute(query) for each in row) - {holder}

    return await accounts.read(query_blocks)


def state(
    snapshot: LobbySnapshot, holder: str | None, blocked: frozenset[str], language: str
) -> messages.LobbyState:
    """Return the lobby's state for a viewer."""
    challenges = [
        _challenge(seek, standing, language, mine=seek.holder == holder)
        for seek, standing in snapshot.challenges
        if seek.holder not in blocked
    ]
    pooled = next(
        (
            each
            for each in snapshot.seeks_by_holder.get(holder or "", ())
            if each.pool and not each.game_id
        ),
        None,
    )
    seeking = None
    if pooled is not None:
        others = snapshot.waiting[pooled.group] - 1
        sentence = (
            locales.plural(language, "lobby.others", others)
            if others > 0
            else locales.translate(language, "lobby.alone")
        )
        parts = (
            _game(pooled, language),
            clock_name(pooled.clock, language),
            _rated(pooled, language),
        )
        seeking = messages.Seeking(pooled.id, " · ".join(parts), sentence)
    return messages.LobbyState(holder is not None, tuple(challenges[:_MAX_CHALLENGES]), seeking)


@functools.lru_cache(maxsize=4096)
def _challenge(
    seek: Seek, standing: Standing | None, language: str, *, mine: bool
) -> messages.Challenge:
    return messages.Challenge(
        id=seek.id,
        who=locales.translate(language, "lobby.guest") if standing is None else standing.name,
        rating=None if standing is None else standing.text,
        game=_game(seek, language),
        clock=clock_name(seek.clock, language),
        colour=_colour(seek, language, mine=mine),
        rated=_rated(seek, language),
        mine=mine,
    )


def _game(seek: Seek, language: str) -> str:
    return rules.load(seek.rules).title_in(language)


def _rated(seek: Seek, language: str) -> str:
    return locales.translate(language, "lobby.rated" if seek.rated else "lobby.casual")


def _colour(seek: Seek, language: str, *, mine: bool) -> str:
    if seek.colour == "lot":
        return locales.translate(language, "lobby.lot")
    rule_set = rules.load(seek.rules)
    side = rule_set.first if (seek.colour == "first") == mine else other(rule_set.first)
    name = locales.colour(language, rule_set.colours[0 if side == "W" else 1])
    return locales.translate(language, "lobby.you", colour=name)
