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
from damka.notation import fen

if TYPE_CHECKING:
    from damka.live import pdn_files

__all__ = [
    "Invite",
    "Join",
    "LoadOptions",
    "NewGame",
    "PictureOptions",
    "RematchOptions",
    "SeatComputer",
    "contents",
    "load",
    "new",
    "options",
    "read",
    "read_file",
    "require_guided",
    "require_ratable",
    "rules_of",
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
    opponent: Literal["computer", "person", "invite", "guide"] = "computer"
    """"person" plays at this screen, "invite" at another device; "guide" is the computer in the
    first game of a course, which has no other options."""
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
    fen: Annotated[str, Meta(max_length=fen.MAX_LENGTH)] | None = None
    """Position to start from, with the library's numbers; the side to move is then the first. Not
    in rated games."""


class RematchOptions(msgspec.Struct, frozen=True):
    """Options of a rematch: with a `level`, another game against the computer at this level."""

    level: Level | None = None


class PictureOptions(msgspec.Struct, frozen=True):
    """Options of a game's picture."""

    flip: bool = False
    """Whether White's side is at the top."""


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


def new(request: NewGame, holder: str, plays: Callable[[str, Rules], bool]) -> setup.GameSetup:
    """Set up a new game for the player `holder`.

    `plays` returns whether one of the operator's engines plays some rules. Raises Problem for
    unusable rules and for an engine that does not play them.
    """
    chosen_rules = rules_of(request.rules, request.obligation)
    if request.opponent == "guide":
        return _guided(request, chosen_rules, holder)
    invites = request.opponent == "invite"
    if request.clock is not None and not invites:
        raise Problem(422, "bad_field", where="clock")
    if request.clock is not None and (fault := request.clock.fault()) is not None:
        raise Problem(422, "bad_field", where=f"clock.{fault}")
    if request.rated:
        require_ratable(chosen_rules, request.clock if invites else None)
    if request.no_draw_before is not None and not invites:
        raise Problem(422, "bad_field", where="no_draw_before")
    if request.fen is not None and request.rated:
        raise Problem(422, "bad_field", where="fen")
    level = request.level if request.opponent == "computer" else None
    engine = request.engine if request.opponent == "computer" else None
    if engine is not None:
        if not plays(engine, chosen_rules):
            raise Problem(422, "bad_field", where="engine")
        level = max(levels.LEVELS)  # fallback when the engine fails
    start = None
    if request.fen is not None:
        from damka.live import positions  # noqa: PLC0415  most games begin at the start

        start = positions.start(chosen_rules, request.fen)
    try:
        # With custom rules even the start position may be too complex.
        game_setup = setup.new(
            chosen_rules,
            holder,
            level=level,
            colour=request.colour,
            engine=engine,
            names=request.names if level is None else None,
            invites=invites,
            clock=request.clock,
            start=start,
        )
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="rules") from error
    except DamkaError as error:
        # A faulty opening shows only when it is drawn.
        about = error if isinstance(error, RulesError) else None
        detail = str(error)[:300]
        raise Problem(422, "bad_box", where="rules", detail=detail, error=about) from error
    return replace(game_setup, rated=request.rated, no_draw_before=request.no_draw_before)


def require_guided(request: NewGame) -> None:
    """Raise Problem for an option that a guided game does not have."""
    for name in ("engine", "names", "clock", "rated", "no_draw_before", "fen"):
        if getattr(request, name):
            raise Problem(422, "bad_field", where=name)


def _guided(request: NewGame, of: Rules, holder: str) -> setup.GameSetup:
    require_guided(request)
    try:
        return setup.guided(of, holder)
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="rules") from error


def require_ratable(requested: Rules, clock: ClockSettings | None) -> None:
    """Raise Problem unless a game by these rules with this clock can be rated.

    Ratings compare players of one game, so house rules are not rated. A clock is required so that a
    losing player cannot suspend the game indefinitely.
    """
    if requested.name not in rules.names() or rules.load(requested.name) != requested:
        raise Problem(422, "rated_rules", where="rules")
    if clock is None:
        raise Problem(422, "rated_clock", where="clock")


def read_file(
    data: bytes,
    request: LoadOptions,
    language: str,
    *,
    is_pdn: bool,
    chosen: Rules | None = None,
    as_tree: bool = False,
) -> pdn_files.Contents:
    """Return the game in a file, or its games or rules to choose from.

    `chosen` are the chosen rules if `request` does not name them. With `as_tree`, a game of a PDN
    file is a tree with its variations and comments.

    The file is a game file, which has its own rules, or Portable Draughts Notation. Every move is
    replayed, which takes a while for a long game. Raises Problem when the file has no game that can
    be continued.
    """
    from damka.live import pdn_files  # noqa: PLC0415  most games are not read from files

    chosen_rules = chosen
    if request.rules is not None:
        chosen_rules = rules_of(request.rules, request.obligation)
    file_request = pdn_files.FileRequest(
        request.game,
        chosen_rules,
        request.read_as,
        request.partial,
        request.after,
        request.find,
        as_tree,
    )
    try:
        file_contents = (
            pdn_files.load(data, file_request, language)
            if is_pdn
            else pdn_files.Contents(Game.from_json(data))
        )
        if file_contents.fault is not None:
            raise Problem(
                *(422, "bad_file"),
                where="body",
                detail=_detail(file_contents.fault),
                pdn=file_contents.fault,
                assumed=file_contents.assumed,
                plies=file_contents.plies,
            )
        if file_contents.game is not None:
            require_showable(file_contents.game)
    except Problem:
        raise
    except DamkaError as error:
        is_too_complex = any(
            isinstance(e, PositionTooComplexError) for e in (error, error.__cause__)
        )
        code = "too_complex" if is_too_complex else "bad_file"
        raise Problem(
            422, code, where="body", detail=_detail(error), pdn=_pdn_error(error)
        ) from error
    return file_contents


def contents(file_contents: pdn_files.Contents, language: str) -> dict[str, Any]:
    """Return the list of games in a file, or the choice of its rules, as JSON values."""
    choice = None if file_contents.choice is None else file_contents.choice.as_json(language)
    return {"games": file_contents.games, "more": file_contents.more} | (
        {"choice": choice} if choice else {}
    )


def load(game: Game, request: LoadOptions, holder: str) -> setup.GameSetup:
    """Set up a game that continues one from a file, for the player `holder`."""
    level = request.level if request.opponent == "computer" else None
    return setup.loaded(game, holder, level=level, side=request.side)


def rules_of(
    requested: str | dict[str, Any], obligation: Literal["forced", "huff"] | None = None
) -> Rules:
    """Return the rules of a request, with the players' obligation. Raises Problem."""
    return _with_obligation(_rules_of(requested), obligation)


def _rules_of(requested: str | dict[str, Any]) -> Rules:
    """Return the rules of a request for a game. Raises Problem when they are unusable."""
    if isinstance(requested, str):
        if requested not in rules.names():
            raise Problem(404, "unknown_rules", where="rules")
        return rules.load(requested)
    if len(msgspec.json.encode(requested)) > MAX_RULES:
        raise Problem(413, "too_large", where="rules")
    try:
        own = rules.from_dict(requested)
        check_openings(own, MAX_OPENINGS)
    except RulesError as error:
        raise Problem(422, "bad_box", where="rules", error=error) from error
    return own


def _with_obligation(chosen_rules: Rules, obligation: Literal["forced", "huff"] | None) -> Rules:
    """Return rules with the obligation that the players chose. Raises Problem."""
    if obligation is None or obligation == chosen_rules.obligation:
        return chosen_rules
    if chosen_rules.obligation != "huff":
        raise Problem(422, "no_huffing", where="obligation")
    return chosen_rules.replace(obligation=obligation)


def _where(error: Exception) -> str:
    """Return the field named in a msgspec error, which ends in "- at `$.level`"."""
    _, separator, path = str(error).rpartition("`$.")
    return path.rstrip("`") if separator else "body"


def _pdn_error(error: DamkaError) -> PdnError | None:
    return error if isinstance(error, PdnError) else None


def _detail(error: DamkaError) -> str | None:
    return str(error)[:300] if isinstance(error, GameFileError | PdnError) else None
