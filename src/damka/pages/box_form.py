"""The form of a house box: its questions, the meaning of the answers, and its link.

The context of box.html has, besides the common values,

- `heading`, `box_title`, `base` (name), `link_base` (the link the form started from, or ""),
  `link`, `now` (JSON of `_now`), `groups` (`rulesets.groups`), `levels`, `default_level`,
  `engines`
- `questions`: [{key, open, fields}], a field being
  {key, kind, words, values, relevant, options?, least?, most?}, where `relevant` is the condition
  under which a question has an effect, and each option's `fits` the condition for choosing it:
  lists of alternatives [name of a field, answers], each of which needs one
- `problems` (by question, as sentences), and the values of box_rules.html: `asked`, `differences`,
  `base_title`, `paragraphs`
"""

from __future__ import annotations

import functools
from typing import Any, Final

from damka import Rules, box, locales, rules
from damka.box import questions as asking
from damka.box.answers import OWN
from damka.engine import levels
from damka.errors import RulesError
from damka.pages import rulesets
from damka.pages.box_query import BoxQuery
from damka.pages.templates import Templates, in_page, levels_in, speaking
from damka.rules import PARAMETERS
from damka.rules.conditions import ALWAYS, Condition, Is
from damka.rules.parameters import BOARDS

__all__ = ["context", "said"]

_OPEN: Final = ("board", "men", "kings", "capturing")
_PLACES: Final = 5
_ON_BOARD: Final = ("squares", "width", "height")
"""The parameters that the question about the board answers."""


def context(asked: BoxQuery, language: str) -> dict[str, Any]:
    """Return the context of box.html."""
    saying = _saying(asked, language)
    now = {**_now(asked, language), "problems": saying["problems"]}
    return {
        **saying,
        "box_title": asked.title,
        "base": asked.origin.name,
        "link_base": asked.link_base,
        "now": in_page(now),
        "link": _link(asked),
        "heading": _heading(asked, language),
        "groups": rulesets.groups(language),
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": (),  # external engines do not play house boxes
        "questions": [
            {
                "key": group,
                "open": group in _OPEN,
                "fields": [_field(each, asked, language) for each in questions],
            }
            for group, questions in asking.GROUPS
        ],
    }


def said(asked: BoxQuery, language: str, templates: Templates) -> dict[str, Any]:
    """Return the meaning of the form's answers, or their problems, for the page."""
    saying = _saying(asked, language)
    html = templates.text("box_rules.html", {**speaking(language), **saying})
    return {**_now(asked, language), "problems": saying["problems"], "html": html}


def _heading(asked: BoxQuery, language: str) -> str:
    return asked.title.strip()[:60] or locales.translate(language, "box.title")


def _link(asked: BoxQuery) -> str:
    return "" if asked.box is None else box.encode(asked.box, asked.origin)


def _now(asked: BoxQuery, language: str) -> dict[str, Any]:
    """Return the data of the page's script: how to play the box, and its link."""
    made = asked.box
    if made is None:
        return {"heading": _heading(asked, language), "link": None, "rules": None}
    colours = [locales.colour(language, colour) for colour in made.colours]
    if made.first == "B":
        colours.reverse()
    return {
        "heading": _heading(asked, language),
        "link": f"/box?r={_link(asked)}",
        "file": f"/box.toml?r={_link(asked)}",
        "size": f"{made.width}×{made.height}",
        "rules": box.table(made, asked.origin),
        "first": locales.translate(language, "shell.colour_first", colour=colours[0]),
        "second": locales.translate(language, "shell.colour_second", colour=colours[1]),
        "differences": locales.plural(
            language, "box.page.count", len(box.compared(made, asked.origin, language))
        ),
    }


def _saying(asked: BoxQuery, language: str) -> dict[str, Any]:
    if asked.box is None:
        errors = (asked.error or RulesError("board", None, "")).all
        # Only the first of two errors in one answer is shown.
        problems = dict(reversed([box.said(error, language) for error in errors]))
        return {
            "problems": problems,
            "asked": {key: box.asked(language, key) for key in problems},
        }
    base = asked.origin
    usual = {each["topic"]: each for each in rulesets.paragraphs(base, language, tiny=True)}
    return {
        "problems": {},
        "base_title": base.title_in(language),
        "differences": [
            {"asked": question, "now": now, "before": before}
            for question, now, before in box.compared(asked.box, base, language)
        ],
        "paragraphs": [
            {
                **each,
                "changed": [each["text"], each["items"]]
                != [usual.get(each["topic"], {}).get(name) for name in ("text", "items")],
            }
            for each in rulesets.paragraphs(asked.box, language, tiny=True)
            if each["topic"] not in ("how_to_move", "your_turn")
        ],
    }


def _field(each: asking.Question, asked: BoxQuery, language: str) -> dict[str, Any]:
    values = asked.answers[each.key]
    field: dict[str, Any] = {"key": each.key, "kind": each.kind, "values": values}
    field["words"] = box.asked(language, each.key)
    field["relevant"] = _as_answers(PARAMETERS[each.key].relevant) if each.kind != "board" else []
    if each.kind == "number":
        field["least"], field["most"] = asking.NUMBERS[each.key]
    elif each.kind == "borrow":
        field["options"] = _borrowing(each.key, asked, language)
    elif each.kind == "colours":
        shown = (locales.colour(language, colour) for colour in values)
        field["values"] = (*shown, "", "")[:2]
    else:
        field["options"] = _options(each.kind, each.key, language)
        field["places"] = _PLACES
    return field


@functools.cache
def _options(kind: str, key: str, language: str) -> list[dict[str, Any]]:
    if kind == "board":
        return [
            {
                "value": f"{squares}-{width}-{height}",
                "words": locales.translate(
                    language, f"box.v.board.{squares}", size=f"{width} × {height}"
                ),
            }
            for squares, width, height in BOARDS
        ]
    options = [
        {
            "value": asking.plain(value),
            "words": words,
            "fits": _as_answers(PARAMETERS[key].fits.get(value, ALWAYS)),
        }
        for value, words in asking.meaning(language, key)
    ]
    if kind == "order":
        return [{"value": "none", "words": asking.answer(language, key, "none")}, *options]
    return options


def _as_answers(condition: Condition) -> list[list[tuple[str, list[str]]]]:
    """Return a condition with the names and answers of the form."""
    return [[_answers(each) for each in clause] for clause in condition]


def _answers(condition: Is) -> tuple[str, list[str]]:
    if condition.key not in _ON_BOARD:
        return condition.key, [asking.plain(value) for value in condition.values]
    place = _ON_BOARD.index(condition.key)
    boards = [board for board in BOARDS if board[place] in condition.values]
    return "board", ["-".join(map(str, board)) for board in boards]


def _borrowing(key: str, asked: BoxQuery, language: str) -> list[dict[str, str]]:
    """Return the options for a list: none, the box's own, or that of another game."""
    base = asked.base
    none = {"value": "none", "words": asking.answer(language, key, "none")}
    own = getattr(base, key)
    options = [none]
    if own:
        words = box.shown(language, key, base.to_dict()[key])
        options.append({"value": OWN, "words": words})
    seen = [own, ()]
    for name in rules.names():
        other = rules.load(name)
        value = getattr(other, key)
        # The current answer is offered even if it does not fit; the problem is shown beside it.
        fits = key != "ballots" or _shape(other) == _shape(base) or name in asked.answers[key]
        if value not in seen and fits:
            seen.append(value)
            words = locales.translate(language, f"box.v.{key}.as", title=other.title_in(language))
            options.append({"value": name, "words": words})
    return options


def _shape(of: Rules) -> tuple[object, ...]:
    """Return the parameters that affect the openings."""
    return (of.squares, of.width, of.height, of.rows, of.rows_behind, of.dark_corner, of.first)
