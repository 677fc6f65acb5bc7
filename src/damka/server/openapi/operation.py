"""What an operation of the public API is: the record of which the descriptions are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

__all__ = ["ANY_SCOPE", "Content", "Operation", "Tag"]

Tag = Literal["account", "games", "playing", "streams", "analysis", "events", "rules", "server"]

ANY_SCOPE: Final = "any"
"""The scope of what every token may be used for."""


@dataclass(frozen=True, slots=True)
class Content:
    """A body: its media type, the type of its JSON, or of one line of it, and an example."""

    type: Any = None
    """None for a body that is no JSON."""
    media_type: str = "application/json"
    example: Any = msgspec.UNSET
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One route and method of the API."""

    summary: str
    tag: Tag
    description: str = ""
    scope: str | None = None
    """The scope that a token needs, ANY_SCOPE, or None where tokens are not taken."""
    open: bool = False
    """Whether it is answered without a token, and without a cookie, too."""
    query: type[msgspec.Struct] | None = None
    body: tuple[Content, ...] = ()
    answers: Mapping[int, tuple[Content, ...]] = field(default_factory=dict)
    problems: tuple[int, ...] = ()
    """The statuses of errors, besides those that every request may be answered with."""
