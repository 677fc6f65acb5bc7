"""Routes of studies: their pages, and an account's changes of its own studies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response

from damka.live import requests, studies
from damka.live.files import MEDIA_TYPE
from damka.live.problems import Problem
from damka.pages import studies as pages
from damka.pages.box_query import start_rules
from damka.server import templates
from damka.server.accounts import Account, Accounts
from damka.server.api import NO_STORE, app_state_of, guard_post, language_of
from damka.server.compression import json_response
from damka.server.identity import address_of, identity_of, member_of
from damka.server.positions import analysis_context
from damka.server.store import studies as rows

__all__ = ["router"]

router: Final = APIRouter()


@router.get("/studies")
async def list_page(request: Request) -> Response:
    """Show the account's studies, and those of the browser."""
    _limit_page(request)
    account, language = identity_of(request).account, language_of(request)
    own = None
    if account is not None:
        own = await _accounts(request).read(lambda c: rows.list_studies(c, account.id))
    context = pages.list_context(language, own)
    return await templates.page("studies.html", request, language, context)


@router.get("/study/-")
async def browser_study_page(request: Request) -> Response:
    """Show a page for a study that the browser has, for the rules of the link."""
    _limit_page(request)
    return await _study_page(request, request.url.query, None)


@router.get("/study/{study_id}")
async def study_page(request: Request, study_id: str) -> Response:
    """Show a chapter of a study to its owner, or to those who have its link."""
    _limit_page(request)
    study = await _find(request, study_id)
    options = requests.options(request.query_params, studies.ChapterOptions)
    chapter = _chapter(study, options.chapter) if options.chapter else study.chapters[0]
    kept = [
        each if each.id == chapter.id else msgspec.structs.replace(each, pdn=msgspec.UNSET)
        for each in study.chapters
    ]
    shown = msgspec.structs.replace(study, chapters=tuple(kept))
    return await _study_page(request, chapter.query, {"chapter": chapter.id, "study": shown})


@router.get("/api/studies")
async def list_studies(request: Request) -> Response:
    """List the account's studies."""
    account = member_of(request)
    return await json_response(
        request, await _accounts(request).read(lambda c: rows.list_studies(c, account.id))
    )


@router.post("/api/studies")
async def create(request: Request) -> Response:
    """Create a private study."""
    account = _writer(request)
    body = requests.read(await request.body(), studies.NewStudy)
    title = studies.study_title(body.title)
    contents = await _contents(request, body.chapters)

    def change(connection: Connection) -> studies.Study:
        _require_space(request, connection, account, contents, more=1)
        return _listed(connection, account, rows.create(connection, account.id, title, contents))

    return await json_response(request, await _accounts(request).write(change), 201)


@router.post("/api/studies/read")
async def read_chapters(request: Request) -> Response:
    """Read a text as chapters, without storing them; games that name no rules are by `base`."""
    guard_post(request)
    query = {name: request.query_params.getlist(name) for name in ("r", "base")}
    body = await request.body()

    def read() -> bytes:
        return pages.chapters_json(studies.read_chapters(body, start_rules(query)[0]))

    async with app_state_of(request).pdn_lock:
        text = await asyncio.to_thread(read)
    return Response(text, media_type="application/json", headers=NO_STORE)


@router.get("/api/studies/{study_id}")
async def get_study(request: Request, study_id: str) -> Response:
    """Return a study to its owner, or to those who have its link."""
    _limit_page(request)
    return await json_response(request, await _find(request, study_id))


@router.get("/api/studies/{study_id}/pdn")
async def study_file(request: Request, study_id: str) -> Response:
    """Return a study, or one of its chapters, as a PDN file."""
    _limit_page(request)
    options = requests.options(request.query_params, studies.ChapterOptions)
    study = await _find(request, study_id)
    chosen: Sequence[studies.Chapter] = study.chapters
    if options.chapter:
        chosen = [_chapter(study, options.chapter)]
    text = studies.file_text(study.title, [(each.title, str(each.pdn)) for each in chosen])
    name = studies.file_name(chosen[0].title if options.chapter else study.title)
    headers = {"content-disposition": f'attachment; filename="{quote(name)}"', **NO_STORE}
    return Response(text, media_type=MEDIA_TYPE, headers=headers)


@router.post("/api/studies/{study_id}")
async def change_study(request: Request, study_id: str) -> Response:
    """Rename or remove a study, or reorder its chapters."""
    account = _writer(request)
    body = requests.read(await request.body(), studies.StudyChange)
    title = None if body.title is msgspec.UNSET else studies.study_title(body.title)

    def change(connection: Connection) -> studies.Study:
        _require_own(connection, account, study_id)
        if title is not None:
            rows.rename(connection, study_id, title)
        if body.order is not msgspec.UNSET and not rows.reorder(connection, study_id, body.order):
            raise Problem(409, "study_changed", where="order")
        if body.removed is not msgspec.UNSET:
            rows.set_removed(connection, study_id, removed=body.removed)
        return _listed(connection, account, study_id)

    return await json_response(request, await _accounts(request).write(change))


@router.post("/api/studies/{study_id}/share")
async def share(request: Request, study_id: str) -> Response:
    """Share a study by a link, or end the sharing."""
    account = _writer(request)
    body = requests.read(await request.body(), studies.Sharing)

    def change(connection: Connection) -> studies.Study:
        _require_own(connection, account, study_id, open_only=True)
        rows.share(connection, study_id, shared=body.shared)
        return _listed(connection, account, study_id)

    return await json_response(request, await _accounts(request).write(change))


@router.post("/api/studies/{study_id}/chapters")
async def add_chapters(request: Request, study_id: str) -> Response:
    """Add chapters to a study."""
    account = _writer(request)
    body = requests.read(await request.body(), studies.AddedChapters)
    contents = await _contents(request, body.chapters)

    def change(connection: Connection) -> studies.Study:
        _require_own(connection, account, study_id, open_only=True)
        _require_space(request, connection, account, contents)
        study = rows.find(connection, account.id, study_id, texts=False)
        if study is not None and len(study.chapters) + len(contents) > studies.MAX_CHAPTERS:
            raise Problem(409, "chapters_full", values={"n": studies.MAX_CHAPTERS})
        rows.add_chapters(connection, study_id, contents, body.at)
        return _listed(connection, account, study_id)

    return await json_response(request, await _accounts(request).write(change), 201)


@router.post("/api/studies/{study_id}/chapters/{chapter_id}")
async def change_chapter(request: Request, study_id: str, chapter_id: str) -> Response:
    """Rename a chapter, replace its text, or delete it."""
    account = _writer(request)
    body = requests.read(await request.body(), studies.ChapterChange)
    values: dict[str, Any] = {}
    if body.title is not msgspec.UNSET:
        values["title"] = studies.chapter_title(body.title)
    contents: list[rows.Content] = []
    if body.pdn is not msgspec.UNSET:
        contents = await _contents(request, [studies.NewChapter(body.pdn)])
        text = contents[0]
        values |= {"pdn": text.pdn, "size": text.size, "query": text.query, "game": text.game}

    def change(connection: Connection) -> studies.Study:
        _require_own(connection, account, study_id, open_only=True)
        study = rows.find(connection, account.id, study_id, texts=False)
        if study is None or chapter_id not in {each.id for each in study.chapters}:
            raise Problem(404, "unknown_chapter")
        if body.removed is True:
            if len(study.chapters) == 1:
                raise Problem(409, "last_chapter")
            rows.remove_chapter(connection, study_id, chapter_id)
        elif values:
            _require_space(request, connection, account, contents)
            if not rows.change_chapter(connection, study_id, chapter_id, values, body.revision):
                raise Problem(409, "study_changed", where="revision")
        return _listed(connection, account, study_id)

    return await json_response(request, await _accounts(request).write(change))


async def _study_page(request: Request, query: str, shown: dict[str, Any] | None) -> Response:
    language = language_of(request)

    def context() -> dict[str, Any]:
        return analysis_context(request, pages.rules_of(query), language)

    is_member = identity_of(request).account is not None
    page = await asyncio.to_thread(context)
    page |= pages.study_context(language, {"account": is_member, **(shown or {})})
    return await templates.page("study.html", request, language, page)


async def _find(request: Request, study_id: str) -> studies.Study:
    """Return a study that the sender may read. Raises Problem."""
    account = identity_of(request).account
    study = None
    if studies.is_id(study_id):
        account_id = None if account is None else account.id
        study = await _accounts(request).read(lambda c: rows.find(c, account_id, study_id))
    if study is None:
        raise Problem(404, "unknown_study")
    return study


def _chapter(study: studies.Study, chapter_id: str) -> studies.Chapter:
    for each in study.chapters:
        if each.id == chapter_id:
            return each
    raise Problem(404, "unknown_chapter")


def _writer(request: Request) -> Account:
    """Return the account of a changing request. Raises Problem."""
    guard_post(request)
    account = member_of(request)
    if not app_state_of(request).study_changes.take(account.id):
        raise Problem(429, "too_many")
    return account


def _require_own(
    connection: Connection, account: Account, study_id: str, *, open_only: bool = False
) -> None:
    """Raise Problem, the same for unknown studies and those of others.

    With `open_only` also for a removed study.
    """
    if not studies.is_id(study_id) or not rows.own(
        connection, account.id, study_id, open_only=open_only
    ):
        raise Problem(404, "unknown_study")


def _require_space(
    request: Request,
    connection: Connection,
    account: Account,
    contents: Sequence[rows.Content],
    *,
    more: int = 0,
) -> None:
    """Raise Problem if contents, or `more` studies, do not fit into the account's storage.

    Removed studies count, because they can be restored; they are deleted if they are in the way.
    """
    limits = app_state_of(request).settings.limits
    size = sum(each.size for each in contents)
    is_full = False
    for at_once in (False, True):
        rows.purge(connection, account.id, at_once=at_once)
        used = rows.usage(connection, account.id)
        is_full = more > 0 and used.studies + more > limits.studies_per_account
        has_space = not size or used.size + size <= limits.study_bytes
        if has_space and not is_full:
            return
    if is_full:
        raise Problem(409, "studies_full", values={"n": limits.studies_per_account})
    raise Problem(409, "studies_space", values={"n": limits.study_bytes // 2**20})


def _listed(connection: Connection, account: Account, study_id: str) -> studies.Study:
    """Return a study without the texts of its chapters, even if it was removed."""
    study = rows.find(connection, account.id, study_id, texts=False, removed=True)
    if study is None:
        raise Problem(404, "unknown_study")
    return study


async def _contents(request: Request, chapters: Sequence[studies.NewChapter]) -> list[rows.Content]:
    """Validate new chapters. Raises Problem."""

    def check() -> list[rows.Content]:
        contents = []
        for each in map(studies.checked, chapters):
            query, game = pages.query_of(each.rules), pages.game_of(each.rules)
            contents.append(rows.Content(each.title, each.pdn, query, game))
        return contents

    async with app_state_of(request).pdn_lock:
        return await asyncio.to_thread(check)


def _accounts(request: Request) -> Accounts:
    return app_state_of(request).accounts


def _limit_page(request: Request) -> None:
    if not app_state_of(request).page_requests.take(address_of(request)):
        raise Problem(429, "too_many")
