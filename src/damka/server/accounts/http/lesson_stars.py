"""A member's progress of lessons, shared by all devices."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from damka.live import requests
from damka.live.problems import Problem
from damka.server.accounts.http.request import accounts_of
from damka.server.accounts.values import Account
from damka.server.api import NO_STORE, app_state_of, guard_post
from damka.server.identity import member_of
from damka.server.store import ConflictError
from damka.server.store import lessons as rows
from damka.study.lessons import MAX_STARS

__all__ = ["router"]

router: Final = APIRouter()

_Course = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}\Z")]
_Level = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_.-]{1,64}\Z")]
_Stars = Annotated[int, msgspec.Meta(ge=0, le=MAX_STARS)]
_Levels = Annotated[dict[_Level, _Stars], msgspec.Meta(max_length=rows.MAX_LEVELS)]


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stars by courses and levels, sent by a page's script; `reset` is a course to delete."""

    courses: Annotated[dict[_Course, _Levels], msgspec.Meta(max_length=rows.MAX_COURSES)] = {}
    reset: _Course | None = None


@router.post("/account/lessons")
async def merge_progress(request: Request) -> Response:
    """Store a browser's stars, the better of each level; return those of all devices."""
    guard_post(request)
    account = _writer(request)
    body = requests.read(await request.body(), Progress)
    accounts = accounts_of(request)
    if body.reset is not None:
        await accounts.write(lambda c: rows.reset(c, account.id, str(body.reset)))
    if not body.courses:
        return _answer(await accounts.read(lambda c: rows.progress(c, account.id)))
    try:
        return _answer(await accounts.write(lambda c: rows.merge(c, account.id, body.courses)))
    except ConflictError as error:
        # Another device has stored the course at the same time; the page repeats it later.
        raise Problem(503, "busy") from error


def _answer(courses: dict[str, rows.Stars]) -> Response:
    return JSONResponse({"courses": courses}, headers=NO_STORE)


def _writer(request: Request) -> Account:
    account = member_of(request)
    if not app_state_of(request).study_changes.take(account.id):
        raise Problem(429, "too_many")
    return account
