"""A game followed by the reference rules: its situations, what draws count, and its result."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka import Board, reference
from damka.result import Counter, Result
from damka.rules import Force, MaterialDraw, Rules
from tools.prove.compare import Disagreement, fen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka import Move

__all__ = ["Record", "Situation", "compare_game", "with_draws"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What makes two situations of a game the same."""

    position: reference.Position
    offences: tuple[int, ...] = ()


class Record:
    """A game by the reference rules, to which moves and huffs are added."""

    def __init__(self, rules: Rules, first: reference.Position) -> None:
        self.rules = rules
        self.now = Situation(first)
        self.huffed = False
        """Whether the side to move has huffed in this turn."""
        self.turns = [self.now]
        """The situations in which a turn began."""
        self.made: list[tuple[Situation, reference.Move]] = []
        """Every move with the situation in which it was made."""
        self.no_progress = 0
        self.material = tuple(0 if fulfilled else None for fulfilled in self._fulfilled())

    def move(self, played: Move) -> None:
        """Add a legal move, or an offence."""
        rules, before = self.rules, self.now.position
        move = reference.Move(played.start, played.end, played.captures, played.crowns, ())
        offences: tuple[int, ...] = ()
        if rules.obligation == "huff" and not move.captures:
            due = reference.must_capture(rules, before)
            offences = tuple(sorted(move.end if s == move.start else s for s in due))
        by_king = before.at(move.start).isupper()
        self.made.append((self.now, move))
        self.now = Situation(reference.apply(rules, before, move), offences)
        self.huffed = False
        self.turns.append(self.now)
        self.no_progress = self.no_progress + 1 if by_king and not move.captures else 0
        self.material = tuple(
            None
            if not fulfilled
            else 0
            if count is None or move.captures or (draw.unchanged and move.crowns)
            else count + 1
            for draw, count, fulfilled in zip(
                rules.material_draws, self.material, self._fulfilled(), strict=True
            )
        )

    def huff(self, square: int) -> None:
        """Add a huff of the side to move."""
        self.now = Situation(reference.huff(self.now.position, square))
        self.huffed = True
        self.no_progress = 0
        self.material = tuple(0 if fulfilled else None for fulfilled in self._fulfilled())

    def counters(self) -> tuple[Counter, ...]:
        """Return the counters of the draw rules that are on."""
        rules = self.rules
        made = [move for where, move in self.made if where == self.now]
        running = [
            (count, 2 * draw.moves)
            for draw, count in zip(rules.material_draws, self.material, strict=True)
            if draw.moves and count is not None
        ]
        n, limit = min(running, key=lambda pair: (pair[1] - pair[0], -pair[0]), default=(0, 0))
        counters = (
            Counter("no_progress", self.no_progress, 2 * rules.no_progress_moves),
            Counter("material", n, limit),
            Counter("repetition", self.turns.count(self.now), rules.repetition),
            Counter("same_move", max(map(made.count, made), default=0), rules.same_move),
        )
        return tuple(counter for counter in counters if counter.limit)

    def result(self) -> Result | None:
        """Return the result by the rules."""
        return self._win() or self._draw()

    def _win(self) -> Result | None:
        rules, position = self.rules, self.now.position
        other = reference.OTHER[position.turn]
        losing = rules.objective == "losing"
        if self.huffed and not _has_piece(position, other):
            return Result(other if losing else position.turn, "no_pieces")
        winner = reference.winner(rules, position)
        if winner is None:
            return None
        if rules.objective == "breakthrough" and {"W", "B"} & {*position.pieces}:
            return Result(winner, "breakthrough")
        if not _has_piece(position, position.turn):
            return Result(winner, "no_pieces")
        huffed = [reference.huff(position, square) for square in self.now.offences]
        if not losing and any(
            not _has_piece(after, other) or reference.legal_moves(rules, after) for after in huffed
        ):
            return None
        return Result(winner, "no_moves")

    def _draw(self) -> Result | None:
        rules = self.rules
        if self.made and not self.huffed:
            if 0 < rules.repetition <= self.turns.count(self.now):
                return Result(None, "repetition")
            if 0 < rules.same_move <= self.made.count(self.made[-1]):
                return Result(None, "same_move")
            if 0 < 2 * rules.no_progress_moves <= self.no_progress:
                return Result(None, "no_progress")
        quiet = not reference.captures(rules, self.now.position) and not self.now.offences
        for draw, count in zip(rules.material_draws, self.material, strict=True):
            if count is not None and (count >= 2 * draw.moves if draw.moves else quiet):
                return Result(None, "material")
        return None

    def _fulfilled(self) -> list[bool]:
        rules, position = self.rules, self.now.position
        return [reference.fulfils(rules, draw, position) for draw in rules.material_draws]


def with_draws(rules: Rules, lots: random.Random) -> Rules:
    """Return drawn rules with an objective, an obligation and draws that come soon."""

    def draw() -> MaterialDraw:
        def some() -> tuple[int, int]:
            return lots.choice(((0, 72), (0, 72), (0, 2), (1, 9), (2, 6), (1, 1)))

        return MaterialDraw(
            moves=lots.randrange(5),
            strong=Force(men=some(), kings=some()),
            weak=Force(kings=some(), pieces=some()),
            pieces=lots.choice(((0, 72), (0, 8), (3, 20))),
            main_road=lots.random() < 0.3,
            strong_main_road=lots.random() < 0.3,
            unchanged=lots.random() < 0.5,
        )

    return rules.replace(
        obligation=lots.choice(("huff", "huff", "huff", "forced", "free")),
        objective=lots.choice(("normal", "normal", "normal", "losing", "breakthrough")),
        repetition=lots.choice((0, 2, 3)),
        same_move=lots.choice((0, 2, 3)),
        no_progress_moves=lots.choice((0, 2, 5)),
        material_draws=[draw() for _ in range(lots.randrange(4))],
    )


def compare_game(rules: Rules, first: reference.Position, lots: random.Random, plies: int) -> int:
    """Play at random from a position and compare; return how many plies there were.

    Raises Disagreement where the board and the reference rules say different things.
    """
    board, record = Board(rules, fen(first)), Record(rules, first)
    played = 0
    while True:
        _compare(board, record)
        if board.is_over or played == plies:
            break
        offending = rules.obligation == "huff"
        moves = board.legal_moves
        if offending and moves and moves[0].is_capture and lots.random() < 0.5:
            moves = board.quiet_moves or moves
        if board.offences and (not moves or lots.random() < 0.5):
            square = lots.choice(board.offences)
            board.huff(square)
            record.huff(square)
        else:
            move = _chosen(moves, board.stack, lots)
            board.push_unchecked(move)
            record.move(move)
            played += 1
    _take_back(board, lots)
    return played


def _chosen(moves: Sequence[Move], made: Sequence[Move], lots: random.Random) -> Move:
    """A move at random; often the one back, so that situations come again."""
    if len(made) > 1 and lots.random() < 0.4:
        last = made[-2]
        back = [move for move in moves if (move.start, move.end) == (last.end, last.start)]
        if back:
            return back[0]
    return lots.choice(moves)


def _compare(board: Board, record: Record) -> None:
    told = (board.offences, board.counters, board.material_counts, board.result, board.is_over)
    result = record.result()
    wanted = (
        record.now.offences,
        record.counters(),
        record.material,
        result,
        result is not None,
    )
    if told != wanted:
        raise Disagreement(
            f"the end of a game: {told}, not {wanted}\n  in {board.root().fen} after {board.steps}"
        )


def _take_back(board: Board, lots: random.Random) -> None:
    """Taken back and made again, everything is as it was."""
    if not board.move_count:
        return
    told = (board.fen, board.steps, board.counters, board.result)
    twin = board.copy()
    pops = 1 + lots.randrange(board.move_count)
    for _ in range(pops):
        twin.pop()
    for step in board.steps[len(twin.steps) :]:
        if isinstance(step, int):
            twin.huff(step)
        else:
            twin.push_unchecked(step)
    if (twin.fen, twin.steps, twin.counters, twin.result) != told:
        raise Disagreement(f"taking back {pops} moves in {board.root().fen} after {board.steps}")


def _has_piece(on: reference.Position, side: str) -> bool:
    return side in on.pieces.upper()
