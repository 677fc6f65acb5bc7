"""Export of an account's data, and closing the account."""

from __future__ import annotations

import asyncio
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import IO, Any, Final

import msgspec
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.background import BackgroundTask
from starlette.responses import Response, StreamingResponse

from damka.errors import DamkaError
from damka.live import saving, studies
from damka.live.problems import Problem
from damka.server import templates
from damka.server.accounts import Account, history, members, moderation, names, tokens
from damka.server.accounts.http.request import (
    accounts_of,
    delete_session_cookie,
    form_of,
    problem_context,
    redirect,
)
from damka.server.addresses import origin_of
from damka.server.api import NO_STORE, app_state_of, language_of
from damka.server.chat import rows as chat
from damka.server.events.game_tags import tags_for
from damka.server.identity import address_of, identity_of, member_of
from damka.server.store import lessons as lesson_rows
from damka.server.store import studies as study_rows

__all__ = ["router"]

router: Final = APIRouter()

_MAX_GAMES: Final = 100_000
_SPOOL_BYTES: Final = 4 * 1024 * 1024
_CHUNK_BYTES: Final = 64 * 1024


@router.get("/account/export")
async def export_page(request: Request) -> Response:
    """Describe the contents of the export."""
    account = member_of(request)
    context = {"name": account.name}
    return await templates.page("account_export.html", request, language_of(request), context)


@router.post("/account/export")
async def export(request: Request) -> Response:
    """Export all stored data of a member as a ZIP file of JSON and PDN."""
    await form_of(request)
    account = member_of(request)
    accounts = accounts_of(request)
    account_data = await accounts.read(lambda c: _account_data(c, account))
    played = await accounts.read(lambda c: history.games(c, account.holder, "all", _MAX_GAMES))
    # The response closes the file.
    file = tempfile.SpooledTemporaryFile(_SPOOL_BYTES)  # noqa: SIM115
    try:
        async with accounts.export_lock:
            await _write(request, file, account, account_data, played)
    except BaseException:
        file.close()
        raise
    day = datetime.now(UTC).date().isoformat()
    headers = {"content-disposition": f'attachment; filename="damka-{day}.zip"', **NO_STORE}
    return StreamingResponse(
        _chunks(file), media_type="application/zip", headers=headers, background=_close_task(file)
    )


@router.get("/account/close")
async def close_page(request: Request) -> Response:
    """Describe the consequences of closing an account."""
    return await _close_page(request)


@router.post("/account/close")
async def close(request: Request) -> Response:
    """Close the account permanently."""
    form = await form_of(request)
    account = member_of(request)
    accounts = accounts_of(request)
    try:
        if names.fold(form.get("name", "")) != names.fold(account.name):
            raise Problem(422, "close_name", where="name")
        await accounts.reauthenticate(
            identity_of(request), form.get("old", ""), address_of(request)
        )
    except Problem as problem:
        return await _close_page(request, problem)
    app_state = app_state_of(request)
    await app_state.lobby.leave_all(account.holder)
    await app_state.leaving.end_games(account.holder)
    await accounts.write(lambda c: members.close(c, account.id))
    # An open page may have started another game in the meantime.
    await app_state.leaving.end_games(account.holder)
    return delete_session_cookie(request, redirect("/"))


async def _close_page(request: Request, problem: Problem | None = None) -> Response:
    account = member_of(request)
    language = language_of(request)
    stored = await accounts_of(request).read(lambda c: members.password_of(c, account.id))
    context = {
        "name": account.name,
        "has_password": stored is not None,
        "problem": None if problem is None else problem_context(problem, language),
    }
    status = 200 if problem is None else problem.status
    return await templates.page("account_close.html", request, language, context, status=status)


def _account_data(connection: Connection, account: Account) -> dict[str, Any]:
    """Return the stored data of an account, except games, hashes and public keys."""
    ratings = history.ratings(connection, account.id)
    return {
        "name": account.name,
        "right": account.right,
        "kid": account.kid,
        "bot": account.bot,
        "created": account.created,
        "preferences": dict(account.preferences),
        "has_password": members.password_of(connection, account.id) is not None,
        "passkeys": [
            {"device": each.label, "created": each.created, "used": each.used}
            for each in members.passkeys(connection, account.id)
        ],
        "programs": [
            {
                "label": each.label,
                "scopes": each.scopes,
                "created": each.created,
                "used": each.used,
            }
            for each in tokens.list_tokens(connection, account.id)
        ],
        "logged_in": [
            {"device": each.name, "since": each.created, "seen": each.seen}
            for each in members.devices(connection, account.id)
        ],
        "ratings": [
            {
                "rules": each.rules,
                **each.strength._asdict(),
                "games": each.games,
                "last": each.last,
                "history": [
                    {"at": at, "rating": rating, "game": game}
                    for at, rating, game in history.points(
                        connection, account.id, each.rules, _MAX_GAMES
                    )
                ],
            }
            for each in ratings
        ],
        "blocked": moderation.blocked_by(connection, account.id),
        "lessons": lesson_rows.progress(connection, account.id),
        "reports": [
            {"game": game, "reason": reason, "text": text, "created": created}
            for game, reason, text, created in moderation.reported_by(connection, account.id)
        ],
        "chat": [
            {"game": game, "preset": preset, "text": text, "at": at}
            for game, preset, text, at in chat.written_by(connection, account.holder)
        ],
    }


async def _write(
    request: Request,
    file: IO[bytes],
    account: Account,
    account_data: dict[str, Any],
    played: list[history.PlayedGame],
) -> None:
    app_state = app_state_of(request)
    sessions, listed = app_state.sessions, []
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("games.pdn", "w", force_zip64=True) as pdn:
            for game in played:
                saved = None
                try:
                    live = await sessions.load(game.id)
                    if live is not None:
                        tags = (await tags_for(app_state.events, game.id, origin_of(request)))(live)
                        save = partial(saving.save, live, "pdn", tags)
                        saved = await sessions.rule_threads.run(save)
                except DamkaError:
                    # It has too many captures for PDN; its metadata is in the list of games.
                    pass
                if saved is not None:
                    await asyncio.to_thread(pdn.write, f"{saved.text.strip()}\n\n".encode())
                listed.append(
                    {
                        "id": game.id,
                        "rules": game.rules.get("name"),
                        "side": game.side,
                        "opponent": game.opponent,
                        "level": game.level,
                        "winner": game.winner,
                        "reason": game.reason,
                        "created": game.created,
                        "updated": game.updated,
                        "title": game.title,
                        "removed": game.removed,
                        "in_pdn": saved is not None,
                    }
                )
        account_data = {**account_data, "studies": await _write_studies(request, archive, account)}
        account_json = msgspec.json.format(
            msgspec.json.encode({**account_data, "games": listed}), indent=2
        )
        archive.writestr("account.json", account_json)
    file.seek(0)


async def _write_studies(
    request: Request, archive: zipfile.ZipFile, account: Account
) -> list[dict[str, Any]]:
    """Write each study as a PDN file of its own; return their list."""
    accounts, listed = accounts_of(request), list[dict[str, Any]]()
    for entry in await accounts.read(lambda c: study_rows.list_studies(c, account.id)):
        study = await accounts.read(partial(_study, account.id, entry.id))
        if study is None:
            continue
        name = f"studies/{len(listed) + 1:03}-{studies.file_name(study.title)}"
        chapters = [(each.title, str(each.pdn)) for each in study.chapters]
        archive.writestr(name, studies.file_text(study.title, chapters))
        listed.append({"title": study.title, "updated": study.updated, "file": name})
    return listed


def _study(account_id: str, study_id: str, connection: Connection) -> studies.Study | None:
    return study_rows.find(connection, account_id, study_id)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK_BYTES):
        yield chunk


def _close_task(file: IO[bytes]) -> BackgroundTask:
    return BackgroundTask(file.close)
