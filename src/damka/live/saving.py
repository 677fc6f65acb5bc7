"""Export of a game as a file: a game file, or Portable Draughts Notation for other programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from damka.errors import GameFileError, PdnError
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.live.stored_game import BOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.live.replay import Replay
    from damka.rules import Side

__all__ = ["GameFile", "save"]

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
    day = (live.started_at or datetime.now(UTC)).date().isoformat()
    # House rules may have any name, but a header may contain only ASCII.
    letters = [c for c in live.rules.name if c.isascii() and (c.isalnum() or c in "-_")]
    plain = "".join(letters)[:40] or "game"
    media_type = "application/json" if kind == "json" else f"{MEDIA_TYPE}; charset=utf-8"
    return GameFile(f"damka-{plain}-{day}.{kind}", media_type, text)


def _pdn(live: Replay, extra_tags: Mapping[str, str]) -> str:
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
    return live.game.pdn(tags | dict(extra_tags))
