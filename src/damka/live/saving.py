"""Export of a game: a game file, Portable Draughts Notation for other programs, or a picture."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from damka.draw import svg
from damka.draw.marks import Marks, Style
from damka.errors import GameFileError, PdnError
from damka.game.pdn import record as game_record
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.live.stored_game import BOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.game import Game
    from damka.live.replay import Replay
    from damka.pdn import PdnGame
    from damka.rules import Side

__all__ = ["GameFile", "picture", "record", "replay", "save"]

SVG: Final = "image/svg+xml"
SIZE: Final = 800
"""Width of a picture, in pixels."""

_PLAYERS: Final[tuple[tuple[Side, str], ...]] = (("W", "White"), ("B", "Black"))


class GameFile(NamedTuple):
    """File name, content type and content."""

    name: str
    media_type: str
    text: str


def save(
    live: Replay, kind: Literal["json", "pdn"], tags: Mapping[str, str] | None = None
) -> GameFile:
    """Return a game as a file. Raises Problem for one that is too long.

    `tags` are additional PDN tags, such as the event.
    """
    try:
        text = live.game.to_json() if kind == "json" else _pdn(live, tags or {})
    except (GameFileError, PdnError) as error:
        raise Problem(422, "no_file", detail=str(error)[:300]) from error
    media_type = "application/json" if kind == "json" else f"{MEDIA_TYPE}; charset=utf-8"
    return GameFile(f"{_stem(live.game, live.started_at)}.{kind}", media_type, text)


def picture(game: Game, started_at: datetime | None, *, flip: bool = False) -> GameFile:
    """Return the position as an SVG picture with the last move marked; `flip` for Black's view."""
    route = game.history[-1].move.route if game.history else ()
    marks = Marks(last=(route[0], route[-1]) if route else ())
    drawing = svg.board(game, marks, style=Style(flip=flip, size=SIZE))
    return GameFile(f"{_stem(game, started_at)}.svg", SVG, drawing)


def replay(game: Game, started_at: datetime | None, *, flip: bool = False) -> GameFile:
    """Return the game as an animated SVG picture; `flip` for Black's view."""
    drawing = svg.replay(game, Style(flip=flip, size=SIZE))
    return GameFile(f"{_stem(game, started_at)}-replay.svg", SVG, drawing)


def _stem(game: Game, started_at: datetime | None) -> str:
    """Return the name of a game's files, without the suffix."""
    day = (started_at or datetime.now(UTC)).date().isoformat()
    # House rules may have any name, but a header may contain only ASCII.
    letters = [c for c in game.rules.name if c.isascii() and (c.isalnum() or c in "-_")]
    plain = "".join(letters)[:40] or "game"
    return f"damka-{plain}-{day}"


def record(live: Replay, extra_tags: Mapping[str, str] | None = None) -> PdnGame:
    """Return a game with its tags, as `save` writes it in PDN."""
    return game_record(live.game, _tags(live, extra_tags or {}))


def _pdn(live: Replay, extra_tags: Mapping[str, str]) -> str:
    return live.game.pdn(_tags(live, extra_tags))


def _tags(live: Replay, extra_tags: Mapping[str, str]) -> dict[str, str]:
    # These tags come first in the standard.
    tags = {name: extra_tags[name] for name in ("Event", "Site") if name in extra_tags}
    if live.started_at is not None:
        tags["Date"] = live.started_at.strftime("%Y.%m.%d")
    tags |= {name: extra_tags[name] for name in ("Date", "Round", "Board") if name in extra_tags}
    for side, tag in _PLAYERS:
        if side in live.game.players:
            tags[tag] = live.game.players[side]
    for side, tag in _PLAYERS:
        rating = live.seats[side].rating
        if rating is not None:
            tags[f"{tag}Rating"] = str(rating)
        is_bot = live.game.players.get(side, "").startswith(BOT)
        is_program = is_bot or live.seats[side].kind == "computer"
        tags[f"{tag}Type"] = "program" if is_program else "human"
    return tags | dict(extra_tags)
