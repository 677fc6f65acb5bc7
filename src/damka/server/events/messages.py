"""What a page that shows an event and the server tell each other, as the descriptions have it."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Changed", "FromPage", "Ping", "Pong", "ToPage"]


class Changed(msgspec.Struct, frozen=True, tag_field="t", tag="event"):
    """Something has changed: the event itself when there is a `version`, and some boards."""

    version: int | None
    boards: dict[str, Any]
    """The boards that have changed, by the ids of their games."""


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """The server is there."""


class Ping(msgspec.Struct, frozen=True, tag_field="t", tag="ping"):
    """Is the server there?"""


FromPage = Ping
ToPage = Changed | Pong
