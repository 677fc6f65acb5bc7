"""Contexts of the pages of events: texts and tables of tournaments and arenas.

- events.html: `running`, `soon`, `past` (lists of `list_entry`)
- event.html: `event` (`heading`), `me`, `standings`, `round` (`pairings`), `boards` (`miniature`),
  `board_data`; event_arbiter.html additionally has `log`, `players` and others
- event_projector.html: the same as slides; event_print.html: `what`, and its tables
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from damka import Rules, locales
from damka.draw import svg
from damka.live.clock import DAY, ClockSettings
from damka.pages.templates import script_json, trusted_svg
from damka.tournament import (
    CrossRow,
    Outcome,
    Tournament,
    boards,
    cross_table,
    number,
)
from damka.tournament import standings as compute_standings
from damka.tournament.arena import Arena, ArenaStanding
from damka.tournament.arena import standings as compute_arena_standings

__all__ = [
    "board_data",
    "byes",
    "clock",
    "columns",
    "cross",
    "list_entry",
    "miniature",
    "moment",
    "pairings",
    "result_of",
    "standings",
    "tie_breaks",
    "without_empty",
]

_DIGITS: Final = 1


def clock(settings: ClockSettings | None, language: str) -> str:
    """Return a clock's short text for headings."""
    if settings is None:
        return locales.translate(language, "event.no_clock")
    if settings.kind == "days":
        return locales.plural(language, "shell.clock_days", settings.seconds // DAY)
    return settings.text


def moment(at: datetime | None) -> str | None:
    """Return a moment in a format for scripts, which convert it to the visitor's time zone."""
    return None if at is None else at.isoformat(timespec="seconds")


def list_entry(
    event_id: str,
    name: str,
    kind: str,
    rules_title: str,
    players: int,
    at: datetime | None,
    language: str,
) -> dict[str, Any]:
    """Return an event's entry in lists."""
    return {
        "url": f"/events/{event_id}",
        "name": name,
        "kind": locales.translate(language, f"event.kind.{kind}"),
        "rules": rules_title,
        "players": players,
        "at": moment(at),
    }


@functools.lru_cache(maxsize=32)
def _standings(tournament: Tournament) -> tuple[Any, ...]:
    return compute_standings(tournament)


@functools.lru_cache(maxsize=32)
def _arena_standings(arena: Arena) -> tuple[ArenaStanding, ...]:
    return compute_arena_standings(arena)


@functools.lru_cache(maxsize=8)
def _cross_table(tournament: Tournament) -> tuple[CrossRow, ...]:
    return cross_table(tournament)


def tie_breaks(tournament: Tournament | None, language: str) -> list[dict[str, str]]:
    """Return the columns of tie-breaks: short and full names."""
    names = () if tournament is None else tournament.tie_breaks
    return columns([each.value for each in names], language)


def columns(names: Iterable[str], language: str) -> list[dict[str, str]]:
    """Return columns of the standings: short and full names."""
    return [
        {
            "short": locales.translate(language, f"event.tie_short.{name}"),
            "full": locales.translate(language, f"event.tie.{name}"),
        }
        for name in names
    ]


def standings(
    of: Tournament | Arena | None, withdrawn: frozenset[str], paused: frozenset[str]
) -> list[dict[str, Any]]:
    """Return the rows of the standings, marking `withdrawn` and `paused` players."""
    if of is None:
        return []
    if isinstance(of, Arena):
        return [
            {
                "rank": row.rank,
                "id": row.player.id,
                "name": row.player.name,
                "rating": row.player.rating or "",
                "points": str(row.points),
                "games": row.games,
                "streak": row.on_streak,
                "ties": [str(row.wins), str(row.performance or "–")],
                "gone": row.player.id in withdrawn,
                "away": row.player.id in paused,
            }
            for row in _arena_standings(of)
        ]
    return [
        {
            "rank": row.rank,
            "id": row.player.id,
            "name": row.player.name,
            "rating": row.player.rating or "",
            "points": number(row.points),
            "games": row.games,
            "streak": False,
            "ties": [_tie(value) for value in row.tie_breaks],
            "gone": row.player.id in withdrawn,
            "away": False,
        }
        for row in _standings(of)
    ]


def without_empty(rows: list[dict[str, Any]], ties: list[dict[str, str]]) -> list[dict[str, str]]:
    """Remove the columns of tie-breaks without any values; return the remaining ones."""
    shown = [n for n, _ in enumerate(ties) if any(row["ties"][n] != "–" for row in rows)]
    for row in rows:
        row["ties"] = [row["ties"][n] for n in shown]
    return [ties[n] for n in shown]


def _tie(value: float | None) -> str:
    if value is None:
        return "–"
    return str(int(value)) if value == int(value) else f"{value:.{_DIGITS}f}"


def pairings(
    tournament: Tournament, round_: int, games: Mapping[tuple[int, int], str]
) -> list[dict[str, Any]]:
    """Return the boards of a round."""
    return [
        {
            "board": each.board,
            "white": each.white.name,
            "black": each.black.name,
            "white_id": each.white.id,
            "black_id": each.black.id,
            "white_points": number(each.white_points),
            "black_points": number(each.black_points),
            "outcome": each.outcomes[0],
            "result": each.result,
            "url": None if game is None else f"/game/{game}",
        }
        for each in boards(tournament, round_).boards
        for game in (games.get((round_, each.board)),)
    ]


def byes(tournament: Tournament, round_: int, language: str) -> list[dict[str, str]]:
    """Return the byes of a round, with reasons."""
    return [
        {
            "name": player.name,
            "id": player.id,
            "kind": locales.translate(language, f"event.bye.{bye.kind.value}"),
        }
        for player, bye in boards(tournament, round_).byes
        if player.id not in tournament.withdrawn
    ]


def result_of(outcome: Outcome | None) -> str:
    """Return the points of a game, with signs for a forfeit; "" for an unfinished game."""
    if outcome is None:
        return ""
    words = {Outcome.WHITE: "2-0", Outcome.DRAW: "1-1", Outcome.BLACK: "0-2"}
    return words.get(outcome, outcome.value.replace(":", "/"))


def cross(tournament: Tournament) -> list[dict[str, Any]]:
    """Return the rows of the cross table."""
    return [
        {
            "line": row.line,
            "rank": row.standing.rank,
            "name": row.standing.player.name,
            "rating": row.standing.player.rating or "",
            "cells": [" ".join(map(str, cell)) for cell in row.cells],
            "points": number(row.standing.points),
            "ties": [_tie(value) for value in row.standing.tie_breaks],
        }
        for row in _cross_table(tournament)
    ]


def miniature(of: Rules, pieces: str | None, about: Mapping[str, Any]) -> dict[str, Any]:
    """Return a miniature board; `about` has its number, its players and the game's address."""
    return {**about, "svg": _mini(of, pieces)}


@functools.lru_cache(maxsize=256)
def _mini(of: Rules, pieces: str | None) -> Any:
    return trusted_svg(svg.mini(of, pieces))


def board_data(of: Rules) -> Any:
    """Return the data with which the page's script draws boards of these rules."""
    return script_json(
        {
            "width": of.width,
            "height": of.height,
            "cells": [of.cell(square) for square in range(1, of.square_count + 1)],
            "theme": dict(of.theme),
            "lined": of.squares == "all",
        }
    )
