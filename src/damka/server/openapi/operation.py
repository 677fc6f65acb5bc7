"""Operation of the public API: the record from which the descriptions are generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

__all__ = ["ANY_SCOPE", "Content", "Operation", "Tag"]

Tag = Literal[
    "account", "games", "playing", "streams", "analysis", "studies", "events", "rules", "server"
]

ANY_SCOPE: Final = "any"
"""Scope of operations that every token may use."""


@dataclass(frozen=True, slots=True)
class Content:
    """A request or response body: its media type, its JSON type and an example."""

    type: Any = None
    """JSON type of the body, or of one line of a stream; None for a body that is not JSON."""
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
    """Scope that a token needs, ANY_SCOPE, or None if tokens are not accepted."""
    open: bool = False
    """Whether the operation needs neither a token nor a cookie."""
    query: type[msgspec.Struct] | None = None
    body: tuple[Content, ...] = ()
    responses: Mapping[int, tuple[Content, ...]] = field(default_factory=dict)
    problems: tuple[int, ...] = ()
    """Error statuses, in addition to those that any request can return."""
