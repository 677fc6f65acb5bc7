"""Hub protocol service: reads lines, searches in a thread, and writes lines."""

from __future__ import annotations

import threading
from typing import IO, TYPE_CHECKING, Final, TypeVar

from damka import _core
from damka.board import Board
from damka.engine.hub import line, session
from damka.engine.protocol_moves import distinct_moves
from damka.engine.search import MAX_DEPTH, Analysis, Engine
from damka.errors import DamkaError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Service", "serve"]

Result = TypeVar("Result")

# With a single legal move, a short search finds an expected reply to ponder.
_FORCED_DEPTH: Final = 6


class Service:
    """Serves one Hub client: a session, an engine and a search thread."""

    def __init__(
        self,
        rules: Rules,
        output: IO[str],
        setup: session.Setup = session.SETUP,
        tablebases: Path | None = None,
    ) -> None:
        self._session: Final = session.Session(rules, setup)
        self._output: Final = output
        self._lock: Final = threading.RLock()
        self._quit = False
        self._setup = setup
        self._tablebases: Final = tablebases
        self._engine: Engine | None = None
        self._stop = _core.Stop()
        self._forced = False
        self._thread: threading.Thread | None = None

    def receive(self, text: str) -> bool:
        """Handle a line; return False when the conversation is over.

        If the line interrupts a search, this waits until the search has ended.
        """
        self._interrupt_search(text)
        with self._lock:
            effects = self._session.receive(text)
            for effect in effects:
                try:
                    self._perform(effect)
                except MemoryError:
                    self._write(
                        line.write("error", message="not enough memory; try a smaller hash")
                    )
                    break  # not ready
            return not self._quit

    def _interrupt_search(self, text: str) -> None:
        """Stop the search if the line interrupts it, and wait until its move is written."""
        with self._lock:
            if not self._session.interrupts(text):
                return
            self._stop.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def report_error(self, message: str) -> None:
        """Report invalid input as an error line."""
        with self._lock:
            self._write(line.write("error", message=message))

    def close(self) -> None:
        """Stop the search and wait for its thread; no further line is written."""
        with self._lock:
            self._quit = True
            self._stop.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _perform(self, effect: session.Effect) -> None:
        match effect:
            case session.WriteLine(text):
                self._write(text)
            case session.Search():
                self._start_search(effect)
            case session.PonderHit(level):
                budget = level.budget()
                if self._forced:
                    self._stop.set()
                elif budget is not None:
                    self._stop.give(*budget)
            case session.Stop():
                self._stop.set()
            case session.ClearHash():
                if self._engine is not None:
                    self._engine.clear()
            case session.Setup():
                if self._engine is None or effect != self._setup:
                    self._engine = self._new_engine(effect)
                    self._setup = effect
                # Load the weights and tablebases now, before the clock runs.
                self._engine.search(Board(self._session.rules), depth=1)
            case session.Quit():
                self._quit = True

    def _new_engine(self, setup: session.Setup) -> Engine:
        return Engine(setup.hash_mb, setup.threads, tablebases=self._tablebases)

    def _start_search(self, search: session.Search) -> None:
        if self._engine is None:
            self._engine = self._new_engine(self._setup)
        self._stop = _core.Stop()
        try:
            choices = distinct_moves(search.board)
        except DamkaError as error:
            self._write(self._session.failed(error))
            return
        self._forced = len(choices) == 1
        self._thread = threading.Thread(
            target=self._search, args=(search, choices, self._engine, self._stop), daemon=True
        )
        self._thread.start()

    def _search(
        self, search: session.Search, choices: list[Move], engine: Engine, stop: _core.Stop
    ) -> None:
        level, board = search.level, search.board
        is_move, has_clock = search.mode == "think", search.mode != "ponder"
        depth = level.depth or MAX_DEPTH
        try:
            analysis = engine.search(
                board,
                depth=min(depth, _FORCED_DEPTH) if is_move and len(choices) == 1 else depth,
                nodes=level.nodes,
                seconds=level.seconds() if has_clock else None,
                clock=level.clock() if has_clock else None,
                moves=choices,
                stop=stop,
                on_info=self._write_info,
                contempt=0 if search.mode == "analyze" else self._setup.contempt,
            )
        except Exception as error:
            self._finish_search(self._session.failed, error)
            raise
        self._finish_search(self._session.done, analysis)

    def _finish_search(self, line_of: Callable[[Result], str], result: Result) -> None:
        with self._lock:
            self._write(line_of(result))

    def _write_info(self, analysis: Analysis) -> None:
        with self._lock:
            self._write(self._session.info(analysis))

    def _write(self, text: str) -> None:
        if self._quit:
            return
        try:
            self._output.write(text + "\n")
            self._output.flush()
        except OSError:
            # The client has closed the pipe.
            self._quit = True
            self._stop.set()


def serve(
    rules: Rules,
    lines: IO[bytes],
    output: IO[str],
    setup: session.Setup = session.SETUP,
    tablebases: Path | None = None,
) -> None:
    """Serve until `quit` or the end of `lines`; the answer to an overlong line is an error."""
    service = Service(rules, output, setup, tablebases)
    try:
        while text := lines.readline(line.MAX_LENGTH + 1):
            if len(text) > line.MAX_LENGTH and not text.endswith(b"\n"):
                while (remainder := lines.readline(line.MAX_LENGTH)) and not remainder.endswith(
                    b"\n"
                ):
                    pass
                service.report_error(f"the line is longer than {line.MAX_LENGTH} characters")
            elif not service.receive(text.decode("utf-8", "replace").rstrip("\r\n")):
                return
    finally:
        service.close()
