"""Engine analysis, reviews and endgame tables. Never for running games between people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any, Final

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from damka import Rules, rules
from damka.board import Board
from damka.engine import SearchLimits
from damka.errors import DamkaError, FenError, PositionTooComplexError
from damka.game import Game
from damka.live import lines as line_of
from damka.live import requests
from damka.live import reviews as json_of
from damka.live.live_game import LiveGame
from damka.live.problems import Problem
from damka.live.replay import require_showable
from damka.rules import other
from damka.server import security
from damka.server.analysis import messages
from damka.server.analysis.budgets import Payer
from damka.server.analysis.fair_play import Position, positions_of, require_no_running_game
from damka.server.analysis.service import LEAST_CHARGE
from damka.server.api import app_state_of, guard_post, language_of
from damka.server.engine_pool import BusyError, Requester, SearchFailedError, StoppedError
from damka.server.identity import address_of, identity_of, member_of
from damka.server.limits import network
from damka.server.positions import rules_of
from damka.server.programs.http.responses import json_response, stream
from damka.server.programs.messages import (
    AnalysisAnswer,
    AnalysisLine,
    AnalysisRequest,
    TableQuery,
    encode,
)

if TYPE_CHECKING:
    from damka.server.analysis.reviews import OpenReview
    from damka.server.analysis.service import OpenAnalysis
    from damka.server.app_state import AppState

__all__ = ["router"]

router: Final = APIRouter()

_NODES_PER_SECOND: Final = 2_000_000
"""Nodes that a search with a time limit may take, for its budget."""


@router.post("/api/analysis")
async def analyse(request: Request) -> Response:
    """Analyse a position: one JSON response, or a stream of lines."""
    guard_post(request)
    app_state = app_state_of(request)
    body = requests.read(await request.body(), AnalysisRequest)
    if not app_state.limits.analysis_nodes:
        raise Problem(403, "analysis_off")
    if not app_state.analysis_requests.take(_person(request)):
        raise Problem(429, "too_many_analyses")
    return await (_stream_analysis if body.stream else _analyse_once)(request, body)


async def _stream_analysis(request: Request, body: AnalysisRequest) -> Response:
    app_state = app_state_of(request)
    of = await _rules(request, body.rules)
    board = await app_state.sessions.rule_threads.run(lambda: _board(of, body))
    await require_no_running_game(request, app_state, of, positions_of([board]))
    opened = await app_state.analyses.open(
        board,
        body.lines,
        body.nodes,
        _payer(request),
        _requester(request),
        tables_only=body.tables,
    )
    return stream(
        request,
        _analysis_lines(opened, language_of(request)),
        streams=app_state.analysis_streams,
        at_end=opened.watch.close,
    )


async def _analysis_lines(opened: OpenAnalysis, language: str) -> AsyncGenerator[bytes, None]:
    yield encode(messages.AnalysisStart(opened.nodes, opened.cached))
    try:
        async for line, _ in opened.watch.states():
            yield encode(line)
    except Problem as problem:
        yield encode(messages.ErrorLine(problem.code, problem.sentence(language)))


async def _analyse_once(request: Request, body: AnalysisRequest) -> Response:
    app_state = app_state_of(request)
    of = await _rules(request, body.rules)
    game = await app_state.sessions.rule_threads.run(
        lambda: _game(of, body.fen, body.moves, threat=body.threat)
    )
    await require_no_running_game(request, app_state, game.rules, positions_of([game.board]))
    if game.result is not None:
        raise Problem(422, "game_is_over", where="moves" if body.moves else "fen")
    most = min(body.nodes or app_state.limits.analysis_nodes, app_state.limits.analysis_nodes)
    reservation = await app_state.budgets.reserve(
        _payer(request), min(most, int(body.seconds * _NODES_PER_SECOND))
    )
    nodes = 0
    try:
        reply = app_state.engine_pool.analyse(
            game,
            SearchLimits(depth=body.depth, nodes=most, seconds=body.seconds),
            _requester(request),
            lines=body.lines,
        )
        nodes = LEAST_CHARGE
        analysis = await reply.answer()
        nodes = analysis.nodes
    except (BusyError, SearchFailedError, StoppedError) as error:
        raise Problem(503, "busy") from error
    finally:
        reservation.settle(nodes)
        app_state.metrics.count_nodes(nodes)
    app_state.metrics.count_analysis("searched")
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


@router.post("/api/review")
async def review(request: Request) -> Response:
    """Stream the review of a game."""
    guard_post(request)
    app_state = app_state_of(request)
    body = requests.read(await request.body(), messages.ReviewRequest)
    if not app_state.limits.analysis_nodes or not app_state.limits.review_nodes:
        raise Problem(403, "analysis_off")
    if not app_state.analysis_requests.take(_person(request)):
        raise Problem(429, "too_many_analyses")
    game_id = body.game if isinstance(body.game, str) else None
    threads = app_state.sessions.rule_threads
    moves = body.game if not isinstance(body.game, str) else await _moves(app_state, body.game)
    game = await threads.run(lambda: json_of.game_of(moves))
    positions = await threads.run(lambda: _positions(game))
    await require_no_running_game(request, app_state, game.rules, positions)
    opened = await app_state.reviews.open(
        game, body.nodes, _payer(request), _requester(request), game_id
    )
    return stream(
        request,
        _review_lines(opened, game.ply_count, body, language_of(request)),
        streams=app_state.analysis_streams,
        at_end=opened.watch.close,
    )


async def _review_lines(
    opened: OpenReview, plies: int, body: messages.ReviewRequest, language: str
) -> AsyncGenerator[bytes, None]:
    yield encode(messages.ReviewStart(plies, opened.stored))
    try:
        async for _, final in opened.watch.states():
            yield encode(await opened.work.line(language, body.reader, final=final))
    except Problem as problem:
        yield encode(messages.ErrorLine(problem.code, problem.sentence(language)))


@router.get("/api/tablebase")
async def tablebase(request: Request) -> Response:
    """Probe the endgame tables for a position."""
    member_of(request)
    app_state = app_state_of(request)
    query = requests.options(request.query_params, TableQuery)
    if query.rules not in rules.names():
        raise Problem(404, "unknown_rules", where="rules")
    game = await app_state.sessions.rule_threads.run(
        lambda: _game(rules.load(query.rules), query.fen, [])
    )
    await require_no_running_game(request, app_state, game.rules, positions_of([game.board]))
    result = await asyncio.to_thread(app_state.tables.probe, game.board)
    return json_response(result)


def _person(request: Request) -> str:
    """Return the key of the sender's rate limit."""
    account = identity_of(request).account
    return address_of(request) if account is None else account.id


def _payer(request: Request) -> Payer:
    account = identity_of(request).account
    limits = app_state_of(request).limits
    return Payer(address_of(request), None if account is None else account.id, limits)


def _requester(request: Request) -> Requester:
    identity = identity_of(request)
    account = "" if identity.account is None else identity.account.id
    return Requester(network(address_of(request)), account, identity.holder or "")


async def _rules(request: Request, requested: str | dict[str, Any] | None) -> Rules:
    """Return the rules of a body, or those of the query without any. Raises Problem."""
    if requested is None:
        return await asyncio.to_thread(rules_of, request)
    return await asyncio.to_thread(requests.rules_of, requested)


async def _moves(app_state: AppState, game_id: str) -> json_of.GameMoves:
    """Return a finished game of this server. Raises Problem."""
    live = await app_state.sessions.load(game_id) if security.is_game_id(game_id) else None
    if live is None:
        raise Problem(404, "unknown_game", where="game")
    if live.result is None:
        if live.online:
            raise Problem(403, "no_help_now", where="game")
        raise Problem(409, "game_not_over", where="game")
    return await app_state.sessions.rule_threads.run(lambda: _game_moves(live))


def _game_moves(live: LiveGame) -> json_of.GameMoves:
    if live.game.ply_count > json_of.MAX_PLIES:
        raise Problem(422, "game_too_long", where="game")
    return msgspec.convert(json_of.game_moves(live.game), json_of.GameMoves)


def _positions(game: Game) -> set[Position]:
    """Return all positions of a game."""
    board = game.board.copy()
    positions: set[Position] = {(board.pieces, board.turn)}
    while board.move_count:
        board.pop()
        positions.add((board.pieces, board.turn))
    return positions


def _board(of: Rules, body: AnalysisRequest) -> Board:
    """Return the board to search. Raises Problem."""
    try:
        board = Board(of, body.fen)
    except FenError as error:
        raise Problem(422, "bad_field", where="fen", detail=str(error)[:300]) from error
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="fen") from error
    for key in body.moves:
        turn = line_of.turn_of(board, key)
        if turn.move is not None:
            board.push_unchecked(turn.move)
    if body.threat:
        board = board.with_pieces(board.pieces, other(board.turn))
    try:
        over = not board.has_legal_moves or not board.legal_moves
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="fen") from error
    if over or board.is_over:
        raise Problem(422, "game_is_over", where="moves" if body.moves else "fen")
    return board


def _game(rule_set: Rules, fen: str | None, moves: list[str], *, threat: bool = False) -> Game:
    """Build the game. Raises Problem."""
    where = "fen"
    try:
        game = Game(rule_set, fen)
        require_showable(game)
        where = "moves"
        for move in moves:
            game.play(move)
            require_showable(game)
        if threat:
            board = game.board
            game = Game(rule_set, board.with_pieces(board.pieces, other(board.turn)).fen)
            require_showable(game)
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where=where) from error
    except DamkaError as error:
        raise Problem(422, "bad_field", where=where, detail=str(error)[:300]) from error
    return game
