"""Engine analysis and endgame tables. Never for running games between people."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka import Rules, rules
from damka.engine import SearchLimits
from damka.errors import DamkaError, MoveError, PositionTooComplexError, RulesError
from damka.game import Game
from damka.live import requests
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.server.api import app_state_of, guard_post
from damka.server.engine_pool import BusyError, Requester, SearchFailedError, StoppedError
from damka.server.identity import address_of, member_of
from damka.server.limits import network
from damka.server.programs.fair_play import require_no_running_game
from damka.server.programs.http.responses import json_response
from damka.server.programs.messages import (
    AnalysisAnswer,
    AnalysisLine,
    AnalysisRequest,
    TableQuery,
)

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/analysis")
async def analyse(request: Request) -> Response:
    """Analyse a position."""
    guard_post(request)
    member, app_state = member_of(request), app_state_of(request)
    body = requests.read(await request.body(), AnalysisRequest)
    if not app_state.analyses.take(member.id):
        raise Problem(429, "too_many_analyses")
    game = await app_state.sessions.rule_threads.run(
        lambda: _game(_rules_of(body.rules), body.fen, body.moves)
    )
    await require_no_running_game(app_state, member, game.board)
    if game.result is not None:
        raise Problem(422, "game_is_over", where="moves" if body.moves else "fen")
    try:
        reply = app_state.engine_pool.analyse(
            game,
            SearchLimits(depth=body.depth, seconds=body.seconds),
            Requester(network(address_of(request)), member.id),
            lines=body.lines,
        )
        analysis = await reply.answer()
    except (BusyError, SearchFailedError, StoppedError) as error:
        raise Problem(503, "busy") from error
    return json_response(
        AnalysisAnswer(
            fen=game.board.fen,
            depth=analysis.depth,
            nodes=analysis.nodes,
            seconds=analysis.seconds,
            lines=[
                AnalysisLine(line.score, line.mate, [move.hub() for move in line.pv])
                for line in analysis.lines
            ],
        )
    )


@router.get("/api/tablebase")
async def tablebase(request: Request) -> Response:
    """Probe the endgame tables for a position."""
    member, app_state = member_of(request), app_state_of(request)
    query = requests.options(request.query_params, TableQuery)
    if query.rules not in rules.names():
        raise Problem(404, "unknown_rules", where="rules")
    game = await app_state.sessions.rule_threads.run(
        lambda: _game(rules.load(query.rules), query.fen, [])
    )
    await require_no_running_game(app_state, member, game.board)
    result = await asyncio.to_thread(app_state.tables.probe, game.board)
    return json_response(result)


def _rules_of(requested: str | dict[str, Any]) -> Rules:
    if isinstance(requested, str):
        if requested not in rules.names():
            raise Problem(404, "unknown_rules", where="rules")
        return rules.load(requested)
    try:
        return rules.from_dict(requested)
    except RulesError as error:
        raise Problem(422, "bad_box", where="rules", error=error) from error


def _game(rule_set: Rules, fen: str | None, moves: list[str]) -> Game:
    """Build the game. Raises Problem."""
    where = "fen"
    try:
        game = Game(rule_set, fen)
        require_showable(game)
        where = "moves"
        for move in moves:
            game.play(move)
            require_showable(game)
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where=where) from error
    except MoveError as error:
        raise Problem(422, "bad_field", where=where, detail=str(error)[:300]) from error
    except DamkaError as error:
        raise Problem(422, "bad_field", where=where, detail=str(error)[:300]) from error
    return game
