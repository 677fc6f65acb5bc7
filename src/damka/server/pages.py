"""The pages: start, game, rules and errors. GET changes nothing.

Besides what every template gets (`damka.server.templates`):

- choose.html: `boxes` (`rulesets.card`), `groups` ([{key, boxes}]), `search_words` (of a name),
  `house` (cards of the server's own boxes, `url` where to play them), `sizes` (of the boards, such
  as "8×8", the smallest first), `running` (`running`), `levels`, `default_level`, `engines` (the
  operator's, with the `rules` that each plays), `most_pdn` (bytes of a file of games)
- game.html: `game_id`, `title`, `rules_url`, `file_url`, `pdn_url`, `you`, `two_people`, `broad`
  (whether the board is wider than it is high), `state` (JSON of the first state message)
- rules.html: `rules` (a card), `title`, `paragraphs`, `sources`, `groups`, `change` (where these
  rules can be changed), `back` ({url} of the game that is being played, or None)
- error.html: `status`, `title`, `sentence`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from damka import Rules, locales, rules
from damka.engine import levels
from damka.live import messages
from damka.live.problems import Problem
from damka.live.state import rules_url, state
from damka.server import rulesets, security
from damka.server.api import app_state_of, guard_post, language_of
from damka.server.game_session import GameSession
from damka.server.language import COOKIE
from damka.server.running_games import running_games
from damka.server.templates import common, in_script, levels_in, page_data, templates

__all__ = ["error_page", "router"]

T = TypeVar("T")

router: Final = APIRouter()

BOXES: Final = rules.names()[:3]
YEAR: Final = 365 * 24 * 3600


@router.get("/")
async def choose_page(request: Request) -> Response:
    """Choose a box, an opponent and a colour; go on with a running game."""
    language = language_of(request)
    holder = security.holder_of(request.cookies.get(security.SEAT_COOKIE))
    context = {
        **common(request, language),
        "running": await running_games(request, holder, language),
        "boxes": [rulesets.card(name, language) for name in BOXES],
        "groups": rulesets.groups(language),
        "house": [
            {**rulesets.card_of(each, language), "url": rulesets.change(each)}
            for each in app_state_of(request).settings.boxes
        ],
        "search_words": rulesets.search_words,
        "sizes": rulesets.sizes(app_state_of(request).settings.boxes),
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": app_state_of(request).settings.engines,
        "most_pdn": app_state_of(request).settings.limits.pdn_bytes,
    }
    return templates(request).page("choose.html", request, context)


@router.get("/game/{game_id}")
async def game_page(request: Request, game_id: str) -> Response:
    """Show a game, to play on or to watch."""
    language = language_of(request)
    holder = security.holder_of(request.cookies.get(security.SEAT_COOKIE))

    def look(session: GameSession) -> dict[str, Any]:
        live = session.live
        you = live.sides_of(holder)
        shown = state(live, you, language, thinking=session.thinking, paused=session.paused)
        return {
            "game_id": live.id,
            "title": live.rules.title_in(language),
            "rules_url": rules_url(live),
            "file_url": f"/api/games/{live.id}/file",
            "pdn_url": f"/api/games/{live.id}/pdn",
            "you": you,
            "two_people": live.computer is None,
            "broad": live.rules.width > live.rules.height,
            "state": in_script(messages.encode(shown)),
            "page": page_data(language, rulesets.data(live.rules, language)),
        }

    context = await _in_session(request, game_id, look)
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
    chosen = await _in_session(request, game_id, lambda session: session.live.rules)
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


async def _in_session(request: Request, game_id: str, look: Callable[[GameSession], T]) -> T:
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    async with app_state_of(request).sessions.enter(game_id) as session:
        if session is None:
            raise Problem(404, "unknown_game")
        return await session.read(lambda _: look(session))


def _rules_context(of: Rules, language: str, game_id: str | None) -> dict[str, Any]:
    return {
        "rules": rulesets.card_of(of, language),
        "title": of.title_in(language),
        "paragraphs": rulesets.paragraphs(of, language),
        "sources": of.sources,
        "change": rulesets.change(of),
        "back": None if game_id is None else {"url": f"/game/{game_id}"},
        "groups": rulesets.groups(language),
    }


def _local(address: str) -> str:
    """Return a path on this server, whatever was asked for: never another site."""
    if not address.startswith("/") or address[1:2] in {"/", "\\"}:
        return "/"
    return address if address.isprintable() and "\\" not in address else "/"
