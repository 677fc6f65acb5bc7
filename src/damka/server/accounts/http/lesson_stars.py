"""A member's progress of lessons, shared by all devices."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import JSONResponse, Response

from damka.live import requests
from damka.live.problems import Problem
from damka.pages import course_ids
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
_Stars = Annotated[int, msgspec.Meta(ge=0, le=MAX_STARS)]
_Levels = Annotated[dict[str, _Stars], msgspec.Meta(max_length=rows.MAX_LEVELS)]
_Resets = Annotated[
    dict[_Course, Annotated[int, msgspec.Meta(ge=0)]],
    msgspec.Meta(max_length=rows.MAX_COURSES),
]
_LEVEL: Final = re.compile(r"game|[a-z0-9_]+(\.[a-z0-9_-]+)+", re.ASCII)
_MAX_ID: Final = 64


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stars by courses and levels, sent by a page's script.

    `reset` is a course to delete, as far as its stars are not better than `had`: a reset without a
    connection arrives late, and stars earned on another device since then are kept.
    `account` is the account with which the browser has exchanged its stars before, and `resets`
    are the resets that it knows of.
    """

    courses: Annotated[dict[_Course, _Levels], msgspec.Meta(max_length=rows.MAX_COURSES)] = {}
    reset: _Course | None = None
    had: _Levels = {}
    account: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    resets: _Resets = {}


@router.post("/account/lessons")
async def merge_progress(request: Request) -> Response:
    """Store a browser's stars, the better of each level; return those of all devices.

    Ids of unknown levels are dropped.
    """
    guard_post(request)
    account = _writer(request)
    body = requests.read(await request.body(), Progress)
    accounts = accounts_of(request)
    is_first = body.account != account.name
    # A reset for another account has waited in the browser.
    if body.reset is not None and (body.account is None or not is_first):
        await accounts.write(lambda c: rows.reset(c, account.id, str(body.reset), body.had))
    courses = {course: _levels(course, stars) for course, stars in body.courses.items()}
    seen = None if is_first else body.resets

    def exchange(connection: Connection) -> dict[str, Any]:
        merged = rows.merge(connection, account.id, courses, seen)
        return {"courses": merged, "resets": rows.resets(connection, account.id)}

    def read(connection: Connection) -> dict[str, Any]:
        stored = rows.progress(connection, account.id)
        return {"courses": stored, "resets": rows.resets(connection, account.id)}

    try:
        found = await (accounts.write(exchange) if courses else accounts.read(read))
    except ConflictError as error:
        # Another device has stored the course at the same time; the page repeats it later.
        raise Problem(503, "busy") from error
    found["courses"] = {course: _levels(course, each) for course, each in found["courses"].items()}
    return JSONResponse({**found, "account": account.name}, headers=NO_STORE)


def _levels(course: str, stars: rows.Stars) -> rows.Stars:
    """Return the stars of levels that a course may have, or has if it is shipped."""
    ids = course_ids.known().get(course)
    return {
        each: n
        for each, n in stars.items()
        if (each in ids if ids else len(each) <= _MAX_ID and _LEVEL.fullmatch(each))
    }


def _writer(request: Request) -> Account:
    account = member_of(request)
    if not app_state_of(request).study_changes.take(account.id):
        raise Problem(429, "too_many")
    return account
