"""The form for house rules: its questions, the meaning of the answers, and its link.

The context of box.html has, besides the common values,

- `heading`, `box_title`, `base` (name), `link_base` (the link the form started from, or ""),
  `link`, `now` (JSON of `_script_data`), `groups` (`rulesets.groups`), `levels`, `default_level`,
  `engines`
- `questions`: [{key, open, fields}], a field being
  {key, kind, words, values, relevant, options?, least?, most?}, where `relevant` is the condition
  under which a question has an effect, and each option's `fits` the condition for choosing it:
  lists of alternatives [name of a field, answers, whether it must have none of them], each of
  which needs one
- `problems` (by question, as sentences), and the values of box_rules.html: `prompts`,
  `differences`, `base_title`, `paragraphs`
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
from damka.pages.templates import Templates, language_functions, levels_in, script_json
from damka.rules import PARAMETERS
from damka.rules.conditions import ALWAYS, Condition, Is
from damka.rules.parameters import BOARDS

__all__ = ["context", "preview"]

_OPEN_GROUPS: Final = ("board", "men", "kings", "capturing")
_PRECEDENCE_PLACES: Final = 5
_BOARD_PARAMETERS: Final = ("squares", "width", "height")
"""The parameters that the question about the board answers."""


def context(query: BoxQuery, language: str) -> dict[str, Any]:
    """Return the context of box.html."""
    preview_context = _preview_context(query, language)
    now = {**_script_data(query, language), "problems": preview_context["problems"]}
    return {
        **preview_context,
        "box_title": query.title,
        "base": query.origin.name,
        "link_base": query.link_base,
        "now": script_json(now),
        "link": _link(query),
        "heading": _heading(query, language),
        "groups": rulesets.groups(language),
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": (),  # external engines do not play house rules
        "questions": [
            {
                "key": group,
                "open": group in _OPEN_GROUPS,
                "fields": [_field(each, query, language) for each in questions],
            }
            for group, questions in asking.GROUPS
        ],
    }


def preview(query: BoxQuery, language: str, templates: Templates) -> dict[str, Any]:
    """Return the explanation of the form's answers, or their problems, for the page."""
    preview_context = _preview_context(query, language)
    html = templates.text("box_rules.html", {**language_functions(language), **preview_context})
    return {**_script_data(query, language), "problems": preview_context["problems"], "html": html}


def _heading(query: BoxQuery, language: str) -> str:
    return query.title.strip()[:60] or locales.translate(language, "box.title")


def _link(query: BoxQuery) -> str:
    return "" if query.box is None else box.encode(query.box, query.origin)


def _script_data(query: BoxQuery, language: str) -> dict[str, Any]:
    """Return the data of the page's script: the rules, their link, and texts about them."""
    house_rules = query.box
    if house_rules is None:
        return {"heading": _heading(query, language), "link": None, "rules": None}
    colours = [locales.colour(language, colour) for colour in house_rules.colours]
    if house_rules.first == "B":
        colours.reverse()
    return {
        "heading": _heading(query, language),
        "link": f"/box?r={_link(query)}",
        "file": f"/box.toml?r={_link(query)}",
        "size": f"{house_rules.width}×{house_rules.height}",
        "rules": box.table(house_rules, query.origin),
        "first": locales.translate(language, "shell.colour_first", colour=colours[0]),
        "second": locales.translate(language, "shell.colour_second", colour=colours[1]),
        "differences": locales.plural(
            language,
            "box.page.count",
            len(box.describe_changes(house_rules, query.origin, language)),
        ),
    }


def _preview_context(query: BoxQuery, language: str) -> dict[str, Any]:
    if query.box is None:
        errors = (query.error or RulesError("board", None, "")).all
        # Show only the first error of each answer.
        problems = dict(reversed([box.explain_error(error, language) for error in errors]))
        return {
            "problems": problems,
            "prompts": {key: box.prompt(language, key) for key in problems},
        }
    base = query.origin
    base_paragraphs = {
        each["topic"]: each for each in rulesets.paragraphs(base, language, tiny=True)
    }
    return {
        "problems": {},
        "base_title": base.title_in(language),
        "differences": [
            {"prompt": question, "now": now, "before": before}
            for question, now, before in box.describe_changes(query.box, base, language)
        ],
        "paragraphs": [
            {
                **each,
                "changed": [each["text"], each["items"]]
                != [base_paragraphs.get(each["topic"], {}).get(name) for name in ("text", "items")],
            }
            for each in rulesets.paragraphs(query.box, language, tiny=True)
            if each["topic"] != "how_to_move"
        ],
    }


def _field(each: asking.Question, query: BoxQuery, language: str) -> dict[str, Any]:
    values = query.answers[each.key]
    field: dict[str, Any] = {"key": each.key, "kind": each.kind, "values": values}
    field["words"] = box.prompt(language, each.key)
    field["relevant"] = (
        _form_condition(PARAMETERS[each.key].relevant) if each.kind != "board" else []
    )
    if each.kind == "number":
        field["least"], field["most"] = asking.NUMBERS[each.key]
    elif each.kind == "borrow":
        field["options"] = _list_options(each.key, query, language)
    elif each.kind == "colours":
        shown = (locales.colour(language, colour) for colour in values)
        field["values"] = (*shown, "", "")[:2]
    else:
        field["options"] = _options(each.kind, each.key, language)
        field["places"] = _PRECEDENCE_PLACES
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
            "fits": _form_condition(PARAMETERS[key].fits.get(value, ALWAYS)),
        }
        for value, words in asking.meaning(language, key)
    ]
    if kind == "order":
        return [{"value": "none", "words": asking.answer(language, key, "none")}, *options]
    return options


def _form_condition(condition: Condition) -> list[list[tuple[str, list[str], bool]]]:
    """Convert a condition to the field names and answers of the form."""
    return [[(*_form_answers(each), each.negated) for each in clause] for clause in condition]


def _form_answers(condition: Is) -> tuple[str, list[str]]:
    if condition.key not in _BOARD_PARAMETERS:
        return condition.key, [asking.plain(value) for value in condition.values]
    index = _BOARD_PARAMETERS.index(condition.key)
    boards = [board for board in BOARDS if board[index] in condition.values]
    return "board", ["-".join(map(str, board)) for board in boards]


def _list_options(key: str, query: BoxQuery, language: str) -> list[dict[str, str]]:
    """Return the options for a list: none, its own, or that of another rule set."""
    base = query.base
    none = {"value": "none", "words": asking.answer(language, key, "none")}
    own = getattr(base, key)
    options = [none]
    if own:
        words = box.short_answer(language, key, base.to_dict()[key])
        options.append({"value": OWN, "words": words})
    seen = [own, ()]
    for name in rules.names():
        other = rules.load(name)
        value = getattr(other, key)
        # The current answer is offered even if it does not fit; the problem is shown beside it.
        fits = (
            key != "ballots"
            or _opening_parameters(other) == _opening_parameters(base)
            or name in query.answers[key]
        )
        if value not in seen and fits:
            seen.append(value)
            words = locales.translate(language, f"box.v.{key}.as", title=other.title_in(language))
            options.append({"value": name, "words": words})
    return options


def _opening_parameters(of: Rules) -> tuple[object, ...]:
    """Return the parameters that affect the openings."""
    return (of.squares, of.width, of.height, of.rows, of.rows_behind, of.dark_corner, of.first)
