"""A guided game: the rules that have occurred for the first time, and the guide's replies.

Everything follows from the stored guide and the moves of the game, so reloads and takebacks need no
data of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from damka.rules import other
from damka.study.lessons import Guide, GuideRecord, Notice

if TYPE_CHECKING:
    from damka.game import Game
    from damka.rules import Rules, Side

__all__ = ["LEARNER", "GuidedGame", "Occurrence", "guide_of", "is_same_course"]

LEARNER: Final = "W"
"""The learner's side, as in the lessons."""


class Occurrence(NamedTuple):
    """A rule that occurred for the first time, before the move after `ply`."""

    ply: int
    notice: Notice


class GuidedGame:
    """The guide of the game `game_id`, in which the computer plays `computer`."""

    def __init__(self, stored: dict[str, Any], computer: Side, game_id: str) -> None:
        self._record: Final = msgspec.convert(stored, GuideRecord)
        self._learner: Final = other(computer)
        self._id: Final = game_id
        self._guide: Final = Guide.read(self._record, self._learner)
        self.occurrences: list[Occurrence] = []
        """The rules that have occurred, in the order of the game."""

    @property
    def stored(self) -> dict[str, Any]:
        """The guide as it is stored with a game."""
        return _stored(self._record)

    @property
    def course(self) -> str:
        """Fingerprint of the course's rules."""
        return self._record.course

    @property
    def rules(self) -> Rules:
        """Rules of the course; the game's are those of a smaller board."""
        return self._guide.course_rules

    def follow(self, game: Game) -> None:
        """Update the occurrences after a change of the game."""
        ply = game.ply_count
        self.occurrences = [each for each in self.occurrences if each.ply <= ply]
        self._guide.resume(each.notice.stage for each in self.occurrences)
        self.occurrences += [Occurrence(ply, notice) for notice in self._guide.notice(game)]

    def player(self, game: Game) -> Guide:
        """Return a guide that replies at this position, always in the same way."""
        guide = Guide.read(self._record, self._learner)
        guide.resume(
            (each.notice.stage for each in self.occurrences),
            f"{self._id}/{game.ply_count}/{game.board.fen}",
        )
        return guide


def guide_of(rules: Rules) -> tuple[Rules, dict[str, Any]]:
    """Return the rules of a guided game for a course, and its guide as it is stored.

    House rules need a search for their course, which takes about a second.
    """
    guide = Guide(rules, LEARNER)
    return guide.rules, _stored(guide.record)


def is_same_course(stored: dict[str, Any], rules: Rules) -> bool:
    """Whether a stored guide teaches these rules, with the same names of squares."""
    return bool(stored.get("rules") == _builtins(rules.to_dict()))


def _stored(record: GuideRecord) -> dict[str, Any]:
    stored: dict[str, Any] = _builtins(record)
    return stored


def _builtins(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
