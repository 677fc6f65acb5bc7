"""An event as a value: its setup, its players and the tournament itself.

It is stored as JSON. Rounds, boards and player ids are those of `damka.tournament`; in an arena the
round is 0 and the board is the index of a game in the arena's games, from 0.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

import msgspec

from damka.errors import DamkaError
from damka.live.clock import ClockSettings
from damka.tournament import Outcome, Pairing, Round, Tournament
from damka.tournament.arena import Arena, Presence

__all__ = [
    "ARENA",
    "KINDS",
    "LETTERS",
    "Arbiter",
    "Claim",
    "Entrant",
    "EventState",
    "EventSummary",
    "Kind",
    "LogRecord",
    "Setup",
    "StoredEvent",
    "dump",
    "new_code",
    "parse",
]

Kind = Literal["swiss", "round-robin", "arena"]
KINDS: Final[tuple[Kind, ...]] = ("swiss", "round-robin", "arena")
Play = Literal["online", "table", "hand"]
Status = Literal["soon", "running", "over"]

ARENA: Final = 0
"""The round number of an arena's games."""
LETTERS: Final = "BCDFGHJKMNPQRSTVWXYZ"
"""Alphabet of codes: no vowels, so that codes form no words, and no letters like digits."""


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of an event."""

    name: str
    kind: Kind
    rules: dict[str, Any]
    clock: ClockSettings | None = None
    """None for games without a clock, and over the board, where a real clock is used."""
    play: Play = "online"
    """"online"; "table", over the board, with a device at each board that records the moves; or
    "hand", over the board, with results entered by hand."""
    rounds: int = 5
    """Number of rounds of a Swiss tournament."""
    cycles: int = 1
    """Number of games between two players of a round robin."""
    minutes: int = 60
    """Duration of an arena."""
    pace: Literal["auto", "arbiter"] = "arbiter"
    """Whether rounds are paired and begun automatically, or by the arbiter."""
    break_seconds: int = 60
    """Break between two automatic rounds."""
    starts: datetime | None = None
    """Scheduled start; None when the arbiter starts the event."""
    no_draw_before: int = 0
    """No draw may be agreed before this move; 0 for no such rule."""
    rated: bool = False
    """Whether games between two members are rated."""
    late: bool = True
    """Whether players may join after the start."""
    last_half: bool = False
    """Whether a player who misses the last round may take a half-point bye without the arbiter;
    otherwise a Swiss tournament has no half-point byes in its last round."""
    place: str = ""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A player, with the same id as in the tournament."""

    id: str
    name: str
    holder: str
    """Holder of the player's seats; unused for a player without a device."""
    code: str
    """Code for moving the seat to another device."""
    device: bool = True
    """Whether the player has a device."""
    member: bool = False
    rating: int = 0
    fmjd: str = ""
    """FMJD id, for files."""


class Arbiter(msgspec.Struct, frozen=True):
    """A person with an arbiter's rights."""

    holder: str
    name: str


class Claim(msgspec.Struct, frozen=True):
    """A result reported by one of the two players and not yet by the other."""

    round: int
    board: int
    player: str
    outcome: Outcome


class EventState(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an event. Immutable: `changes` returns new states."""

    setup: Setup
    arbiters: tuple[Arbiter, ...]
    arbiter_code: str
    """Code with which other people become arbiters."""
    entrants: tuple[Entrant, ...] = ()
    last_id: int = 0
    """The last player id that was assigned."""
    status: Status = "soon"
    paused: bool = False
    """Whether automatic pairing and starting is paused."""
    tournament: Tournament | None = None
    """Set from the start on, except for an arena."""
    arena: Arena | None = None
    begun: int = 0
    """Number of rounds whose games have begun. Later rounds are only paired."""
    claims: tuple[Claim, ...] = ()
    next_at: datetime | None = None
    """Time of the next automatic pairing."""
    ends: datetime | None = None
    """End of pairing in an arena."""
    trouble: str = ""
    """Technical reason why the next round could not be paired; "" for none."""

    @property
    def is_arena(self) -> bool:
        """Whether the event is an arena."""
        return self.setup.kind == "arena"

    @property
    def round(self) -> int:
        """The latest paired round; 0 before the first and in an arena."""
        return 0 if self.tournament is None else len(self.tournament.rounds)

    @property
    def current(self) -> Round | None:
        """The latest round."""
        return self.tournament.rounds[-1] if self.tournament and self.tournament.rounds else None

    def entrant(self, player: str) -> Entrant | None:
        """Return a player by id."""
        return next((each for each in self.entrants if each.id == player), None)

    def entrant_of(self, holder: str | None) -> Entrant | None:
        """Return the player with this holder."""
        if holder is None:
            return None
        return next((each for each in self.entrants if each.holder == holder), None)

    def is_out(self, player: str) -> bool:
        """Whether a player has withdrawn or left."""
        if self.tournament is not None:
            return player in self.tournament.withdrawn
        if self.arena is not None:
            return any(
                each.player.id == player and each.presence is Presence.LEFT
                for each in self.arena.players
            )
        return False

    def arbiter_of(self, holder: str | None) -> Arbiter | None:
        """Return the arbiter with this holder."""
        if holder is None:
            return None
        return next((each for each in self.arbiters if each.holder == holder), None)

    def pairing(self, number: int, board: int) -> Pairing | None:
        """Return the pairing at a board of a round, or None."""
        if self.arena is not None:
            if number != ARENA or not 0 <= board < len(self.arena.games):
                return None
            game = self.arena.games[board]
            return Pairing(game.white, game.black, (game.outcome,))
        if self.tournament is None or not 1 <= number <= len(self.tournament.rounds):
            return None
        pairings = self.tournament.rounds[number - 1].pairings
        return pairings[board - 1] if 1 <= board <= len(pairings) else None


class StoredEvent(NamedTuple):
    """An event as stored in the database."""

    id: str
    code: str | None
    version: int
    state: EventState
    games: dict[tuple[int, int], str]
    """Game ids by round and board."""

    @property
    def stamp(self) -> int:
        """A number that increases with every visible change, including games that begin."""
        return self.version + len(self.games)

    def game_of(self, player: str) -> str | None:
        """Return the current game of a player, if any."""
        state = self.state
        if state.arena is not None:
            for place in range(len(state.arena.games) - 1, -1, -1):
                game = state.arena.games[place]
                if game.outcome is None and player in (game.white, game.black):
                    return self.games.get((ARENA, place))
            return None
        if state.current is not None and state.begun == state.round:
            for board, pairing in enumerate(state.current.pairings, 1):
                if player in (pairing.white, pairing.black) and not pairing.over:
                    return self.games.get((state.round, board))
        return None


class EventSummary(NamedTuple):
    """An event in the list of all events."""

    id: str
    name: str
    kind: str
    rules: str
    status: str
    players: int
    starts: datetime | None
    created: datetime


class LogRecord(NamedTuple):
    """A log entry of an event: actor, action and time."""

    at: datetime
    actor: str
    action: str
    details: dict[str, Any]


def dump(state: EventState) -> str:
    """Serialise an event to JSON."""
    return msgspec.json.encode(state).decode("utf-8")


def parse(text: str) -> EventState:
    """Parse the JSON of `dump`. Raises DamkaError for other input."""
    try:
        return msgspec.json.decode(text, type=EventState)
    except msgspec.MsgspecError as error:
        raise DamkaError(f"invalid tournament in the database: {error}") from error


def new_code(length: int) -> str:
    """Create a random code that leads to an event; it grants no seat."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
