"""Explanations of why a move was legal, for players who know other rules.

A rule explains a move if the move would be illegal under another value of that rule: so no
explanation names a rule that did not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from damka import _core, locales
from damka.notation import labels as labels_of
from damka.notation import text as notation
from damka.refusal.legs import between
from damka.refusal.record import argument_words, in_label_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from damka._core import Board
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["ALLOWANCES", "Allowance", "why_allowed", "why_huffed"]

ALLOWANCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "huffed": "huffing",
        "missed": "obligation",
        "missed_huff": "huffing",
        "captures_backwards": "man_capture",
        "captures_straight": "man_capture",
        "captures_diagonally": "man_capture",
        "captures_sideways": "man_capture",
        "takes_king": "man_takes_king",
        "goes_on_crowned": "promotion",
        "passes_crowning": "promotion",
        "stops_crowned": "promotion",
        "captures_from_afar": "king_capture",
        "lands_afar": "king_landing",
        "fewer": "precedence",
        "takes_most": "precedence",
        "ranked": "precedence",
        "reappears": "removal",
        "flies": "king_move",
        "moves_straight": "man_move",
        "moves_diagonally": "man_move",
        "moves_sideways": "man_move",
        "breaks_through": "goal",
        "crowned": "promotion",
        "chain": "chain",
        "compulsory": "obligation",
        "king_step": "king_move",
        "man_step": "man_move",
        "capture": "man_capture",
    }
)
"""The codes of explanations, the most surprising first, and their topics of the rule book."""

_MOST: Final = 3
"""Maximum number of explanations of a move."""
_PLAIN: Final = frozenset({"chain", "compulsory", "king_step", "man_step", "capture"})
"""Explanations that hold in nearly every game: given only if there is no other."""
_COUNTS: Final[Mapping[str, str]] = MappingProxyType({"chain": "taken", "fewer": "taken"})
"""Arguments that select a plural form."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Allowance:
    """A rule that made a move legal, or a huff possible.

    `code` is one of ALLOWANCES. `args` are the numbers of squares and counts in the sentence:
    `start`, `end`, `takes` (captured squares that the sentence is about), `taken` and `best`
    (numbers of captured pieces), `piece` ("man" or "king").
    """

    code: str
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def topic(self) -> str:
        """The id of the related rulebook paragraph."""
        return ALLOWANCES[self.code]

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares in the sentence, in the order of the arguments."""
        found: list[int] = []
        for name in ("start", "takes", "end"):
            value = self.args.get(name, ())
            found += value if isinstance(value, Sequence) else (value,)
        return tuple(dict.fromkeys(found))

    def sentence(self, rules: Rules, language: str = "en") -> str:
        """Return one sentence for the player, with the federation's square names.

        >>> import damka
        >>> board = damka.Board("russian", "W:Wc3:Bb2")
        >>> move = board.legal_moves[0]
        >>> [reason.sentence(board.rules) for reason in why_allowed(board, move)]
        ['Men also capture backwards: the man on c3 took b2.']
        """
        names = labels_of(rules)
        values = argument_words(language, in_label_order(self.args, names), names.name)
        key = f"why.{self.code}"
        if kind := self.args.get("kind"):
            key += f".{kind}"
        if count := _COUNTS.get(self.code):
            return locales.plural(language, key, self.args[count], **values)
        return locales.translate(language, key, **values)


def why_huffed(board: Board, square: int) -> Allowance:
    """Return why the piece on `square` could be huffed on `board`, before its side's last move.

    `board` is the position in which the capture was missed. Raises ValueError if the piece had no
    capture.
    """
    takes = {at for move in board.legal_moves if move.start == square for at in move.captures}
    if not takes:
        raise ValueError(f"the piece on {square} missed no capture")
    return Allowance("huffed", {"start": square, "takes": tuple(sorted(takes))})


def why_allowed(board: Board, move: Move) -> tuple[Allowance, ...]:
    """Return the rules that made `move` legal on `board`, the most surprising first.

    There is at least one, and at most three. In a huffing game a quiet move that missed a capture
    may be explained too. Raises ValueError if the move cannot be made on the board.
    """
    found = {each.code: each for each in _Explainer(board, move).reasons()}
    surprising = [found[code] for code in ALLOWANCES if code in found and code not in _PLAIN]
    plain = [found[code] for code in ALLOWANCES if code in found and code in _PLAIN]
    return tuple(surprising[:_MOST] or plain[:1])


class _Explainer:
    """A move on a board, and what other rules say of it."""

    def __init__(self, board: Board, move: Move) -> None:
        piece = board.pieces[move.start - 1]
        if piece not in ("wW" if board.turn == "W" else "bB"):
            raise ValueError(f"{move}: no piece of the side to move on {move.start}")
        self._board = board
        self._rules = board.rules
        self._move = move
        self._is_king = piece.isupper()
        self._back = 1 if board.turn == "W" else -1
        if not self._is_legal():
            raise ValueError(f"{move}: not a move of this position")

    def reasons(self) -> Iterator[Allowance]:
        """Yield every rule that explains the move, and plain facts."""
        if self._move.captures:
            yield from self._of_capture()
        else:
            yield from self._of_step()
        move, rules = self._move, self._rules
        if move.crowns and rules.objective == "breakthrough":
            yield self._reason("breaks_through", end=move.end)
        elif move.crowns and self._is_legal(promotion="go"):
            yield self._reason("crowned", end=move.end)

    # Captures

    def _of_capture(self) -> Iterator[Allowance]:
        move, rules = self._move, self._rules
        if not self._is_king:
            yield from self._of_capturing_man()
        elif rules.king_range == "flying" and not self._is_legal(king_range="short"):
            yield self._reason("captures_from_afar", start=move.start, takes=move.captures)
            if rules.king_landing == "any" and not self._is_legal(king_landing="adjacent"):
                yield self._reason("lands_afar", end=move.end)
        if self._lines("orthogonal"):
            yield self._reason("captures_straight", start=move.start, takes=move.captures)
        elif self._lines("diagonal"):
            yield self._reason("captures_diagonally", start=move.start, takes=move.captures)
        if rules.removal == "immediate" and not self._is_legal(removal="after"):
            yield self._reason("reappears", start=move.start, end=move.end)
        yield from self._of_choice()
        if len(move.captures) > 1:
            yield self._reason("chain", taken=len(move.captures), takes=move.captures)
        if rules.obligation == "forced":
            yield self._reason("compulsory", start=move.start, takes=move.captures)
        else:
            yield self._reason("capture", start=move.start, takes=move.captures)

    def _of_capturing_man(self) -> Iterator[Allowance]:
        move, rules = self._move, self._rules
        if rules.man_capture == "all" and not self._is_legal(man_capture="forward"):
            taken = self._taken(lambda rows: rows * self._back > 0)
            if taken:
                yield self._reason("captures_backwards", start=move.start, takes=taken)
        sideways = self._taken(lambda rows: rows == 0)
        if sideways and rules.squares == "all":
            yield self._reason("captures_sideways", start=move.start, takes=sideways)
        if rules.man_takes_king and not self._is_legal(man_takes_king=False):
            kings = tuple(at for at in move.captures if self._board.pieces[at - 1].isupper())
            yield self._reason("takes_king", start=move.start, takes=kings)
        match rules.promotion:
            case "go" if not self._is_legal(promotion="stop"):
                yield self._reason("goes_on_crowned", start=move.start)
            case "pass" if not self._is_legal(promotion="stop"):
                yield self._reason("passes_crowning", start=move.start)
            case "stop" if move.crowns and not self._is_legal(promotion="go"):
                yield self._reason("stops_crowned", end=move.end)

    def _of_choice(self) -> Iterator[Allowance]:
        """Yield what the choice between captures was."""
        move, rules = self._move, self._rules
        others = [other for other in self._moves() if other.captures]
        best = max((len(other.captures) for other in others), default=0)
        taken = len(move.captures)
        if not rules.precedence and taken < best:
            yield self._reason(
                "fewer", start=move.start, takes=move.captures, taken=taken, best=best
            )
            return
        worse = [other for other in others if not self._ranks_equally(other)]
        if not rules.precedence or not worse:
            return
        takes_most = all(len(other.captures) < taken for other in worse)
        code = "takes_most" if "count" in rules.precedence and takes_most else "ranked"
        yield self._reason(code, start=move.start, takes=move.captures, taken=taken)

    def _ranks_equally(self, other: Move) -> bool:
        return any(_same(other, legal) for legal in self._board.legal_moves)

    def _taken(self, direction: Callable[[int], bool]) -> tuple[int, ...]:
        """Return the pieces that every route takes by jumps over such a number of rows."""
        found: set[int] | None = None
        for route in notation.routes(self._board, self._move):
            taken = set()
            for start, end in pairwise(route):
                if direction(self._rows(start, end)):
                    taken |= self._between(start, end) & set(self._move.captures)
            found = taken if found is None else found & taken
        return tuple(sorted(found or ()))

    # Quiet moves

    def _of_step(self) -> Iterator[Allowance]:
        move, rules, board = self._move, self._rules, self._board
        missed = [other for other in board.legal_moves if other.captures]
        if missed and rules.obligation != "forced":
            takes = tuple(sorted({at for other in missed for at in other.captures}))
            starts = tuple(sorted({other.start for other in missed}))
            code = "missed_huff" if rules.obligation == "huff" else "missed"
            yield self._reason(code, start=starts, takes=takes)
        squares = {"start": move.start, "end": move.end}
        if self._is_king and rules.king_range == "flying" and self._between(move.start, move.end):
            yield self._reason("flies", **squares)
        if not self._is_king:
            if self._lines("orthogonal"):
                yield self._reason("moves_straight", **squares)
            elif self._lines("diagonal"):
                yield self._reason("moves_diagonally", **squares)
            if self._rows(move.start, move.end) == 0:
                yield self._reason("moves_sideways", **squares)
                return
        if self._is_king:
            yield self._reason("king_step", kind=rules.king_range, **squares)
        else:
            yield self._reason("man_step", **squares)

    # Other rules

    def _lines(self, kind: str) -> bool:
        """Whether the move needs lines of a kind that the board's other games do without."""
        name = "capture_lines" if self._move.captures else "move_lines"
        usual = "diagonal" if self._rules.squares == "dark" else "orthogonal"
        if kind == usual or getattr(self._rules, name) != "diagonal+orthogonal":
            return False
        return not self._is_legal(**{name: usual})

    def _moves(self, **changes: object) -> list[Move]:
        """Return the moves under these rules with `changes`, without precedence."""
        changes = {"precedence": (), **changes}
        if not self._move.captures:
            changes["obligation"] = "free"
        board = self._board
        rules = self._rules.replace(**changes)
        return _core.Board(rules, board.pieces, board.turn).legal_moves

    def _is_legal(self, **changes: object) -> bool:
        return any(_same(self._move, other) for other in self._moves(**changes))

    def _reason(self, code: str, **args: object) -> Allowance:
        return Allowance(code, args)

    def _rows(self, start: int, end: int) -> int:
        return self._rules.cell(end)[0] - self._rules.cell(start)[0]

    def _between(self, start: int, end: int) -> set[int]:
        return set(between(self._rules, start, end, "diagonal+orthogonal") or ())


def _same(move: Move, other: Move) -> bool:
    """Whether two moves of different rules do the same; the order of captures may differ."""
    return (
        move.start == other.start
        and move.end == other.end
        and set(move.captures) == set(other.captures)
    )
