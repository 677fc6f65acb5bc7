"""The guided first game: each rule is explained where it first occurs.

The guide does no input or output. It knows which rules have occurred, says what is new in the
position before the learner's move, and chooses moves for the opponent that let the learner use
rules that have not occurred yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from damka import locales
from damka.errors import RulesError
from damka.game import Decision, Game
from damka.notation import labels
from damka.rules import from_dict
from damka.study.lessons.course import course as course_of
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.level import STAGES, Level, StageId
from damka.study.lessons.rows import LevelRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.board import Board
    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["Guide", "GuideRecord", "Notice"]

_RARE: Final[Mapping[StageId, int]] = MappingProxyType({"chains": 2, "choice": 2, "special": 4})
"""What it is worth to show a stage, if more than 1, because its rule occurs seldom."""
_LOOK: Final = 60
"""The largest number of the opponent's moves that are looked at."""
_FEW: Final = 12
"""The largest number of replies that are looked at, and of moves after each."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Notice:
    """A rule that occurs for the first time, and the squares where it does.

    `level` is the lesson that teaches it.
    """

    stage: StageId
    level: Level
    squares: tuple[int, ...]

    def sentence(self, language: str) -> str:
        """Return what is new, and the rule."""
        name = labels(self.level.rules).name
        squares = locales.listing(language, [name(square) for square in self.squares], "list.or")
        key = f"lessons.guide.{self.stage}"
        if self.stage == "must" and self.level.rules.obligation == "free":
            key += ".free"
        now = locales.translate(language, key, squares=squares)
        return f"{now} {self.level.rule(language)}"


def _men(board: Board) -> set[int]:
    moves = board.legal_moves
    if any(move.is_capture for move in moves):
        return set()
    return {move.start for move in moves if not move.is_king}


def _capture(board: Board) -> set[int]:
    return {move.start for move in board.legal_moves if move.is_capture}


def _must(board: Board) -> set[int]:
    """Return the pieces that can capture, if others could move."""
    starts = _capture(board)
    return starts if any(move.start not in starts for move in board.quiet_moves) else set()


def _chains(board: Board) -> set[int]:
    return {move.start for move in board.legal_moves if len(move.captures) > 1}


def _choice(board: Board) -> set[int]:
    captures = {(move.start, move.captures) for move in board.legal_moves if move.is_capture}
    return {start for start, _ in captures} if len(captures) > 1 else set()


def _kings(board: Board) -> set[int]:
    return {move.start for move in board.legal_moves if move.crowns}


def _end(board: Board) -> set[int]:
    """Return the pieces that can end the game."""
    found = set()
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        result = after.result
        if result is not None:
            found.add(move.start)
    return found


def _special(board: Board) -> set[int]:
    return {*board.offences}


_EVENTS: Final[Mapping[StageId, Callable[[Board], set[int]]]] = MappingProxyType(
    {
        "men": _men,
        "capture": _capture,
        "must": _must,
        "chains": _chains,
        "choice": _choice,
        "kings": _kings,
        "end": _end,
        "special": _special,
    }
)
"""Where the rules of a stage occur: the pieces to point at, none if they do not."""


class GuideRecord(msgspec.Struct, frozen=True, weakref=True):
    """A guide as stored data: without a search it is the same guide again.

    `rules` are those of the course, and `levels` have the ids and the first levels of its stages.
    """

    rules: dict[str, Any]
    course: str
    """Fingerprint of the rules."""
    levels: tuple[tuple[str, LevelRow], ...]


class Guide:
    """A guide through one game, in which the learner has `side`.

    The game is on a small board if the rules allow it, so that it is short.
    """

    def __init__(
        self,
        rules: Rules,
        side: Side = "W",
        *,
        small: bool = True,
        seed: int | str = 0,
        levels: Iterable[Level] | None = None,
    ) -> None:
        self.course_rules: Final = rules
        self.rules: Final = _on_small_board(rules) if small else rules
        self.side: Final = side
        if levels is None:
            # A king of the learner's that captures hardly ever occurs.
            stages = (stage for stage in course_of(rules).stages if stage.id in _EVENTS)
            levels = (stage.levels[0] for stage in stages)
        self._levels = {level.stage: level for level in levels}
        if "special" in self._levels and rules.obligation != "huff":
            # The rest of a king hardly ever occurs.
            del self._levels["special"]
        self._random = Random(seed)
        self._seen: set[StageId] = set()

    @classmethod
    def read(cls, record: GuideRecord, side: Side = "W", *, seed: int | str = 0) -> Guide:
        """Return the guide of a record, without a search for the course of its rules."""
        rules = from_dict(record.rules)
        levels = [row.level(rules, level_id) for level_id, row in record.levels]
        return cls(rules, side, seed=seed, levels=levels)

    @property
    def record(self) -> GuideRecord:
        """This guide as stored data."""
        levels = tuple((level.id, LevelRow.of(level)) for level in self._levels.values())
        of = self.course_rules
        return GuideRecord(of.to_dict(), fingerprint(of), levels)

    @property
    def stages(self) -> tuple[StageId, ...]:
        """The stages whose rules are shown, in the order of the course."""
        return tuple(stage for stage in STAGES if stage in self._levels)

    @property
    def seen(self) -> frozenset[StageId]:
        """The stages whose rules have occurred."""
        return frozenset(self._seen)

    def resume(self, seen: Iterable[StageId], seed: int | str = 0) -> None:
        """Continue at another position of the game, before which the rules of `seen` occurred."""
        self._seen = {*seen}
        self._random.seed(seed)

    def new_game(self) -> Game:
        """Return the game to play."""
        return Game(self.rules)

    def notice(self, game: Game) -> list[Notice]:
        """Return what occurs for the first time, before the learner's move."""
        if game.result is not None or game.turn != self.side:
            return []
        found = []
        for stage in self.stages:
            squares = set() if stage in self._seen else _EVENTS[stage](game.board)
            if squares:
                self._seen.add(stage)
                level = self._levels[stage]
                found.append(Notice(stage=stage, level=level, squares=tuple(sorted(squares))))
        return found

    def reply(self, game: Game) -> Decision:
        """Choose the opponent's turn: it lets the learner use what has not occurred."""
        board = game.board
        moves: list[Move] = list(board.legal_moves)
        self._random.shuffle(moves)
        offers = moves[:_LOOK]
        if "special" in self._levels and "special" not in self._seen and _capture(board):
            offers += [move for move in board.quiet_moves if move not in offers]
        best = max(offers, key=lambda move: self._worth(board, move))
        return Decision(move=best)

    def _worth(self, board: Board, move: Move) -> tuple[float, float, int]:
        """Return how much a move shows, or may soon show, and then how good it is."""
        after = board.copy()
        after.push_unchecked(move)
        if after.result is not None:
            return -1, 0, 0
        lost = max((len(reply.captures) for reply in after.legal_moves), default=0)
        # It gives no more than it must.
        new = self._new(after)
        return new, 0 if new else self._promise(after), len(move.captures) - lost

    def _new(self, board: Board) -> int:
        """Return what the position shows the learner that has not occurred."""
        return sum(
            _RARE.get(stage, 1)
            for stage in self.stages
            if stage not in self._seen and stage != "men" and _EVENTS[stage](board)
        )

    def _promise(self, board: Board) -> float:
        """Return what the opponent can show after the learner's next move, on average."""
        replies = board.legal_moves[:_FEW]
        shown = 0
        for reply in replies:
            board.push(reply)
            best = 0
            for move in board.legal_moves[:_FEW]:
                board.push(move)
                best = max(best, self._new(board))
                board.pop()
            shown += best
            board.pop()
        return shown / len(replies)


def _on_small_board(rules: Rules) -> Rules:
    """Return the rules with fewer squares, or their own.

    A board with light squares has no smaller one, and a race to the last row would be too short.
    """
    if rules.squares != "dark" or rules.height == 6 or rules.objective == "breakthrough":
        return rules
    size = 6 if rules.height == 8 else 8
    try:
        return rules.replace(width=size, height=size, rows=size // 2 - 1, rows_behind=0, ballots=())
    except RulesError:
        return rules
