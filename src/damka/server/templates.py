"""The templates of the pages, and what every one of them gets.

`common` is

- `lang`, `languages` ([{code, name, current}]), `here` (this page's path, for the language form)
- `theme`: "auto", "light" or "dark", as the page keeps it in a cookie
- `t(key, **values)` and `tn(key, n, **values)`: sentences in `lang`
- `page`: JSON for `<script type="application/json" id="page">`: lang, strings ("page.*"), and
  rules on a game page, levels and default_level on others

and besides there are

- `static(path)`: the lasting address of a static file
- `version`
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import jinja2
import msgspec
from fastapi import Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from damka import locales
from damka.engine import levels
from damka.server.language import NAMES
from damka.server.settings import VERSION
from damka.server.static import StaticFiles

__all__ = [
    "WEB",
    "Templates",
    "common",
    "drawn",
    "in_page",
    "in_script",
    "levels_in",
    "page_data",
    "speaking",
    "templates",
]

WEB: Final = Path(__file__).parent.parent / "web"
THEME_COOKIE: Final = "damka_theme"
THEMES: Final = ("auto", "light", "dark")


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
        # Requested again each time: a page that the browser kept would show an old position.
        return HTMLResponse(body, status, headers={"cache-control": "private, no-cache"})


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
        "page": page_data(language),
    }


def speaking(language: str) -> dict[str, Any]:
    """Return what every template needs to speak a language."""
    return {
        "t": functools.partial(locales.translate, language),
        "tn": functools.partial(locales.plural, language),
    }


def page_data(language: str, board: Mapping[str, Any] | None = None) -> Markup:
    """Return the JSON for the scripts of a page: of a game's with the data of its board."""
    data: dict[str, Any] = {"lang": language, "strings": _strings(language)}
    if board is None:
        data |= {"levels": levels_in(language), "default_level": levels.DEFAULT}
    else:
        # Every byte counts here: the game view is to stay under 100 kB.
        data["rules"] = board
    return in_page(data)


def drawn(picture: str) -> Markup:
    """Return one of our own drawings, which are safe: `damka.draw` escapes what it is given."""
    return Markup(picture)  # noqa: S704


def in_page(data: object) -> Markup:
    """Return data as JSON that can stand in a script element: nothing in it can end it."""
    return in_script(msgspec.json.encode(data).decode("utf-8"))


def in_script(json: str) -> Markup:
    """Return JSON so written that nothing in it can end a script element."""
    return Markup(  # noqa: S704
        json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    )


@functools.cache
def _strings(language: str) -> dict[str, str]:
    return locales.catalogue(language, "page.")


@functools.cache
def levels_in(language: str) -> list[dict[str, Any]]:
    """Return the computer's levels: [{level, name, sentence}]."""
    return [
        {
            "level": n,
            "name": levels.title(n, language),
            "sentence": levels.describe(n, language),
        }
        for n in levels.LEVELS
    ]
