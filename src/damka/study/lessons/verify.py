"""Verification of a level with the reference rules, which share no code with the kernel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from damka import reference
from damka.study.lessons import inputs
from damka.study.lessons.contrasts import contrasts, differences, practises
from damka.study.lessons.positions import hub
from damka.study.lessons.questions import ask
from damka.study.lessons.sketch import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules, Side
    from damka.study.lessons.level import Level

__all__ = ["MAX_CHANCE", "Plain", "is_position_for", "verify"]

MAX_CHANCE: Final = 0.5
"""The greatest chance of a random answer to be right."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A position of the reference rules, and the moves that led to it."""

    rules: Rules
    position: reference.Position
    played: tuple[tuple[reference.Position, reference.Move], ...] = ()
    huffable: tuple[int, ...] = ()

    @classmethod
    def of(cls, rules: Rules, fen: str) -> Plain:
        """Return the position of a FEN such as "W:WK12,30:B6,K8"."""
        turn, *groups = fen.split(":")
        pieces = {}
        for group in groups:
            for square in filter(None, group[1:].split(",")):
                rank = group[0].upper() if square.startswith("K") else group[0].lower()
                pieces[int(square.removeprefix("K"))] = rank
        side: Side = "W" if turn == "W" else "B"
        return cls(rules, reference.place(rules, side, pieces))

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.position.turn

    @property
    def pieces(self) -> str:
        """One character per square."""
        return self.position.pieces

    @property
    def legal(self) -> Sequence[reference.Move]:
        """The legal moves."""
        return reference.legal_moves(self.rules, self.position)

    @property
    def quiet(self) -> Sequence[reference.Move]:
        """The quiet moves, legal or offences."""
        return reference.quiet_moves(self.rules, self.position)

    @property
    def winner(self) -> Side | None:
        """The side that has won."""
        return reference.winner(self.rules, self.position)

    @property
    def drawn(self) -> bool:
        """Whether the rules make it a draw."""
        if not self.played:
            return False
        moves = [move for _, move in self.played]
        return bool(reference.draws(self.rules, self.played[0][0], moves))

    def after(self, *moves: str) -> Plain:
        """Return the position after moves in Hub notation, which are legal or offences."""
        now = self
        for move in moves:
            now = now._after(move)
        return now

    def _after(self, text: str) -> Plain:
        legal = self.legal
        quiet = self.quiet if self.rules.obligation == "huff" else ()
        move = next((move for move in (*legal, *quiet) if hub(move) == text), None)
        if move is None:
            raise ValueError(f"no move {text} in {self.position}")
        huffable: tuple[int, ...] = ()
        if move not in legal:
            # Whichever of them moved is huffed where it is now.
            must = reference.must_capture(self.rules, self.position)
            huffable = tuple(sorted(move.end if s == move.start else s for s in must))
        after = reference.apply(self.rules, self.position, move)
        return Plain(self.rules, after, (*self.played, (self.position, move)), huffable)

    def under(self, rules: Rules) -> Plain:
        """Return the same pieces and side to move under other rules."""
        return Plain(rules, replace(self.position, streaks=()))


def verify(level: Level) -> list[str]:
    """Return what is wrong with a level, by the reference rules; nothing if all is right."""
    wrong = []
    goal = level.goal
    try:
        at = Plain.of(level.rules, level.fen).after(*level.lead)
    except ValueError as error:
        return [str(error)]
    right = ask(goal.asks, at, goal.piece)
    if right != level.solutions:
        wrong.append(f"the answers are {right}, not {level.solutions}")
    if not right:
        wrong.append("there is no answer")
    if at.turn != "W":
        wrong.append("it is the opponent's move")
    if any(_is_misplaced(level.rules, square, piece) for square, piece in enumerate(at.pieces, 1)):
        wrong.append("a man is on its crowning row")
    if goal.piece and at.position.at(goal.piece) not in "wW":
        wrong.append(f"there is no piece of the learner on {goal.piece}")
    if goal.kind == "count" and not {*right} <= {*goal.options}:
        wrong.append("the number is not offered")
    if not level.demonstration and inputs.chance(at, goal, right) > MAX_CHANCE:
        wrong.append("a random answer is too often right")
    if contrasts(level.rules, level.teaches) and not differences(
        Plain.of(level.rules, level.fen), goal, level.lead, right, level.teaches
    ):
        wrong.append(f"it is the same without {'.'.join(level.teaches)}")
    return wrong


def is_position_for(level: Level, rule: tuple[str, str]) -> bool:
    """Whether a level is a position for a capture rule: it teaches it, or depends on it."""
    at = Plain.of(level.rules, level.fen)
    if level.teaches == rule and level.goal.asks != "land":
        return True
    return practises(at, level.goal, level.lead, rule)


def _is_misplaced(rules: Rules, square: int, piece: str) -> bool:
    row = rows(rules)[square]
    return (piece, row) in (("w", 0), ("b", rules.height - 1))
