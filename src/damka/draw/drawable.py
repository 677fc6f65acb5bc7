"""The interface of games that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from damka.notation import labels

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = [
    "DrawableGame",
    "HasPlayback",
    "Turn",
    "end_of",
    "result_text",
    "start_of",
    "to_drawable",
    "turns",
]


class _Move(Protocol):
    @property
    def route(self) -> tuple[int, ...]: ...
    @property
    def captures(self) -> tuple[int, ...]: ...


class _Ply(Protocol):
    @property
    def side(self) -> str: ...
    @property
    def move(self) -> _Move: ...
    @property
    def before(self) -> str: ...
    @property
    def pieces(self) -> str: ...
    @property
    def huff(self) -> int | None: ...


class _Board(Protocol):
    @property
    def pieces(self) -> str: ...


class _Result(Protocol):
    @property
    def winner(self) -> str | None: ...


class DrawableGame(Protocol):
    """A game that can be drawn, such as a `damka.Game` or a `damka.pdn.Playback`."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def history(self) -> Sequence[_Ply]:
        """The plies, oldest first."""

    @property
    def board(self) -> _Board:
        """The current position."""

    @property
    def result(self) -> _Result | None:
        """The result, or None if the game is not over."""


class HasPlayback(Protocol):
    """A game with variations, such as a `damka.pdn.PdnGame`; its main line is drawn."""

    def playback(self) -> DrawableGame:
        """Return the main line."""


def to_drawable(game: DrawableGame | HasPlayback) -> DrawableGame:
    """Return the game to draw. Raises TypeError for another type."""
    if hasattr(game, "playback"):
        return game.playback()
    if not hasattr(game, "history"):
        raise TypeError(f"game: expected a Game or a PdnGame, not {type(game).__name__}")
    return game


class Turn(NamedTuple):
    """A ply with its move number and text, as in the game record."""

    number: int
    second: bool
    """Whether it is the second ply of its number."""
    text: str
    ply: _Ply

    @property
    def numbered(self) -> str:
        """The text with its number: "12. 32-28", "12... 19-23"."""
        return f"{self.number}{'...' if self.second else '.'} {self.text}"


def start_of(game: DrawableGame) -> str:
    """Return the pieces before the first ply."""
    return game.history[0].before if game.history else game.board.pieces


def end_of(game: DrawableGame) -> str:
    """Return the current pieces, including a pending huff."""
    return game.board.pieces


def turns(game: DrawableGame, *, library: bool = False) -> Iterator[Turn]:
    """Yield the plies; their text has the federation's labels, or the library's numbers."""
    format_move = str if library else labels(game.rules).shown
    first = game.history[0].side if game.history else ""
    number = 0
    for ply in game.history:
        second = ply.side != first
        number += not second
        yield Turn(number, second, format_move(str(ply)), ply)


def result_text(game: DrawableGame) -> str:
    """Return the result in one or two words, or "" if the game is not over."""
    if game.result is None:
        return ""
    if game.result.winner is None:
        return "drawn"
    return f"{game.rules.colours[0 if game.result.winner == 'W' else 1]} wins"
