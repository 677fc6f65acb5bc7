"""What kind of moment a move is, and the statements about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.board import Board
from damka.engine import BEYOND, WIN
from damka.notation import text as notation
from damka.study.review.lines import LineFacts, Material, combination, facts, replayable, settled
from damka.study.review.moment import Kind, Moment
from damka.study.review.words import Clause

if TYPE_CHECKING:
    from damka.engine import WinningChances
    from damka.move import Move
    from damka.rules import Rules
    from damka.study.review.timeline import Timeline

__all__ = ["MAX_LINE", "Evidence", "moment_of"]

_DECIDED: Final = 0.75
"""Probability of a win or a loss from which a position counts as won or lost."""
_EVEN: Final = 0.4
"""Expected score from which a position is balanced; below, a draw is a rescue."""
_DRAWN: Final = 0.5
"""Probability of a draw from which a position counts as drawn."""
_GAIN: Final = 0.9
"""Material, in men, that a shot gains."""
_STILL_GOOD: Final = 0.05
"""Expected score that a good move may lose."""
MAX_LINE: Final = 12
"""Maximum number of moves of a line, as in the evaluations that a page sends."""
_DRAWN_BY_RULE: Final = ("repetition", "same_move", "no_progress", "material", "move_limit")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Results of the searches about one move of a game.

    Scores and chances are those of the side that moved; lines begin with its move. `second` are the
    chances after the second-best move, which loses `only` where one move is the only good one.
    """

    timeline: Timeline
    ply: int
    loss: float
    threshold: float
    best: int
    best_line: tuple[Move, ...]
    best_huff: int | None
    played: int
    played_line: tuple[Move, ...]
    best_chances: WinningChances
    played_chances: WinningChances
    second: WinningChances | None
    only: float


def moment_of(evidence: Evidence) -> Moment | None:
    """Return the moment of a move, or None if it is an ordinary one."""
    return _Classifier(evidence).moment()


class _Classifier:
    def __init__(self, evidence: Evidence) -> None:
        self._e: Final = evidence
        timeline, n = evidence.timeline, evidence.ply
        self._rules: Final[Rules] = timeline.rules
        self._ply: Final = timeline.plies[n]
        self._played_board: Final = timeline.board(n, self._ply.huff)
        self._best_board: Final = timeline.board(n, evidence.best_huff)
        self._best: Final = replayable(self._best_board, evidence.best_line)
        self._reply: Final = replayable(
            self._played_board, evidence.played_line, offence=self._ply.offence
        )

    def moment(self) -> Moment | None:
        if not self._best or not self._reply:
            return None
        if self._ply.offence:
            return self._offence()
        if self._e.loss >= self._e.threshold:
            return self._mistake()
        return self._good_move()

    # Good moves

    def _good_move(self) -> Moment | None:
        e = self._e
        legal = e.timeline.legal(e.ply, self._ply.huff)
        if e.loss > _STILL_GOOD or len(legal) < 2 or self._e.best_huff != self._ply.huff:
            return None
        shot = self._shot(self._played_board, self._reply)
        if shot is not None and e.played_chances.expected > 0.5 - _STILL_GOOD:
            clauses = (self._does("good_shot", self._played_board, shot),)
            return self._moment("good_shot", shot.moves, (), clauses)
        if (
            e.second is None
            or e.best_line[0] != self._ply.move
            or e.played_chances.expected - e.second.expected < e.only
            or self._ply.move.captures
        ):
            return None
        text = self._text(self._played_board, self._ply.move)
        if e.played_chances.win >= _DECIDED > e.second.win:
            key = "only_move.wins"
        elif e.second.loss >= _DECIDED > e.played_chances.loss:
            key = "only_move.saves"
        else:
            key = "only_move"
        line = self._reply[:MAX_LINE]
        return self._moment("only_move", line, (), (Clause(key, move=text),))

    # Mistakes

    def _mistake(self) -> Moment:
        e = self._e
        if e.best_huff is not None and e.best_huff != self._ply.huff:
            clause = Clause(
                f"missed_huff.{self._name(e.timeline.board(e.ply), e.best_huff)}",
                square=e.best_huff,
            )
            return self._bad("missed_huff", self._best[:MAX_LINE], (clause,))
        ruled = self._by_rule()
        if ruled is not None:
            return ruled
        won = e.best_chances.win >= _DECIDED
        lost = e.played_chances.loss >= _DECIDED
        shot = self._shot(self._best_board, self._best)
        if shot is not None and self._more_than_played(shot):
            return self._bad(
                "missed_shot", shot.moves, (self._does("missed_shot", self._best_board, shot),)
            )
        crowning = self._crowning()
        if crowning is not None:
            clause = self._does("missed_breakthrough", self._best_board, crowning)
            return self._bad("missed_breakthrough", crowning.moves, (clause,))
        if won and not lost and e.played_chances.win < _DECIDED:
            return self._missed_win()
        best = self._text(self._best_board, self._best[0])
        played = self._text(self._played_board, self._ply.move)
        if lost and won:
            clause = Clause("losing_move.won", played=played, best=best)
            return self._bad("losing_move", self._best[:MAX_LINE], (clause,))
        if lost and self._draws():
            clause = Clause("missed_draw", played=played, best=best)
            return self._bad("missed_draw", self._best[:MAX_LINE], (clause,))
        if lost and e.best_chances.expected >= _EVEN:
            clause = Clause("losing_move", played=played, best=best)
            return self._bad("losing_move", self._best[:MAX_LINE], (clause,))
        return self._plain(best, played)

    def _draws(self) -> bool:
        """Return whether the best move saves a draw for the side that is worse."""
        e = self._e
        if e.best_chances.draw < _DRAWN:
            return False
        return e.best_chances.expected < _EVEN or (e.best == 0 and self._material(e.ply) < 0)

    def _plain(self, best: str, played: str) -> Moment:
        gain = facts(self._best_board, settled(self._best_board, self._best))
        captured = self._captured_kings(self._best[0], self._best_board)
        if captured and not self._captured_kings(self._ply.move, self._played_board):
            other = "B" if self._ply.side == "W" else "W"
            if captured > 1:
                clause = Clause("mistake.kings", taken=Material(0, captured))
            elif self._best_board.pieces.count(other) > 1:
                clause = Clause("mistake.a_king")
            else:
                clause = Clause("mistake.king")
            return self._bad("mistake", self._best[:1], (clause,))
        if gain.moves and gain.gain(self._rules) >= _GAIN and self._more_than_played(gain):
            return self._bad(
                "mistake",
                gain.moves,
                (self._does("mistake.gain", self._best_board, gain, is_forced=False),),
            )
        clause = Clause("mistake", best=best, played=played)
        return self._bad("mistake", self._best[:MAX_LINE], (clause,))

    def _missed_win(self) -> Moment:
        e = self._e
        best = self._text(self._best_board, self._best[0])
        whole = facts(self._best_board, self._best)
        moves = (len(self._best) + 1) // 2
        if whole.wins and whole.result is not None:
            if moves == 1:
                clause = Clause("missed_win.now", best=best)
            elif whole.result.reason == "no_moves" and self._rules.objective != "losing":
                clause = Clause("missed_win.block", n=moves, best=best)
            else:
                clause = Clause("missed_win.in", n=moves, best=best)
            return self._bad("missed_win", self._best, (clause,))
        played = self._text(self._played_board, self._ply.move)
        if abs(e.best) > BEYOND and not _has_mate(e.best):
            clause = Clause("missed_win.table", best=best)
        else:
            clause = Clause("missed_win", best=best, played=played)
        return self._bad("missed_win", self._best[:MAX_LINE], (clause,))

    def _by_rule(self) -> Moment | None:
        after = self._e.timeline.board(self._e.ply + 1)
        result = after.result if after.is_over else None
        if result is None or result.winner is not None or result.reason not in _DRAWN_BY_RULE:
            return None
        best = self._text(self._best_board, self._best[0])
        played = self._text(self._played_board, self._ply.move)
        clauses = (
            Clause("lost_by_rule", played=played, result=result),
            Clause(
                "lost_by_rule.won"
                if self._e.best_chances.win >= _DECIDED
                else "lost_by_rule.better",
                best=best,
            ),
        )
        return self._moment("lost_by_rule", self._best[:MAX_LINE], self._reply[:1], clauses)

    def _offence(self) -> Moment:
        """Describe a move that broke the obligation to capture."""
        e = self._e
        best = self._text(self._best_board, self._best[0])
        huffed = None
        if e.ply + 1 < e.timeline.count:
            huffed = e.timeline.plies[e.ply + 1].huff
        after = e.timeline.board(e.ply + 1)
        if huffed is not None:
            clause = Clause(f"offence.huffed.{self._name(after, huffed)}", square=huffed)
        else:
            clause = Clause("offence.free", best=best)
        return self._moment("offence", self._best[:1], self._reply[:1], (clause,))

    # Facts

    def _shot(self, board: Board, line: tuple[Move, ...]) -> LineFacts | None:
        """Return the facts of the combination that a line begins with, if it is one."""
        if line[0].captures:
            return None
        forced = facts(board, combination(board, line))
        whole = facts(board, settled(board, line))
        if not forced.moves or not forced.sacrifices or not forced.taken.pieces:
            return None
        if min(forced.gain(self._rules), whole.gain(self._rules)) < _GAIN:
            return None
        return forced

    def _crowning(self) -> LineFacts | None:
        """Return the facts of a line to a king, if the played move leads to none."""
        line = self._best[:9]
        at = next((i for i in range(0, len(line), 2) if line[i].crowns), None)
        whole = facts(self._best_board, self._best)
        if whole.wins and whole.result is not None and whole.result.reason == "breakthrough":
            return whole
        if at is None or self._rules.objective == "losing":
            return None
        to_king = self._quiet_end(self._best_board, line, at)
        if to_king is None or to_king.crowned is None or to_king.gain(self._rules) < -1:
            return None
        played = facts(self._played_board, self._reply[: len(to_king.moves)])
        return None if played.crowned is not None else to_king

    def _quiet_end(self, board: Board, line: tuple[Move, ...], at: int) -> LineFacts | None:
        """Return the facts of the line up to move `at` or the end of the exchange after it."""
        for end in range(at + 1, len(line) + 1):
            part = line[:end]
            after = board.copy()
            for move in part:
                after.push_unchecked(move)
            if after.is_over or not any(move.captures for move in after.legal_moves):
                return facts(board, part)
        return None

    def _more_than_played(self, gain: LineFacts) -> bool:
        played = facts(self._played_board, settled(self._played_board, self._reply))
        return gain.gain(self._rules) - played.gain(self._rules) >= _GAIN

    def _played_more(self, allowed: LineFacts) -> bool:
        """Return whether the other side gains more after the played move than after the best."""
        best = facts(self._best_board, settled(self._best_board, self._best))
        return allowed.gain(self._rules) + best.gain(self._rules) >= _GAIN

    def _captured_kings(self, move: Move, board: Board) -> int:
        pieces = board.pieces
        return sum(pieces[square - 1] in "WB" for square in move.captures)

    def _material(self, n: int) -> float:
        pieces, side = self._e.timeline.board(n).pieces, self._ply.side
        other = "B" if side == "W" else "W"
        return (
            pieces.count(side.lower())
            + 2 * pieces.count(side)
            - pieces.count(other.lower())
            - 2 * pieces.count(other)
        )

    @staticmethod
    def _name(board: Board, square: int) -> str:
        return "king" if board.pieces[square - 1] in "WB" else "man"

    # Statements

    def _does(self, key: str, board: Board, line: LineFacts, *, is_forced: bool = True) -> Clause:
        """State what a line gives, takes and reaches."""
        parts: list[str] = []
        values: dict[str, object] = {"given": line.given, "taken": line.taken}
        net = line.taken.men - line.given.men
        if not is_forced and net > 0 and line.given.men and not line.given.kings + line.taken.kings:
            # The other side need not follow the line: only its balance is stated.
            parts.append("nets")
            values["net"] = Material(net, 0)
        else:
            order = ("gives", "takes") if line.sacrifices else ("takes", "gives")
            given = {"gives": line.given.pieces, "takes": line.taken.pieces}
            parts.extend(part for part in order if given[part])
        if line.result is not None and line.wins:
            parts.append("last_row" if line.result.reason == "breakthrough" else "wins")
        elif line.crowned is not None:
            parts.append("king")
            values["square"] = line.crowned
        return Clause(key, move=self._text(board, line.moves[0]), does=" ".join(parts), **values)

    def _allows(self, key: str, board: Board, line: LineFacts, *, is_forced: bool = True) -> Clause:
        clause = self._does(key, board, line, is_forced=is_forced)
        played = self._text(self._played_board, self._ply.move)
        return Clause(key, played=played, **clause.values)

    def _bad(
        self,
        kind: Kind,
        line: tuple[Move, ...],
        clauses: tuple[Clause, ...],
    ) -> Moment:
        """Return a mistake, with what the played move allowed."""
        reply = self._reply[:MAX_LINE]
        allowed, what = self._allowed()
        if kind in {"losing_move", "missed_draw", "mistake", "missed_win"} and what is not None:
            reply, clauses = allowed, (*clauses, what)
        return self._moment(kind, line, reply, clauses)

    def _allowed(self) -> tuple[tuple[Move, ...], Clause | None]:
        """Return the other side's line after the played move, and a statement about its aim."""
        line = self._reply[1:]
        if not line or not self._e.timeline.board(self._e.ply + 1).has_legal_moves:
            return (), None
        board = self._e.timeline.board(self._e.ply + 1)
        if line[0] not in board.legal_moves:
            return (), None
        shot = self._shot(board, line)
        if shot is not None and self._played_more(shot):
            return (self._ply.move, *shot.moves), self._allows("allows.shot", board, shot)
        gain = facts(board, settled(board, line))
        if gain.moves and gain.gain(self._rules) >= _GAIN and self._played_more(gain):
            return (self._ply.move, *gain.moves), self._allows(
                "allows", board, gain, is_forced=False
            )
        at = next((i for i in range(0, min(len(line), 9), 2) if line[i].crowns), None)
        king = None if at is None else self._quiet_end(board, line, at)
        if (
            king is not None
            and king.crowned is not None
            and self._rules.objective == "normal"
            and facts(self._best_board, self._best[: len(king.moves) + 1]).other_crowned is None
        ):
            return (self._ply.move, *king.moves), self._allows("allows", board, king)
        return (), None

    def _text(self, board: Board, move: Move) -> str:
        return notation.write(board, move)

    def _moment(
        self,
        kind: Kind,
        line: tuple[Move, ...],
        reply: tuple[Move, ...],
        clauses: tuple[Clause, ...],
    ) -> Moment:
        return Moment(
            ply=self._e.ply + 1,
            side=self._ply.side,
            kind=kind,
            move=self._ply.move,
            best=line[0],
            chance_lost=round(self._e.loss, 4),
            line=line,
            reply=reply,
            # A good move has the best one's huff.
            huff=self._e.best_huff,
            clauses=clauses,
            rules=self._rules,
        )


def _has_mate(score: int) -> bool:
    return abs(score) > WIN - 1_000
