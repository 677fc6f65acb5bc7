"""Invitations to a game: their codes, who may ask for them, and the picture for a camera."""

from __future__ import annotations

import io
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

import segno

from damka.live.problems import Problem
from damka.server.limits import Buckets
from damka.server.store import ConflictError

if TYPE_CHECKING:
    from damka.server.game_session import GameSessions
    from damka.server.settings import Limits

__all__ = ["Invitations", "normal", "picture"]

LETTERS: Final = "BCDFGHJKMNPQRSTVWXYZ"
"""No vowels, so that they make no words, and none that looks like a digit."""
LENGTH: Final = 4
_TRIES: Final = 20


class Invitations:
    """The open seats of a server, by their codes."""

    def __init__(self, sessions: GameSessions, limits: Limits) -> None:
        self._sessions: Final = sessions
        self._guesses: Final = Buckets(limits.guess_burst, limits.guess_rate, limits.addresses)

    async def find(self, code: str, address: str) -> str:
        """Return the id of the game to which a code invites.

        Raises Problem for a code of none, and to an address that has tried too many of those.
        """
        if not self._guesses.left(address):
            raise Problem(429, "too_many")
        wanted = normal(code)
        found = None
        if wanted is not None:
            found = await self._sessions.from_store(lambda store: store.invited(wanted))
        if found is None:
            self._guesses.take(address)
            raise Problem(404, "unknown_code")
        return found

    async def new_code(self) -> str:
        """Return a code that no open game has. Raises Problem when none is to be had."""

        async def unused(code: str) -> None:
            if await self._sessions.from_store(lambda store: store.invited(code)) is not None:
                raise ConflictError(code)

        return await self.with_code(unused)

    @staticmethod
    async def with_code(use: Callable[[str], Awaitable[None]]) -> str:
        """Do something with a code that no open game has; return it.

        `use` raises ConflictError where one has it. Raises Problem when none is to be had.
        """
        for _ in range(_TRIES):
            code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
            try:
                await use(code)
            except ConflictError:
                continue
            return code
        raise Problem(503, "no_codes")


def normal(code: str) -> str | None:
    """Return a code as it is kept, whatever way it was typed; None when it cannot be one."""
    letters = code.strip().upper().replace(" ", "").replace("-", "")
    return letters if len(letters) == LENGTH and set(letters) <= set(LETTERS) else None


def picture(address: str) -> str:
    """Return an address as a QR code: an SVG with a white margin, to be read from a screen."""
    written = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(
        written, kind="svg", border=3, light="#fff", dark="#000", omitsize=True, xmldecl=False
    )
    return written.getvalue().decode()
