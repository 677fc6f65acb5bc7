"""Searching a game or a board for the best move."""

from __future__ import annotations

import math
import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from damka import _core
from damka.board import Board
from damka.engine.weights import GENERAL, SHIPPED, WeightsFile, choose, play_of, read
from damka.move import Move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from damka.engine.clock import Clock
    from damka.game import Game
    from damka.rules import Rules
    from damka.tablebase import Tablebases

    _SearchReport: TypeAlias = tuple[int, int, float, tuple[tuple[int, tuple[Move, ...]], ...]]

__all__ = [
    "BEYOND",
    "CONTEMPT",
    "MAX_CONTEMPT",
    "MAX_THREADS",
    "WIN",
    "Analysis",
    "Engine",
    "Handicap",
    "SearchLimits",
    "Variation",
    "analysis_of",
]

CONTEMPT: Final = 2
"""The contempt of an engine that plays to win. Analysis uses none."""

WIN: Final = 30_000
"""The score of a won game; a win n plies away scores WIN - n."""

MAX_DEPTH: Final = 100
MAX_HASH_MB: Final = 65_536
MAX_CONTEMPT: Final = 20
MAX_THREADS: Final = 256
_MAX_LINES: Final = 10_000
_MAX_NODES: Final = 2**64 - 1
_NO_LIMIT: Final = math.inf
BEYOND: Final = 15_000
"""A score above every evaluation: only proved wins and tablebase wins exceed it."""
_WIN_BOUND: Final = WIN - 1_000


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SearchLimits:
    """Limits of a search: plies, nodes or seconds, whichever is reached first."""

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is not None and not 1 <= self.depth <= MAX_DEPTH:
            raise ValueError(f"depth: 1 to {MAX_DEPTH}, not {self.depth}")
        if self.nodes is not None and not 1 <= self.nodes <= _MAX_NODES:
            raise ValueError(f"nodes: 1 or more, not {self.nodes}")
        if self.seconds is not None and not self.seconds > 0:
            raise ValueError(f"seconds: more than 0, not {self.seconds}")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Handicap:
    """The blind spots of a weak player. Probabilities are per thousand.

    Overlooked captures depend only on `seed`, so a capture that is overlooked once is overlooked
    throughout the search.
    """

    seed: int = 0
    noise: int = 0
    """The maximum error of the evaluation, in hundredths of a man."""
    follow: int = 1000
    """The maximum length of a sequence of captures in qsearch."""
    overlook: int = 0
    """The probability that a capture is overlooked."""
    overlook_far: int = 0
    """Added to `overlook` when the capture starts far from the last move."""
    overlook_back: int = 0
    """Added to `overlook` when a man captures backwards."""
    overlook_chain: int = 0
    """Added to `overlook` for every captured piece after the first."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Variation:
    """A principal variation `pv`, and its score for the side to move, in hundredths of a man."""

    score: int
    pv: tuple[Move, ...]

    @property
    def move(self) -> Move | None:
        """The first move, or None."""
        return self.pv[0] if self.pv else None

    @property
    def mate(self) -> int | None:
        """Plies to a proved end of the game, as `Analysis.mate`."""
        return _mate(self.score)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Analysis:
    """The result of a search.

    `score` is in hundredths of a man for the side to move; a win in n plies scores
    WIN - n. `depth` is the last completed depth, `pv` the principal variation and `move` its
    first move, None without legal moves. `others` are the next best first moves with their
    lines, if more than one was requested.
    """

    move: Move | None
    score: int
    depth: int
    nodes: int
    seconds: float
    pv: tuple[Move, ...]
    others: tuple[Variation, ...] = ()

    @property
    def mate(self) -> int | None:
        """Plies to a proved end of the game, negative for a loss; None without a proof.

        It is also None for a tablebase win that may be too late for the counters of the draw rules,
        although its score is above `BEYOND`.
        """
        return _mate(self.score)

    @property
    def lines(self) -> tuple[Variation, ...]:
        """The best line, followed by `others`."""
        return Variation(self.score, self.pv), *self.others


def _mate(score: int) -> int | None:
    if abs(score) <= _WIN_BOUND:
        return None
    return WIN - score if score > 0 else -WIN - score


class Engine:
    """A search with a transposition table of `hash_mb` MiB (1 to 65536).

    `weights` selects the evaluation: "shipped" for the weights that come with Damka for the rules
    of the game, with the general evaluation as the fallback; "general" for the general
    evaluation always; or a file written by `damka train`, for rules on the same board (WeightsError
    for others, or if it is damaged).

    An engine does one search at a time; threads that share one wait for each other. Its
    transposition table serves later searches of the same game, and makes their results depend on
    the earlier ones: `clear()` empties it. With `threads` (1 to 256) above 1 the search is parallel
    and not reproducible.

    It probes the endgame tablebases in the folder `tablebases`, if there are any for the rules.
    `damka tablebase build` writes them to `damka.tablebase.default_folder()`.

    >>> from damka.engine import Engine
    >>> from damka import Board
    >>> with Engine(hash_mb=1) as engine:
    ...     engine.search(Board("american", "W:W22:B3,18"), depth=4).move
    Move(22, 15, captures=(18,))

    As a context manager it frees its memory at the end of the block, like `close`.
    """

    def __init__(
        self,
        hash_mb: int = 64,
        threads: int = 1,
        *,
        weights: str | Path | WeightsFile = SHIPPED,
        tablebases: Path | str | None = None,
    ) -> None:
        for name, value in (("hash_mb", hash_mb), ("threads", threads)):
            if not hasattr(value, "__index__"):
                hint = "; the rules are those of the board" if name == "hash_mb" else ""
                raise TypeError(f"{name}: an int, not {repr(value)[:60]}{hint}")
        if not 1 <= hash_mb <= MAX_HASH_MB:
            raise ValueError(f"hash_mb: 1 to {MAX_HASH_MB}, not {hash_mb}")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads: 1 to {MAX_THREADS}, not {threads}")
        self._native: _core.Engine | None = _core.Engine(hash_mb << 20, threads)
        self._lock = threading.RLock()
        self._busy = False
        self._process = os.getpid()
        self._folder = tablebases
        self._tables: dict[Path, Tablebases | None] = {}  # by the rules' folder
        if not isinstance(weights, WeightsFile) and weights not in {SHIPPED, GENERAL}:
            weights = read(Path(weights))
        self._weights_choice = weights
        self._weights: dict[object, _core.Weights | None] = {}

    def clear(self) -> None:
        """Empty the transposition table, after any search in another thread.

        Raises RuntimeError as `search` does.
        """
        with self._exclusive() as native:
            native.clear()

    def close(self) -> None:
        """Free the transposition table and close the tablebases, after any running search.

        The engine cannot search afterwards; closing it again does nothing. Raises RuntimeError if
        called from the engine's own `on_info`.
        """
        if self._native is None:
            return
        with self._exclusive():
            self._native = None
            for tables in self._tables.values():
                if tables is not None:
                    tables.close()
            self._tables.clear()
            self._weights.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _exclusive(self) -> Iterator[_core.Engine]:
        """Wait for other threads; raise RuntimeError if it is closed or the wait would not end."""
        if self._process != os.getpid():
            if self._busy:
                # The searching thread is in the parent process, and the lock is never released.
                raise RuntimeError(
                    "this process was forked during a search of the engine: create another one"
                )
            self._process = os.getpid()
        with self._lock:
            if self._busy:
                raise RuntimeError("the engine is searching: on_info must not use it")
            if self._native is None:
                raise RuntimeError("the engine is closed: create another one")
            self._busy = True
            try:
                yield self._native
            finally:
                self._busy = False

    def _weights_for(self, rules: Rules) -> _core.Weights | None:
        play = play_of(rules)
        if play not in self._weights:
            self._weights[play] = choose(rules, self._weights_choice)
        return self._weights[play]

    def search(  # noqa: PLR0913  every setting is one optional keyword
        self,
        game: Game | Board,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Clock | None = None,
        stop: _core.Stop | None = None,
        on_info: Callable[[Analysis], object] | None = None,
        moves: Iterable[Move] | None = None,
        handicap: Handicap | None = None,
        multi_pv: int = 1,
        contempt: int = 0,
        tables: bool = True,
    ) -> Analysis:
        """Return the best move found when a limit is reached or `stop` is set.

        At least one of `depth` (plies), `nodes`, `seconds`, `clock` and `stop` is required. With a
        clock, an easy choice takes less time than a hard one. To ponder on the opponent's time,
        search with only `stop`, and call `stop.give(*clock.budget())` after the expected move was
        played.

        `multi_pv` is the number of best first moves to report, each with its line. `on_info` is
        called with the analysis after every depth; an exception it raises ends the search and is
        raised here. `moves` are the moves to choose from: legal moves or, for a player who breaks
        the obligation to capture in a huffing game, quiet moves; None for all legal moves. The
        moves already played on the board count for the draw rules.

        `contempt` (0 to 20) keeps pieces on the board: each remaining piece adds this many
        hundredths of a man, a draw is accepted only if the score is worse than that, and play
        continues in a better ending that is a tablebase draw. `CONTEMPT` is the value for playing
        to win. Reported scores exclude it. It has no effect if the objective is to lose or to reach
        the last row. With `tables` False, no tablebases are probed.

        In huffing games the search assumes that both sides obey the obligation to capture;
        `damka.engine.levels.choose` decides whether to huff.

        The search releases the GIL: other threads run, and Ctrl-C raises KeyboardInterrupt.

        Raises ValueError without a limit or for one out of range, WeightsError if custom weights
        are for another board, and RuntimeError if the engine is closed, if its own `on_info` calls
        this, or in a process that was forked during a search of this engine.
        """
        limits = SearchLimits(depth, nodes, seconds)
        if depth is None and nodes is None and seconds is None and clock is None and stop is None:
            raise ValueError("a search needs a limit: depth, nodes, seconds, clock or stop")
        if not 1 <= multi_pv <= _MAX_LINES:
            raise ValueError(f"multi_pv: 1 to {_MAX_LINES}, not {multi_pv}")
        target = limit = _NO_LIMIT
        if clock is not None:
            target, limit = clock.budget()
        if not 0 <= contempt <= MAX_CONTEMPT:
            raise ValueError(f"contempt: 0 to {MAX_CONTEMPT}, not {contempt}")
        board = game if isinstance(game, Board) else game.board
        with self._exclusive() as native:
            report = native.search(
                board,
                choices=None if moves is None else tuple(moves),
                depth=limits.depth or MAX_DEPTH,
                nodes=limits.nodes or _MAX_NODES,
                seconds=min(limits.seconds or _NO_LIMIT, limit),
                target=target,
                lines=multi_pv,
                handicap=handicap,
                contempt=contempt,
                tables=self._tables_for(board.rules) if tables else None,
                stop=stop,
                on_depth=None if on_info is None else lambda report: on_info(analysis_of(report)),
                weights=self._weights_for(board.rules),
            )
        return analysis_of(report)

    def _tables_for(self, rules: Rules) -> _core.Tables | None:
        """Return the tablebases for these rules, opened once and cached."""
        if self._folder is None:
            return None
        from damka.tablebase import find, folder_of  # noqa: PLC0415  loaded on first use

        folder = folder_of(rules, Path(self._folder))
        if folder not in self._tables:
            self._tables[folder] = find(rules, self._folder)
        tables = self._tables[folder]
        return None if tables is None else tables.native


def analysis_of(report: _SearchReport) -> Analysis:
    """Convert the kernel's report of a search to an `Analysis`."""
    depth, nodes, seconds, lines = report
    (score, line), *variations = lines
    return Analysis(
        line[0] if line else None,
        score,
        depth,
        nodes,
        seconds,
        line,
        tuple(Variation(*variation) for variation in variations),
    )
