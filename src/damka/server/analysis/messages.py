"""Requests for analysis and reviews, and the lines of their streams."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from damka.live.evaluations import Evaluation, EvaluationLine
from damka.live.reviews import MAX_NODES, GameMoves

__all__ = [
    "AnalysisLines",
    "AnalysisStart",
    "AnalysisStreamLine",
    "ErrorLine",
    "ReviewLine",
    "ReviewRequest",
    "ReviewStart",
    "ReviewStreamLine",
    "RulesQuery",
    "analysis_lines",
]


class RulesQuery(msgspec.Struct, frozen=True):
    """The rules of a body without rules."""

    base: Annotated[str, Meta(max_length=64)] | None = None
    """Name of a rule set."""
    r: str | None = None
    """Link of house rules."""


class AnalysisStart(msgspec.Struct, frozen=True, tag_field="t", tag="start"):
    """The first line: the limit of the search, and whether its result is stored already."""

    nodes: int
    cached: bool


class AnalysisLines(msgspec.Struct, frozen=True, tag_field="t", tag="lines"):
    """The best lines so far, after every depth; the last line of the stream is `final`."""

    depth: int
    nodes: int
    ms: float
    lines: tuple[EvaluationLine, ...]
    final: bool
    only: bool = False
    """Whether only the first move keeps the result, by the endgame tables."""


class ErrorLine(msgspec.Struct, frozen=True, tag_field="t", tag="error"):
    """The last line of a stream that failed."""

    error: str
    message: str


AnalysisStreamLine = AnalysisStart | AnalysisLines | ErrorLine


class ReviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to review: the id of a finished game of this server, or its moves."""

    game: Annotated[str, Meta(max_length=32)] | GameMoves
    nodes: Annotated[int, Meta(ge=1_000, le=MAX_NODES)] | None = None
    """Nodes for a position where the game turns; the server's limit if that is lower."""
    reader: Literal["W", "B"] | None = None
    """The side that the sentences address as "you"; None for the side that moved."""


class ReviewStart(msgspec.Struct, frozen=True, tag_field="t", tag="start"):
    """The first line: the length of the game, and whether its review is stored already."""

    plies: int
    stored: bool


class ReviewLine(msgspec.Struct, frozen=True, tag_field="t", tag="review"):
    """The review so far: turning points, accuracy by side, expected score for White by position."""

    moments: list[dict[str, Any]]
    accuracy: dict[str, float | None]
    graph: list[float]
    searched: int
    """Number of searches so far."""
    final: bool


ReviewStreamLine = ReviewStart | ReviewLine | ErrorLine


def analysis_lines(evaluation: Evaluation, *, final: bool, only: bool = False) -> AnalysisLines:
    """Return a line of the stream."""
    return AnalysisLines(
        evaluation.depth, evaluation.nodes, evaluation.ms, evaluation.lines, final, only
    )
