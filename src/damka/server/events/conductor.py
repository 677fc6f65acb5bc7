"""Automatic progress of events: pairs rounds and arena waves, begins games, records results.

One process does this for the whole cluster. It polls the state in the database, so work that a
killed server left unfinished is completed by the next one. A game's round, board and id are stored
before the game is created, so no game is created twice.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from damka import Rules, rules
from damka.errors import DamkaError
from damka.live import setup
from damka.live.clock import ClockSettings, Speed
from damka.live.events import Aborted
from damka.live.problems import Problem
from damka.rules import Side
from damka.server import games, ratings
from damka.server.events import changes, rows
from damka.server.events.service import ChangeLogEntry, Events
from damka.server.events.values import ARENA, Entrant, EventState, StoredEvent
from damka.server.fault_log import log_fault
from damka.server.security import hashed, new_seat
from damka.server.store import ConflictError
from damka.tournament import Outcome

if TYPE_CHECKING:
    from damka.server.accounts import Accounts
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions

__all__ = ["Conductor", "outcome_of"]

log: Final = logging.getLogger(__name__)

TASK: Final = "events"
WAVE_SECONDS: Final = 3.0
"""Interval between two waves of an arena."""
_POLL_SECONDS: Final = 0.4
_IDLE_POLL_SECONDS: Final = 3.0
"""Seconds between two polls, while an event runs and while none does."""
_QUIET_POLL_SECONDS: Final = 15.0
"""Seconds between two polls of an event in which nothing happens."""
_FIRST_MOVE: Final[dict[Speed, int]] = {
    "ultrabullet": 11,
    "bullet": 16,
    "blitz": 21,
    "rapid": 25,
    "classical": 30,
}
"""Seconds for the first move in an arena."""
_ROUND_FIRST_MOVE: Final = 300
"""Seconds for the first move in a round, where players have to find their boards."""


class Conductor:
    """Runs the events of a server."""

    def __init__(
        self, events: Events, sessions: GameSessions, accounts: Accounts, cluster: Cluster
    ) -> None:
        self._events: Final = events
        self._sessions: Final = sessions
        self._accounts: Final = accounts
        self._cluster: Final = cluster
        self._task: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._waves: Final[dict[str, float]] = {}
        self._polled: Final[dict[str, tuple[int, float]]] = {}
        """Last seen version of each event, and the time of its next poll."""
        self._stored_games: Final[dict[str, set[tuple[int, int]]]] = {}
        """Games known to be stored, by event."""

    def start(self) -> None:
        """Start the task."""
        self._events.changed = self.wake
        self._task = asyncio.get_running_loop().create_task(self._run())

    def wake(self) -> None:
        """Poll the events at once."""
        self._wake.set()

    async def close(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            running = 0
            try:
                if await self._cluster.leads(TASK):
                    running = await self._poll()
                else:
                    # Another process leads, so the caches may become stale.
                    self._stored_games.clear()
                    self._polled.clear()
            except Exception as error:
                # The loop must survive an error; the next poll may succeed.
                log_fault(log, error, "cannot check the tournaments")
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS if running else _IDLE_POLL_SECONDS):
                    await self._wake.wait()

    async def _poll(self) -> int:
        """Process all events that are due; return the number of running events."""
        now = datetime.now(UTC)
        versions, ended = await self._events.read(
            lambda c: (rows.unfinished(c, now), rows.with_new_results(c))
        )
        for event_id in self._polled.keys() - versions.keys():
            del self._polled[event_id]
            self._stored_games.pop(event_id, None)
            self._waves.pop(event_id, None)
        for event_id, version in versions.items():
            last_version, next_poll = self._polled.get(event_id, (0, 0.0))
            if version == last_version and event_id not in ended and time.monotonic() < next_poll:
                continue
            try:
                stored = await self._conduct(event_id, now)
                self._polled[event_id] = (stored.version, self._next_poll(stored, now))
            except DamkaError as error:
                # The other events continue; this one is retried.
                log_fault(log, error, "tournament %s: cannot continue for now", event_id)
                self._polled.pop(event_id, None)
        return len(versions)

    def _next_poll(self, stored: StoredEvent, now: datetime) -> float:
        """Return when to poll an event again if it does not change earlier."""
        state = stored.state
        due = [_QUIET_POLL_SECONDS]
        if state.status == "running" and not state.paused:
            if state.arena is not None:
                due.append(self._waves.get(stored.id, 0) - time.monotonic())
            moments = (state.ends, state.next_at)
            due += [(each - now).total_seconds() for each in moments if each is not None]
        return time.monotonic() + min(due)

    async def _conduct(self, event_id: str, now: datetime) -> StoredEvent:
        stored = await self._events.get(event_id)
        if stored.state.status == "soon":
            starts = stored.state.setup.starts
            if starts is None or now < starts:
                return stored
            stored = await self._start(stored, now)
        if stored.state.status != "running":
            return stored
        stored = await self.record_results(stored)
        advanced = changes.advance(stored.state, now)
        if advanced is not stored.state:
            log_record = ChangeLogEntry("", "over") if advanced.status == "over" else None
            stored = await self._events.change(
                event_id, lambda state: changes.advance(state, now), log_record
            )
        if stored.state.status == "running" and not stored.state.paused:
            stored = await self._pair(stored, now)
        await self._begin_games(stored)
        return stored

    async def _start(self, stored: StoredEvent, now: datetime) -> StoredEvent:
        """Start an event at its scheduled time; with too few players it waits for more."""
        if len(stored.state.entrants) < 2:
            return stored
        return await self._events.change(
            stored.id, lambda state: changes.start(state, now), ChangeLogEntry("", "started")
        )

    # Results

    async def record_results(self, stored: StoredEvent) -> StoredEvent:
        """Record the results of finished games; any process may do so."""
        ended = await self._events.read(lambda c: rows.new_results(c, stored.id))
        for each in ended:
            absent = None
            if each.reason == "aborted":
                absent = await self._aborted_by(each.game_id)
            outcome = outcome_of(each.winner, each.reason, absent)

            def record(
                state: EventState,
                number: int = each.round,
                board: int = each.board,
                outcome: Outcome = outcome,
            ) -> EventState:
                return changes.record(state, number, board, outcome)

            place = (each.round, each.board)
            stored = await self._events.change(stored.id, record, over=(place,))
        return stored

    async def _aborted_by(self, game_id: str) -> Side | None:
        stored = await self._sessions.database.read(lambda store: store.load(game_id))
        last = stored.events[-1] if stored is not None and stored.events else None
        return last.side if isinstance(last, Aborted) else None

    # Pairing

    async def _pair(self, stored: StoredEvent, now: datetime) -> StoredEvent:
        state = stored.state
        if state.arena is not None:
            return await self._wave(stored, now)
        if state.setup.pace != "auto" or state.tournament is None:
            return stored
        if state.begun < state.round:
            return await self._events.change(
                stored.id, changes.begin_round, ChangeLogEntry("", "begun", {"round": state.round})
            )
        if state.next_at is None or now < state.next_at:
            return stored

        def pair(before: EventState) -> EventState:
            if before.round != state.round:
                return before
            paired = changes.pair_round(before, now)
            return changes.begin_round(paired) if paired.status == "running" else paired

        log_record = ChangeLogEntry("", "begun", {"round": state.round + 1})
        if len(state.tournament.active) < 2:
            log_record = ChangeLogEntry("", "over")
        try:
            return await self._events.change(stored.id, pair, log_record)
        except Problem as problem:
            if problem.code != "event_refused":
                raise
            # An arbiter has to resolve it, or end the event.
            trouble = problem.detail or problem.code
            return await self._events.change(
                stored.id,
                lambda before: changes.with_trouble(before, trouble, pause=True),
                ChangeLogEntry("", "trouble"),
            )

    async def _wave(self, stored: StoredEvent, now: datetime) -> StoredEvent:
        state = stored.state
        if state.ends is None or now >= state.ends:
            return stored
        if time.monotonic() < self._waves.get(stored.id, 0):
            return stored
        self._waves[stored.id] = time.monotonic() + WAVE_SECONDS
        if state.arena is None or len(state.arena.waiting) < 2:
            return stored
        seed = int(now.timestamp())
        return await self._events.change(stored.id, lambda before: changes.wave(before, seed))

    # Games

    async def _begin_games(self, stored: StoredEvent) -> None:
        """Create the games that have begun and are not stored."""
        if stored.state.setup.play == "hand":
            return
        due = _due_games(stored.state)
        stored_games = self._stored_games.setdefault(stored.id, set())
        if due.keys() <= stored_games:
            return
        written = await self._events.read(lambda c: rows.written_games(c, stored.id))
        new = [(*place, setup.new_id()) for place in due.keys() - written.keys()]
        if new:
            # Fails and is retried when another process wrote them first.
            await self._events.write(lambda c: rows.write_games(c, stored.id, sorted(new)))
            written |= {(number, board): game_id for number, board, game_id in new}
        unstored = {written[place]: place for place in due.keys() - stored_games}
        missing = await self._events.read(lambda c: rows.missing_games(c, unstored.keys()))
        rule_set = await asyncio.to_thread(rules.from_dict, dict(stored.state.setup.rules))
        for game_id, place in sorted(unstored.items(), key=lambda each: each[1]):
            if game_id in missing:
                await self._create_game(stored.state, rule_set, game_id, due[place])
            stored_games.add(place)
        if missing:
            await self._events.notify(stored.id)

    async def _create_game(
        self, state: EventState, rule_set: Rules, game_id: str, players: tuple[Entrant, Entrant]
    ) -> None:
        white, black = players
        clock = first_move(state)
        holders = (white.holder, black.holder)
        if state.setup.play == "table":
            # One device enters the moves of both sides: initially a player's, until another device
            # takes over.
            holder = next((each.holder for each in players if each.device), hashed(new_seat()))
            holders, clock = (holder, holder), None
        game_setup = await asyncio.to_thread(
            setup.assigned,
            rule_set,
            (holders[0], white.name),
            (holders[1], black.name),
            clock=clock,
            game_id=game_id,
        )
        if clock is not None or state.setup.play == "online":
            game_setup = dataclasses.replace(
                game_setup, no_draw_before=state.setup.no_draw_before or None
            )
        if state.setup.rated and clock is not None and white.member and black.member:
            with suppress(Problem):  # a player's account was closed: the game is unrated
                rated = dataclasses.replace(game_setup, rated=True)
                game_setup = await ratings.with_ratings(self._accounts, rated)
        with suppress(ConflictError):  # another process created it
            await games.store(self._sessions, game_setup)
        if clock is not None:
            # Its clock runs from now on, even if no player appears.
            async with self._sessions.enter(game_id) as session:
                if session is not None:
                    await session.check_clock()


def first_move(state: EventState) -> ClockSettings | None:
    """Return the clock of an event's games, with the time limit for the first move."""
    clock = state.setup.clock
    if clock is None or clock.kind == "days":
        return clock
    seconds = _FIRST_MOVE[clock.speed] if state.is_arena else _ROUND_FIRST_MOVE
    return ClockSettings(clock.kind, clock.seconds, clock.increment, seconds)


def outcome_of(winner: Side | None, reason: str, absent: Side | None) -> Outcome:
    """Convert the end of a game; an aborted one is forfeited by the `absent` side, or by both."""
    if reason == "aborted":
        if absent is None:
            return Outcome.DOUBLE_FORFEIT
        return Outcome.BLACK_BY_FORFEIT if absent == "W" else Outcome.WHITE_BY_FORFEIT
    if winner is None:
        return Outcome.DRAW
    return Outcome.WHITE if winner == "W" else Outcome.BLACK


def _due_games(state: EventState) -> dict[tuple[int, int], tuple[Entrant, Entrant]]:
    """Return the unfinished games that have begun, with their players, White first."""
    games: dict[tuple[int, int], tuple[Entrant, Entrant]] = {}
    entrants = {each.id: each for each in state.entrants}
    if state.arena is not None:
        for place, game in enumerate(state.arena.games):
            if game.outcome is None:
                games[ARENA, place] = (entrants[game.white], entrants[game.black])
    elif state.current is not None and state.begun == state.round:
        for board, pairing in enumerate(state.current.pairings, 1):
            if not pairing.over:
                games[state.round, board] = (entrants[pairing.white], entrants[pairing.black])
    return games
