"""Template contexts of the pages of an event."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from fastapi import Request

from damka import Rules, locales, rules
from damka.live import codes
from damka.pages import events as pages
from damka.server.api import app_state_of
from damka.server.events import changes
from damka.server.events.feed import boards_of
from damka.server.events.http.request import Visitor
from damka.server.events.messages import BoardPosition
from damka.server.events.values import ARENA, EventState, LogRecord, StoredEvent
from damka.tournament import (
    Outcome,
    Player,
    System,
    most_rounds,
    repeated_byes,
    standings,
    sure_rounds,
)
from damka.tournament.arena import Presence

__all__ = ["arbiter", "event", "heading", "next_board", "projector", "result_text", "rules_of"]

MAX_MINIATURES: Final = 12
_OUTCOMES: Final = tuple(Outcome)
_RECENT_GAMES: Final = 12
_MAX_CHOICES: Final = 40
"""Maximum number of players for which pairing by hand uses lists; with more, names are typed."""


def rules_of(state: EventState) -> Rules:
    """Return the rules of an event's games."""
    return rules.from_dict(dict(state.setup.rules))


def heading(stored: StoredEvent, rule_set: Rules, language: str) -> dict[str, Any]:
    """Return the context common to all pages of an event."""
    state, setup = stored.state, stored.state.setup
    length = state.tournament.length if state.tournament else setup.rounds
    is_shipped = rule_set.name in rules.names()
    return {
        "id": stored.id,
        "version": stored.version,
        "stamp": stored.stamp,
        "url": f"/events/{stored.id}",
        "code": stored.code,
        "name": setup.name,
        "kind": setup.kind,
        "play": setup.play,
        "rules": rule_set.title_in(language),
        "rules_url": f"/rules/{rule_set.name}" if is_shipped else None,
        "size": f"{rule_set.width}×{rule_set.height}",
        "colours": [locales.colour(language, colour, "label") for colour in rule_set.colours],
        "clock": pages.clock(setup.clock, language) if setup.play == "online" else None,
        "status": state.status,
        "paused": state.paused,
        "trouble": bool(state.trouble),
        "players": len(state.entrants),
        "rounds": length if setup.kind == "swiss" or state.tournament else None,
        "round": state.round,
        "begun": state.begun,
        "minutes": setup.minutes,
        "ends": pages.moment(state.ends),
        "starts": pages.moment(setup.starts),
        "next_at": pages.moment(state.next_at),
        "place": setup.place,
        "rated": setup.rated,
        "no_draw": setup.no_draw_before,
        "late": setup.late and setup.kind != "round-robin",
        "arbiters": [each.name for each in state.arbiters],
    }


async def event(
    request: Request, stored: StoredEvent, visitor: Visitor, language: str
) -> dict[str, Any]:
    """Return the context of event.html."""
    positions = await _positions(request, stored)
    return await asyncio.to_thread(_event, stored, visitor, positions, language)


async def projector(request: Request, stored: StoredEvent, language: str) -> dict[str, Any]:
    """Return the context of event_projector.html."""
    positions = await _positions(request, stored)

    def build() -> dict[str, Any]:
        rule_set = rules_of(stored.state)
        return {
            "event": heading(stored, rule_set, language),
            "loopback": _is_loopback(request),
            **_standings_and_round(stored, language),
            "boards": _miniatures(stored, rule_set, positions, len(positions)),
            "board_data": pages.board_data(rule_set),
            "names": [each.name for each in stored.state.entrants],
        }

    return await asyncio.to_thread(build)


async def arbiter(
    request: Request, stored: StoredEvent, visitor: Visitor, log: Sequence[LogRecord], language: str
) -> dict[str, Any]:
    """Return the context of event_arbiter.html."""

    def build() -> dict[str, Any]:
        state = stored.state
        return {
            "event": heading(stored, rules_of(state), language),
            "loopback": _is_loopback(request),
            **_standings_and_round(stored, language),
            "games": _arena_games(stored, _RECENT_GAMES * 4),
            "warning": _warning(state, language),
            "hand": _hand_pairing(state),
            "outcomes": [(each.value, pages.result_of(each)) for each in _OUTCOMES],
            "players": _players(stored),
            "claims": [
                {
                    "board": each.board,
                    "name": _name_of(state, each.player),
                    "result": pages.result_of(each.outcome),
                }
                for each in state.claims
                if each.round == state.round
            ],
            "earlier": _earlier(stored),
            "trouble": state.trouble,
            "arbiter_code": codes.format_code(state.arbiter_code),
            "byes_kinds": ("H", "F", "Z"),
            "rest_kinds": ("U", "H", "F", "Z"),
            "few": _is_swiss(state)
            and state.tournament is not None
            and len(state.tournament.active) < 2,
            "swiss": state.tournament is not None and state.tournament.system is System.SWISS,
            "log": [_entry(each, language) for each in log],
            "me": {"name": visitor.arbiter},
        }

    return await asyncio.to_thread(build)


def next_board(context: dict[str, Any], language: str) -> str:
    """Return the text for a player's seat in a round that has not begun, or "".

    `context` is the result of `event`.
    """
    me, event, round_ = context["me"], context["event"], context["round"]
    board = me["board"]
    if event["status"] == "over":
        return ""
    if board is None:
        return _bye_text(me, round_, language)
    if board["begun"]:
        return ""
    colour = event["colours"][0 if board["white"] else 1]
    values = {"n": board["board"], "colour": colour, "opponent": board["opponent"]}
    texts = (
        locales.translate(language, "event.round_n", n=board["round"]),
        locales.translate(language, "event.your_board", **values),
        locales.translate(language, "event.not_begun"),
    )
    return f"{texts[0]}. {texts[1]} {texts[2]}"


def _bye_text(me: dict[str, Any], round_: dict[str, Any] | None, language: str) -> str:
    """Return the text for a player without an opponent in the current round, or ""."""
    if me["player"] is None or round_ is None or not (round_["open"] or not round_["begun"]):
        return ""
    kinds = [each["kind"] for each in round_["byes"] if each["id"] == me["player"]["id"]]
    if not kinds:
        return ""
    texts = (
        locales.translate(language, "event.round_n", n=round_["number"]),
        locales.translate(language, "event.you_rest", kind=kinds[0]),
    )
    return f"{texts[0]}. {texts[1]}"


def result_text(stored: StoredEvent, game: str, language: str) -> str:
    """Return the text for the official result of a game, or "" while it is played."""
    place = next((place for place, each in stored.games.items() if each == game), None)
    pairing = None if place is None else stored.state.pairing(*place)
    if pairing is None or not pairing.over:
        return ""
    result = pages.result_of(pairing.outcomes[0])
    return locales.translate(language, "event.counts", result=result)


def _is_loopback(request: Request) -> bool:
    """Whether a page was opened at a loopback address, which other devices cannot reach."""
    return (request.url.hostname or "") in {"127.0.0.1", "localhost", "::1"}


async def _positions(request: Request, stored: StoredEvent) -> dict[str, BoardPosition]:
    """Return the positions of the boards in the feed."""
    games = [game for _, game in boards_of(stored)]
    return await app_state_of(request).feeds.boards(games)


def _event(
    stored: StoredEvent, visitor: Visitor, positions: dict[str, BoardPosition], language: str
) -> dict[str, Any]:
    rule_set = rules_of(stored.state)
    return {
        "event": heading(stored, rule_set, language),
        "problem": None,
        "me": _visitor_context(stored, visitor),
        **_standings_and_round(stored, language),
        "games": _arena_games(stored, _RECENT_GAMES),
        "boards": _miniatures(stored, rule_set, positions, MAX_MINIATURES),
        "board_data": pages.board_data(rule_set),
        "names": [each.name for each in stored.state.entrants],
    }


def _standings_and_round(stored: StoredEvent, language: str) -> dict[str, Any]:
    """Return standings and the latest round."""
    state, tournament = stored.state, stored.state.tournament
    paused = frozenset(
        each.player.id
        for each in (state.arena.players if state.arena else ())
        if each.presence is Presence.PAUSED
    )
    withdrawn = frozenset(each.id for each in state.entrants if state.is_out(each.id))
    columns = pages.tie_breaks(tournament, language)
    if state.is_arena:
        columns = pages.columns(("wins", "performance"), language)
    round_ = None
    if tournament is not None and state.round:
        round_ = {
            "number": state.round,
            "begun": state.begun == state.round,
            "boards": pages.pairings(tournament, state.round, stored.games),
            "byes": pages.byes(tournament, state.round, language),
            "again": _repeat_texts(state, language),
            "open": state.current is not None and not state.current.over,
        }
    guests = {each.id for each in state.entrants if not each.member}
    rows = [
        {**row, "guest": row["id"] in guests}
        for row in pages.standings(tournament or state.arena, withdrawn, paused)
    ]
    columns = pages.without_empty(rows, columns)
    return {
        "standings": rows,
        "ties": columns,
        "round": round_,
    }


def _repeat_texts(state: EventState, language: str) -> list[str]:
    """Return texts for second byes and rematches in the latest round."""
    tournament, current = state.tournament, state.current
    if tournament is None or current is None or tournament.system is not System.SWISS:
        return []
    texts = [
        locales.translate(language, "event.second_bye", name=_name_of(state, player))
        for player in repeated_byes(tournament, state.round)
    ]
    met: dict[frozenset[str], int] = {}
    for number, each in enumerate(tournament.rounds[:-1], 1):
        for pairing in each.pairings:
            # A forfeited game does not count as a meeting.
            if pairing.outcomes[0] is not None and pairing.outcomes[0].played:
                met.setdefault(frozenset((pairing.white, pairing.black)), number)
    for pairing in current.pairings:
        before = met.get(frozenset((pairing.white, pairing.black)))
        if before is not None:
            names = {"one": _name_of(state, pairing.white), "other": _name_of(state, pairing.black)}
            texts.append(locales.translate(language, "event.rematch", n=before, **names))
    return texts


def _warning(state: EventState, language: str) -> str:
    """Return a warning when there are too few players for the number of rounds, or ""."""
    players, rounds = len(state.entrants), state.setup.rounds
    if state.tournament is not None:
        rounds = state.tournament.length
    if state.status == "over" or state.setup.kind != "swiss" or players < 2:
        return ""
    limit = most_rounds(players)
    if rounds > limit:
        key = "event.too_many_rounds"
    elif rounds > max(sure_rounds(players), limit - 2):
        key = "event.many_rounds"
    else:
        return ""
    return locales.translate(language, key, players=players, rounds=rounds, most=limit)


def _hand_pairing(state: EventState) -> dict[str, Any] | None:
    """Return the context of the form for pairing by hand: current boards, or a proposal."""
    tournament = state.tournament
    if state.status != "running" or tournament is None:
        return None
    begun = state.begun == state.round
    number = state.round + begun
    if number > tournament.length or (begun and state.current and not state.current.over):
        return None
    active = {each.id for each in tournament.active}
    if begun or state.current is None:
        ranked = [row.player.id for row in standings(tournament) if row.player.id in active]
        with_byes = {bye.player for bye in tournament.requested_byes if bye.round == number}
        ranked = [player for player in ranked if player not in with_byes]
        boards = list(zip(ranked[::2], ranked[1::2], strict=False))
    else:
        boards = [(each.white, each.black) for each in state.current.pairings]
    boards += [("", "")] * (len(active) // 2 - len(boards))
    people = sorted((_name_of(state, player), player) for player in active)
    return {
        "round": number,
        "names": len(people) > _MAX_CHOICES,
        "people": [{"id": player, "name": name} for name, player in people],
        "boards": [
            {"white": one, "black": other, "names": (_name_of(state, one), _name_of(state, other))}
            for one, other in boards
        ],
    }


def _visitor_context(stored: StoredEvent, visitor: Visitor) -> dict[str, Any]:
    state, entrant = stored.state, visitor.entrant
    member = None if visitor.account is None else visitor.account.name
    me: dict[str, Any] = {"arbiter": visitor.arbiter, "member": member, "player": None}
    closed = state.status == "over" or (
        state.status == "running"
        and (not state.setup.late or (state.tournament is not None and not _is_swiss(state)))
    )
    me |= {"may_join": not closed, "game": None, "board": None, "may_sit_out": False}
    if entrant is None:
        return me
    arena = state.arena
    paused = arena is not None and any(
        each.player.id == entrant.id and each.presence is Presence.PAUSED for each in arena.players
    )
    me["player"] = {"id": entrant.id, "name": entrant.name, "paused": paused}
    me["out"] = state.is_out(entrant.id)
    game = stored.game_of(entrant.id)
    me["game"] = None if game is None else f"/game/{game}"
    me["board"] = _my_board(state, entrant.id)
    me["may_sit_out"] = (
        _is_swiss(state) and state.status == "running" and state.round < _length(state)
    )
    me["miss"] = changes.bye_for(state, entrant.id).value
    me["sits_out"] = state.tournament is not None and any(
        each.player == entrant.id and each.round == state.round + 1
        for each in state.tournament.requested_byes
    )
    return me


def _is_swiss(state: EventState) -> bool:
    return state.tournament is not None and state.tournament.system is System.SWISS


def _active(state: EventState) -> tuple[Player, ...]:
    """Return the players who have not withdrawn from a started tournament."""
    return () if state.tournament is None else state.tournament.active


def _length(state: EventState) -> int:
    return 0 if state.tournament is None else state.tournament.length


def _my_board(state: EventState, player: str) -> dict[str, Any] | None:
    """Return a player's board in the current round."""
    if state.current is None:
        return None
    for board, pairing in enumerate(state.current.pairings, 1):
        if player in (pairing.white, pairing.black):
            white = player == pairing.white
            claims = {each.player: each for each in state.claims if each.board == board}
            own_claim = claims.get(player)
            other_claim = claims.get(pairing.black if white else pairing.white)
            return {
                "round": state.round,
                "board": board,
                "white": white,
                "opponent": _name_of(state, pairing.black if white else pairing.white),
                "over": pairing.over,
                "result": pages.result_of(pairing.outcomes[0]),
                "mine": pages.result_of(own_claim.outcome) if own_claim else "",
                "theirs": pages.result_of(other_claim.outcome) if other_claim else "",
                "begun": state.begun == state.round,
            }
    return None


def _name_of(state: EventState, player: str) -> str:
    entrant = state.entrant(player)
    return "" if entrant is None else entrant.name


def _miniatures(
    stored: StoredEvent, rule_set: Rules, positions: dict[str, BoardPosition], limit: int
) -> list[dict[str, Any]]:
    state = stored.state
    boards: list[dict[str, Any]] = []
    for board, game in boards_of(stored):
        position = positions.get(game)
        place = board - 1 if state.is_arena else board
        pairing = state.pairing(ARENA if state.is_arena else state.begun, place)
        if position is None or pairing is None or len(boards) == limit:
            continue
        details = {
            "board": board,
            "game": game,
            "url": f"/game/{game}",
            "white": _name_of(state, pairing.white),
            "black": _name_of(state, pairing.black),
            "result": pages.result_of(pairing.outcomes[0]),
            "turn": position.turn,
        }
        boards.append(pages.miniature(rule_set, position.pieces, details))
    return boards


def _arena_games(stored: StoredEvent, limit: int) -> list[dict[str, Any]]:
    """Return the latest games of an arena, running ones first."""
    state = stored.state
    if state.arena is None:
        return []
    places = sorted(
        range(len(state.arena.games)), key=lambda place: (_is_over(state, place), -place)
    )
    games = []
    for place in places[:limit]:
        each = state.arena.games[place]
        game = stored.games.get((ARENA, place))
        games.append(
            {
                "place": place,
                "board": place + 1,
                "white": _name_of(state, each.white),
                "black": _name_of(state, each.black),
                "outcome": each.outcome.value if each.outcome else None,
                "result": pages.result_of(each.outcome),
                "url": None if game is None else f"/game/{game}",
            }
        )
    return games


def _is_over(state: EventState, place: int) -> bool:
    return state.arena is not None and state.arena.games[place].outcome is not None


def _players(stored: StoredEvent) -> list[dict[str, Any]]:
    state = stored.state
    return [
        {
            "id": each.id,
            "name": each.name,
            "rating": each.rating,
            "fmjd": each.fmjd,
            "code": codes.format_code(each.code),
            "device": each.device,
            "member": each.member,
            "out": state.is_out(each.id),
        }
        for each in sorted(state.entrants, key=lambda entrant: entrant.name.casefold())
    ]


def _earlier(stored: StoredEvent) -> list[dict[str, Any]]:
    """Return the boards of earlier rounds, for correcting results."""
    tournament, state = stored.state.tournament, stored.state
    if tournament is None:
        return []
    return [
        {"number": number, "boards": pages.pairings(tournament, number, stored.games)}
        for number in range(state.round - 1, 0, -1)
    ]


def _entry(each: LogRecord, language: str) -> dict[str, Any]:
    """Return a log entry for display."""
    details = dict(each.details)
    for name in ("before", "after"):
        value = details.get(name)
        if name in details:
            details[name] = pages.result_of(Outcome(value)) if value else "–"
    if "kind" in details:
        details["kind"] = locales.translate(language, f"event.bye.{details['kind']}")
    values = dict.fromkeys(
        ("round", "board", "before", "after", "player", "name", "one", "other", "kind", "n"),
        "",
    )
    action = each.action
    if action == "settle" and details.get("before") == details.get("after"):
        action = "confirm"
    text = locales.translate(language, f"event.log.{action}", **{**values, **details})
    return {
        "at": pages.moment(each.at),
        "actor": each.actor or locales.translate(language, "event.log.itself"),
        "text": text,
        "why": str(details.get("why", "")),
    }
