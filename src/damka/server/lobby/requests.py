"""Types of lobby requests."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from damka.live.clock import ClockSettings

__all__ = ["NewChallenge", "Seeking"]


class Seeking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Join the pool, to be paired with a player who wants the same game."""

    rules: Annotated[str, Meta(max_length=64)]
    clock: ClockSettings | None = None
    rated: bool = False


class NewChallenge(Seeking, frozen=True, forbid_unknown_fields=True):
    """Create a challenge that anyone may accept."""

    colour: Literal["lot", "first", "second"] = "lot"
