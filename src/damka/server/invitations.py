"""Invitations to a game: codes, limits and QR codes."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import segno

from damka.errors import DamkaError, PositionTooComplexError
from damka.live import codes
from damka.live.events import Event
from damka.live.problems import Problem, Refused
from damka.rules import Side, other
from damka.server.fault_log import log_fault
from damka.server.limits import Bucket, Buckets
from damka.server.store import ConflictError, SeatChange

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.server.game_sessions import GameSessions
    from damka.server.settings import Limits

__all__ = ["Change", "Invitations", "free_seat_event", "normalise", "qr_code"]

log: Final = logging.getLogger(__name__)

Change = tuple[Event, SeatChange | None]

_SHORT_LENGTH: Final = 4
"""Length of the codes of earlier versions, which expire within a week."""
_MAX_ATTEMPTS: Final = 20
SWEEP_SECONDS: Final = 600.0
"""Interval of the search for expired invitations."""
_BATCH_SIZE: Final = 500
_DAY: Final = 24 * 3600


class Invitations:
    """Invitations of one server, by code."""

    def __init__(self, sessions: GameSessions, limits: Limits) -> None:
        self._sessions: Final = sessions
        self._limits: Final = limits
        self._invitations: Final = Buckets(
            limits.invite_burst, limits.invite_rate, limits.addresses
        )
        self._sweep_task: asyncio.Task[None] | None = None
        self._guesses: Final = Buckets(limits.guess_burst, limits.guess_rate, limits.addresses)
        self._short_codes: Final = Bucket(limits.short_codes, limits.short_codes / _DAY)

    async def find(self, code: str, address: str) -> str:
        """Return the id of the game that a code invites to.

        Raises Problem for an unknown code, with status 429 if the address has tried too many. A
        valid code of full length works even then.
        """
        normalised = codes.normalise(code)
        if len(normalised) == codes.LENGTH:
            stored = normalised[: codes.STORED]
            game = await self._sessions.database.read(lambda store: store.invited(stored))
            if game is not None and codes.are_equal(codes.full_code(stored, game), normalised):
                return game
        elif (
            len(normalised) == _SHORT_LENGTH
            and self._short_codes.has_token()
            and self._guesses.has_token(address)
        ):
            game = await self._sessions.database.read(lambda store: store.invited(normalised))
            if game is not None:
                return game
            self._short_codes.take()
        if not self._guesses.take(address):
            raise Problem(429, "too_many")
        raise Problem(404, "unknown_code")

    def limit_rate(self, address: str) -> None:
        """Count a new invitation. Raises Problem if the address has created too many."""
        if not self._invitations.take(address):
            raise Problem(429, "too_many")

    async def require_below_limit(self, holder: str) -> None:
        """Raise Problem when the holder has reached the limit of open invitations."""
        count = await self._sessions.database.read(lambda store: store.open_invitations(holder))
        if count >= self._limits.invitations_per_holder:
            raise Problem(429, "too_many_invitations")

    def start(self) -> None:
        """Start expiring invitations.

        Every process does so for the games that it serves.
        """
        self._sweep_task = asyncio.get_running_loop().create_task(self._sweep())

    async def close(self) -> None:
        """Stop expiring invitations."""
        if self._sweep_task is not None:
            self._sweep_task.cancel()
            await asyncio.gather(self._sweep_task, return_exceptions=True)

    async def _sweep(self) -> None:
        while True:
            try:
                await self.expire(datetime.now(UTC))
            except DamkaError as error:
                log_fault(log, error, "cannot expire invitations")
            await asyncio.sleep(SWEEP_SECONDS)

    async def expire(self, now: datetime) -> int:
        """Expire old invitations; return their number."""
        before = now - timedelta(seconds=self._limits.invitation_seconds)
        ids = await self._sessions.database.read(
            lambda store: store.waiting_since(before, _BATCH_SIZE)
        )
        expired = 0
        for game_id in ids:
            try:
                async with self._sessions.enter(game_id) as session:
                    if session is not None:
                        await session.change(_expire)
                        expired += 1
            except (Refused, PositionTooComplexError):
                pass  # The seat has just been taken, or another process serves the game.
            except DamkaError as error:
                log_fault(log, error, "game %s: cannot expire its invitation", game_id)
        return expired

    async def new_code(self) -> str:
        """Return a code that no open game has. Raises Problem when none is available."""

        async def require_unused(code: str) -> None:
            if await self._sessions.database.read(lambda store: store.invited(code)) is not None:
                raise ConflictError(code)

        return await self.with_code(require_unused)

    @staticmethod
    async def with_code(use: Callable[[str], Awaitable[None]]) -> str:
        """Call `use` with a code that no open game has, and return the code.

        `use` raises ConflictError when a game has the code. Raises Problem when none is available.
        """
        for _ in range(_MAX_ATTEMPTS):
            code = codes.new(codes.STORED)
            try:
                await use(code)
            except ConflictError:
                continue
            return code
        raise Problem(503, "no_codes")


def free_seat_event(live: LiveGame, side: Side) -> Change:
    """Give an open seat back to the screen at which the game began; return the event."""
    seat = live.seats[side]
    returned_seat = replace(seat, holder=live.seats[other(side)].holder)
    return live.join(seat.name or ""), SeatChange(returned_seat, expected=None)


def _expire(live: LiveGame) -> Change:
    if live.open_side is not None and live.seat_freed:
        return free_seat_event(live, live.open_side)
    return live.expire(), None


def normalise(code: str) -> str | None:
    """Format a typed code for display; None if it cannot be a code."""
    normalised = codes.normalise(code)
    return (
        codes.format_code(normalised) if len(normalised) in {_SHORT_LENGTH, codes.LENGTH} else None
    )


def qr_code(address: str) -> str:
    """Return the QR code of an address as SVG, with a white margin for scanning."""
    svg = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(svg, kind="svg", border=3, light="#fff", dark="#000", omitsize=True, xmldecl=False)
    return svg.getvalue().decode()
