"""Handlers of a page's requests by path, as on a server.

Modules that a first game does not need are imported in functions, to start faster.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qs

import msgspec

from damka.errors import DamkaError, FenError, PositionTooComplexError
from damka.live import requests, setup
from damka.live.files import MEDIA_TYPE
from damka.live.problems import Problem
from damka_site.addresses import url
from damka_site.games import HOLDER, Games

if TYPE_CHECKING:
    from damka.pages import Templates
    from damka.rules import Rules

__all__ = ["Answer", "Requests"]

MAX_BYTES: Final = 256 * 1024
MAX_TREE: Final = 1024 * 1024
MAX_PDN: Final = 2 * 1024 * 1024


_TREE_PATHS: Final = frozenset(
    {
        "/api/line",
        "/api/tree",
        "/api/tree/pdn",
        "/api/studies/read",
        "/api/review/steps",
        "/api/review/judge",
    }
)
"""Paths about trees of moves on the page Analyse."""

_PART: Final = dict.fromkeys(("page", "up", "here", "csp", "data"), "")
"""Empty `site` of a rendered page, of which only `main` is shown."""


class NewGame(requests.NewGame, frozen=True, forbid_unknown_fields=True):
    """A new game that its page already shows, with lots drawn by the page."""

    lot: Literal["first", "second"] | None = None
    """The drawn colour, if `colour` is "lot"."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Response: text with an HTTP status and an optional file name."""

    status: int
    text: str
    type: str = "application/json"
    name: str = ""


class Requests:
    """Handlers of requests about the games in a store."""

    def __init__(self, games: Games) -> None:
        self._games: Final = games
        self._templates: Templates | None = None

    async def answer(self, path: str, body: bytes | None, kind: str, language: str) -> Answer:
        """Handle a request; `body` is None for GET."""
        try:
            try:
                return await self._answer(path, body, kind, language)
            except PositionTooComplexError as error:
                raise Problem(422, "too_complex") from error
        except Problem as problem:
            return Answer(problem.status, json.dumps(problem.body(language)))
        except DamkaError as error:
            failed = Problem(500, "internal", detail=str(error)[:300])
            return Answer(500, json.dumps(failed.body(language)))

    async def _answer(self, path: str, body: bytes | None, kind: str, language: str) -> Answer:
        pathname, _, text = path.partition("?")
        query = parse_qs(text, keep_blank_values=True, max_num_fields=200)
        if body is not None and len(body) > _limit(pathname, kind):
            raise Problem(413, "too_large", where="body")
        match pathname.split("/")[1:], body:
            case ["api", "games", *parts], _:
                return await self._answer_about_game(parts, query, body, kind, language)
            case ["games" | "games.pdn"], None:
                return await self._own_games(pathname, query, language)
            case ["learn", name, "game"], None:
                return self._guided(name, query, language)
            case ["game", game_id, "rules"], None:
                return await self._rules(game_id, language)
            case ["analyse"], None if "game" in query:
                live = await self._games.load(query["game"][-1])
                return self._editor(live.rules, language)
        return self._answer_about_rules(pathname, query, body, kind, language)

    def _answer_about_rules(
        self,
        pathname: str,
        query: dict[str, list[str]],
        body: bytes | None,
        kind: str,
        language: str,
    ) -> Answer:
        """Handle a request that is not about a stored game."""
        match pathname.split("/")[1:], body:
            case ["api", "position"], bytes():
                return self._read_position(query, body, kind, language)
            case ["api", "position"] | ["position.svg"] | ["analyse"], None:
                return self._position(pathname, query, language)
            case _, bytes() if pathname in _TREE_PATHS:
                return self._tree(pathname, query, body, kind, language)
            case ["api", "lesson", *_], _:
                return self._lesson(pathname, query, body, language)
            case ["line.svg"], None:
                return self._replay(query)
            case ["learn", *parts], None:
                return self._course(parts, query, language)
            case ["api", "box"] | ["box.toml" | "box.svg" | "box"], None:
                return self._box(pathname, query, language)
        raise Problem(404, "not_found")

    async def _answer_about_game(
        self,
        parts: list[str],
        query: dict[str, list[str]],
        body: bytes | None,
        kind: str,
        language: str,
    ) -> Answer:
        """Handle a request whose path continues with `parts` after "/api/games"."""
        match parts, body:
            case [], bytes():
                return await self._new(requests.read(body, NewGame), language)
            case ["load"], bytes():
                return await self._load(query, body, kind, language)
            case [game_id, "rematch"], bytes():
                level = requests.read(body or b"{}", requests.RematchOptions).level
                live = await self._games.load(game_id)
                return await self._store_new(setup.rematch(live, HOLDER, level), language)
            case [game_id, "tree"], None:
                return await self._game_tree(game_id, language)
            case [game_id, "shown"], None:
                return Answer(200, await self._games.shown(game_id, language))
            case [game_id, "file" | "pdn" as what], None:
                return await self._file(game_id, what)
            case [game_id, "picture.svg" | "replay.svg" as what], None:
                return await self._picture(game_id, what, query)
            case [game_id, "listing"], bytes():
                return await self._change_listing(game_id, body)
        raise Problem(404, "not_found")

    def _box(self, pathname: str, query: dict[str, list[str]], language: str) -> Answer:
        from damka import box  # noqa: PLC0415  see the module's docstring
        from damka.draw import svg  # noqa: PLC0415
        from damka.pages import box_form, box_query  # noqa: PLC0415

        match pathname:
            case "/box.svg":
                return Answer(200, svg.mini(box_query.start_rules(query)[0]), "image/svg+xml")
            case "/api/box":
                form = box_query.read(query, language)
                return _json(box_form.preview(form, language, self._load_templates()))
            case "/box.toml":
                form = box_query.read(query, language)
                if form.box is None:
                    raise Problem(422, "bad_box", error=form.error)
                toml = box.format_table(box.table(form.box, form.origin))
                return Answer(200, toml, "application/toml", f"{form.box.name}.toml")
        form = box_query.read(query, language)
        return self._page("box.html", language, box_form.context(form, language))

    def _course(self, parts: list[str], query: dict[str, list[str]], language: str) -> Answer:
        """Handle a request whose path continues with `parts` after "/learn"."""
        from damka.pages import lessons  # noqa: PLC0415  see the module's docstring

        match parts:
            case [name]:
                of = lessons.rules_of(name, query)
                return self._page("course.html", language, lessons.course_context(of, language))
            case [name, "print"]:
                of = lessons.rules_of(name, query)
                return self._page(
                    "course_print.html", language, lessons.print_context(of, language)
                )
            case [name, level]:
                from damka.pages import lesson  # noqa: PLC0415

                of = lessons.rules_of(name, query)
                page = lesson.data(of, level, language)
                return _json({"title": of.title_in(language), "page": page})
        raise Problem(404, "not_found")

    def _position(self, pathname: str, query: dict[str, list[str]], language: str) -> Answer:
        from damka.live import positions  # noqa: PLC0415  see the module's docstring
        from damka.pages import analyse, box_query  # noqa: PLC0415

        of = box_query.start_rules(query)[0]
        text = query.get("fen", [""])[-1]
        match pathname:
            case "/api/position":
                return _json(positions.describe(of, text, language))
            case "/position.svg":
                try:
                    svg = analyse.picture(of, text, flip=query.get("flip") == ["1"])
                except FenError as error:
                    raise Problem(422, "bad_position", where="fen", detail=error.code) from error
                return Answer(200, svg, "image/svg+xml", f"{of.name}.svg")
        return self._editor(of, language)

    def _read_position(
        self, query: dict[str, list[str]], body: bytes, kind: str, language: str
    ) -> Answer:
        from damka.live import pasted  # noqa: PLC0415  see the module's docstring
        from damka.pages import analyse, box_query  # noqa: PLC0415

        of = box_query.start_rules(query)[0]
        last = {key: values[-1] for key, values in query.items() if key not in analyse.ADDRESS}
        options = requests.options(last, pasted.ReadOptions)
        is_pdn = kind == MEDIA_TYPE
        text = pasted.read(body, of, options, language, is_pdn=is_pdn)
        return _json(analyse.position_json(text, language))

    def _tree(
        self,
        pathname: str,
        query: dict[str, list[str]],
        body: bytes,
        kind: str,
        language: str,
    ) -> Answer:
        from damka.live import lines, pasted, trees  # noqa: PLC0415  see the module's docstring
        from damka.pages import analyse, box_query  # noqa: PLC0415

        of = box_query.start_rules(query)[0]
        match pathname:
            case "/api/review/steps" | "/api/review/judge":
                return self._review(pathname, body, language)
            case "/api/line":
                return _json(lines.describe(of, requests.read(body, lines.LineRequest), language))
            case "/api/studies/read":
                return self._read_chapters(of, body)
            case "/api/tree/pdn":
                text = trees.text_of(of, requests.read(body, trees.Tree))
                return _json({"name": trees.file_name(of), "pdn": text})
        last = {key: values[-1] for key, values in query.items() if key not in analyse.ADDRESS}
        options = requests.options(last, pasted.ReadOptions)
        is_pdn = kind == MEDIA_TYPE
        text_read = trees.read(body, of, options, language, is_pdn=is_pdn)
        return _json(analyse.tree_json(text_read, language))

    def _lesson(
        self, pathname: str, query: dict[str, list[str]], body: bytes | None, language: str
    ) -> Answer:
        from damka.live import lessons  # noqa: PLC0415  see the module's docstring
        from damka.pages import box_query  # noqa: PLC0415

        of = box_query.start_rules(query)[0]
        last = {key: values[-1] for key, values in query.items()}
        match pathname, body:
            case "/api/lesson/answer", bytes():
                given = requests.read(body, lessons.AnswerRequest)
                return _json(lessons.answer(of, given, language))
            case "/api/lesson/hint", None:
                asked = requests.options(last, lessons.HintRequest)
                return _json(lessons.hint(of, asked, language))
            case "/api/lesson", None:
                level = requests.options(last, lessons.LevelRequest).level
                return _json(lessons.describe(of, level, language))
        raise Problem(404, "not_found")

    async def _game_tree(self, game_id: str, language: str) -> Answer:
        from damka.live import saving, trees  # noqa: PLC0415  see the module's docstring
        from damka.pages import analyse  # noqa: PLC0415

        game = saving.record(await self._games.load(game_id))
        return _json(analyse.tree_json(trees.TreeText(game), language))

    def _replay(self, query: dict[str, list[str]]) -> Answer:
        from damka.live import trees  # noqa: PLC0415  see the module's docstring
        from damka.pages import box_query  # noqa: PLC0415

        of = box_query.start_rules(query)[0]
        fen, moves = (query.get(name, [""])[-1] for name in ("fen", "moves"))
        svg = trees.replay(of, fen, moves, flip=query.get("flip") == ["1"])
        return Answer(200, svg, "image/svg+xml", f"{of.name}-replay.svg")

    def _editor(self, of: Rules, language: str) -> Answer:
        """Return what the page Analyse lacks for rules that are not its own."""
        from damka.pages import analyse, rulesets  # noqa: PLC0415  see the module's docstring

        page = {"rules": rulesets.data(of, language)}
        edit = analyse.data(of, language)
        return _json({"title": of.title_in(language), "page": page, "edit": edit})

    def _read_chapters(self, of: Rules, body: bytes) -> Answer:
        from damka.live import studies  # noqa: PLC0415  see the module's docstring
        from damka.pages import studies as pages  # noqa: PLC0415

        return Answer(200, pages.chapters_json(studies.read_chapters(body, of)).decode())

    def _review(self, pathname: str, body: bytes, language: str) -> Answer:
        from damka.live import reviews  # noqa: PLC0415  see the module's docstring

        if pathname == "/api/review/judge":
            return _json(reviews.judge(requests.read(body, reviews.JudgeRequest)))
        return _json(reviews.steps(requests.read(body, reviews.StepsRequest), language))

    def _guided(self, name: str, query: dict[str, list[str]], language: str) -> Answer:
        from damka.pages import guided, lessons  # noqa: PLC0415  see the module's docstring

        context = guided.context(lessons.rules_of(name, query), language)
        return self._page("guided.html", language, context)

    async def _rules(self, game_id: str, language: str) -> Answer:
        from damka.pages import contexts  # noqa: PLC0415

        live = await self._games.load(game_id)
        context = contexts.game_rules(live.rules, language, game_id)
        return self._page("rules.html", language, context)

    async def _own_games(
        self, pathname: str, query: Mapping[str, Sequence[str]], language: str
    ) -> Answer:
        from damka.live.own_games import Query  # noqa: PLC0415
        from damka_site import own_games  # noqa: PLC0415

        if pathname == "/games.pdn":
            name, text = await own_games.file_of_all(self._games)
            return Answer(200, text, MEDIA_TYPE, name)
        last = {key: values[-1] for key, values in query.items()}
        context = await own_games.context(self._games, requests.options(last, Query), language)
        return self._page("games.html", language, context)

    async def _change_listing(self, game_id: str, body: bytes) -> Answer:
        from damka.live.own_games import Listing  # noqa: PLC0415
        from damka_site import own_games  # noqa: PLC0415

        listing = requests.read(body, Listing)
        return Answer(200, await own_games.change_listing(self._games, game_id, listing))

    async def _new(self, body: NewGame, language: str) -> Answer:
        if body.opponent == "invite":
            raise Problem(422, "bad_field", where="opponent")
        colour = body.lot if body.colour == "lot" else None
        if colour is not None:
            body = msgspec.structs.replace(body, colour=colour)
        if body.opponent == "guide":
            from damka_site import own_games  # noqa: PLC0415  see the module's docstring

            requests.require_guided(body)
            of = requests.rules_of(body.rules, body.obligation)
            running = await own_games.running_guided(self._games, of)
            if running is not None:
                return _json({"id": running, "url": f"/game/{running}"})
            guided = requests.new(body, HOLDER, lambda *_: False)
            return await self._store_new(guided, language)
        game_setup = requests.new(body, HOLDER, lambda *_: False)
        if colour is not None:
            game_setup = replace(game_setup, lot=game_setup.you)
        # With shipped rules the page already shows the game, from the start position.
        is_shown = isinstance(body.rules, str) and body.fen is None
        return await self._store_new(game_setup, None if is_shown else language)

    async def _load(
        self, query: Mapping[str, Sequence[str]], body: bytes, kind: str, language: str
    ) -> Answer:
        last = {key: values[-1] for key, values in query.items()}
        options = requests.options(last, requests.LoadOptions)
        is_pdn = kind == MEDIA_TYPE
        contents = requests.read_file(body, options, language, is_pdn=is_pdn)
        if contents.game is None:
            return _json(requests.contents(contents, language))
        return await self._store_new(requests.load(contents.game, options, HOLDER), language)

    async def _store_new(self, game_setup: setup.GameSetup, language: str | None) -> Answer:
        """Store a new game; with a language, also the initial state of its page."""
        game_id = await self._games.create(game_setup)
        if language is not None:
            await self._games.shown(game_id, language)
        body = {
            "id": game_id,
            "url": f"/game/{game_id}",
            "lot": {"drawn": game_setup.lot is not None, "you": game_setup.you},
        }
        return Answer(201, json.dumps(body))

    async def _file(self, game_id: str, kind: str) -> Answer:
        from damka.live import saving  # noqa: PLC0415

        live = await self._games.load(game_id)
        file = saving.save(live, "pdn" if kind == "pdn" else "json")
        return Answer(200, file.text, file.media_type, file.name)

    async def _picture(self, game_id: str, what: str, query: Mapping[str, Sequence[str]]) -> Answer:
        from damka.live import saving  # noqa: PLC0415

        live = await self._games.load(game_id)
        draw = saving.picture if what == "picture.svg" else saving.replay
        options = requests.options(
            {key: each[-1] for key, each in query.items()}, requests.PictureOptions
        )
        file = draw(live.game, live.started_at, flip=options.flip)
        return Answer(200, file.text, file.media_type, file.name)

    def _page(self, name: str, language: str, context: Mapping[str, Any]) -> Answer:
        from damka.pages import common  # noqa: PLC0415

        full_context = {**common(language), "url": url, "site": _PART, **context}
        return Answer(200, self._load_templates().text(name, full_context), "text/html")

    def _load_templates(self) -> Templates:
        # Created on first use: a game does not need templates.
        if self._templates is None:
            from damka.pages import Templates  # noqa: PLC0415

            self._templates = Templates(lambda name: name)
        return self._templates


def _limit(pathname: str, kind: str) -> int:
    """Return the maximum size of a body."""
    if pathname in ("/api/tree/pdn", "/api/review/steps"):
        return MAX_TREE
    return MAX_PDN if kind == MEDIA_TYPE else MAX_BYTES


def _json(value: object) -> Answer:
    return Answer(200, json.dumps(value))
