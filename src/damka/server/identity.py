"""Who sends a request, as the routes of pages and of the API find it.

`identify` is a dependency of every router: it asks the database once, and the routes ask
`identity_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request

from damka.server.accounts import GUEST, Identity

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["identify", "identity_of"]


async def identify(request: Request) -> None:
    """Find out who sends a request."""
    app_state: AppState = request.app.state.damka
    request.state.identity = await app_state.accounts.identify(request.cookies)


def identity_of(request: Request) -> Identity:
    """Return who sends a request; a guest where nobody has asked yet."""
    identity: Identity = getattr(request.state, "identity", GUEST)
    return identity
