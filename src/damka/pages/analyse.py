"""Context of the page Analyse, and JSON responses to its requests.

The context of analyse.html has, besides the common values,

- `title` of the game, `path` of this page
- `page`: JSON of the board's data, the levels, the texts and `edit` (`data`)
- `groups`: games to choose from, [{title, boxes: [{title, path, board}]}], where positions can be
  moved between games with the same `board`
- `levels`, `default_level`, `engines`, `most_pdn`, `study` (data for saving it as a study)
- `has_engine`: whether the page has engine lines
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final

from damka import Rules, box, locales, rules
from damka.draw import svg
from damka.engine import levels
from damka.engine.chances import curve
from damka.live import pasted, trees
from damka.live.problems import Problem
from damka.notation import fen, labels
from damka.pages import rulesets
from damka.pages.study_texts import saving_data
from damka.pages.templates import levels_in, script_json

__all__ = ["ADDRESS", "context", "data", "path", "picture", "position_json", "tree_json"]

ADDRESS: Final = frozenset({"base", "r", "lang"})
"""Parameters of requests besides the options for reading."""
_PICTURE_WIDTH: Final = 1200
_BOARD_TEXTS: Final = (
    *("board", "cell_king", "cell_man", "cell_must", "cell_huff", "cell_target"),
    *("offence", "rule"),
)


def context(
    of: Rules,
    language: str,
    *,
    house: Sequence[Rules] = (),
    most_pdn: int,
    kernel: Mapping[str, Any] | None = None,
    server: bool = False,
    tables: int = 0,
) -> dict[str, Any]:
    """Return the context of analyse.html.

    `house` are the house rules on offer, `kernel` the files with which the page analyses on the
    visitor's device (`Kernel` in web/lines.d.ts). `server` means that the server analyses, too, and
    `tables` is the maximum number of pieces of its endgame tables.
    """
    groups = [*_groups(language)]
    own = [each for each in house if path(each)]
    if path(of) not in {each["path"] for group in groups for each in group["boxes"]}:
        own = [of, *(each for each in own if path(each) != path(of))]
    if own:
        boxes = [_choice(each, language) for each in own]
        groups.append({"title": locales.translate(language, "box.page.house"), "boxes": boxes})
    board_texts = locales.catalogue(language, "page.")
    texts = {name: board_texts[f"page.{name}"] for name in _BOARD_TEXTS}
    texts |= locales.catalogue(language, "edit.say.") | locales.catalogue(language, "analysis.say.")
    texts |= locales.catalogue(language, "analysis.lines.")
    texts |= locales.catalogue(language, "review.page.")
    texts["offline"] = locales.translate(language, "analysis.offline")
    page = {
        "lang": language,
        "strings": texts,
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "rules": rulesets.data(of, language),
        "edit": data(of, language),
        "kernel": kernel,
        "analysis": {"server": server, "tables": tables},
    }
    return {
        "title": of.title_in(language),
        "path": path(of),
        "page": script_json(page),
        "groups": groups,
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": (),  # external engines may not play from any position
        "most_pdn": most_pdn,
        "has_engine": kernel is not None or server,
        "study": saving_data(language),
    }


def data(of: Rules, language: str) -> dict[str, Any]:
    """Return the editor's data about a game (`EditData` in web/types.d.ts).

    Raises Problem if the rules do not fit a link.
    """
    order = [labels(of).order(square) for square in range(1, of.square_count + 1)]
    shipped = of.name in rules.names() and rules.load(of.name) == of
    address = path(of)
    if not address:
        raise Problem(400, "bad_link", where="r")
    sides = dict(zip("WB", (locales.colour(language, each) for each in of.colours), strict=True))
    result: dict[str, Any] = {
        "path": address,
        "query": address.partition("?")[2] or f"base={of.name}",
        "rules": of.name if shipped else box.table(of),
        "start": svg.start_pieces(of),
        "huffing": of.obligation == "huff",
        "chances": curve(of),
        "board": _board(of),
        **{
            name: {
                side: locales.translate(language, f"shell.colour_{name}", colour=colour)
                for side, colour in sides.items()
            }
            for name in ("first", "second")
        },
    }
    if order != sorted(order):
        result["order"] = order
    return result


def path(of: Rules) -> str:
    """Return the address of the editor for a game; "" if its rules do not fit a link.

    Balloted openings that do not fit are left out: a position needs none.
    """
    base, _, link = rulesets.change(of).partition("=")
    if not link and of.ballots:
        return path(of.replace(ballots=()))
    if base == "/box?base":
        return f"/analyse/{link}"
    return f"/analyse?r={link}" if link else ""


def position_json(text: pasted.PositionText, language: str) -> dict[str, Any]:
    """Return the contents of a pasted text as JSON values."""
    if text.lists is not None:
        return text.lists
    return {
        "path": path(text.rules),
        "title": text.rules.title_in(language),
        "fen": text.fen,
        "start": text.start_fen,
        "plies": text.plies,
    }


def tree_json(text: trees.TreeText, language: str) -> dict[str, Any]:
    """Return a game with its variations as JSON values, or a list of games to choose from.

    `path` is the page of its rules, "" if they do not fit a link.
    """
    if text.game is None:
        return text.lists or {}
    of = trees.rules_of(text.game)
    return {
        "path": path(of),
        "title": of.title_in(language),
        "tree": trees.tree_json(text.game, of),
    }


def picture(of: Rules, text: str, *, flip: bool = False) -> str:
    """Return a position as SVG; men on their crowning rows become kings. Raises FenError."""
    pieces, _ = fen.parse(of, text, repair=True)
    return svg.board(of, pieces, style=svg.Style(flip=flip, size=_PICTURE_WIDTH))


@functools.cache
def _groups(language: str) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "title": locales.translate(language, f"box.kinds.{key}"),
            "boxes": [_choice(rules.load(name), language) for name in names],
        }
        for key, names in box.rule_groups()
    )


def _choice(of: Rules, language: str) -> dict[str, str]:
    return {"title": of.title_in(language), "path": path(of), "board": _board(of)}


def _board(of: Rules) -> str:
    """Return a text that is equal for games with the same squares."""
    return f"{of.squares}-{of.width}-{of.height}-{of.dark_corner}"
