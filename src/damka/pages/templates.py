"""Templates of the pages, and their common context.

`common` is

- `lang`, `languages` ([{code, name, current}]), `here` (this page's path, for the language form)
- `theme`: "auto", "light" or "dark"
- `account`: on a server {name, board}, None without accounts; for a guest both are None,
  for a member `board` is JSON of the switches stored with the account
- `t(key, **values)` and `tn(key, n, **values)`: sentences in `lang`
- `page`: JSON for `<script type="application/json" id="page">`: lang, strings (by keys without
  "page."), and rules on a game page, levels and default_level on others

and additionally

- `static(path)`: the address of a static file
- `url(path)`: the address of a server's `path`, which may differ on a static site
- `site`: a static site's additions to every page, None on a server
- `version`
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from markupsafe import Markup

from damka import __version__, locales
from damka.engine import levels
from damka.errors import MissingExtraError
from damka.pages.languages import NAMES, THEMES
from damka.pages.vignettes import vignette

__all__ = [
    "WEB",
    "Templates",
    "common",
    "escape_script",
    "language_functions",
    "levels_in",
    "page_data",
    "script_json",
    "trusted_svg",
]

WEB: Final = Path(__file__).parent.parent / "web"


class Templates:
    """The templates in `folder`; `static` returns the address of a static file."""

    def __init__(self, static: Callable[[str], str], folder: Path = WEB / "templates") -> None:
        try:
            import jinja2  # noqa: PLC0415  only needed for rendering
        except ModuleNotFoundError as error:
            raise MissingExtraError("damka.pages", "server", error) from error

        self._environment: Final = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(
            static=static, url=_identity, site=None, version=__version__, vignette=vignette
        )

    def text(self, name: str, context: Mapping[str, Any]) -> str:
        """Render a template."""
        return self._environment.get_template(name).render(context)


def _identity(path: str) -> str:
    return path


def common(
    language: str,
    *,
    here: str = "/",
    theme: str = THEMES[0],
    account: Mapping[str, str | None] | None = None,
) -> dict[str, Any]:
    """Return the context of every page."""
    return {
        "lang": language,
        "theme": theme if theme in THEMES else THEMES[0],
        "languages": [
            {"code": code, "name": NAMES[code], "current": code == language}
            for code in locales.LANGUAGES
        ],
        "here": here,
        "account": account,
        **language_functions(language),
        "page": page_data(language),
    }


def language_functions(language: str) -> dict[str, Any]:
    """Return the translation functions of every template."""
    return {
        "t": functools.partial(locales.translate, language),
        "tn": functools.partial(locales.plural, language),
    }


def page_data(
    language: str,
    board: Mapping[str, Any] | None = None,
    strings: Mapping[str, str] | None = None,
) -> Markup:
    """Return the JSON for a page's scripts, for a game page with its board's data.

    `strings` replace others by their keys.
    """
    data: dict[str, Any] = {
        "lang": language,
        "strings": {**_page_strings(language), **(strings or {})},
    }
    if board is None:
        data |= {"levels": levels_in(language), "default_level": levels.DEFAULT}
    else:
        # Every byte counts here: a test enforces the game page's size budget.
        data["rules"] = board
    return script_json(data)


def trusted_svg(picture: str) -> Markup:
    """Mark one of our own drawings as safe: `damka.draw` escapes its input."""
    return Markup(picture)  # noqa: S704


def script_json(data: object) -> Markup:
    """Return data as JSON that cannot end a script element."""
    return escape_script(msgspec.json.encode(data).decode("utf-8"))


def escape_script(json: str) -> Markup:
    """Escape JSON so that it cannot end a script element."""
    return Markup(  # noqa: S704
        json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    )


@functools.cache
def _page_strings(language: str) -> dict[str, str]:
    """Return the texts of the pages' scripts, by their keys without "page."."""
    texts = locales.catalogue(language, "page.")
    return {key.removeprefix("page."): text for key, text in texts.items()}


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
