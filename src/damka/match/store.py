"""Match file: the games as PDN, from which an interrupted match resumes.

Besides the standard tags a record has `Match`, the common settings of the games;
`Round`, the number of the game from 1; `Opening` in the match's form; `Termination`, `Reason`;
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

__all__ = ["Played", "Termination", "read", "tags"]

Termination = Literal["normal", "adjudication", "forfeit"]

_MAX_BYTES: Final = 1 << 30
_TERMINATIONS: Final = get_args(Termination)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Played:
    """A finished game of a match."""

    number: int
    opening: str
    points: float
    """Points of the first player of the match: 1, 0.5 or 0."""
    plies: int
    termination: Termination
    reason: str
    """The rule that ended the game, the reason for adjudication, or the fault of a forfeit."""
    seconds: tuple[float, float]
    """Average seconds per move: the first player's and the second's."""
    pdn: str = ""
    """The record of the game, with its tags and moves."""


def tags(played: Played) -> dict[str, str]:
    """Return a game's tags besides the standard ones."""
    return {
        "Round": str(played.number + 1),
        "Opening": played.opening,
        "Termination": played.termination,
        "Reason": played.reason,
        "Points": f"{played.points:g}",
        "Seconds": " ".join(f"{mean:.4f}" for mean in played.seconds),
    }


def read(path: Path, match: str) -> list[Played]:
    """Return the games of a match file, none if the file is missing, and repair its end.

    A truncated record at the end of the file, after an interruption of the match,
    is removed. Raises MatchError for a file of another match than `match`, and for one that
    cannot be read.
    """
    try:
        if not path.exists():
            return []
        if path.stat().st_size > _MAX_BYTES:
            raise MatchError(f"{path}: at most {_MAX_BYTES} bytes")
        # A truncated file may end within a character.
        whole = path.read_bytes().decode("utf-8", "surrogateescape")
        records = list(pdn.read(whole))
        if whole and not records:
            raise MatchError(f"{path}: no game of a match; name another file")
        games = [_game(found, path, match) for _, found in records]
        end = records[-1][0] if records else 0
        os.truncate(path, len(whole[:end].encode("utf-8", "surrogateescape")))
    except OSError as error:
        raise MatchError(f"{path}: cannot be read ({error.strerror})") from error
    return games


def _game(found: dict[str, str], path: Path, match: str) -> Played:
    where = f"{path}, game {found.get('Round', '?')}"
    # The writer collapses consecutive spaces.
    if " ".join(found.get("Match", "").split()) != " ".join(match.split()):
        raise MatchError(
            f"{where}: of another match; name another file.\n"
            f"  there: {found.get('Match', 'no match')}\n  now:   {match}"
        )
    try:
        mine, theirs = map(float, found["Seconds"].split())
        points = float(found["Points"])
        if found["Termination"] not in _TERMINATIONS or points not in (0, 0.5, 1):
            raise ValueError(f"{found['Termination']}, {points:g} points")
        return Played(
            number=int(found["Round"]) - 1,
            opening=found.get("Opening", ""),
            points=points,
            plies=int(found["PlyCount"]),
            termination=cast("Termination", found["Termination"]),
            reason=found.get("Reason", ""),
            seconds=(mine, theirs),
        )
    except (KeyError, ValueError) as error:
        raise MatchError(f"{where}: a tag is missing or wrong ({error})") from error
