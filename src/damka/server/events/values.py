"""An event as a value: what was set up, who takes part, and the tournament itself.

It is kept as JSON. Rounds, boards and ids of players are those of `damka.tournament`; in an arena
the round is 0 and the board the place of a game among the arena's, from 0.
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
    "Kind",
    "Listed",
    "Logged",
    "Setup",
    "Stored",
    "dump",
    "new_code",
    "parse",
]

Kind = Literal["swiss", "round-robin", "arena"]
KINDS: Final[tuple[Kind, ...]] = ("swiss", "round-robin", "arena")
Play = Literal["online", "table", "hand"]
Status = Literal["soon", "running", "over"]

ARENA: Final = 0
"""The round of an arena's games."""
LETTERS: Final = "BCDFGHJKMNPQRSTVWXYZ"
"""What codes are made of: no vowels, so that they make no words, and none like a digit."""


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an event is."""

    name: str
    kind: Kind
    rules: dict[str, Any]
    clock: ClockSettings | None = None
    """None in games without a clock, and where a real one stands beside the board."""
    play: Play = "online"
    """Everybody at a device; at real boards with a device beside each, which takes the moves; or at
    real boards without, where results are entered by hand."""
    rounds: int = 5
    """Of a Swiss tournament."""
    cycles: int = 1
    """How often two meet in a round robin."""
    minutes: int = 60
    """How long an arena pairs."""
    pace: Literal["auto", "arbiter"] = "arbiter"
    """Whether rounds follow each other by themselves, or the arbiter pairs and begins each."""
    break_seconds: int = 60
    """Between two rounds that follow by themselves."""
    starts: datetime | None = None
    """When it starts by itself; None where the arbiter starts it."""
    no_draw_before: int = 0
    """Before this move no draw may be agreed; 0 for no such rule."""
    rated: bool = False
    """Whether games between two members count for their ratings."""
    late: bool = True
    """Whether players may come after the start."""
    last_half: bool = False
    """Whether a player who misses the last round may get half a win without the arbiter; a Swiss
    tournament has no half-point byes in its last round otherwise."""
    place: str = ""


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A player, by the id in the tournament."""

    id: str
    name: str
    holder: str
    """Under which the player's seats are stored; of a player without a device nobody has it."""
    code: str
    """With which the player goes on at another device."""
    device: bool = True
    """Whether the player has a device."""
    member: bool = False
    rating: int = 0
    fmjd: str = ""
    """The FMJD id, for files."""


class Arbiter(msgspec.Struct, frozen=True):
    """Who may do what arbiters do."""

    holder: str
    name: str


class Claim(msgspec.Struct, frozen=True):
    """A result that one of the two players has told, and the other not yet."""

    round: int
    board: int
    player: str
    outcome: Outcome


class EventState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about an event. It is never changed: `changes` returns another one."""

    setup: Setup
    arbiters: tuple[Arbiter, ...]
    arbiter_code: str
    """With which somebody else becomes an arbiter."""
    entrants: tuple[Entrant, ...] = ()
    last_id: int = 0
    """The latest id that was given to a player."""
    status: Status = "soon"
    paused: bool = False
    """Whether nothing begins by itself until an arbiter goes on."""
    tournament: Tournament | None = None
    """From the start on, unless it is an arena."""
    arena: Arena | None = None
    begun: int = 0
    """How many rounds have begun: their games are played. Others are only paired."""
    claims: tuple[Claim, ...] = ()
    next_at: datetime | None = None
    """When the next round is paired by itself."""
    ends: datetime | None = None
    """When an arena pairs no more."""
    trouble: str = ""
    """Why the next round could not be paired, in technical words; "" for no trouble."""

    @property
    def is_arena(self) -> bool:
        """Whether it is an arena."""
        return self.setup.kind == "arena"

    @property
    def round(self) -> int:
        """The latest round that is paired; 0 before the first and in an arena."""
        return 0 if self.tournament is None else len(self.tournament.rounds)

    @property
    def current(self) -> Round | None:
        """The latest round."""
        return self.tournament.rounds[-1] if self.tournament and self.tournament.rounds else None

    def entrant(self, player: str) -> Entrant | None:
        """Return a player by id."""
        return next((each for each in self.entrants if each.id == player), None)

    def entrant_of(self, holder: str | None) -> Entrant | None:
        """Return the player who has the seats of a holder."""
        if holder is None:
            return None
        return next((each for each in self.entrants if each.holder == holder), None)

    def is_out(self, player: str) -> bool:
        """Tell whether a player has withdrawn or gone."""
        if self.tournament is not None:
            return player in self.tournament.withdrawn
        if self.arena is not None:
            return any(
                each.player.id == player and each.presence is Presence.LEFT
                for each in self.arena.players
            )
        return False

    def arbiter_of(self, holder: str | None) -> Arbiter | None:
        """Return the arbiter who has a holder's seats."""
        if holder is None:
            return None
        return next((each for each in self.arbiters if each.holder == holder), None)

    def pairing(self, number: int, board: int) -> Pairing | None:
        """Return who plays at a board of a round, or None."""
        if self.arena is not None:
            if number != ARENA or not 0 <= board < len(self.arena.games):
                return None
            game = self.arena.games[board]
            return Pairing(game.white, game.black, (game.outcome,))
        if self.tournament is None or not 1 <= number <= len(self.tournament.rounds):
            return None
        pairings = self.tournament.rounds[number - 1].pairings
        return pairings[board - 1] if 1 <= board <= len(pairings) else None


class Stored(NamedTuple):
    """An event as it is in the database."""

    id: str
    code: str | None
    version: int
    state: EventState
    games: dict[tuple[int, int], str]
    """The ids of the games by round and board."""

    @property
    def stamp(self) -> int:
        """What goes up with every change that a page shows, games that begin among them."""
        return self.version + len(self.games)

    def game_of(self, player: str) -> str | None:
        """Return the game that a player has to play now, if any."""
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


class Listed(NamedTuple):
    """An event in the list of all."""

    id: str
    name: str
    kind: str
    rules: str
    status: str
    players: int
    starts: datetime | None
    created: datetime


class Logged(NamedTuple):
    """An entry of an event's log: who did what, when."""

    at: datetime
    actor: str
    action: str
    details: dict[str, Any]


def dump(state: EventState) -> str:
    """Return an event as JSON."""
    return msgspec.json.encode(state).decode("utf-8")


def parse(text: str) -> EventState:
    """Return the event that `dump` wrote. Raises DamkaError for anything else."""
    try:
        return msgspec.json.decode(text, type=EventState)
    except msgspec.MsgspecError as error:
        raise DamkaError(f"an event in the database cannot be read: {error}") from error


def new_code(length: int) -> str:
    """Return a code by lot that leads to an event; it gives nobody a seat."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))
