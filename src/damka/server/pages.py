"""The pages: choose, game, rules, and the one that says sorry. GET changes nothing.

Every template gets (`common`):

- `lang`, `languages` ([{code, name, current}]), `here` (this page's path, for the language form)
- `theme`: "auto", "light" or "dark", as the page keeps it in a cookie
- `t(key, **values)` and `tn(key, n, **values)`: sentences in `lang`
- `static(path)`: the lasting address of a static file
- `version`
- `page`: JSON for `<script type="application/json" id="page">`: lang, strings ("page.*"), and
  rules on a game page, levels and default_level on others

and besides:

- choose.html: `boxes` (`_box`), `groups` ([{key, boxes}]), `house`
  (`_box` of the server's own boxes, `url` where to play them), `sizes` (of the boards, such as
  "8×8", the smallest first), `running` (`_running`), `levels`,
  `default_level`, `engines` (the operator's, with the `rules` that each plays)
- game.html: `game_id`, `title`, `rules_url`, `file_url`, `you`, `two_people`, `broad` (whether the
  board is wider than it is high), `type_move` (how a move is typed in this game), `state` (JSON of
  the first state message)
- rules.html: `rules` (a `_box`), `title`, `paragraphs`, `sources`, `groups`, `change`
  (where these rules can be changed), `back` ({url} of
  the game that is being played, or None)
- error.html: `status`, `title`, `sentence`
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import jinja2
import msgspec
from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse, Response

from damka import Board, Rules, box, locales, rulebook, rules
from damka.draw import svg
from damka.engine import levels
from damka.notation import labels, squares
from damka.server import messages, security
from damka.server.api import guard_post, house_of, language_of
from damka.server.events import Side
from damka.server.language import COOKIE, NAMES
from damka.server.problems import Problem
from damka.server.room import Room
from damka.server.settings import VERSION
from damka.server.state import rules_url, state
from damka.server.static import StaticFiles
from damka.server.table import Table
from damka.server.words import Speaker

__all__ = ["Templates", "error_page", "router"]

T = TypeVar("T")

router: Final = APIRouter()

WEB: Final = Path(__file__).parent.parent / "web"
BOXES: Final = rules.names()[:3]
RUNNING: Final = 5
THEME_COOKIE: Final = "damka_theme"
THEMES: Final = ("auto", "light", "dark")
YEAR: Final = 365 * 24 * 3600


class Templates:
    """The templates below `folder`, with the static files they link to."""

    def __init__(self, folder: Path, static: StaticFiles) -> None:
        self._environment: Final = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(static=static.url, version=VERSION)

    def text(self, name: str, context: Mapping[str, Any]) -> str:
        """Return what a template makes of its context."""
        return self._environment.get_template(name).render(context)

    def page(
        self, name: str, request: Request, context: Mapping[str, Any], *, status: int = 200
    ) -> HTMLResponse:
        """Return a page made of a template."""
        body = self.text(name, context)
        # Asked for again each time: a page that the browser kept would show an old position.
        return HTMLResponse(body, status, headers={"cache-control": "private, no-cache"})


@router.get("/")
async def choose_page(request: Request) -> Response:
    """Choose a box, an opponent and a colour; go on with a running game."""
    language = language_of(request)
    holder = security.holder_of(request.cookies.get(security.SEAT_COOKIE))
    context = {
        **common(request, language),
        "running": await _running(request, holder, language),
        "boxes": [_box(name, language) for name in BOXES],
        "groups": groups(language)[1:],
        "house": [
            {**_box_of(each, language), "url": change(each)}
            for each in house_of(request).settings.boxes
        ],
        "sizes": _sizes(house_of(request).settings.boxes),
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": house_of(request).settings.engines,
    }
    return templates(request).page("choose.html", request, context)


@router.get("/game/{game_id}")
async def game_page(request: Request, game_id: str) -> Response:
    """Show a game, to play on or to watch."""
    language = language_of(request)
    holder = security.holder_of(request.cookies.get(security.SEAT_COOKIE))

    def look(room: Room) -> dict[str, Any]:
        table = room.table
        you = table.sides_of(holder)
        shown = state(table, you, language, thinking=room.thinking)
        return {
            "game_id": table.id,
            "title": table.rules.title_in(language),
            "rules_url": rules_url(table),
            "file_url": f"/api/games/{table.id}/file",
            "you": you,
            "two_people": table.computer is None,
            "broad": table.rules.width > table.rules.height,
            "type_move": locales.translate(
                language,
                "shell.type_move",
                move=labels(table.rules).shown(_first_move(table.rules)),
            ),
            "state": _in_script(messages.encode(shown)),
            "page": _page_data(language, table.rules),
        }

    context = await _in_room(request, game_id, look)
    return templates(request).page("game.html", request, {**common(request, language), **context})


@router.get("/rules/{name}")
async def rules_page(request: Request, name: str) -> Response:
    """Explain a rule set."""
    if name not in rules.names():
        raise Problem(404, "unknown_rules")
    language = language_of(request)
    game_id = request.query_params.get("game", "")
    back = game_id if security.is_game_id(game_id) else None
    context = {**common(request, language), **_rules_context(rules.load(name), language, back)}
    return templates(request).page("rules.html", request, context)


@router.get("/game/{game_id}/rules")
async def game_rules_page(request: Request, game_id: str) -> Response:
    """Explain the rules of one game, which need not be a rule set of ours."""
    language = language_of(request)
    chosen = await _in_room(request, game_id, lambda room: room.table.rules)
    context = {**common(request, language), **_rules_context(chosen, language, game_id)}
    return templates(request).page("rules.html", request, context)


@router.post("/lang")
async def set_language(request: Request) -> Response:
    """Keep the language chosen and go back to the page."""
    guard_post(request)
    try:
        form = dict(parse_qsl((await request.body()).decode("utf-8"), max_num_fields=8))
    except ValueError as error:
        raise Problem(400, "bad_request", where="body") from error
    language = form.get("lang", "")
    if language not in locales.LANGUAGES:
        raise Problem(422, "bad_field", where="lang")
    response = RedirectResponse(_local(form.get("next", "/")), status_code=303)
    response.set_cookie(
        COOKIE, language, max_age=YEAR, samesite="lax", secure=request.url.scheme == "https"
    )
    return response


def error_page(request: Request, problem: Problem, language: str) -> Response:
    """Return the page that says what went wrong."""
    context = {
        **common(request, language),
        "status": problem.status,
        "title": locales.translate(language, "server.problem.sorry"),
        "sentence": problem.sentence(language),
    }
    return templates(request).page("error.html", request, context, status=problem.status)


async def _in_room(request: Request, game_id: str, look: Callable[[Room], T]) -> T:
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    async with house_of(request).rooms.enter(game_id) as room:
        if room is None:
            raise Problem(404, "unknown_game")
        return await room.read(lambda _: look(room))


def templates(request: Request) -> Templates:
    """Return the server's templates."""
    templates: Templates = request.app.state.templates
    return templates


def common(request: Request, language: str) -> dict[str, Any]:
    """Return what every page's template gets."""
    query = f"?{request.url.query}" if request.url.query else ""
    return {
        "lang": language,
        "theme": theme if (theme := request.cookies.get(THEME_COOKIE)) in THEMES else THEMES[0],
        "languages": [
            {"code": code, "name": NAMES[code], "current": code == language}
            for code in locales.LANGUAGES
        ],
        "here": request.url.path + query,
        **speaking(language),
        "page": _page_data(language),
    }


def speaking(language: str) -> dict[str, Any]:
    """Return what every template needs to speak a language."""
    return {
        "t": functools.partial(locales.translate, language),
        "tn": functools.partial(locales.plural, language),
    }


def _page_data(language: str, of: Rules | None = None) -> Markup:
    data: dict[str, Any] = {"lang": language, "strings": _strings(language)}
    if of is None:
        data |= {"levels": levels_in(language), "default_level": levels.DEFAULT}
    else:
        # Every byte counts here: the game view is to stay under 100 kB.
        data["rules"] = _rules_data(of, language)
    return in_page(data)


def _drawn(picture: str) -> Markup:
    """Return one of our own drawings, which are safe: `damka.draw` escapes what it is given."""
    return Markup(picture)  # noqa: S704


def in_page(data: object) -> Markup:
    """Return data as JSON that can stand in a script element: nothing in it can end it."""
    return _in_script(msgspec.json.encode(data).decode("utf-8"))


def _in_script(json: str) -> Markup:
    return Markup(  # noqa: S704
        json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    )


@functools.cache
def _strings(language: str) -> dict[str, str]:
    return locales.catalogue(language, "page.")


@functools.cache
def levels_in(language: str) -> list[dict[str, Any]]:
    return [{"level": n, "sentence": levels.describe(n, language)} for n in levels.LEVELS]


@functools.cache
def groups(language: str) -> list[dict[str, Any]]:
    """Return the rule sets in groups, the boxes of the sheets first."""
    return [
        {"key": key, "boxes": [_box(name, language) for name in names]}
        for key, names in box.grouped()
    ]


def _sizes(house: Iterable[Rules]) -> list[str]:
    boxes = (*(rules.load(name) for name in rules.names()), *house)
    sizes = {(each.width * each.height, each.width, each.height) for each in boxes}
    return [f"{width}×{height}" for _, width, height in sorted(sizes)]


@functools.cache
def _box(name: str, language: str) -> dict[str, Any]:
    return _box_of(rules.load(name), language)


def _box_of(of: Rules, language: str) -> dict[str, Any]:
    return {
        "name": of.name,
        "title": of.title_in(language),
        "summary": of.summary_in(language),
        "width": of.width,
        "height": of.height,
        "size": f"{of.width}×{of.height}",
        "colours": [locales.colour(language, colour) for colour in of.colours],
        "first": of.first,
        "huffing": of.obligation == "huff",
        "svg": _drawn(svg.mini(of)),
        "url": f"/rules/{of.name}",
    }


def _rules_data(of: Rules, language: str) -> dict[str, Any]:
    sides: tuple[tuple[Side, str], ...] = (("W", of.colours[0]), ("B", of.colours[1]))
    on = labels(of)
    natural = tuple(str(square) for square in range(1, of.square_count + 1))
    data = {
        "title": of.title_in(language),
        "width": of.width,
        "height": of.height,
        "cells": [of.cell(square) for square in range(1, of.square_count + 1)],
        "colour_names": {side: locales.colour(language, colour, "side") for side, colour in sides},
        "first": of.first,
        "theme": dict(of.theme),
    }
    if on.names != natural:
        data["names"] = on.names
    if on.algebraic:
        data["coordinates"] = squares.coordinates(of)
    if of.squares == "all":
        data["lined"] = True
    return data


def _rules_context(of: Rules, language: str, game_id: str | None) -> dict[str, Any]:
    return {
        "rules": _box_of(of, language),
        "title": of.title_in(language),
        "paragraphs": paragraphs(of, language),
        "sources": of.sources,
        "change": change(of),
        "back": None if game_id is None else {"url": f"/game/{game_id}"},
        "groups": groups(language),
    }


@functools.lru_cache(maxsize=64)
def _first_move(of: Rules) -> str:
    """Return a move from the start position in the library's numbers."""
    board = Board(of)
    return board.text(board.legal_moves[0])


def change(of: Rules) -> str:
    """Return where a box of one's own can be made of these rules; "" if no link can hold them."""
    if of.name in rules.names() and rules.load(of.name) == of:
        return f"/box?base={of.name}"
    link = box.encode(of)
    return f"/box?r={link}" if len(link) <= box.MAX_LINK else ""


def paragraphs(of: Rules, language: str, *, tiny: bool = False) -> list[dict[str, Any]]:
    """Return the rule book; kept, because its pictures take longer to draw than all the rest.

    Where the pictures are shown too small to read a figure, `tiny`, only the one of the numbering
    has numbers.
    """
    return _paragraphs(msgspec.json.encode(of.to_dict()), language, tiny)


def _diagram(paragraph: rulebook.Paragraph, *, plain: bool) -> Markup | None:
    """Return a paragraph's picture, if it has one; a plain one is without numbers."""
    if paragraph.diagram is None:
        return None
    options = {"numbers": False} if plain else {}
    return _drawn(paragraph.diagram.svg(paragraph.language, **options))


# By everything that is in the rules: two that play alike may be named and written differently.
@functools.lru_cache(maxsize=128)
def _paragraphs(of: bytes, language: str, tiny: bool) -> list[dict[str, Any]]:
    book = rulebook.paragraphs(rules.from_dict(msgspec.json.decode(of)), language)
    return [
        {
            "number": paragraph.number,
            "topic": paragraph.topic,
            "text": paragraph.text,
            "items": paragraph.items,
            "svg": _diagram(paragraph, plain=tiny and paragraph.topic != "notation"),
            "caption": paragraph.caption,
            "reading": paragraph.is_reading,
            "note": paragraph.note,
        }
        for paragraph in book
    ]


async def _running(request: Request, holder: str | None, language: str) -> list[dict[str, Any]]:
    if holder is None:
        return []
    rooms = house_of(request).rooms
    games = await rooms.in_store(lambda store: store.running(holder, RUNNING))
    shown = []
    for game_id, updated in games:
        async with rooms.enter(game_id) as room:
            if room is not None:
                entry = await room.read(lambda table: _running_game(table, holder, language))
                shown.append({**entry, "ago": updated.isoformat()})
    return shown


def _running_game(table: Table, holder: str, language: str) -> dict[str, Any]:
    you = table.sides_of(holder)
    speaker = Speaker(table, you, language)
    board = svg.mini(table.rules, table.game.board.pieces, flip=you == ("B",))
    return {
        "id": table.id,
        "url": f"/game/{table.id}",
        "title": table.rules.title_in(language),
        "svg": _drawn(board),
        "sentence": speaker.status()[0],
        "you": you,
        "opponent": _opponent(table, speaker),
    }


def _opponent(table: Table, speaker: Speaker) -> str:
    if table.computer is None:
        return speaker.say("name.two_people")
    if table.engine is not None:
        return speaker.say("name.against_engine", engine=table.engine)
    return speaker.say("name.against_computer", level=table.seats[table.computer].level or 1)


def _local(address: str) -> str:
    """Return a path on this server, whatever was asked for: never another site."""
    if not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return "/"
    return address if address.isprintable() and "\\" not in address else "/"
