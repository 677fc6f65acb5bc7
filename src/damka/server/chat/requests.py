"""Types of chat requests."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from damka.server.chat.rooms import Room

__all__ = ["Post"]


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A preset or text message for the room shown on the page."""

    room: Room
    preset: Annotated[str, Meta(max_length=16)] | None = None
    text: str | None = None
