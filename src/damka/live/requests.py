"""Requests for games: parsing and validation of a page's JSON, and the setup of the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta

from damka import Rules, rules
from damka.engine import levels
from damka.errors import DamkaError, GameFileError, PdnError, PositionTooComplexError, RulesError
from damka.game import Game, check_openings
from damka.live import setup
from damka.live.clock import ClockSettings
from damka.live.files import MAX_NUMBER
from damka.live.problems import Problem
from damka.live.replay import require_showable

if TYPE_CHECKING:
    from damka.live import pdn_files

__all__ = [
    "Invite",
    "Join",
    "LoadOptions",
    "NewGame",
    "SeatComputer",
    "contents",
    "in_file",
    "load",
    "new",
    "options",
    "read",
    "require_ratable",
]

T = TypeVar("T", bound=msgspec.Struct)

MAX_RULES: Final = 96 * 1024
"""Maximum size of the rules in a request as JSON: that of a file with its openings."""
MAX_OPENINGS: Final = 200
"""Maximum number of openings validated in custom rules; the one drawn is always validated."""
PlayerName = Annotated[str, Meta(max_length=30)]
Number = Annotated[int, Meta(ge=1, le=MAX_NUMBER)]
Level = Annotated[int, Meta(ge=1, le=len(levels.LEVELS))]


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a new game: rules, opponent, colour."""

    rules: Annotated[str, Meta(max_length=64)] | dict[str, Any]
    """Name of a rule set, or a table as in a file: custom rules of the page."""
    opponent: Literal["computer", "person", "invite"] = "computer"
    """"person" plays at this screen, "invite" at another device."""
    level: Level = levels.DEFAULT
    engine: Annotated[str, Meta(max_length=80)] | None = None
    """One of the operator's engines, instead of a level."""
    colour: Literal["lot", "first", "second"] = "lot"
    obligation: Literal["forced", "huff"] | None = None
    names: tuple[PlayerName, PlayerName] | None = None
    """Names of the two people at one screen, or of the inviting player; "" for no name."""
    clock: ClockSettings | None = None
    """Only with "invite"."""
    rated: bool = False
    """With "invite", a clock and an official rule set: both players are members."""
    no_draw_before: Annotated[int, Meta(ge=2, le=200)] | None = None
    """Move from which a draw may be offered; only with "invite"."""


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take an open seat."""

    name: PlayerName = ""


class Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Open one side of a game at one screen to another device."""

    side: Literal["W", "B"]


class SeatComputer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let the computer take an open seat."""

    level: Level = levels.DEFAULT


class LoadOptions(msgspec.Struct, frozen=True):
    """Options for loading a game: its players, and which game of a file.

    `rules` names the chosen rule set, and `obligation` the obligation chosen with it: they apply to
    a PDN game that names no rules. `read_as` selects the rules for a game that names others.
    `partial` loads a faulty game up to the fault. `after` and `find` request a list: of the games
    after a number, and of those whose tags contain some words.
    """

    opponent: Literal["computer", "person"] = "person"
    level: Level = levels.DEFAULT
    side: Literal["W", "B"] | None = None
    game: Number | None = None
    rules: Annotated[str, Meta(max_length=64)] | None = None
    obligation: Literal["forced", "huff"] | None = None
    read_as: Literal["named", "chosen"] | None = None
    partial: bool = False
    after: Annotated[int, Meta(ge=0, le=MAX_NUMBER)] | None = None
    find: Annotated[str, Meta(max_length=80)] = ""


def read(data: bytes, kind: type[T]) -> T:
    """Parse a request from a JSON body. Raises Problem when it is invalid."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        raise Problem(422, "bad_field", where=_where(error)) from error
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Problem(400, "bad_json", where="body") from error


def options(query: Mapping[str, str], kind: type[T]) -> T:
    """Parse the options in a query. Raises Problem for an invalid one."""
    try:
        return msgspec.convert(dict(query), kind, strict=False)
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise Problem(422, "bad_field", where=_where(error)) from error


def new(asked: NewGame, holder: str, plays: Callable[[str, Rules], bool]) -> setup.Made:
    """Set up a new game for the player `holder`.

    `plays` returns whether one of the operator's engines plays some rules. Raises Problem for
    unusable rules and for an engine that does not play them.
    """
    chosen = _obliged(_rules_of(asked.rules), asked.obligation)
    invites = asked.opponent == "invite"
    if asked.clock is not None and not invites:
        raise Problem(422, "bad_field", where="clock")
    if asked.clock is not None and (fault := asked.clock.fault()) is not None:
        raise Problem(422, "bad_field", where=f"clock.{fault}")
    if asked.rated:
        require_ratable(chosen, asked.clock if invites else None)
    if asked.no_draw_before is not None and not invites:
        raise Problem(422, "bad_field", where="no_draw_before")
    level = asked.level if asked.opponent == "computer" else None
    engine = asked.engine if asked.opponent == "computer" else None
    if engine is not None:
        if not plays(engine, chosen):
            raise Problem(422, "bad_field", where="engine")
        level = max(levels.LEVELS)  # fallback when the engine fails
    try:
        # With custom rules even the start position may be too complex.
        made = setup.new(
            chosen,
            holder,
            level=level,
            colour=asked.colour,
            engine=engine,
            names=asked.names if level is None else None,
            invites=invites,
            clock=asked.clock,
        )
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="rules") from error
    except DamkaError as error:
        # A faulty opening shows only when it is drawn.
        about = error if isinstance(error, RulesError) else None
        detail = str(error)[:300]
        raise Problem(422, "bad_box", where="rules", detail=detail, error=about) from error
    return replace(made, rated=asked.rated, no_draw_before=asked.no_draw_before)


def require_ratable(of: Rules, clock: ClockSettings | None) -> None:
    """Raise Problem unless a game by these rules with this clock can be rated.

    Ratings compare players of one game, so house rules are not rated. A clock is required so that a
    losing player cannot suspend the game indefinitely.
    """
    if of.name not in rules.names() or rules.load(of.name) != of:
        raise Problem(422, "rated_rules", where="rules")
    if clock is None:
        raise Problem(422, "rated_clock", where="clock")


def in_file(data: bytes, asked: LoadOptions, language: str, *, is_pdn: bool) -> pdn_files.Contents:
    """Return the game in a file, or its games or rules to choose from.

    The file is a game file, which has its own rules, or Portable Draughts Notation. Every move is
    replayed, which takes a while for a long game. Raises Problem when the file has no game that can
    be continued.
    """
    from damka.live import pdn_files  # noqa: PLC0415  most games are not read from files

    chosen = None
    if asked.rules is not None:
        chosen = _obliged(_rules_of(asked.rules), asked.obligation)
    wanted = pdn_files.Wanted(
        asked.game, chosen, asked.read_as, asked.partial, asked.after, asked.find
    )
    try:
        found = (
            pdn_files.load(data, wanted, language)
            if is_pdn
            else pdn_files.Contents(Game.from_json(data))
        )
        if found.fault is not None:
            raise Problem(
                *(422, "bad_file"),
                where="body",
                detail=_told(found.fault),
                pdn=found.fault,
                plies=found.plies,
            )
        if found.game is not None:
            require_showable(found.game)
    except Problem:
        raise
    except DamkaError as error:
        complex_ = any(isinstance(e, PositionTooComplexError) for e in (error, error.__cause__))
        code = "too_complex" if complex_ else "bad_file"
        raise Problem(422, code, where="body", detail=_told(error), pdn=_wrong(error)) from error
    return found


def contents(found: pdn_files.Contents, language: str) -> dict[str, Any]:
    """Return the games of a file, or the choice of its rules, as JSON values."""
    choice = None if found.choice is None else found.choice.shown(language)
    return {"games": found.games, "more": found.more} | ({"choice": choice} if choice else {})


def load(game: Game, asked: LoadOptions, holder: str) -> setup.Made:
    """Set up a game that continues from a file, for the player `holder`."""
    level = asked.level if asked.opponent == "computer" else None
    return setup.loaded(game, holder, level=level, side=asked.side)


def _rules_of(asked: str | dict[str, Any]) -> Rules:
    """Return the rules of a request for a game. Raises Problem when they are unusable."""
    if isinstance(asked, str):
        if asked not in rules.names():
            raise Problem(404, "unknown_rules", where="rules")
        return rules.load(asked)
    if len(msgspec.json.encode(asked)) > MAX_RULES:
        raise Problem(413, "too_large", where="rules")
    try:
        own = rules.from_dict(asked)
        check_openings(own, MAX_OPENINGS)
    except RulesError as error:
        raise Problem(422, "bad_box", where="rules", error=error) from error
    return own


def _obliged(chosen: Rules, obligation: Literal["forced", "huff"] | None) -> Rules:
    """Return rules with the obligation that the players chose. Raises Problem."""
    if obligation is None or obligation == chosen.obligation:
        return chosen
    if chosen.obligation != "huff":
        raise Problem(422, "no_huffing", where="obligation")
    return chosen.replace(obligation=obligation)


def _where(error: Exception) -> str:
    """Return the field named in a msgspec error, which ends in "- at `$.level`"."""
    _, found, path = str(error).rpartition("`$.")
    return path.rstrip("`") if found else "body"


def _wrong(error: DamkaError) -> PdnError | None:
    return error if isinstance(error, PdnError) else None


def _told(error: DamkaError) -> str | None:
    return str(error)[:300] if isinstance(error, GameFileError | PdnError) else None
