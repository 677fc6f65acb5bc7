"""The page of a house box: its questions, what the answers mean, and its link. GET changes nothing.

box.html gets what `damka.server.templates.common` has, and

- `heading`, `box_title`, `base` (name), `link_base` (the link the form started from, or ""),
  `link`, `now` (JSON of `_now`), `groups` (`rulesets.groups`), `levels`, `default_level`,
  `engines`
- `questions`: [{key, open, fields}], a field being
  {key, kind, words, values, relevant, options?, least?, most?}, where `relevant` says when a
  question makes a difference, and each option's `fits` when it may be chosen: lists of alternatives
  [name of a field, answers], of which each list needs one
- `problems` (by question, in words), and what box_rules.html shows: `asked`, `differences`,
  `base_title`, `paragraphs`
"""

from __future__ import annotations

import asyncio
import functools
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka import Rules, box, locales, rules
from damka.box import questions as asking
from damka.box.answers import OWN
from damka.draw import svg
from damka.engine import levels
from damka.errors import RulesError
from damka.live.problems import Problem
from damka.rules import PARAMETERS
from damka.rules.conditions import ALWAYS, Condition, Is
from damka.rules.parameters import BOARDS
from damka.server import rulesets, templates
from damka.server.api import FRESH, app_state_of, language_of
from damka.server.box_query import BoxQuery, read, started

__all__ = ["router"]

router: Final = APIRouter()

_OPEN: Final = ("board", "men", "kings", "capturing")
_PLACES: Final = 5
_ON_BOARD: Final = ("squares", "width", "height")
"""What the one question about the board answers."""


@router.get("/box")
async def box_page(request: Request) -> Response:
    """Ask the questions of a rule sheet, or show the box of a link."""
    _ration(request)
    language = language_of(request)
    asked = await asyncio.to_thread(read, request.query_params, language)
    context = await asyncio.to_thread(_context, asked, language)
    whole = {**templates.common(request, language), **context}
    return templates.templates(request).page("box.html", request, whole)


@router.get("/api/box")
async def box_says(request: Request) -> Response:
    """Say what the answers of the form mean, or what does not fit together."""
    _ration(request)
    language = language_of(request)
    asked = await asyncio.to_thread(read, request.query_params, language)

    def said() -> dict[str, Any]:
        context = {**templates.speaking(language), **_saying(asked, language)}
        html = templates.templates(request).text("box_rules.html", context)
        return {**_now(asked, language), "problems": context["problems"], "html": html}

    return JSONResponse(await asyncio.to_thread(said), headers=FRESH)


@router.get("/box.toml")
async def box_file(request: Request) -> Response:
    """Give a box as a file, for `damka play` and for good."""
    _ration(request)
    asked = await asyncio.to_thread(read, request.query_params, language_of(request))
    if asked.box is None:
        raise Problem(422, "bad_box", error=asked.error)
    return Response(
        box.toml(box.table(asked.box, asked.origin)),
        media_type="application/toml",
        headers={
            "content-disposition": f'attachment; filename="{asked.box.name}.toml"',
            **FRESH,
        },
    )


@router.get("/box.svg")
async def box_picture(request: Request) -> Response:
    """Draw the board of a rule set or of a link as it is at the start, as small as can be."""
    if "r" in request.query_params:
        _ration(request)
    picture = await asyncio.to_thread(_picture, started(request.query_params)[0])
    kept = {"cache-control": "public, max-age=86400"}
    return Response(picture, media_type="image/svg+xml", headers=kept)


@functools.lru_cache(maxsize=64)
def _picture(of: Rules) -> str:
    return svg.mini(of)


def _ration(request: Request) -> None:
    if not app_state_of(request).box_requests.take(request.client.host if request.client else ""):
        raise Problem(429, "too_many")


def _context(asked: BoxQuery, language: str) -> dict[str, Any]:
    saying = _saying(asked, language)
    now = {**_now(asked, language), "problems": saying["problems"]}
    return {
        **saying,
        "box_title": asked.title,
        "base": asked.origin.name,
        "link_base": asked.link_base,
        "now": templates.in_page(now),
        "link": _link(asked),
        "heading": _heading(asked, language),
        "groups": rulesets.groups(language),
        "levels": templates.levels_in(language),
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


def _heading(asked: BoxQuery, language: str) -> str:
    return asked.title.strip()[:60] or locales.translate(language, "box.title")


def _link(asked: BoxQuery) -> str:
    return "" if asked.box is None else box.encode(asked.box, asked.origin)


def _now(asked: BoxQuery, language: str) -> dict[str, Any]:
    """Return what the page's script needs: how to play the box, and how to link to it."""
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
        # Of two errors in one answer only the first is shown.
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
    """Return a condition in the names and answers of the form."""
    return [[_answers(each) for each in clause] for clause in condition]


def _answers(condition: Is) -> tuple[str, list[str]]:
    if condition.key not in _ON_BOARD:
        return condition.key, [asking.plain(value) for value in condition.values]
    place = _ON_BOARD.index(condition.key)
    boards = [board for board in BOARDS if board[place] in condition.values]
    return "board", ["-".join(map(str, board)) for board in boards]


def _borrowing(key: str, asked: BoxQuery, language: str) -> list[dict[str, str]]:
    """Return the answers to a question about a list: none, the box's own, that of another game."""
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
        # The given answer is offered even if it does not fit; the problem is shown beside it.
        fits = key != "ballots" or _shape(other) == _shape(base) or name in asked.answers[key]
        if value not in seen and fits:
            seen.append(value)
            words = locales.translate(language, f"box.v.{key}.as", title=other.title_in(language))
            options.append({"value": name, "words": words})
    return options


def _shape(of: Rules) -> tuple[object, ...]:
    """Return the parameters on which the openings depend."""
    return (of.squares, of.width, of.height, of.rows, of.rows_behind, of.dark_corner, of.first)
