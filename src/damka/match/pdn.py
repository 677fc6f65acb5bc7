"""Records of match games in Portable Draughts Notation, from which a match can resume.

A record has the tags of PDN 3.0 and additional ones (`damka.match.store`), otherwise it is the
output of `damka.Game.pdn`. "1-0" ("2-0" in game types in which a win has two points) is a win for
White, the side at the bottom, even if Black moves first. Source: Portable Draughts Notation 3.0.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from damka.game import Game
    from damka.rules import Side

__all__ = ["read", "record"]

_TWO_POINTS: Final = (20, 27)
"""Game types in which a win has two points."""

_TAG: Final = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


def record(
    game: Game,
    *,
    winner: Side | None,
    names: Mapping[Side, str],
    extra: Mapping[str, str],
) -> str:
    """Return the record of a game, with an empty line at the end.

    After a forfeit or an adjudication, `winner` differs from the game's. `extra` are additional
    tags, in order.
    """
    rules = game.rules
    result = _result(rules.game_type, winner)
    headers = {
        "Event": f"{rules.title_in('en')}: a match",
        "Date": datetime.now(UTC).strftime("%Y.%m.%d"),
        "White": names["W"],
        "Black": names["B"],
        "Result": result,
    }
    headers["PlyCount"] = str(len(game.history))
    # The empty line at the end distinguishes complete records from truncated ones.
    return game.pdn(headers | dict(extra)) + "\n"


def read(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the tags of each complete record, in order, with its end offset in the text."""
    end = 0
    for record_text in re.split(r"(?m)^(?=\[Event )", text):
        end += len(record_text)
        tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in _TAG.findall(record_text)}
        words = record_text.split()
        if tags and record_text.endswith("\n\n") and words[-1] == tags.get("Result"):
            yield end, tags


def _result(game_type: int, winner: Side | None) -> str:
    win, draw, loss = ("2", "1", "0") if game_type in _TWO_POINTS else ("1", "1/2", "0")
    if winner is None:
        return f"{draw}-{draw}"
    return f"{win}-{loss}" if winner == "W" else f"{loss}-{win}"
