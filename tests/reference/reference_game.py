"""A game by the reference rules: its positions, draw counters and result."""

from __future__ import annotations

from collections import Counter as Counted
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka import reference
from damka.result import Counter, Result

if TYPE_CHECKING:
    from damka import Move
    from damka.rules import Rules

__all__ = ["ReferenceGame"]


@dataclass(frozen=True, slots=True)
class RepetitionKey:
    """Key of a position for repetitions."""

    position: reference.Position
    offences: tuple[int, ...] = ()


class ReferenceGame:
    """A game by the reference rules, to which moves and huffs are added."""

    def __init__(self, rules: Rules, first: reference.Position) -> None:
        self.rules = rules
        self.now = RepetitionKey(first)
        self.huffed = False
        """Whether the side to move has huffed in this turn."""
        self.turns = [self.now]
        """The positions at the start of each turn."""
        self.moves: list[tuple[RepetitionKey, reference.Move]] = []
        """Every move with the position before it."""
        self.no_progress = 0
        self.material = tuple(0 if fulfilled else None for fulfilled in self._fulfilled())

    def move(self, played: Move) -> None:
        """Add a legal move, or an offence."""
        rules, before = self.rules, self.now.position
        move = reference.Move(played.start, played.end, played.captures, played.crowns, ())
        offences: tuple[int, ...] = ()
        if rules.obligation == "huff" and not move.captures:
            must = reference.must_capture(rules, before)
            offences = tuple(sorted(move.end if s == move.start else s for s in must))
        by_king = before.at(move.start).isupper()
        self.moves.append((self.now, move))
        self.now = RepetitionKey(reference.apply(rules, before, move), offences)
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
        self.now = RepetitionKey(reference.huff(self.now.position, square))
        self.huffed = True
        self.no_progress = 0
        self.material = tuple(0 if fulfilled else None for fulfilled in self._fulfilled())

    def counters(self) -> tuple[Counter, ...]:
        """Return the counters of the draw rules that are on."""
        rules = self.rules
        made = self._made_before() if rules.same_move_in == "game" else self._made_here()
        running = [
            (count, 2 * draw.moves)
            for draw, count in zip(rules.material_draws, self.material, strict=True)
            if draw.moves and count is not None
        ]
        n, limit = min(running, key=lambda pair: (pair[1] - pair[0], -pair[0]), default=(0, 0))
        counters = (
            Counter("no_progress", self.no_progress, self._plies(rules.no_progress_moves)),
            Counter("material", n, limit),
            Counter("repetition", self._occurrences(), rules.repetition),
            Counter("same_move", max(Counted(made).values(), default=0), rules.same_move),
            Counter("move_limit", len(self.moves), self._plies(rules.move_limit)),
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
        if self.moves and not self.huffed:
            if 0 < rules.repetition <= self._occurrences():
                return Result(None, "repetition")
            if 0 < rules.same_move <= self._times_made():
                return Result(None, "same_move")
            if 0 < self._plies(rules.no_progress_moves) <= self.no_progress:
                return Result(None, "no_progress")
        quiet = not reference.captures(rules, self.now.position) and not self.now.offences
        for draw, count in zip(rules.material_draws, self.material, strict=True):
            if count is not None and (count >= 2 * draw.moves if draw.moves else quiet):
                return Result(None, "material")
        if 0 < self._plies(rules.move_limit) <= len(self.moves):
            return Result(None, "move_limit")
        return None

    def _plies(self, moves: int) -> int:
        return moves if self.rules.moves_by == "both" else 2 * moves

    def _occurrences(self) -> int:
        """Return how many turns began with this position, or with these pieces."""
        if self.rules.repetition_of == "position":
            return self.turns.count(self.now)
        turns = [key.position for key in self.turns]
        if self.huffed:
            return reference.occurrences(self.rules, [*turns, self.now.position]) - 1
        return reference.occurrences(self.rules, turns)

    def _times_made(self) -> int:
        """Return how often the last move was made, in this position or by this side."""
        if self.rules.same_move_in == "position":
            return self.moves.count(self.moves[-1])
        played = [(key.position, move) for key, move in self.moves]
        return reference.times_made(self.rules, played)

    def _made_here(self) -> list[reference.Move]:
        """Return the moves that were made in this position."""
        return [move for where, move in self.moves if where == self.now]

    def _made_before(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return the squares of the moves of the side to move that it can make now."""
        rules, position = self.rules, self.now.position
        playable = reference.legal_moves(rules, position)
        if rules.obligation == "huff" and playable:
            playable += reference.quiet_moves(rules, position)
        squares = {(move.start, move.end, move.captures) for move in playable}
        made = [
            (move.start, move.end, move.captures)
            for key, move in self.moves
            if key.position.turn == position.turn
        ]
        return [move for move in made if move in squares]

    def _fulfilled(self) -> list[bool]:
        rules, position = self.rules, self.now.position
        return [reference.fulfils(rules, draw, position) for draw in rules.material_draws]


def _has_piece(on: reference.Position, side: str) -> bool:
    return side in on.pieces.upper()
