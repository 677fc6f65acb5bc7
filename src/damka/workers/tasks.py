"""The tasks of a worker and their results, as messages.

A game travels to the worker as a pickle, for the server is trusted; results come back as plain
data, for a worker handles positions that come from outside.
"""

from __future__ import annotations

import hashlib
import pickle
import random
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

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
    "encoded",
    "events_of",
    "key_of",
    "packed",
    "perform",
]


class Equipment(msgspec.Struct, frozen=True, kw_only=True, tag="equipment", weakref=True):
    """What a worker is started with."""

    hash_mb: int
    tablebases: str | None = None
    memory_mb: int = 0
    """The most memory it may allocate, its transposition table included; 0 for any amount."""

    def engine(self) -> Engine:
        """Return an engine of these settings."""
        tablebases = None if self.tablebases is None else Path(self.tablebases)
        return Engine(hash_mb=self.hash_mb, tablebases=tablebases)


class Decide(msgspec.Struct, frozen=True, tag="decide", weakref=True):
    """What does the computer do? The result is its entries for the game's log."""

    game: bytes
    side: Side
    level: int
    about_draw: bool
    may_offer_draw: bool
    seed: int


class Advise(msgspec.Struct, frozen=True, tag="advise", weakref=True):
    """What does a level decide? The result is `Decided`."""

    game: bytes
    level: int
    seed: int


class Analyse(msgspec.Struct, frozen=True, tag="analyse", weakref=True):
    """What are the best lines? The result is an analysis, and so is what is told meanwhile."""

    game: bytes
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    lines: int = 1


Task = Decide | Advise | Analyse


class _Played(msgspec.Struct, frozen=True, array_like=True):
    """A move."""

    start: int
    end: int
    captures: tuple[int, ...]
    route: tuple[int, ...]
    crowns: bool
    is_king: bool

    @classmethod
    def of(cls, move: Move) -> _Played:
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
    move: _Played | None
    score: int | None
    offer_draw: bool


class _Line(msgspec.Struct, frozen=True, array_like=True):
    """A `Variation`."""

    score: int
    pv: tuple[_Played, ...]


class _Analysed(msgspec.Struct, frozen=True, array_like=True):
    """An `Analysis`."""

    depth: int
    nodes: int
    seconds: float
    lines: tuple[_Line, ...]


_encoder: Final = msgspec.msgpack.Encoder()
_tasks: Final = msgspec.msgpack.Decoder(Task)


def packed(game: Game) -> bytes:
    """Return a game as it travels to a worker."""
    return pickle.dumps(game, protocol=pickle.HIGHEST_PROTOCOL)


def encoded(task: Task) -> bytes:
    """Return a task as it travels to a worker."""
    return _encoder.encode(task)


def key_of(game: Game, *what: object) -> bytes:
    """Return the same key for the same question about games in which the same has happened."""
    asked = msgspec.json.encode((game.rules.to_dict(), game.start_fen, game.events, what))
    return hashlib.sha256(asked).digest()


def perform(task: bytes, engine: Engine, stop: Stop, told: Callable[[bytes], object]) -> bytes:
    """Carry out a task; `told` gets what an analysis has found so far.

    Raises PositionTooComplexError and whatever else the search raises.
    """
    asked: Task = _tasks.decode(task)
    game: Game = pickle.loads(asked.game)  # noqa: S301  the server has made it
    match asked:
        case Decide(_, side, level, about_draw, may_offer_draw, seed):
            request = SearchRequest(game, side, level, about_draw, may_offer_draw)
            return _encoder.encode(decide(engine, request, random.Random(seed), stop))
        case Advise(_, level, seed):
            found = levels.choose(engine, game, level, random.Random(seed), stop=stop)
            move = None if found.move is None else _Played.of(found.move)
            return _encoder.encode(_Decided(found.huff, move, found.score, found.offer_draw))
        case Analyse(_, depth, nodes, seconds, lines):
            analysis = engine.search(
                game,
                depth=depth,
                nodes=nodes,
                seconds=seconds,
                stop=stop,
                multi_pv=lines,
                on_info=lambda far: told(_encoder.encode(_analysed(far))),
            )
            return _encoder.encode(_analysed(analysis))


def _analysed(analysis: Analysis) -> _Analysed:
    lines = tuple(_Line(v.score, tuple(map(_Played.of, v.pv))) for v in analysis.lines)
    return _Analysed(analysis.depth, analysis.nodes, analysis.seconds, lines)


def events_of(result: bytes) -> tuple[Event, ...]:
    """Return the entries for the log that `Decide` gives."""
    events: tuple[Event, ...] = msgspec.msgpack.decode(result, type=tuple[Event, ...])
    return events


def decision_of(result: bytes) -> Decision:
    """Return the decision that `Advise` gives."""
    told = msgspec.msgpack.decode(result, type=_Decided)
    move = None if told.move is None else told.move.move()
    return Decision(told.huff, move, told.score, told.offer_draw)


def analysis_of(result: bytes) -> Analysis:
    """Return the analysis that `Analyse` gives, or has given so far."""
    told = msgspec.msgpack.decode(result, type=_Analysed)
    best, *others = (
        Variation(line.score, tuple(move.move() for move in line.pv)) for line in told.lines
    )
    return Analysis(
        best.move, best.score, told.depth, told.nodes, told.seconds, best.pv, tuple(others)
    )
