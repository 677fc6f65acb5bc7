"""Contexts of the profile pages: ratings with a chart, and games.

- profile.html: `name`, `right`, `bot`, `since`, `kid`, `mine`, `may_block`, `blocked`, `ratings`
  (`rating`), `games` (`game`), `older` (the start of the next page of games, or None)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from damka import locales, rules
from damka.errors import RulesError
from damka.pages import rating_chart
from damka.pages.templates import trusted_svg
from damka.rules import Side

__all__ = ["Opponent", "game", "rating", "title"]

PROVISIONAL: Final = 110
"""Deviation from which a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """The opponent in a game: a member, a guest, the computer, or both at one screen."""

    kind: Literal["member", "guest", "computer", "engine", "screen"]
    name: str | None = None
    level: int = 0


def title(of: Mapping[str, Any], language: str) -> str:
    """Return the title of the rules of a stored game."""
    name = str(of.get("name", ""))
    if name in rules.names():
        return rules.load(name).title_in(language)
    try:
        return rules.from_dict(dict(of)).title_in(language)
    except RulesError:
        return name


def rating(
    rules_name: str,
    strength: tuple[float, float],
    games: int,
    points: Sequence[tuple[datetime, float]],
    language: str,
) -> dict[str, Any]:
    """Return a profile's entry for a rating; `strength` is the rating and its deviation."""
    value, deviation = strength
    return {
        "title": title({"name": rules_name}, language),
        "value": round(value),
        "deviation": round(2 * deviation),
        "provisional": deviation >= PROVISIONAL,
        "games": games,
        "chart": trusted_svg(rating_chart.svg(points, language)) if len(points) > 1 else None,
    }


def game(
    game_id: str,
    of: Mapping[str, Any],
    opponent: Opponent,
    ended: tuple[Side | None, Side | None, str | None],
    at: datetime,
    language: str,
) -> dict[str, Any]:
    """Return the list entry of a game: `ended` is the player's side, the winner, and the reason."""
    side, winner, reason = ended
    if reason is None:
        result = "running"
    elif winner is None:
        result = "draw"
    elif side is None:
        result = "over"
    else:
        result = "won" if winner == side else "lost"
    if opponent.kind == "computer":
        against = locales.translate(language, "account.against.computer", level=opponent.level)
    elif opponent.kind in {"member", "engine"}:
        against = opponent.name or ""
    else:
        against = locales.translate(language, f"account.against.{opponent.kind}")
    return {
        "id": game_id,
        "url": f"/game/{game_id}",
        "title": title(of, language),
        "opponent": against,
        "opponent_url": f"/@/{opponent.name}" if opponent.kind == "member" else None,
        "result": result,
        "at": at,
    }
