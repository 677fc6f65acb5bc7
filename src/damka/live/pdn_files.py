"""Files of games that a page loads, in Portable Draughts Notation: one game, or a list to choose
from.

What comes is bounded: its bytes by a limit of the server, the games that are listed, the moves of a
game, and the time that reading may take.
"""

from __future__ import annotations

import io
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from damka import locales, pdn
from damka.errors import PdnError
from damka.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_GAMES", "MEDIA_TYPE", "Contents", "load", "said"]

MEDIA_TYPE: Final = "application/x-draughts-pdn"
MAX_GAMES: Final = 200
"""The most games that are listed."""
MAX_PLIES: Final = 4000
SECONDS: Final = 5.0
"""How long reading may take."""
_MAX_TAG: Final = 60
_CODES: Final = frozenset({*pdn.FAULTS, "slow"})
_POSITION: Final = re.compile(r'\s*"?([WB?]\s*:\s*[WBHF][^"\[\]{}();\n]{0,990})"?\s*', re.ASCII)


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a file: `game`, or if there are several, `games` to choose from.

    `games` are values for JSON, in a language: `number`, and the tags `white` `black` `date`
    `result` with `rules` (a title) and `plies`, or the `error` that says what is wrong. `more` says
    that only the first ones are listed.
    """

    game: Game | None = None
    games: tuple[dict[str, Any], ...] = ()
    more: bool = False


def load(data: bytes, number: int | None, language: str) -> Contents:
    """Return what is in a file, or its game with a number, from 1.

    A position alone, as a FEN, is a game without moves. Raises PdnError where the only game is
    wrong, or the one with the number, and where there is none.
    """
    if number is not None:
        for count, found in enumerate(_games(data), start=1):
            if count == number:
                return Contents(_game(found))
        raise _none()
    games = _games(data)
    first = next(games, None)
    if first is None:
        raise _none()
    second = next(games, None)
    if second is None:
        return Contents(_game(first))
    listed = [_shown(first, 1, language), _shown(second, 2, language)]
    more = False
    for count, found in enumerate(games, start=3):
        if count > MAX_GAMES:
            more = True
            break
        listed.append(_shown(found, count, language))
    return Contents(games=tuple(listed), more=more)


def said(error: PdnError, language: str) -> str:
    """Return what is wrong with a file, and where, in a language."""
    if error.refusal is not None:
        what = error.refusal.sentence(language, error.show)
    else:
        code = error.code if error.code in _CODES else "other"
        what = locales.translate(language, f"server.pdn.{code}")
    if error.text and error.code != "fen":
        what = f"{error.text}: {what}"
    if error.line is None:
        return what
    place = {"game": error.game or 1, "line": error.line, "column": error.column}
    return locales.translate(language, "server.pdn.where", **place, what=what)


def _games(data: bytes) -> Iterator[pdn.PdnGame | PdnError]:
    """Yield the games of a file, and what is wrong in place of those that are."""
    until = time.monotonic() + SECONDS
    text = _POSITION.fullmatch(data.decode("latin-1")) if len(data) <= 1000 else None
    if text is not None:
        data = f'[FEN "{text[1].strip()}"]\n*'.encode()
    wrong: list[PdnError] = []

    def skipped(error: PdnError) -> None:
        wrong.append(error)
        # Reading would go on up to the next good game, however far that is.
        if len(wrong) > MAX_GAMES:
            raise _EnoughError
        in_time()

    def in_time() -> None:
        if time.monotonic() > until:
            raise PdnError(f"reading takes more than {SECONDS:.0f} seconds", code="slow")

    games = pdn.read(io.BytesIO(data), errors="skip", skipped=skipped)
    while True:
        try:
            found = next(games, None)
        except _EnoughError:
            yield from wrong
            return
        yield from wrong
        wrong.clear()
        if found is None:
            return
        # A text of no moves and no tags is none: an empty line, a remark.
        if found.headers or found.move_count or found.fen:
            yield found
        in_time()


class _EnoughError(Exception):
    """More games are wrong than are listed."""


def _game(found: pdn.PdnGame | PdnError) -> Game:
    if isinstance(found, PdnError):
        raise found
    if found.move_count > MAX_PLIES:
        raise PdnError(f"a game has at most {MAX_PLIES} moves here", code="too_many")
    return Game.from_pdn_game(found)


def _shown(found: pdn.PdnGame | PdnError, number: int, language: str) -> dict[str, Any]:
    if isinstance(found, PdnError):
        return {"number": number, "error": said(found, language)}
    tags = {name: _tag(found.headers.get(name, "")) for name in ("White", "Black", "Date")}
    return {
        "number": number,
        "white": tags["White"],
        "black": tags["Black"],
        "date": tags["Date"].rstrip(".?"),
        "result": found.result[:20],
        "rules": found.rules.title_in(language),
        "plies": found.move_count,
    }


def _tag(value: str) -> str:
    printable = "".join(filter(str.isprintable, value)).strip()
    return "" if printable == "?" else printable[:_MAX_TAG]


def _none() -> PdnError:
    return PdnError("expected a game, found none", code="none")
