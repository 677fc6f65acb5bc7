"""Rendered pages of the site in each language, and a root page that redirects to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Literal

import msgspec

from damka import locales, rules
from damka.draw import svg
from damka.engine import levels
from damka.engine.weights.shipped import shipped_file
from damka.live import LiveGame, StoredGame, setup
from damka.live.messages import State
from damka.live.own_games import Query
from damka.live.state import rules_url, state
from damka.locales import LANGUAGES
from damka.pages import (
    NAMES,
    Templates,
    analyse,
    box_form,
    box_query,
    common,
    contexts,
    guided,
    lesson,
    lessons,
    own_games,
    rulesets,
    studies,
)
from damka.pages.templates import script_json
from damka.rules import Rules, other
from damka.study.lessons import course as course_of
from damka_site.addresses import url
from damka_site.games import HOLDER

__all__ = ["boards", "pages"]

CSP: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'self'; worker-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'"
)
MAX_PDN: Final = 2 * 1024 * 1024
_EARLY: Final = datetime(2020, 1, 1, tzinfo=UTC)
_WORDS: Final = (
    "starting",
    "getting_ready",
    "move_saved",
    "elsewhere",
    "stopped",
    "other_window",
    "play_here",
    "update",
    "update_now",
    "later",
    "failed",
    "damaged",
    "reload",
    "not_kept",
    "ok",
    "no_game",
    "not_deleted",
    "keep_file",
    "start_page",
    "a_game",
)
_SHELL: Final = ("running", "put_away")


def boards(house: Sequence[Rules]) -> Iterator[tuple[str, str]]:
    """Yield the small pictures of all boards: (file, SVG)."""
    for name in rules.names():
        yield f"boards/{name}.svg", svg.mini(rules.load(name))
    for each in house:
        yield f"boards/{_house(each)}.svg", svg.mini(each)


def _house(each: Rules) -> str:
    return f"house-{each.name}"


def pages(
    house: Sequence[Rules], folder: str, kernel: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield all pages, and the starts of games: (file, text).

    `folder` has the static files, `kernel` are the files of the analysis.
    """
    templates = Templates(lambda name: name)
    for language in LANGUAGES:
        yield from _pages_in(language, templates, house, folder, kernel)
    yield "index.html", _root(folder)


def _pages_in(
    language: str,
    templates: Templates,
    house: Sequence[Rules],
    folder: str,
    kernel: Mapping[str, Any],
) -> Iterator[tuple[str, str]]:
    links = {
        rulesets.change(each).replace("/box?", "/box.svg?"): f"../boards/{_house(each)}.svg"
        for each in house
    }

    def page(name: str, kind: str, here: str, context: Mapping[str, Any]) -> tuple[str, str]:
        up = "../" * here.count("/")
        whole = {
            **common(language),
            "static": lambda file: f"{up}../{folder}/{file}",
            "url": lambda path: f"{up}{links[path]}" if path in links else url(path, up),
            "site": _site(language, kind, up, here),
            **context,
        }
        return f"{language}/{here}", templates.text(name, whole)

    choose = contexts.choose(language, house=house, most_pdn=MAX_PDN)
    yield page("choose.html", "choose", "index.html", choose)
    yield page("game.html", "game", "game.html", _no_game())
    # The worker replaces the list.
    empty = own_games.context([], Query(), {}, HOLDER, language)
    yield page("games.html", "games", "games.html", empty)
    first = rules.load(rules.names()[0])
    editor = analyse.context(first, language, house=house, most_pdn=MAX_PDN, kernel=kernel)
    yield page("analyse.html", "analyse", "analyse.html", editor)
    # The pages take the studies from the browser's store.
    own_studies = studies.list_context(language, None)
    yield page("studies.html", "studies", "studies.html", own_studies)
    study = {**editor, **studies.study_context(language, {})}
    yield page("study.html", "study", "study.html", study)
    # The worker replaces these with the rules of the address.
    yield page("guided.html", "guided", "guided.html", guided.context(first, language))
    form = box_query.read({}, language)
    yield page("box.html", "box", "box.html", box_form.context(form, language))
    yield page("learn.html", "learn", "learn.html", lessons.choose_context(language, house))
    for name in rules.names():
        course = lessons.course_context(rules.load(name), language)
        yield page("course.html", "path", f"learn/{name}.html", course)
    # The worker fills it with the level of the address.
    yield page("lesson.html", "lesson", "lesson.html", _no_level(first, language))
    # The worker replaces these with the course of house rules, and with that of any rules.
    yield page("course.html", "course", "course.html", lessons.course_context(first, language))
    printed = {**lessons.print_context(first, language), "exercises": [], "steps": []}
    yield page("course_print.html", "course_print", "course_print.html", printed)
    for name in rules.names():
        context = contexts.game_rules(rules.load(name), language, "-")
        yield page("rules.html", "rules", f"rules/{name}.html", context)
        yield f"{language}/start/{name}.json", _start(rules.load(name), language)
    # The worker replaces these with the rules of a game.
    yield page("rules.html", "house", "house.html", contexts.game_rules(first, language, "-"))
    yield f"{language}/manifest.webmanifest", _manifest(language)


def _site(language: str, kind: str, up: str, here: str) -> dict[str, Any]:
    words = {name: locales.translate(language, f"site.{name}") for name in _WORDS}
    words |= {name: locales.translate(language, f"shell.{name}") for name in _SHELL}
    words["amount"] = locales.translate(language, "site.amount", got="{got}", all="{all}")
    return {"page": kind, "up": up, "here": here, "csp": CSP, "data": script_json({"words": words})}


def _no_level(of: Rules, language: str) -> dict[str, Any]:
    texts = dict.fromkeys(("title", "rule", "task", "number", "count"), "")
    first = lesson.context(of, course_of(of).levels[0].id, language)
    return {**first, "level": {**first["level"], **texts, "link": None}}


def _no_game() -> dict[str, Any]:
    return {
        "event": None,
        "game_id": "-",
        "title": "Damka",
        "rules_url": "/",
        "file_url": "/api/games/-/file",
        "pdn_url": "/api/games/-/pdn",
        "picture_url": "/api/games/-/picture.svg",
        "replay_url": "/api/games/-/replay.svg",
        "most_level": len(levels.LEVELS),
        "two_people": True,
        "online": False,
        "rated": False,
        "invitation": None,
        "latest_message": None,
        "broad": False,
        "state": script_json(None),
    }


def _start(of: Rules, language: str) -> str:
    """Return the state of a new game for a page whose worker has not started.

    `state` is a spectator's. `as` has the differences for players, by opponent and colour:
    "computer-first" moves first against the computer. `computers` has the computer's player at each
    level. If openings are drawn by lot, there are no moves before the draw.
    """
    shown = _new_game(of, None, "first")
    spectator = _fields(state(shown, (), language))
    players = {
        f"{opponent}-{colour}": _differences(_new_game(of, level, colour), spectator, language)
        for opponent, level in (("computer", levels.DEFAULT), ("person", None))
        for colour in ("first", "second")
    }
    computer = other(of.first)
    weights = shipped_file(of)
    data = {
        "state": {**spectator, "legal": []} if of.openings else spectator,
        "as": players,
        "computers": [
            state(_new_game(of, level, "first"), (), language).players[computer]
            for level in levels.LEVELS
        ],
        "level": levels.DEFAULT,
        "first": of.first,
        "page": {"lang": language, "rules": rulesets.data(of, language)},
        "edit": analyse.data(of, language),
        "title": of.title_in(language),
        "weights": None if weights is None else weights.name,
        "rules_url": rules_url(shown).partition("?")[0],
        "broad": of.width > of.height,
    }
    return msgspec.json.encode(data).decode()


def _new_game(of: Rules, level: int | None, colour: Literal["first", "second"]) -> LiveGame:
    game = setup.new(of, HOLDER, level=level, colour=colour)
    return LiveGame(
        StoredGame(
            id="",
            rules=game.rules,
            base=None,
            lot=None,
            previous=None,
            next=None,
            created=_EARLY,
            updated=_EARLY,
            seats=game.seats,
            events=(),
        )
    )


def _fields(of: State) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(of))
    return fields


def _differences(live: LiveGame, usual: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the fields of the state that differ from the common one."""
    fields = _fields(state(live, live.sides_of(HOLDER), language))
    return {name: value for name, value in fields.items() if usual[name] != value}


def _manifest(language: str) -> str:
    icons = [
        {"src": f"../icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    vector = {"src": "../icon.svg", "sizes": "any", "type": "image/svg+xml"}
    manifest = {
        "name": "Damka",
        "short_name": "Damka",
        "description": locales.translate(language, "site.description"),
        "lang": language,
        "id": "../",
        "start_url": "index.html",
        "scope": "../",
        "display": "standalone",
        "background_color": "#f6f3ee",
        "theme_color": "#f6f3ee",
        "icons": [*icons, vector],
    }
    return msgspec.json.encode(manifest).decode()


def _root(folder: str) -> str:
    links = "".join(
        f'<li><a hreflang="{code}" lang="{code}" href="{code}/index.html">{name}</a></li>\n'
        for code, name in NAMES.items()
    )
    return f"""<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{CSP}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Damka</title>
<link rel="icon" href="{folder}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{folder}/base.css">
<script type="module" src="{folder}/welcome.js"></script>
</head>
<body>
<h1>Damka</h1>
<ul>
{links}</ul>
</body>
</html>
"""
