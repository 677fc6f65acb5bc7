"""Request parsing for the routes of events: the event, the visitor and the form fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastapi import Request

from damka.live import codes
from damka.live.problems import Problem
from damka.server.accounts.http.request import form_of, redirect, text_field
from damka.server.api import app_state_of
from damka.server.identity import identity_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.server.accounts import Account
    from damka.server.events.service import Events
    from damka.server.events.values import Entrant, StoredEvent

__all__ = [
    "Visitor",
    "arbiter_of",
    "code_field",
    "events_of",
    "form_of",
    "number_field",
    "redirect",
    "text_field",
    "visitor_of",
]


class Visitor(NamedTuple):
    """The sender of a request about an event."""

    holder: str | None
    account: Account | None
    entrant: Entrant | None
    """The visitor's entry as a player, if any."""
    arbiter: str | None
    """The visitor's name as an arbiter; None for a visitor who is not an arbiter."""


def events_of(request: Request) -> Events:
    """Return the events of the server."""
    return app_state_of(request).events


def visitor_of(request: Request, stored: StoredEvent) -> Visitor:
    """Return the visitor of an event."""
    identity = identity_of(request)
    state, account = stored.state, identity.account
    own_entry = state.arbiter_of(identity.holder)
    arbiter = None if own_entry is None else own_entry.name
    if arbiter is None and account is not None and account.is_arbiter:
        arbiter = account.name
    entrant = state.entrant_of(identity.holder)
    return Visitor(identity.holder, account, entrant, arbiter)


def arbiter_of(request: Request, stored: StoredEvent) -> str:
    """Return the name of the requesting arbiter. Raises Problem for other visitors."""
    arbiter = visitor_of(request, stored).arbiter
    if arbiter is None:
        raise Problem(403, "event_arbiter")
    return arbiter


def number_field(form: Mapping[str, str], field: str, minimum: int, maximum: int) -> int:
    """Parse an integer field. Raises Problem when it is missing or out of range."""
    text = form.get(field, "").strip()
    if (
        not text.isascii()
        or not text.isdigit()
        or len(text) > 9
        or not minimum <= int(text) <= maximum
    ):
        raise Problem(422, "bad_field", where=field)
    return int(text)


def code_field(form: Mapping[str, str], field: str = "code") -> str:
    """Normalise a typed code; "" when it cannot be a code."""
    return codes.normalise(form.get(field, ""))
