"""Requests of the page Analyse: lines of moves, and games with variations."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live import lines, pasted, requests, saving, trees
from damka.live.problems import Problem
from damka.pages import analyse
from damka.server import security
from damka.server.addresses import origin_of
from damka.server.api import (
    NO_STORE,
    app_state_of,
    guard_post,
    language_of,
    read_game,
)
from damka.server.compression import json_response
from damka.server.events.game_tags import tags_for
from damka.server.identity import address_of
from damka.server.positions import require_analysable, rules_of

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/line")
async def describe_line(request: Request) -> Response:
    """Return the positions of a line of moves, and the moves that are possible after it."""
    guard_post(request)
    line = requests.read(await request.body(), lines.LineRequest)
    of, language = await asyncio.to_thread(rules_of, request), language_of(request)
    answer = await asyncio.to_thread(lines.describe, of, line, language)
    return await json_response(request, answer)


@router.post("/api/tree")
async def read_tree(request: Request) -> Response:
    """Read a text with its variations and comments: FEN, PDN or a game file."""
    guard_post(request)
    query = {
        name: value for name, value in request.query_params.items() if name not in analyse.ADDRESS
    }
    options = requests.options(query, pasted.ReadOptions)
    body, language = await request.body(), language_of(request)
    of, is_pdn = await asyncio.to_thread(rules_of, request), security.is_pdn(request.headers)
    async with app_state_of(request).pdn_lock:
        answer = await asyncio.to_thread(
            lambda: analyse.tree_json(
                trees.read(body, of, options, language, is_pdn=is_pdn), language
            )
        )
    return await json_response(request, answer)


@router.post("/api/tree/pdn")
async def write_tree(request: Request) -> Response:
    """Write a tree as PDN."""
    guard_post(request)
    body = await request.body()
    if len(body) > trees.MAX_BYTES:
        raise Problem(413, "too_large", where="body")
    tree = requests.read(body, trees.Tree)
    of = await asyncio.to_thread(rules_of, request)
    async with app_state_of(request).pdn_lock:
        text = await asyncio.to_thread(trees.text_of, of, tree)
    return await json_response(request, {"name": trees.file_name(of), "pdn": text})


@router.get("/api/games/{game_id}/tree")
async def game_tree(request: Request, game_id: str) -> Response:
    """Return a game as a tree."""
    if not app_state_of(request).page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    language = language_of(request)
    tags = await tags_for(app_state_of(request).events, game_id[:32], origin_of(request))

    def tree(live: LiveGame) -> dict[str, object]:
        require_analysable(live)
        return analyse.tree_json(trees.TreeText(saving.record(live, tags(live))), language)

    return await json_response(request, await read_game(request, game_id, tree))


@router.get("/line.svg")
async def line_picture(request: Request) -> Response:
    """Draw a line of moves as an animated picture."""
    if not app_state_of(request).box_requests.take(address_of(request)):
        raise Problem(429, "too_many")
    query = request.query_params
    of = await asyncio.to_thread(rules_of, request)
    async with app_state_of(request).page_slots:
        picture = await asyncio.to_thread(
            lambda: trees.replay(
                of, query.get("fen"), query.get("moves", ""), flip=query.get("flip") == "1"
            )
        )
    name = f"{of.name}-replay.svg"
    headers = {"content-disposition": f'attachment; filename="{name}"', **NO_STORE}
    return Response(picture, media_type=saving.SVG, headers=headers)
