"""Explanations of why an attempted move is not legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from damka import _core
from damka.move import Move
from damka.notation import labels as labels_of
from damka.notation import squares as names
from damka.notation import text as notation
from damka.refusal.labelled import named_as_typed
from damka.refusal.legs import between, captures, judge, known_lines, slides_then_turns
from damka.refusal.record import Refusal

if TYPE_CHECKING:
    from damka._core import Board

__all__ = ["MAX_CLICKS", "Attempt", "ambiguous", "explain", "resolve"]

MAX_CLICKS: Final = 100
MAX_NAMED: Final = 6
# Under relaxed rules there may be too many captures to examine.
MAX_WAYS: Final = 2000

Route = tuple[int, ...]
Attempt: TypeAlias = "str | Move | Sequence[int]"

# Players of other games may attempt captures that are legal only under relaxed rules. These supply
# the routes to explain; the least relaxed rules come first.
_RELAXED: Final[tuple[dict[str, object], ...]] = (
    {"man_capture": "all"},
    {"man_takes_king": True},
    {"king_landing": "any"},
    {"promotion": "go"},
    {"man_capture": "all", "promotion": "go"},
    {"man_capture": "all", "man_takes_king": True, "king_landing": "any", "promotion": "go"},
)

# Codes for two squares that may also be the ends of a longer capture.
_MAYBE_CAPTURES: Final = frozenset(
    {
        *("not_diagonal", "not_on_a_line", "line_not_moved_on", "line_not_captured_on"),
        *("way_blocked", "man_one_square", "king_one_square"),
    }
)


def explain(
    board: Board, attempt: Attempt, moves: Iterable[Move] | None = None, *, labels: bool = False
) -> Refusal | None:
    """Return why the rules refuse `attempt`, or None if it means exactly one legal move.

    `attempt` is text as in `damka.notation.text`, a Move, or the squares that a player has
    clicked: the piece, then enough of its landing squares, in order, to identify the move. For a
    single square the reason is why that piece cannot move. `moves` replaces the legal moves. With
    `labels`, text is in the federation's notation. The message names squares as the text does,
    with letters or numbers.
    """
    result = resolve(board, attempt, moves, labels=labels)
    return result if isinstance(result, Refusal) else None


def resolve(
    board: Board, attempt: Attempt, moves: Iterable[Move] | None = None, *, labels: bool = False
) -> Move | Refusal:
    """Return the legal move that `attempt` means, or the refusal; see `explain`.

    Raises TypeError for an attempt of another type.
    """
    _check_kind(attempt)
    rules = board.rules
    as_printed = labels and isinstance(attempt, str)
    library_attempt = attempt
    if as_printed:
        library_attempt = labels_of(rules).read(notation.with_usual_signs(str(attempt)))
    result = _resolve(board, library_attempt, moves)
    if isinstance(result, Refusal):
        return named_as_typed(result, rules, attempt, as_printed=as_printed)
    return result


def _resolve(board: Board, attempt: Attempt, moves: Iterable[Move] | None) -> Move | Refusal:
    allowed = board.legal_moves if moves is None else list(moves)
    if not allowed:
        return Refusal("game_over")
    if isinstance(attempt, str):
        parsed = notation.read(attempt)
        if parsed is None:
            return _not_understood(attempt)
        return _Attempt(board, allowed, parsed.names, is_capture=parsed.is_capture).judge_text(
            attempt
        )
    if isinstance(attempt, Sequence):
        if not 1 <= len(attempt) <= MAX_CLICKS:
            return _not_understood(str(list(attempt[:MAX_CLICKS])))
        return _Attempt(board, allowed, [str(square) for square in attempt]).judge_clicks()
    for move in allowed:
        if move == attempt:
            return move
    route = [str(square) for square in attempt.route]
    result = _Attempt(board, allowed, route, is_capture=attempt.is_capture).judge_text(str(attempt))
    # A Move from another position may have the squares of a legal move that differs from it.
    return result if isinstance(result, Refusal) else _not_understood(str(attempt))


def _check_kind(attempt: object) -> None:
    if not isinstance(attempt, str | Sequence | Move):
        kind = type(attempt).__name__
        raise TypeError(f"a move must be a Move, a str or a sequence of squares, not {kind}")


def ambiguous(board: Board, moves: Iterable[Move]) -> Refusal:
    """Return the refusal that lists the first of several matching moves."""
    return Refusal("ambiguous", {"moves": _move_texts(board, moves)})


def _move_texts(board: Board, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return the first moves as text."""
    return tuple(notation.numbers(board, move) for move in islice(moves, MAX_NAMED))


def _not_understood(text: str) -> Refusal:
    return Refusal("not_understood", {"text": text[:40]})


class _Attempt:
    """An attempted move on a board."""

    def __init__(
        self,
        board: Board,
        allowed: list[Move],
        square_names: Sequence[str],
        *,
        is_capture: bool | None = None,
    ) -> None:
        self.board = board
        self.rules = board.rules
        self.pieces = board.pieces
        self.allowed = allowed
        self.square_names = square_names
        self.is_capture = is_capture
        self.squares = [names.read(board.rules, name) for name in square_names]

    def judge_text(self, text: str) -> Move | Refusal:
        """Judge a written move: two squares, or every landing square."""
        route = self._route()
        if isinstance(route, Refusal):
            return route
        matches = notation.matching_moves(
            self.board, self.allowed, route, is_capture=self.is_capture
        )
        if matches:
            return matches[0] if len(matches) == 1 else ambiguous(self.board, matches)
        if self.is_capture and notation.matching_moves(self.board, self.allowed, route):
            return _not_understood(text)
        if len(route) > 2:
            for _, way in self._capture_routes(self.board):
                if way[-1] == route[-1] and _visits(route, way):
                    full_route = "x".join(map(str, way))
                    return Refusal("not_understood", {"route": full_route, "kind": "route"})
        return self._refuse(route, spelt_out=len(route) > 2)

    def judge_clicks(self) -> Move | Refusal:
        """Judge the squares clicked so far."""
        route = self._route()
        if isinstance(route, Refusal):
            return route
        matches = self._moves_through(route)
        if matches:
            return matches[0] if len(matches) == 1 else ambiguous(self.board, matches)
        if len(route) == 1:
            return self._refuse_piece(route[0])
        return self._refuse(route, spelt_out=False)

    def _moves_through(self, route: Route) -> list[Move]:
        if len(route) > 1:
            matches = notation.matching_moves(self.board, self.allowed, route)
            if matches:
                return matches
        return [
            move
            for move in self.allowed
            if move.start == route[0]
            and any(_visits(route, way) for way in notation.routes(self.board, move))
        ]

    def _route(self) -> Route | Refusal:
        """Return the route if it starts on a piece of the side to move and all squares exist."""
        start = self.squares[0]
        if start is not None:
            piece = self.pieces[start - 1]
            if piece == ".":
                return Refusal("no_piece", {"start": start})
            if piece.upper() != self.board.turn:
                kind = "king" if piece.isupper() else "man"
                return Refusal("opponents_piece", {"start": start, "kind": kind})
        route = tuple(square for square in self.squares if square is not None)
        if len(route) < len(self.square_names):
            unknown = self.square_names[self.squares.index(None)]
            return Refusal("not_a_square", {"text": unknown[:40]})
        return route

    def _refuse_piece(self, start: int) -> Refusal:
        """Return why a piece has no legal move."""
        unranked = self._capture_routes(self._board_under(), start)
        if unranked:
            return self._outranked(unranked)
        if any(move.start == start for move in self.board.quiet_moves):
            return self._refuse_quiet()
        if self._is_at_streak_limit(start) and any(
            move.start == start for move in self._board_under(king_streak=0).quiet_moves
        ):
            return self._refuse_streak(start)
        kind = "king" if self.pieces[start - 1].isupper() else "man"
        return Refusal("way_blocked", {"start": start, "piece": kind, "kind": kind})

    def _refuse(self, route: Route, *, spelt_out: bool) -> Refusal:
        """Return why no legal move takes this route of two or more squares."""
        if not spelt_out:
            # It may be a capture with omitted landing squares.
            for board in (self.board, self._board_under()):
                if way := _shortest(self._capture_routes(board, route[0]), route):
                    return self._refuse_capture(way)
        refusal = judge(self.rules, self.pieces, self.board.turn, route)
        if refusal is None:
            if captures(self.rules, self.pieces, self.board.turn, route):
                return self._refuse_capture(route)
            return (
                self._refuse_streak(route[0])
                if self._is_at_streak_limit(route[0])
                else self._refuse_quiet()
            )
        if spelt_out or refusal.code not in _MAYBE_CAPTURES or self._is_plain_step(route):
            return refusal
        return self._rule_elsewhere(route) or refusal

    def _is_plain_step(self, route: Route) -> bool:
        lines = known_lines(self.rules)
        way = between(self.rules, route[0], route[-1], lines) if len(route) == 2 else None
        return way is not None and all(self.pieces[square - 1] == "." for square in way)

    def _rule_elsewhere(self, route: Route) -> Refusal | None:
        """Return the rule that forbids a capture which other games allow."""
        for changes in _RELAXED:
            ways = self._capture_routes(self._board_under(**changes), route[0], MAX_WAYS)
            if way := _shortest(ways, route):
                refusal = judge(self.rules, self.pieces, self.board.turn, way)
                # `judge` does not check the last landing square under killer rules.
                return refusal or self._refuse_capture(way)
        if len(route) == 2 and slides_then_turns(
            self.rules, self.pieces, self.board.turn, route[0], route[1]
        ):
            return Refusal("king_turn", {"piece": "king", "kind": "slide"})
        return None

    def _refuse_capture(self, route: Route) -> Refusal:
        """Refuse a capture of valid legs that is not legal as a whole."""
        if onward := _next_squares(self._capture_routes(self.board), route):
            return Refusal("must_continue", {"square": route[-1], "where": onward})
        unranked = self._capture_routes(self._board_under(), route[0])
        continuing = [(move, way) for move, way in unranked if way[: len(route)] == route]
        if continuing:
            return self._outranked(continuing)
        return self._must_land_elsewhere(unranked, route)

    def _must_land_elsewhere(self, unranked: list[tuple[Move, Route]], route: Route) -> Refusal:
        prefix_length = 1
        while _next_squares(unranked, route[: prefix_length + 1]) or any(
            way == route[: prefix_length + 1] for _, way in unranked
        ):
            prefix_length += 1
        captured = captures(self.rules, self.pieces, self.board.turn, route[: prefix_length + 1])
        where = [
            square
            for square in _next_squares(unranked, route[:prefix_length])
            if captures(self.rules, self.pieces, self.board.turn, (*route[:prefix_length], square))
            == captured
        ]
        if self.rules.king_landing == "killer" and self.pieces[captured[-1] - 1].isupper():
            can_continue = any(
                _next_squares(unranked, (*route[:prefix_length], square)) for square in where
            )
            if not can_continue:
                args = {"piece": "king", "over": captured[-1], "where": tuple(where)}
                return Refusal("king_landing", {**args, "kind": "killer"})
        return Refusal("land_to_go_on", {"over": captured[-1], "where": tuple(where)})

    def _is_at_streak_limit(self, start: int) -> bool:
        """Whether a king has reached its limit of consecutive moves."""
        return (start, self.rules.king_streak) in self.board.streaks

    def _refuse_streak(self, start: int) -> Refusal:
        if (
            any(move.is_capture for move in self.board.legal_moves)
            and self.rules.obligation != "free"
        ):
            return self._refuse_quiet()
        return Refusal("king_rests", {"start": start, "limit": self.rules.king_streak})

    def _refuse_quiet(self) -> Refusal:
        capturing = [move for move in self.board.legal_moves if move.is_capture]
        starts = tuple(sorted({move.start for move in capturing}))
        if len(starts) > 1:
            return Refusal("must_capture", {"pieces": starts, "kind": "several"})
        kind = "king" if capturing[0].is_king else "man"
        if len(capturing) > 1:
            return Refusal("must_capture", {"pieces": starts, "kind": f"{kind}_choice"})
        captured = capturing[0].captures
        return Refusal("must_capture", {"pieces": starts, "takes": captured, "kind": kind})

    def _outranked(self, attempted: list[tuple[Move, Route]]) -> Refusal:
        """Return the refusal for the first criterion by which legal captures outrank these."""
        best, best_route = next(self._iter_capture_routes(self.board))
        attempt, attempt_route = max(attempted, key=lambda way: self._rank(*way))
        capturing = [move for move in self.board.legal_moves if move.is_capture]
        ranks = zip(
            self.rules.precedence,
            self._rank(best, best_route),
            self._rank(attempt, attempt_route),
            strict=True,
        )
        for key, best_rank, rank in ranks:
            if best_rank == rank:
                continue
            if key == "count":
                return Refusal("must_take_most", {"best": best_rank, "taken": rank})
            if key == "with_king":
                starts = tuple(sorted({move.start for move in capturing}))
                return Refusal("must_use_king", {"pieces": starts})
            if key == "kings":
                return Refusal("must_take_kings", {"best": best_rank, "taken": rank})
            return Refusal(f"must_take_{key}", {"moves": _move_texts(self.board, capturing)})
        raise AssertionError(
            f"{self.pieces} {self.board.turn}: {attempt} has the rank of a legal move"
        )

    def _rank(self, move: Move, route: Route) -> tuple[int | tuple[int, ...], ...]:
        captured = captures(self.rules, self.pieces, self.board.turn, route)
        kings = [
            index for index, square in enumerate(captured) if self.pieces[square - 1].isupper()
        ]
        ranks: dict[str, int | tuple[int, ...]] = {
            "count": len(captured),
            "value": (len(captured) + len(kings), -len(kings)),
            "points": len(captured) + len(kings),
            "with_king": int(move.is_king),
            "kings": len(kings),
            "king_early": tuple(-index for index in kings),
        }
        return tuple(ranks[key] for key in self.rules.precedence)

    def _board_under(self, **changes: object) -> Board:
        """Return the position under these rules with `changes` and without precedence."""
        changes = {"precedence": (), **changes}
        if all(getattr(self.rules, name) == value for name, value in changes.items()):
            return self.board
        return _core.Board(self.rules.replace(**changes), self.pieces, self.board.turn)

    def _capture_routes(
        self, board: Board, start: int | None = None, limit: int | None = None
    ) -> list[tuple[Move, Route]]:
        return list(islice(self._iter_capture_routes(board, start), limit))

    @staticmethod
    def _iter_capture_routes(
        board: Board, start: int | None = None
    ) -> Iterator[tuple[Move, Route]]:
        """Yield every capture with each of its routes."""
        for move in board.legal_moves:
            if move.is_capture and start in (None, move.start):
                for way in notation.routes(board, move):
                    yield move, way


def _visits(squares: Sequence[int], way: Sequence[int]) -> bool:
    """Whether a route visits the squares in this order, from its start."""
    if squares[0] != way[0]:
        return False
    rest = iter(way[1:])
    return all(square in rest for square in squares[1:])


def _shortest(ways: Iterable[tuple[Move, Route]], squares: Route) -> Route | None:
    """Return the shortest prefix of a route that visits these squares and ends on the last."""
    prefixes = []
    for _, way in ways:
        for length in range(len(squares), len(way) + 1):
            if way[length - 1] == squares[-1] and _visits(squares, way[:length]):
                prefixes.append(way[:length])
                break
    return min(prefixes, key=lambda way: (len(way), way), default=None)


def _next_squares(ways: Iterable[tuple[Move, Route]], route: Route) -> Route:
    """Return the next squares of the routes with this prefix."""
    length = len(route)
    return tuple(
        sorted({way[length] for _, way in ways if len(way) > length and way[:length] == route})
    )
