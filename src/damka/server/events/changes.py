"""Changes to an event: functions from one state to the next.

They raise Problem for a change that is not possible now, and TournamentError for one that the
tournament refuses. They do not access the database, so a change can be retried after a conflict.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from msgspec.structs import replace as changed

from damka.live import codes
from damka.live.problems import Problem
from damka.server.accounts import names
from damka.server.accounts.service import valid_guest_name
from damka.server.events.values import (
    Arbiter,
    Claim,
    Entrant,
    EventState,
    Setup,
)
from damka.server.security import hashed, new_seat
from damka.tournament import (
    Bye,
    ByeKind,
    Outcome,
    Pairing,
    Player,
    Round,
    System,
    Tournament,
    pair,
)
from damka.tournament import arena as arenas
from damka.tournament.arena import Arena, Presence
from damka.tournament.round_robin import rounds_for

__all__ = [
    "MAX_PLAYERS",
    "add_arbiter",
    "add_player",
    "advance",
    "begin_round",
    "bye_for",
    "claim",
    "claim_seat",
    "enter",
    "finish",
    "identify",
    "leave",
    "new_state",
    "pair_by_hand",
    "pair_round",
    "pause",
    "pause_player",
    "record",
    "rejoin",
    "request_bye",
    "set_rounds",
    "settle",
    "start",
    "swap",
    "unpair",
    "wave",
    "with_trouble",
]

MAX_PLAYERS: Final = 500
MAX_NAME: Final = 30
_ARBITERS: Final = 20


def new_state(setup: Setup, arbiter: Arbiter) -> EventState:
    """Create the state of a new event."""
    return EventState(setup=setup, arbiters=(arbiter,), arbiter_code=codes.new())


# Players


def enter(
    state: EventState, holder: str, name: str, *, member: bool = False, rating: int = 0
) -> EventState:
    """Enter or readmit a player. A player who already takes part is unchanged."""
    entrant = state.entrant_of(holder)
    if entrant is not None:
        return rejoin(state, entrant.id) if state.is_out(entrant.id) else state
    return _enter(state, holder, name, member=member, rating=rating, device=True)


def add_player(state: EventState, name: str, rating: int = 0) -> EventState:
    """Add a player without a device, for the arbiter."""
    return _enter(state, hashed(new_seat()), name, member=False, rating=rating, device=False)


def _enter(
    state: EventState, holder: str, name: str, *, member: bool, rating: int, device: bool
) -> EventState:
    if state.status == "over" or (state.status == "running" and device and not state.setup.late):
        raise Problem(409, "event_closed")
    if state.tournament is not None and state.tournament.system is System.ROUND_ROBIN:
        raise Problem(409, "event_closed")
    if len(state.entrants) >= MAX_PLAYERS:
        raise Problem(409, "event_full")
    if member:
        public_name, state = name, _reserve_name(state, name)
    else:
        public_name = _free_name(state, name)
    number = state.last_id + 1
    code = _unused_code(state)
    entrant = Entrant(
        id=str(number),
        name=public_name,
        holder=holder,
        code=code,
        device=device,
        member=member,
        rating=max(0, min(rating, 4000)),
    )
    player = _player(entrant)
    tournament, arena = state.tournament, state.arena
    return changed(
        state,
        entrants=(*state.entrants, entrant),
        last_id=number,
        tournament=None if tournament is None else tournament.enter(player),
        arena=None if arena is None else arena.join(player),
    )


def _free_name(state: EventState, name: str, excluded_id: str = "") -> str:
    """Normalise a player's name. Raises Problem when it is empty or taken."""
    public_name = valid_guest_name(name)
    if not 1 <= len(public_name) <= MAX_NAME:
        raise Problem(422, "event_name", where="name")
    key = names.skeleton(public_name)
    if any(names.skeleton(each.name) == key and each.id != excluded_id for each in state.entrants):
        raise Problem(409, "event_name_taken", where="name")
    return public_name


def _reserve_name(state: EventState, name: str) -> EventState:
    """Reserve a name for a member: guests with the same name get a number appended."""
    key = names.skeleton(name)
    for each in state.entrants:
        if names.skeleton(each.name) == key and not each.member:
            taken_keys = {names.skeleton(other.name) for other in state.entrants}
            short = each.name[: MAX_NAME - 4].rstrip()
            numbered = (f"{short} {number}" for number in count(2))
            free = next(new for new in numbered if names.skeleton(new) not in taken_keys)
            state = _replace_entrant(state, changed(each, name=free))
    return state


def _player(entrant: Entrant) -> Player:
    return Player(entrant.id, entrant.name, entrant.rating)


def leave(state: EventState, player: str) -> EventState:
    """Remove a player before the start, or withdraw the player and keep the games afterwards."""
    _require_entrant(state, player)
    if state.status == "over":
        raise Problem(409, "event_over")
    if state.status == "soon":
        return changed(state, entrants=tuple(each for each in state.entrants if each.id != player))
    if state.arena is not None:
        return changed(state, arena=state.arena.leave(player))
    if state.tournament is None or state.is_out(player):
        return state
    return changed(state, tournament=state.tournament.withdraw(player))


def rejoin(state: EventState, player: str) -> EventState:
    """Readmit a player who has left."""
    entrant = _require_entrant(state, player)
    if state.status == "over":
        raise Problem(409, "event_over")
    if state.arena is not None:
        return changed(state, arena=state.arena.join(_player(entrant)))
    if state.tournament is not None and state.is_out(player):
        return changed(state, tournament=state.tournament.readmit(player))
    return state


def pause_player(state: EventState, player: str, *, on: bool) -> EventState:
    """Exclude an arena player from pairing for a while, or include the player again."""
    _require_entrant(state, player)
    if state.arena is None:
        raise Problem(409, "event_not_now")
    arena = state.arena.pause(player) if on else state.arena.resume(player)
    return changed(state, arena=arena)


def request_bye(state: EventState, player: str, kind: ByeKind) -> EventState:
    """Give a player a bye in the next round of a Swiss tournament."""
    _require_entrant(state, player)
    tournament = state.tournament
    if tournament is None or tournament.system is not System.SWISS:
        raise Problem(409, "event_not_now")
    return changed(
        state, tournament=tournament.request_bye(player, len(tournament.rounds) + 1, kind)
    )


def bye_for(state: EventState, player: str) -> ByeKind:
    """Return the kind of bye that a player may take in the next round without the arbiter.

    A half-point bye, once, and not in the last round unless the event allows it.
    """
    tournament = state.tournament
    if tournament is None:
        return ByeKind.ZERO
    half = any(
        each.player == player and each.kind is ByeKind.HALF for each in tournament.requested_byes
    )
    last = state.round + 1 >= tournament.length
    return ByeKind.ZERO if half or (last and not state.setup.last_half) else ByeKind.HALF


def claim_seat(state: EventState, code: str, holder: str) -> tuple[EventState, Entrant]:
    """Transfer a seat to another device; also return the player's previous entry."""
    entrant = next((each for each in state.entrants if each.code == code), None)
    if entrant is None:
        raise Problem(404, "event_code")
    if state.setup.rated and entrant.member:
        # Rated games are played between accounts.
        raise Problem(409, "event_log_in")
    own = state.entrant_of(holder)
    if own is not None and own.id != entrant.id:
        # With two players on one device, the device could play both sides of their game.
        raise Problem(409, "event_own_seat")
    transferred = changed(entrant, holder=holder, device=True, code=_unused_code(state))
    return _with_entrant(state, transferred), entrant


def _unused_code(state: EventState) -> str:
    used = {each.code for each in state.entrants}
    while (code := codes.new()) in used:
        pass
    return code


def add_arbiter(state: EventState, code: str, arbiter: Arbiter) -> EventState:
    """Add an arbiter who knows the arbiters' code."""
    if not codes.are_equal(code, state.arbiter_code):
        raise Problem(404, "event_code")
    if state.arbiter_of(arbiter.holder) is not None:
        return state
    if len(state.arbiters) >= _ARBITERS:
        raise Problem(409, "event_full")
    return changed(state, arbiters=(*state.arbiters, arbiter))


def identify(state: EventState, player: str, name: str, rating: int, fmjd: str) -> EventState:
    """Correct a player's name, rating and FMJD id."""
    entrant = _require_entrant(state, player)
    if fmjd and (not fmjd.isascii() or not fmjd.isdigit() or len(fmjd) > 11 or fmjd[0] == "0"):
        raise Problem(422, "event_fmjd", where="fmjd")
    if fmjd and any(each.fmjd == fmjd and each.id != player for each in state.entrants):
        raise Problem(409, "event_fmjd", where="fmjd")
    public_name = entrant.name if entrant.member else _free_name(state, name, player)
    rating = max(0, min(rating, 4000))
    return _replace_entrant(state, changed(entrant, name=public_name, rating=rating, fmjd=fmjd))


def _replace_entrant(state: EventState, renamed: Entrant) -> EventState:
    """Replace a player's data in the event and in its tournament or arena."""
    player = renamed.id
    state = _with_entrant(state, renamed)
    if state.arena is not None:
        presence = {each.player.id: each.presence for each in state.arena.players}[player]
        arena = state.arena.join(_player(renamed))
        if presence is Presence.PAUSED:
            arena = arena.pause(player)
        elif presence is Presence.LEFT:
            arena = arena.leave(player)
        return changed(state, arena=arena)
    if state.tournament is not None:
        players = tuple(
            _player(renamed) if each.id == player else each for each in state.tournament.players
        )
        return changed(state, tournament=replace(state.tournament, players=players))
    return state


def _with_entrant(state: EventState, entrant: Entrant) -> EventState:
    return changed(
        state,
        entrants=tuple(entrant if each.id == entrant.id else each for each in state.entrants),
    )


def _require_entrant(state: EventState, player: str) -> Entrant:
    entrant = state.entrant(player)
    if entrant is None:
        raise Problem(404, "event_player")
    return entrant


# From start to end


def start(state: EventState, now: datetime) -> EventState:
    """Start the event."""
    if state.status != "soon":
        raise Problem(409, "event_not_now")
    if len(state.entrants) < 2:
        raise Problem(409, "event_few")
    setup = state.setup
    players = tuple(map(_player, state.entrants))
    if state.is_arena:
        arena = Arena(name=setup.name)
        for player in players:
            arena = arena.join(player)
        end = now + timedelta(minutes=setup.minutes)
        return changed(state, status="running", arena=arena, ends=end)
    swiss = setup.kind == "swiss"
    tournament = Tournament(
        name=setup.name,
        length=setup.rounds if swiss else rounds_for(len(players), setup.cycles),
        system=System.SWISS if swiss else System.ROUND_ROBIN,
        site=setup.place,
        arbiter=state.arbiters[0].name,
        begins=now.date(),
        top_seed_white=secrets.randbelow(2) == 0,
    ).enter(*players)
    return changed(state, status="running", tournament=tournament, next_at=now)


def pair_round(state: EventState, now: datetime) -> EventState:
    """Pair the next round; with many players this takes seconds.

    The event ends when fewer than two players are left.
    """
    tournament = _tournament(state)
    if state.begun < state.round:
        raise Problem(409, "event_not_now")
    if len(tournament.active) < 2 and (state.current is None or state.current.over):
        return finish(state, now)
    return changed(
        state, tournament=tournament.add(pair(tournament)), next_at=None, trouble="", claims=()
    )


def pair_by_hand(state: EventState, boards: Sequence[tuple[str, str]], rest: ByeKind) -> EventState:
    """Pair the next round by hand, or replace the latest round if it has not begun.

    `boards` lists the players of each board, White first. Players without a board get the bye they
    requested, or else `rest`. Rematches are allowed: the arbiter decides.
    """
    tournament = _tournament(state)
    if state.begun < state.round:
        tournament = tournament.unpair()
    placed = [player for board in boards for player in board]
    for player in placed:
        _require_entrant(state, player)
    withdrawn = set(tournament.withdrawn)
    if len(set(placed)) < len(placed) or withdrawn.intersection(placed) or not boards:
        raise Problem(422, "event_hand", where="boards")
    number = len(tournament.rounds) + 1
    requested_byes = {
        bye.player: bye.kind for bye in tournament.requested_byes if bye.round == number
    }
    byes = tuple(
        Bye(each.id, requested_byes.get(each.id, rest))
        for each in tournament.active
        if each.id not in placed
    )
    pairings = tuple(Pairing(white, black) for white, black in boards)
    paired = tournament.add(Round(pairings, byes))
    return changed(state, tournament=paired, next_at=None, trouble="", claims=())


def set_rounds(state: EventState, rounds: int) -> EventState:
    """Change the number of rounds; paired rounds are unchanged.

    In a round robin it must be a multiple of the rounds that one cycle needs.
    """
    if state.is_arena or state.status == "over":
        raise Problem(409, "event_not_now")
    setup = changed(state.setup, rounds=rounds)
    tournament = state.tournament
    if tournament is None:
        if state.setup.kind != "swiss":
            raise Problem(409, "event_not_now")
        return changed(state, setup=setup)
    if rounds < max(state.round, 1):
        raise Problem(422, "event_rounds_paired", where="rounds", values={"n": state.round})
    if tournament.system is System.ROUND_ROBIN:
        cycle = rounds_for(len(tournament.players))
        if rounds % cycle:
            raise Problem(422, "event_rounds_cycle", where="rounds", values={"n": cycle})
    byes = tuple(each for each in tournament.requested_byes if each.round <= rounds)
    tournament = replace(tournament, length=rounds, requested_byes=byes)
    return changed(state, setup=setup, tournament=tournament, trouble="")


def with_trouble(state: EventState, trouble: str, *, pause: bool = False) -> EventState:
    """Store why the next round could not be paired, for the arbiter."""
    return changed(state, trouble=trouble, paused=pause or state.paused)


def unpair(state: EventState) -> EventState:
    """Remove the latest round, which must not have begun."""
    tournament = _tournament(state)
    if state.begun == state.round:
        raise Problem(409, "event_begun")
    return changed(state, tournament=tournament.unpair())


def swap(state: EventState, one: str, other: str) -> EventState:
    """Swap two players in the latest round, which must not have begun."""
    tournament = _tournament(state)
    if state.begun == state.round or state.current is None:
        raise Problem(409, "event_begun")
    _require_entrant(state, one)
    _require_entrant(state, other)
    places = {one: other, other: one}
    current = state.current
    pairings = tuple(
        Pairing(places.get(p.white, p.white), places.get(p.black, p.black), p.outcomes)
        for p in current.pairings
    )
    byes = tuple(Bye(places.get(b.player, b.player), b.kind) for b in current.byes)
    rounds = (*tournament.rounds[:-1], Round(pairings, byes))
    return changed(state, tournament=replace(tournament, rounds=rounds))


def begin_round(state: EventState) -> EventState:
    """Begin the games of the latest round."""
    _tournament(state)
    if state.round in (0, state.begun):
        raise Problem(409, "event_not_now")
    return changed(state, begun=state.round)


def wave(state: EventState, seed: int) -> EventState:
    """Pair a wave of an arena; returns the same state when no player is waiting."""
    arena = _arena(state)
    if len(arena.waiting) < 2:
        return state
    new_games = arenas.pair(arena, seed)
    return changed(state, arena=arena.begin(new_games)) if new_games else state


def finish(state: EventState, now: datetime) -> EventState:
    """End the event; unfinished games have no result."""
    if state.status == "over":
        raise Problem(409, "event_over")
    tournament = state.tournament
    if tournament is not None:
        tournament = replace(tournament, ends=now.date())
    return changed(
        state,
        status="over",
        tournament=tournament,
        next_at=None,
        paused=False,
        claims=(),
        trouble="",
    )


def pause(state: EventState, *, on: bool) -> EventState:
    """Pause automatic pairing and starting until an arbiter resumes it."""
    if state.status != "running" or state.paused == on:
        raise Problem(409, "event_not_now")
    return changed(state, paused=on)


def advance(state: EventState, now: datetime) -> EventState:
    """Apply automatic transitions: end the event, and schedule the next round."""
    if state.status != "running":
        return state
    if state.arena is not None:
        out_of_time = state.ends is not None and now >= state.ends
        return finish(state, now) if out_of_time and not state.arena.playing else state
    current, tournament = state.current, state.tournament
    if current is None or tournament is None or state.begun < state.round or not current.over:
        return state
    if state.round == tournament.length or not tournament.active:
        return finish(state, now)
    if state.next_at is None and state.setup.pace == "auto":
        return changed(state, next_at=now + timedelta(seconds=state.setup.break_seconds))
    return state


def _tournament(state: EventState) -> Tournament:
    if state.status != "running" or state.tournament is None:
        raise Problem(409, "event_not_now")
    return state.tournament


def _arena(state: EventState) -> Arena:
    if state.status != "running" or state.arena is None:
        raise Problem(409, "event_not_now")
    return state.arena


# Results


def record(state: EventState, number: int, board: int, outcome: Outcome) -> EventState:
    """Record the result of a game; returns the same state when the game already has one.

    An arena player who did not appear for a game is paused until coming back.
    """
    pairing = state.pairing(number, board)
    if pairing is None:
        raise Problem(404, "event_board")
    if pairing.over or state.status == "over":
        return state
    if state.arena is not None:
        arena = state.arena.finish(board, outcome)
        absent = {
            Outcome.BLACK_BY_FORFEIT: (pairing.white,),
            Outcome.WHITE_BY_FORFEIT: (pairing.black,),
            Outcome.DOUBLE_FORFEIT: (pairing.white, pairing.black),
        }.get(outcome, ())
        present = {each.player.id for each in arena.players if each.presence is Presence.HERE}
        for player in absent:
            if player in present:
                arena = arena.pause(player)
        return changed(state, arena=arena)
    tournament = _tournament(state).record(number, board, outcome)
    return _without_claims(changed(state, tournament=tournament), number, board)


def settle(
    state: EventState,
    number: int,
    board: int,
    before: Outcome | None,
    after: Outcome | None,
    *,
    by: str,
    at: datetime,
    reason: str,
) -> EventState:
    """Set a result by an arbiter's decision; `before` is the result that the arbiter saw."""
    pairing = state.pairing(number, board)
    if pairing is None or (state.arena is None and number > state.begun):
        raise Problem(404, "event_board")
    now = pairing.outcomes[0]
    if now != before:
        # Another arbiter or the end of the game changed it first.
        raise Problem(409, "event_changed")
    if now == after:
        return state
    if state.arena is not None:
        if after is None:
            # The players may already be in other games.
            raise Problem(409, "event_not_now")
        return changed(state, arena=_with_outcome(state.arena, board, after))
    tournament = state.tournament
    if tournament is None:
        raise Problem(409, "event_not_now")
    if now is None and after is not None:
        tournament = tournament.record(number, board, after)
    else:
        tournament = tournament.correct(number, board, after, by=by or "?", at=at, why=reason)
    return _without_claims(changed(state, tournament=tournament), number, board)


def _with_outcome(arena: Arena, place: int, outcome: Outcome) -> Arena:
    """Return the arena with the result of a game replaced."""
    game = arena.games[place]
    if game.outcome is None:
        return arena.finish(place, outcome)
    games = (*arena.games[:place], replace(game, outcome=outcome), *arena.games[place + 1 :])
    return replace(arena, games=games)


def claim(state: EventState, number: int, board: int, player: str, outcome: Outcome) -> EventState:
    """Record a result reported by a player of an over-the-board game; valid once both agree."""
    if state.setup.play == "online":
        raise Problem(409, "event_not_now")
    pairing = state.pairing(number, board)
    if pairing is None or number != state.begun or player not in (pairing.white, pairing.black):
        raise Problem(403, "event_not_yours")
    if pairing.over:
        raise Problem(409, "event_changed")
    theirs = pairing.black if player == pairing.white else pairing.white
    if Claim(number, board, player, outcome) in state.claims:
        return state
    agreed = Claim(number, board, theirs, outcome) in state.claims
    if agreed:
        return record(state, number, board, outcome)
    other_claims = tuple(
        each
        for each in state.claims
        if (each.round, each.board, each.player) != (number, board, player)
    )
    return changed(state, claims=(*other_claims, Claim(number, board, player, outcome)))


def _without_claims(state: EventState, number: int, board: int) -> EventState:
    claims = tuple(each for each in state.claims if (each.round, each.board) != (number, board))
    return changed(state, claims=claims)
