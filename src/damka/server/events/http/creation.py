"""The list of events, and the creation of events: by arbiters, or with a code."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeVar, cast, get_args

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from damka import locales, rules
from damka.errors import RulesError
from damka.live.clock import ClockSettings
from damka.live.problems import Problem
from damka.live.requests import require_ratable
from damka.pages import events as pages
from damka.pages import members as member_pages
from damka.pages import rulesets
from damka.server import templates
from damka.server.api import NO_STORE, app_state_of, guard_game, language_of, seat_of, with_seat
from damka.server.events import changes, rows
from damka.server.events.http.request import (
    code_field,
    events_of,
    form_of,
    number_field,
    redirect,
    text_field,
)
from damka.server.events.values import KINDS, Arbiter, EventSummary, Play, Setup
from damka.server.identity import address_of, identity_of

__all__ = ["router"]

router: Final = APIRouter()

_LIST_LIMIT: Final = 30
_MAX_NAME: Final = 60
_GUESS_KEY: Final = "operator"
CLOCKS: Final = ("3+2", "5+3", "10+0", "15+10", "25+10", "60+30", "none")
T = TypeVar("T", bound=str)


@router.get("/events")
async def list_page(request: Request) -> Response:
    """List the running, upcoming and past events."""
    language = language_of(request)

    def read_events(connection: Any) -> dict[str, list[EventSummary]]:
        return {
            "running": rows.summaries(connection, ("running",), _LIST_LIMIT),
            "soon": rows.summaries(connection, ("soon",), _LIST_LIMIT),
            "past": rows.summaries(connection, ("over",), _LIST_LIMIT),
        }

    events = await events_of(request).read(read_events)
    context = {
        name: [_list_entry(each, language) for each in entries] for name, entries in events.items()
    }
    return await templates.page("events.html", request, language, context)


def _list_entry(each: EventSummary, language: str) -> dict[str, Any]:
    title = member_pages.title({"name": each.rules}, language)
    at = each.starts or each.created
    return pages.list_entry(each.id, each.name, each.kind, title, each.players, at, language)


@router.get("/events/new")
async def new_page(request: Request) -> Response:
    """Show the form for a new event."""
    return await _form(request, {"code": request.query_params.get("code", "")[:16]})


@router.post("/events")
async def create(request: Request) -> Response:
    """Create an event; its creator is its arbiter."""
    form = await form_of(request)
    await guard_game(request)
    language = language_of(request)
    try:
        setup = await asyncio.to_thread(_setup, form, app_state_of(request).settings.boxes)
        name = await _creator_name(request, form)
    except Problem as problem:
        if problem.status not in {403, 422}:
            raise
        message = {"sentence": problem.sentence(language), "where": problem.where or ""}
        return await _form(request, form, message, problem.status)
    seat, holder = seat_of(request)
    state = changes.new_state(setup, Arbiter(holder, name))
    event_id = await events_of(request).create(state, name)
    return with_seat(request, redirect(f"/events/{event_id}/arbiter"), seat)


@router.get("/events/code")
async def typed_code(request: Request) -> Response:
    """Redirect from a typed code to the event."""
    return await by_code(request, request.query_params.get("code", "")[:40])


@router.get("/e/{code}")
async def by_code(request: Request, code: str) -> Response:
    """Redirect from the code on a poster to the event; the code is not secret."""
    event_id = await events_of(request).find(code)
    return RedirectResponse(f"/events/{event_id}", 303, headers=NO_STORE)


async def _creator_name(request: Request, form: Mapping[str, str]) -> str:
    """Return the arbiter's name. Raises Problem for a user who may not create events."""
    account, address = identity_of(request).account, address_of(request)
    events = events_of(request)
    if account is None or not account.is_arbiter:
        code = code_field(form)
        events.limit_guesses(_GUESS_KEY, address, code)
        if not await events.read(lambda c: rows.is_operator_code(c, code)):
            events.count_wrong_code(_GUESS_KEY, address, code)
            raise Problem(403, "event_operator", where="code")
    if account is not None:
        return account.name
    entered_name = form.get("arbiter", "")[:_MAX_NAME]
    try:
        name = await app_state_of(request).accounts.guest_name(entered_name, allow_arbiter=True)
    except Problem as problem:
        raise Problem(problem.status, problem.code, where="arbiter") from problem
    if not name:
        raise Problem(422, "event_name", where="arbiter")
    return name


async def _form(
    request: Request,
    values: Mapping[str, str],
    problem: dict[str, str] | None = None,
    status: int = 200,
) -> Response:
    language = language_of(request)
    account = identity_of(request).account
    boxes = app_state_of(request).settings.boxes
    context = {
        "given": {**_DEFAULTS, **values},
        "problem": problem,
        "needs_code": account is None or not account.is_arbiter,
        "needs_name": account is None,
        "groups": rulesets.groups(language),
        "house": [
            {"name": f"house:{number}", "title": each.title_in(language)}
            for number, each in enumerate(boxes)
        ],
        "clocks": [
            (each, locales.translate(language, "event.no_clock") if each == "none" else each)
            for each in CLOCKS
        ],
    }
    return await templates.page("event_new.html", request, language, context, status=status)


_DEFAULTS: Final = {
    "name": "",
    "arbiter": "",
    "code": "",
    "place": "",
    "kind": "swiss",
    "rules": rules.names()[0],
    "play": "online",
    "clock": "10+0",
    "rounds": "5",
    "cycles": "1",
    "minutes": "60",
    "pace": "arbiter",
    "break": "60",
    "no_draw": "0",
    "starts": "",
    "rated": "",
    "late": "1",
    "last_half": "",
}


def _setup(form: Mapping[str, str], boxes: tuple[rules.Rules, ...]) -> Setup:
    """Parse the settings of a new event. Raises Problem."""
    name = " ".join(text_field(form, "name", _MAX_NAME).split())
    if not name:
        raise Problem(422, "event_title", where="name")
    kind = _one_of(form, "kind", KINDS)
    play: Play = _one_of(form, "play", cast("tuple[Play, ...]", get_args(Play)))
    if kind == "arena" and play != "online":
        raise Problem(422, "event_arena_online", where="play")
    clock = None
    if play == "online":
        clock = _clock(_one_of(form, "clock", CLOCKS))
        if clock is None and kind == "arena":
            raise Problem(422, "event_arena_clock", where="clock")
    rule_set = _rules(form.get("rules", ""), boxes)
    rated = form.get("rated", "") == "1" and play == "online"
    if rated:
        require_ratable(rule_set, clock)
    return Setup(
        name=name,
        kind=kind,
        rules=rule_set.to_dict(),
        clock=clock,
        play=play,
        rounds=number_field({**_DEFAULTS, **form}, "rounds", 1, 30),
        cycles=number_field({**_DEFAULTS, **form}, "cycles", 1, 4),
        minutes=number_field({**_DEFAULTS, **form}, "minutes", 1, 720),
        pace="auto" if form.get("pace") == "auto" else "arbiter",
        break_seconds=number_field({**_DEFAULTS, **form}, "break", 0, 3600),
        no_draw_before=number_field({**_DEFAULTS, **form}, "no_draw", 0, 200),
        starts=_start_time(form.get("starts", ""), form.get("zone", "0")),
        rated=rated,
        late=form.get("late", "") == "1",
        last_half=form.get("last_half", "") == "1",
        place=" ".join(text_field(form, "place", _MAX_NAME).split()),
    )


def _one_of(form: Mapping[str, str], field: str, values: tuple[T, ...]) -> T:
    for each in values:
        if each == form.get(field, _DEFAULTS.get(field)):
            return each
    raise Problem(422, "bad_field", where=field)


def _clock(text: str) -> ClockSettings | None:
    if text == "none":
        return None
    minutes, increment = map(int, text.split("+"))
    return ClockSettings("fischer" if increment else "sudden", 60 * minutes, increment)


def _rules(name: str, boxes: tuple[rules.Rules, ...]) -> rules.Rules:
    try:
        if name in rules.names():
            return rules.load(name)
        kind, _, number = name.partition(":")
        if kind == "house" and number.isascii() and number.isdigit() and int(number) < len(boxes):
            return boxes[int(number)]
    except RulesError as error:
        raise Problem(422, "bad_field", where="rules") from error
    raise Problem(422, "bad_field", where="rules")


def _start_time(text: str, zone: str) -> datetime | None:
    """Parse the start time of a form; `zone` is the offset behind UTC in minutes."""
    if not text:
        return None
    try:
        minutes = int(zone[:6]) if zone else 0
        local = datetime.fromisoformat(text[:19]).replace(tzinfo=UTC)
        moment = datetime.fromtimestamp(local.timestamp() + 60 * minutes, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Problem(422, "bad_field", where="starts") from error
    if abs((moment - datetime.now(UTC)).days) > 400:
        raise Problem(422, "bad_field", where="starts")
    return moment
