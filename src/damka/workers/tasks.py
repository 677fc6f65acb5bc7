"""The tasks of a worker and their results as messages.

Games are sent to the worker as pickles, since the server is trusted; results return as plain data,
since a worker handles positions from outside.
"""

from __future__ import annotations

import hashlib
import pickle
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from damka.board import Board
from damka.engine import Analysis, Engine, Stop, Variation, levels
from damka.game import Decision
from damka.live.events import Event
from damka.live.search_request import SearchRequest, decide
from damka.move import Move
from damka.rules import Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.game import Game

__all__ = [
    "Advise",
    "Analyse",
    "Decide",
    "Equipment",
    "Task",
    "analysis_of",
    "decision_of",
    "encode_task",
    "events_of",
    "key_of",
    "pack_game",
    "perform",
]


class Equipment(msgspec.Struct, frozen=True, kw_only=True, tag="equipment", weakref=True):
    """The configuration of a worker."""

    hash_mb: int
    tablebases: str | None = None
    memory_mb: int = 0
    """Memory limit, including the transposition table; 0 for none."""
    background: bool = False
    """Whether games precede its tasks."""

    def engine(self) -> Engine:
        """Create an engine with this configuration."""
        tablebases = None if self.tablebases is None else Path(self.tablebases)
        return Engine(hash_mb=self.hash_mb, tablebases=tablebases)


class Decide(msgspec.Struct, frozen=True, tag="decide", weakref=True):
    """Let the computer move; the result is its entries for the game's log."""

    game: bytes
    side: Side
    level: int
    about_draw: bool
    may_offer_draw: bool
    seed: int


class Advise(msgspec.Struct, frozen=True, tag="advise", weakref=True):
    """Return the decision of a level, as `_Decided`."""

    game: bytes
    level: int
    seed: int


class Analyse(msgspec.Struct, frozen=True, tag="analyse", weakref=True):
    """Return the best lines as an analysis; partial results are analyses too."""

    game: bytes
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    lines: int = 1
    choices: tuple[str, ...] | None = None
    """Hub texts of the first moves to choose from; None for all legal moves."""


Task = Decide | Advise | Analyse


class _Move(msgspec.Struct, frozen=True, array_like=True):
    """A move."""

    start: int
    end: int
    captures: tuple[int, ...]
    route: tuple[int, ...]
    crowns: bool
    is_king: bool

    @classmethod
    def of(cls, move: Move) -> _Move:
        return cls(move.start, move.end, move.captures, move.route, move.crowns, move.is_king)

    def move(self) -> Move:
        return Move(
            self.start,
            self.end,
            self.captures,
            route=self.route,
            crowns=self.crowns,
            is_king=self.is_king,
        )


class _Decided(msgspec.Struct, frozen=True, array_like=True):
    """A `Decision`."""

    huff: int | None
    move: _Move | None
    score: int | None
    offer_draw: bool


class _Line(msgspec.Struct, frozen=True, array_like=True):
    """A `Variation`."""

    score: int
    pv: tuple[_Move, ...]


class _Analysed(msgspec.Struct, frozen=True, array_like=True):
    """An `Analysis`."""

    depth: int
    nodes: int
    seconds: float
    lines: tuple[_Line, ...]


_encoder: Final = msgspec.msgpack.Encoder()
_tasks: Final = msgspec.msgpack.Decoder(Task)


def pack_game(game: Game | Board) -> bytes:
    """Serialise a game, or a board for an analysis, for a worker."""
    return pickle.dumps(game, protocol=pickle.HIGHEST_PROTOCOL)


def encode_task(task: Task) -> bytes:
    """Serialise a task for a worker."""
    return _encoder.encode(task)


def key_of(game: Game | Board, *what: object) -> bytes:
    """Return a cache key: equal for equal queries about games with equal histories."""
    if isinstance(game, Board):
        root = game.root()
        steps = [step if isinstance(step, int) else step.hub() for step in game.steps]
        history: object = (root.pieces, root.turn, root.streaks, steps)
    else:
        history = (game.start_fen, game.events)
    query = msgspec.json.encode((game.rules.to_dict(), history, what))
    return hashlib.sha256(query).digest()


def perform(
    task: bytes, engine: Engine, stop: Stop, on_partial: Callable[[bytes], object]
) -> bytes:
    """Run a task; `on_partial` receives partial results of an analysis.

    Raises PositionTooComplexError and other errors of the search.
    """
    decoded: Task = _tasks.decode(task)
    game: Any = pickle.loads(decoded.game)  # noqa: S301  created by the server
    match decoded:
        case Decide(_, side, level, about_draw, may_offer_draw, seed):
            request = SearchRequest(game, side, level, about_draw, may_offer_draw)
            return _encoder.encode(decide(engine, request, random.Random(seed), stop))
        case Advise(_, level, seed):
            decision = levels.choose(engine, game, level, random.Random(seed), stop=stop)
            move = None if decision.move is None else _Move.of(decision.move)
            return _encoder.encode(
                _Decided(decision.huff, move, decision.score, decision.offer_draw)
            )
        case Analyse(_, depth, nodes, seconds, lines, choices):
            analysis = engine.search(
                game,
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                stop=stop,
                multi_pv=lines,
                moves=None if choices is None else _moves(game, choices),
                on_info=lambda partial: on_partial(_encoder.encode(_analysed(partial))),
            )
            return _encoder.encode(_analysed(analysis))


def _moves(game: Game | Board, choices: tuple[str, ...]) -> list[Move]:
    """Return the moves of the position with these hub texts."""
    board = game if isinstance(game, Board) else game.board
    return [move for move in board.legal_moves if move.hub() in choices]


def _analysed(analysis: Analysis) -> _Analysed:
    lines = tuple(_Line(v.score, tuple(map(_Move.of, v.pv))) for v in analysis.lines)
    return _Analysed(analysis.depth, analysis.nodes, analysis.seconds, lines)


def events_of(result: bytes) -> tuple[Event, ...]:
    """Decode the result of `Decide`: entries for the log."""
    events: tuple[Event, ...] = msgspec.msgpack.decode(result, type=tuple[Event, ...])
    return events


def decision_of(result: bytes) -> Decision:
    """Decode the result of `Advise`."""
    decoded = msgspec.msgpack.decode(result, type=_Decided)
    move = None if decoded.move is None else decoded.move.move()
    return Decision(decoded.huff, move, decoded.score, decoded.offer_draw)


def analysis_of(result: bytes) -> Analysis:
    """Decode a result, possibly partial, of `Analyse`."""
    decoded = msgspec.msgpack.decode(result, type=_Analysed)
    best, *others = (
        Variation(line.score, tuple(move.move() for move in line.pv)) for line in decoded.lines
    )
    return Analysis(
        best.move, best.score, decoded.depth, decoded.nodes, decoded.seconds, best.pv, tuple(others)
    )
