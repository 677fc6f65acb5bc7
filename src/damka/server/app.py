"""The web application, assembled by `create_app`."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import Depends, FastAPI, Request, WebSocket
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from damka.errors import PositionTooComplexError
from damka.live.problems import Problem
from damka.pages import WEB, Templates
from damka.server import (
    api,
    boxes,
    courses,
    guided,
    joining,
    lesson,
    live,
    own_games,
    pages,
    positions,
    reviews,
    studies,
    trees,
)
from damka.server.accounts import http as accounts_http
from damka.server.analysis import http as analysis_http
from damka.server.app_state import AppState
from damka.server.chat import http as chat_http
from damka.server.events import http as events_http
from damka.server.events import live as events_live
from damka.server.fault_log import log_fault
from damka.server.forwarding import Forwarding
from damka.server.identity import identify
from damka.server.kernel_files import kernel_files, kernel_json
from damka.server.live_route import LiveRoute
from damka.server.lobby import http as lobby_http
from damka.server.lobby import live as lobby_live
from damka.server.observe import ObserveMiddleware
from damka.server.openapi import http as openapi_http
from damka.server.programs import http as programs_http
from damka.server.security import WASM_CSP, Guard
from damka.server.settings import Settings
from damka.server.static import StaticFiles
from damka.server.store import StoreError

__all__ = ["create_app"]

log: Final = logging.getLogger(__name__)

_CODES: Final = {404: "not_found", 405: "wrong_method", 413: "too_large"}


def create_app(settings: Settings) -> FastAPI:
    """Return the application, with its database open and migrated.

    Raises StoreError when the database cannot be used.
    """
    app_state = AppState(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await app_state.start(app)
        yield
        await app_state.close()

    app = FastAPI(title="Damka", lifespan=lifespan, openapi_url=None, docs_url=None, redoc_url=None)
    headers = {"analysis_worker.js": {"content-security-policy": WASM_CSP}}
    static = StaticFiles(WEB / "static", headers=headers)
    kernel = kernel_files(settings)
    app.state.damka = app_state
    app.state.static = static
    app.state.kernel = kernel_json(kernel)
    app.state.templates = Templates(static.url)
    app.include_router(api.health)
    dependencies = [Depends(identify)]
    for router in (
        pages.router,
        own_games.router,
        studies.router,
        boxes.router,
        positions.router,
        trees.router,
        reviews.router,
        courses.router,
        guided.router,
        api.router,
        joining.router,
        chat_http.router,
        accounts_http.router,
        programs_http.router,
        analysis_http.router,
        openapi_http.router,
        events_http.router,
        lobby_http.router,
        lesson.router,  # last: any name after /learn/{rules}/ may be a level
    ):
        app.include_router(router, dependencies=dependencies)
    app.mount("/static", static)
    if kernel is not None:
        app.mount("/kernel", kernel)

    async def live_game(socket: WebSocket, game_id: str) -> None:
        await live.serve(socket, game_id, app_state)

    @app.websocket("/live/event/{event_id}")
    async def live_event(socket: WebSocket, event_id: str) -> None:
        await events_live.serve(socket, event_id, app_state)

    @app.websocket("/lobby/live")
    async def live_lobby(socket: WebSocket) -> None:
        await lobby_live.serve(socket, app_state)

    async def refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        # This runs outside the application: its state is not in the scope yet.
        request = Request({**scope, "app": app}, receive)
        response = await _error_response(request, problem)
        await response(scope, receive, send)

    _add_exception_handlers(app)
    app.add_middleware(LiveRoute, serve=live_game)
    if app_state.processes is not None and app_state.processes.peers is not None:
        app.add_middleware(
            Forwarding,
            ownership=app_state.processes.ownership,
            peers=app_state.processes.peers,
            refuse=refuse,
        )
    app.add_middleware(Guard, settings=settings, refuse=refuse)
    app.add_middleware(ObserveMiddleware, metrics=app_state.metrics)
    return app


def _add_exception_handlers(app: FastAPI) -> None:
    """Register handlers that return errors with a status, a code and a message."""

    @app.exception_handler(Problem)
    async def on_problem(request: Request, problem: Problem) -> Response:
        return await _error_response(request, problem)

    @app.exception_handler(StoreError)
    async def on_store_error(request: Request, error: StoreError) -> Response:
        log_fault(log, error, "request failed")
        return await _error_response(request, Problem(503, "busy"))

    @app.exception_handler(ClientDisconnect)
    async def on_disconnect(_: Request, __: ClientDisconnect) -> Response:
        # The client disconnected before the end of its request and will not read the response.
        return Response(status_code=400)

    @app.exception_handler(PositionTooComplexError)
    async def on_too_complex(request: Request, _: PositionTooComplexError) -> Response:
        return await _error_response(request, Problem(422, "too_complex"))

    @app.exception_handler(HTTPException)
    async def on_http_error(request: Request, error: HTTPException) -> Response:
        code = _CODES.get(error.status_code, "bad_request")
        response = await _error_response(request, Problem(error.status_code, code))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def on_error(request: Request, _: Exception) -> Response:
        return await _error_response(request, Problem(500, "internal"))


async def _error_response(request: Request, problem: Problem) -> Response:
    """Return an error response: a page for browsers, JSON for programs."""
    language = api.language_of(request)
    if api.is_page(request):
        return await pages.error_page(request, problem, language)
    headers = getattr(problem, "headers", None)
    return JSONResponse(problem.body(language), problem.status, headers)
