"""Match file: the games as PDN, from which an interrupted match resumes.

Besides the standard tags a record has `Match`, the settings of the match; `Round`, the number of
the game from 1; `Opening`, as `damka.match.openings` describes it; `Termination` and `Reason`;
`Points` of the first player; and `Seconds` per move, the first player's and the second's.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from damka.errors import MatchError
from damka.match import pdn

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MatchGame", "Termination", "read", "tags"]

Termination = Literal["normal", "adjudication", "forfeit"]

_MAX_BYTES: Final = 1 << 30
_TERMINATIONS: Final = get_args(Termination)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MatchGame:
    """A finished game of a match."""

    number: int
    opening: str
    points: float
    """Points of the first player of the match: 1, 0.5 or 0."""
    plies: int
    termination: Termination
    reason: str
    """The rule that ended the game, the reason for adjudication, or the error that forfeited it."""
    seconds: tuple[float, float]
    """Average seconds per move: the first player's and the second's."""
    pdn: str = ""
    """The record of the game, with its tags and moves."""


def tags(game: MatchGame) -> dict[str, str]:
    """Return a game's tags besides the standard ones."""
    return {
        "Round": str(game.number + 1),
        "Opening": game.opening,
        "Termination": game.termination,
        "Reason": game.reason,
        "Points": f"{game.points:g}",
        "Seconds": " ".join(f"{mean:.4f}" for mean in game.seconds),
    }


def read(path: Path, match: str) -> list[MatchGame]:
    """Return the games of a match file, none if the file is missing.

    A truncated record at the end of the file, left by an interruption, is removed from it. Raises
    MatchError for a file of another match than `match`, and for one that cannot be read.
    """
    try:
        if not path.exists():
            return []
        if path.stat().st_size > _MAX_BYTES:
            raise MatchError(f"{path}: at most {_MAX_BYTES} bytes")
        # A truncated file may end within a character.
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        records = list(pdn.read(text))
        if text and not records:
            raise MatchError(f"{path}: not a match file; use another file")
        games = [_game(record_tags, path, match) for _, record_tags in records]
        end = records[-1][0] if records else 0
        os.truncate(path, len(text[:end].encode("utf-8", "surrogateescape")))
    except OSError as error:
        raise MatchError(f"{path}: cannot be read ({error.strerror})") from error
    return games


def _game(record_tags: dict[str, str], path: Path, match: str) -> MatchGame:
    place = f"{path}, game {record_tags.get('Round', '?')}"
    # The writer collapses consecutive spaces.
    if " ".join(record_tags.get("Match", "").split()) != " ".join(match.split()):
        raise MatchError(
            f"{place}: belongs to another match; use another file.\n"
            f"  there: {record_tags.get('Match', 'no match')}\n  now:   {match}"
        )
    try:
        first_mean, second_mean = map(float, record_tags["Seconds"].split())
        points = float(record_tags["Points"])
        if record_tags["Termination"] not in _TERMINATIONS or points not in (0, 0.5, 1):
            raise ValueError(f"{record_tags['Termination']}, {points:g} points")
        return MatchGame(
            number=int(record_tags["Round"]) - 1,
            opening=record_tags.get("Opening", ""),
            points=points,
            plies=int(record_tags["PlyCount"]),
            termination=cast("Termination", record_tags["Termination"]),
            reason=record_tags.get("Reason", ""),
            seconds=(first_mean, second_mean),
        )
    except (KeyError, ValueError) as error:
        raise MatchError(f"{place}: a tag is missing or invalid ({error})") from error
