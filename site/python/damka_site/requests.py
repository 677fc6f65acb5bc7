"""What a page asks for by a path, as it would ask a server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs

from damka import box
from damka.draw import svg
from damka.errors import DamkaError, PositionTooComplexError
from damka.live import requests, saving, setup
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.pages import Templates, box_form, box_query, common, contexts
from damka_site.addresses import url
from damka_site.games import HOLDER, Games

__all__ = ["Answer", "Requests"]

MOST_BYTES: Final = 256 * 1024
MOST_PDN: Final = 2 * 1024 * 1024


_PART: Final = dict.fromkeys(("page", "up", "here", "csp", "data"), "")
"""The site of a rendered page of which only what is inside `main` is shown: it has a head."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A text, with a status as HTTP has them, and the name of the file that it is to be."""

    status: int
    text: str
    type: str = "application/json"
    name: str = ""


class Requests:
    """Answers the requests of pages about the games in a store."""

    def __init__(self, games: Games) -> None:
        self._games: Final = games
        self._templates: Templates | None = None

    async def answer(self, path: str, body: bytes | None, kind: str, language: str) -> Answer:
        """Answer a request, with a body where something is sent."""
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
        place, _, text = path.partition("?")
        query = parse_qs(text, keep_blank_values=True, max_num_fields=200)
        if body is not None and len(body) > (MOST_PDN if kind == MEDIA_TYPE else MOST_BYTES):
            raise Problem(413, "too_large", where="body")
        match place.split("/")[1:], body:
            case ["api", "games"], bytes():
                return await self._new(requests.read(body, requests.NewGame), language)
            case ["api", "games", "load"], bytes():
                return await self._load(query, body, kind, language)
            case ["api", "games", game_id, "rematch"], bytes():
                live = await self._games.load(game_id)
                return await self._made(setup.rematch(live, HOLDER), language)
            case ["api", "games", game_id, "file" | "pdn" | "shown" as what], None:
                return await self._told(game_id, what, language)
            case ["api", "box"], None:
                asked = box_query.read(query, language)
                return _json(box_form.said(asked, language, self._loaded()))
            case ["box.toml"], None:
                asked = box_query.read(query, language)
                if asked.box is None:
                    raise Problem(422, "bad_box", error=asked.error)
                toml = box.toml(box.table(asked.box, asked.origin))
                return Answer(200, toml, "application/toml", f"{asked.box.name}.toml")
            case ["box.svg"], None:
                return Answer(200, svg.mini(box_query.started(query)[0]), "image/svg+xml")
            case ["box"], None:
                asked = box_query.read(query, language)
                return self._page("box.html", language, box_form.context(asked, language))
            case ["game", game_id, "rules"], None:
                live = await self._games.load(game_id)
                context = contexts.game_rules(live.rules, language, game_id)
                return self._page("rules.html", language, context)
        raise Problem(404, "not_found")

    async def _new(self, asked: requests.NewGame, language: str) -> Answer:
        if asked.opponent == "invite":
            raise Problem(422, "bad_field", where="opponent")
        return await self._made(requests.new(asked, HOLDER, lambda *_: False), language)

    async def _load(
        self, query: Mapping[str, Sequence[str]], body: bytes, kind: str, language: str
    ) -> Answer:
        last = {key: values[-1] for key, values in query.items()}
        options = requests.options(last, requests.LoadOptions)
        is_pdn = kind == MEDIA_TYPE
        found = requests.in_file(body, options.game, language, is_pdn=is_pdn)
        if found.game is None:
            return _json({"games": found.games, "more": found.more})
        return await self._made(requests.load(found.game, options, HOLDER), language)

    async def _made(self, made: setup.Made, language: str) -> Answer:
        game_id = await self._games.create(made, language)
        told = {
            "id": game_id,
            "url": f"/game/{game_id}",
            "lot": {"drawn": made.lot is not None, "you": made.you},
        }
        return Answer(201, json.dumps(told))

    async def _told(self, game_id: str, what: str, language: str) -> Answer:
        if what == "shown":
            return Answer(200, await self._games.shown(game_id, language))
        live = await self._games.load(game_id)
        file = saving.save(live, "pdn" if what == "pdn" else "json")
        return Answer(200, file.text, file.media_type, file.name)

    def _page(self, name: str, language: str, context: Mapping[str, Any]) -> Answer:
        whole = {**common(language), "url": url, "site": _PART, **context}
        return Answer(200, self._loaded().text(name, whole), "text/html")

    def _loaded(self) -> Templates:
        # Made when it is first needed: a game does without.
        if self._templates is None:
            self._templates = Templates(lambda name: name)
        return self._templates


def _json(told: object) -> Answer:
    return Answer(200, json.dumps(told))
