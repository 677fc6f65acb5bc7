"""Messages of DXP, the DamExchange protocol: a letter, then fields of fixed width.

On the wire White is `W` and Black `Z`; here they are "W" and "B". Source: the description of the
DamExchange protocol, layer 2, version 01. The protocol is for boards of 50 squares; on other boards
the position of a game request has one letter per square, and both sides must know the board.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.errors import DamkaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.rules import Side

__all__ = [
    "END_DRAW",
    "END_LOST",
    "END_UNKNOWN",
    "END_WON",
    "MAX_LENGTH",
    "BackAccept",
    "BackRequest",
    "Chat",
    "DxpError",
    "GameAccept",
    "GameEnd",
    "GameRequest",
    "Message",
    "MoveMessage",
    "Setup",
    "parse",
    "write",
]

MAX_LENGTH: Final = 127
VERSION: Final = "01"

# Reasons for the end of a game, from the sender's point of view.
END_UNKNOWN: Final = 0
END_LOST: Final = 1
END_DRAW: Final = 2
END_WON: Final = 3

_NAME_LENGTH: Final = 32
_TO_WIRE: Final = str.maketrans("bB.", "zZe")
_FROM_WIRE: Final = str.maketrans("zZe", "bB.")
_ASCII_SIGNS: Final = str.maketrans("\u2018\u2019“”\u2013—…\u00d7", "''\"\"--.x")


class DxpError(DamkaError, ValueError):
    """A message that violates the protocol."""


class Setup(NamedTuple):
    """A position: one of "wbWB." per square, and the side to move."""

    pieces: str
    turn: Side


@dataclass(frozen=True, slots=True, weakref_slot=True)
class GameRequest:
    """A request for a game in which the follower plays `follower`.

    `minutes` (0 to 999) is the time of each side for all its moves; `moves` (0 to 999) is the
    number of moves of each side after which the game may be ended, 0 for no limit. Without `setup`
    the game begins at the start position. A `version` above "01" is not supported.
    """

    name: str
    follower: Side
    minutes: int
    moves: int
    setup: Setup | None = None
    version: str = VERSION


@dataclass(frozen=True, slots=True)
class GameAccept:
    """The follower's answer: 0 accepted, 1 another version, 2 not this game, 3 no more games."""

    name: str
    code: int


@dataclass(frozen=True, slots=True)
class MoveMessage:
    """A move and the seconds it took; captured squares are in ascending order."""

    seconds: int
    start: int
    end: int
    captures: tuple[int, ...]

    def hub(self) -> str:
        """Return the move in Hub notation."""
        squares = map(str, (self.start, self.end, *self.captures))
        return ("x" if self.captures else "-").join(squares)


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game, or its confirmation; `reason` is from the sender's point of view.

    With `stop` the sender plays no more games.
    """

    reason: int
    stop: bool


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat line of up to 126 characters."""

    text: str


@dataclass(frozen=True, slots=True)
class BackRequest:
    """A request to go back to move number `move`, counted from 1, with `side` to move."""

    move: int
    side: Side


@dataclass(frozen=True, slots=True)
class BackAccept:
    """The answer to a `BackRequest`: 0 accepted, 1 not supported, 2 refused."""

    code: int


Message = GameRequest | GameAccept | MoveMessage | GameEnd | Chat | BackRequest | BackAccept


def parse(text: str, squares: int = 50) -> Message:
    """Parse a message, without its final zero byte, for a board of `squares` squares.

    Raises DxpError.

    >>> from damka.engine.dxp.message import parse
    >>> parse("M001205250422122320")
    MoveMessage(seconds=12, start=5, end=25, captures=(12, 20, 22, 23))
    >>> parse("E00")
    GameEnd(reason=0, stop=False)
    """
    if not 1 <= len(text) <= MAX_LENGTH:
        raise DxpError(f"a message has 1 to {MAX_LENGTH} characters, not {len(text)}")
    reader = _READERS.get(text[0])
    if reader is None:
        raise DxpError(
            f"a message must begin with one of {''.join(_READERS)}, not with {text[:1]!r}"
        )
    pattern, make = reader
    match = re.fullmatch(pattern, text[1:], re.ASCII | re.DOTALL)
    if match is None:
        raise DxpError(f"not a {text[0]} message: {text[:40]!r}")
    return make(match, squares)


def write(message: Message) -> str:
    """Return the text of a message; `parse` is the inverse.

    >>> from damka.engine.dxp.message import END_WON, GameEnd, write
    >>> write(GameEnd(END_WON, stop=True))
    'E31'
    """
    match message:
        case GameRequest(name, follower, minutes, moves, setup, version):
            head = f"R{version}{_name(name)}{_wire(follower)}{minutes:03}{moves:03}"
            if setup is None:
                return f"{head}A"
            return f"{head}B{_wire(setup.turn)}{setup.pieces.translate(_TO_WIRE)}"
        case GameAccept(name, code):
            return f"A{_name(name)}{code}"
        case MoveMessage(seconds, start, end, captures):
            captured = "".join(f"{square:02}" for square in captures)
            return f"M{min(seconds, 9999):04}{start:02}{end:02}{len(captures):02}{captured}"
        case GameEnd(reason, stop):
            return f"E{reason}{stop:d}"
        case Chat(text):
            return f"C{_to_ascii(text)[: MAX_LENGTH - 1]}"
        case BackRequest(move, side):
            return f"B{move:03}{_wire(side)}"
        case BackAccept(code):
            return f"K{code}"


def _request(match: re.Match[str], squares: int) -> GameRequest:
    version, name, follower, minutes, moves, start = match.groups()
    setup = None
    if start.startswith("B"):
        if len(start) != 2 + squares:
            raise DxpError(f"a position has {squares} squares, not {len(start) - 2}")
        setup = Setup(start[2:].translate(_FROM_WIRE), _side(start[1]))
    return GameRequest(
        _to_ascii(name).strip(), _side(follower), int(minutes), int(moves), setup, version=version
    )


def _move_message(match: re.Match[str], squares: int) -> MoveMessage:
    seconds, start, end, number, captured = match.groups()
    captures = tuple(sorted(int(captured[at : at + 2]) for at in range(0, len(captured), 2)))
    if len(captures) != int(number):
        raise DxpError(f"{int(number)} captured pieces announced, {len(captures)} listed")
    for square in (int(start), int(end), *captures):
        if not 1 <= square <= squares:
            raise DxpError(f"square {square} is not on the board (1 to {squares})")
    return MoveMessage(int(seconds), int(start), int(end), captures)


_READERS: Final[dict[str, tuple[str, Callable[[re.Match[str], int], Message]]]] = {
    "R": (r"(\d\d)(.{32})([WZ])(\d{3})(\d{3})(A|B[WZ][wzWZe]*)", _request),
    "A": (
        r"(.{32})([0-3])",
        lambda match, _: GameAccept(_to_ascii(match[1]).strip(), int(match[2])),
    ),
    "M": (r"(\d{4})(\d\d)(\d\d)(\d\d)((?:\d\d)*)", _move_message),
    "E": (r"([0-3])([01])", lambda match, _: GameEnd(int(match[1]), match[2] == "1")),
    "C": (r"(.*)", lambda match, _: Chat(_to_ascii(match[1]))),
    "B": (r"(\d{3})([WZ])", lambda match, _: BackRequest(int(match[1]), _side(match[2]))),
    "K": (r"([0-2])", lambda match, _: BackAccept(int(match[1]))),
}


def _side(letter: str) -> Side:
    return "W" if letter == "W" else "B"


def _wire(side: Side) -> str:
    return "W" if side == "W" else "Z"


def _name(name: str) -> str:
    return f"{_to_ascii(name).strip()[:_NAME_LENGTH]:{_NAME_LENGTH}}"


def _to_ascii(text: str) -> str:
    """Replace characters that are not printable ASCII."""
    text = text.translate(_ASCII_SIGNS)
    return "".join(sign if " " <= sign <= "~" else "?" for sign in text)
