"""Reporting a game, and settling reports by arbiters and operators."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from damka import locales
from damka.live.problems import Problem
from damka.pages import members as pages
from damka.server import security, templates
from damka.server.accounts import Account, moderation
from damka.server.accounts.http.request import accounts_of, form_of, redirect, text_field
from damka.server.api import language_of
from damka.server.chat import rows
from damka.server.identity import member_of
from damka.server.store import ConflictError

__all__ = ["router"]

router: Final = APIRouter()

MAX_REPORTS: Final = 50
MAX_LOG_ENTRIES: Final = 50
_MAX_ID: Final = 2**31 - 1
MAX_CHAT_LINES: Final = 100
"""Maximum number of chat messages shown with each report."""

_Reported = tuple[moderation.Report, list[rows.ChatEntry]]


@router.get("/game/{game_id}/report")
async def report_page(request: Request, game_id: str) -> Response:
    """Show the form for reporting a game."""
    account = member_of(request)
    await _opponent(request, game_id, account)
    context = {
        "game_id": game_id,
        "reasons": moderation.REASONS,
        "longest": moderation.MAX_NOTE_LENGTH,
        "done": "done" in request.query_params,
    }
    return await templates.page("report.html", request, language_of(request), context)


@router.post("/game/{game_id}/report")
async def report(request: Request, game_id: str) -> Response:
    """Store a report by a player of the game."""
    form = await form_of(request)
    account = member_of(request)
    accused = await _opponent(request, game_id, account)
    reason = next((each for each in moderation.REASONS if each == form.get("reason")), None)
    if reason is None:
        raise Problem(422, "bad_field", where="reason")
    text = text_field(form, "text", moderation.MAX_NOTE_LENGTH)
    try:
        await accounts_of(request).write(
            lambda c: moderation.report(c, game_id, account.id, accused, reason, text)
        )
    except ConflictError as error:
        raise Problem(409, "reported_already") from error
    return redirect(f"/game/{game_id}/report?done=1")


@router.get("/reports")
async def reports_page(request: Request) -> Response:
    """Show the open reports and the moderation log."""
    _require_arbiter(request)
    language = language_of(request)

    def read_all(connection: Connection) -> tuple[list[_Reported], list[moderation.LogEntry]]:
        reports = [
            (each, rows.game_log(connection, each.game_id, MAX_CHAT_LINES))
            for each in moderation.reports(connection, MAX_REPORTS)
        ]
        return reports, moderation.log_entries(connection, MAX_LOG_ENTRIES)

    reports, log = await accounts_of(request).read(read_all)
    context: dict[str, Any] = {
        "reports": [
            {
                "id": each.id,
                "url": f"/game/{each.game_id}",
                "title": pages.title(each.rules, language),
                "reporter": each.reporter,
                "accused": each.accused,
                "reason": each.reason,
                "text": each.text,
                "created": each.created,
                "messages": [_chat_line(entry, language) for entry in lines],
            }
            for each, lines in reports
        ],
        "verdicts": tuple(moderation.VERDICTS),
        "longest": moderation.MAX_NOTE_LENGTH,
        "log": log,
    }
    return await templates.page("reports.html", request, language, context)


@router.post("/reports/{report_id}")
async def settle(request: Request, report_id: int) -> Response:
    """Settle a report."""
    form = await form_of(request)
    account = _require_arbiter(request)
    verdict = next((each for each in moderation.VERDICTS if each == form.get("verdict")), None)
    if verdict is None:
        raise Problem(422, "bad_field", where="verdict")
    if not 0 < report_id <= _MAX_ID:
        raise Problem(409, "settled_already")
    note = text_field(form, "note", moderation.MAX_NOTE_LENGTH)
    is_settled = await accounts_of(request).write(
        lambda c: moderation.settle(c, report_id, verdict, account.id, note)
    )
    if not is_settled:
        raise Problem(409, "settled_already")
    return redirect("/reports")


def _chat_line(entry: rows.ChatEntry, language: str) -> dict[str, Any]:
    """Return the template context of a chat message, as shown to arbiters."""
    text = entry.text or ""
    if entry.preset is not None:
        text = locales.translate(language, f"chat.preset.{entry.preset}")
    name = entry.name or locales.translate(language, "chat.guest")
    return {"name": name, "plays": entry.side is not None, "text": text, "at": entry.at}


def _require_arbiter(request: Request) -> Account:
    account = member_of(request)
    if not account.is_arbiter:
        raise Problem(403, "not_arbiter")
    return account


async def _opponent(request: Request, game_id: str, account: Account) -> str | None:
    """Return the id of the opponent's account in a game; None for a guest."""
    if not security.is_game_id(game_id):
        raise Problem(404, "unknown_game")
    opponent = await accounts_of(request).read(
        lambda c: moderation.opponent_in(c, game_id, account.holder)
    )
    if opponent is None:
        raise Problem(403, "no_opponent")
    return opponent[0]
