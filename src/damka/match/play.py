"""One game between two players, in a worker process."""

from __future__ import annotations

import contextlib
import random
import time
import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damka.engine import SearchLimits
from damka.errors import DamkaError
from damka.match import openings, pdn, store
from damka.match.adjudication import AdjudicationRules, Adjudicator
from damka.match.players import create
from damka.match.store import MatchGame
from damka.rules import other
from damka.tablebase import find

if TYPE_CHECKING:
    from damka.engine import Player
    from damka.game import Game
    from damka.match.store import Termination
    from damka.rules import Rules, Side
    from damka.tablebase import Tablebases

__all__ = ["MatchGame", "MatchSettings", "Task", "close", "play"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MatchSettings:
    """Settings of all games of a match."""

    first: str
    second: str
    rules: Rules
    limits: SearchLimits
    adjudication: AdjudicationRules | None = None
    """Thresholds of adjudication; None to play each game to its end."""
    source: str = "random"
    """Source of the openings; see `damka.match.openings.read`."""
    seed: int = 0

    def __str__(self) -> str:
        """Return the text that identifies a match when it is resumed."""
        rules = zlib.crc32(repr(sorted(self.rules.to_dict().items())).encode())
        limits = self.limits
        limit_values = {"nodes": limits.nodes, "depth": limits.depth, "seconds": limits.seconds}
        adjudication = self.adjudication
        return "; ".join(
            (
                f"{self.first} - {self.second}",
                f"{self.rules.name} {rules:08x}",
                *(f"{name} {value:g}" for name, value in limit_values.items() if value is not None),
                f"openings {self.source}, seed {self.seed}",
                "all played out" if adjudication is None else f"adjudicated: {adjudication}",
            )
        )


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Task:
    """A game to play. Games 2n and 2n + 1 are a pair, with the same opening and swapped colours.

    In even games the first player of the match has the side that begins.
    """

    number: int
    opening: str


_Key = tuple[str, SearchLimits, int]
_players: dict[_Key, Player] = {}


def play(settings: MatchSettings, task: Task) -> MatchGame:
    """Play one game; a player who fails or violates the rules forfeits it.

    Raises MatchError for unknown players or openings.
    """
    game = openings.begin(settings.rules, task.opening)
    first: Side = settings.rules.first if task.number % 2 == 0 else other(settings.rules.first)
    seats: dict[Side, str] = {first: settings.first, other(first): settings.second}
    keys: dict[Side, _Key] = {
        side: (spec, settings.limits, int(side != first)) for side, spec in seats.items()
    }
    times = _MoveTimes()
    ready: set[Side] = set()
    adjudicator = Adjudicator(settings.adjudication) if settings.adjudication else None
    termination: Termination = "normal"
    winner: Side | None = None
    reason = ""
    while game.result is None:
        side = game.turn
        try:
            player = _player(keys[side], settings.rules)
            if side not in ready:
                player.begin(random.Random(f"{settings.seed} {task.number} {side}").getrandbits(64))
                ready.add(side)
            score = times.play_turn(game, player, settings.limits.seconds)
        except DamkaError as error:
            _close_player(keys[side])
            termination, winner, reason = "forfeit", other(side), f"{seats[side]}: {error}"
            break
        if game.result is None and adjudicator is not None:
            verdict = adjudicator.judge(side, score, len(game.history))
            verdict = verdict or adjudicator.look_up(game, _tables(settings))
            if verdict is not None:
                termination, (winner, reason) = "adjudication", verdict
                break
    if game.result is not None:
        winner, reason = game.result
    points = 0.5 if winner is None else float(winner == first)
    seconds = (times.mean(first), times.mean(other(first)))
    result = MatchGame(
        number=task.number,
        opening=task.opening,
        points=points,
        plies=len(game.history),
        termination=termination,
        reason=reason,
        seconds=seconds,
    )
    extra = {"Match": str(settings), **store.tags(result)}
    return replace(result, pdn=pdn.record(game, winner=winner, names=seats, extra=extra))


_tables_of: dict[Rules, Tablebases | None] = {}


def close() -> None:
    """Close all players of this process."""
    while _players:
        _close_player(next(iter(_players)))


def _player(key: _Key, rules: Rules) -> Player:
    if key not in _players:
        _players[key] = create(key[0], key[1], rules)
    return _players[key]


def _tables(settings: MatchSettings) -> Tablebases | None:
    if settings.adjudication is None or not settings.adjudication.tables:
        return None
    if settings.rules not in _tables_of:
        _tables_of[settings.rules] = find(settings.rules)
    return _tables_of[settings.rules]


def _close_player(key: _Key) -> None:
    """Close a player; the next game gets a new one."""
    player = _players.pop(key, None)
    if player is not None:
        with contextlib.suppress(DamkaError, OSError):
            player.close()


class _MoveTimes:
    """Measures the time of the players' moves."""

    def __init__(self) -> None:
        self._seconds: dict[Side, list[float]] = {"W": [], "B": []}

    def mean(self, side: Side) -> float:
        seconds = self._seconds[side]
        return sum(seconds) / len(seconds) if seconds else 0.0

    def play_turn(self, game: Game, player: Player, seconds: float | None) -> int | None:
        """Play a turn of a player; return the player's score."""
        side = game.turn
        if not game.legal_moves:
            game.huff(game.offences[0])  # Only the huff is legal.
            if game.result is not None:
                return None
        started = time.perf_counter()
        decision = player.choose(game, seconds)
        self._seconds[side].append(time.perf_counter() - started)
        # A match game ends by the rules or by adjudication, never by agreement.
        game.apply(replace(decision, offer_draw=False))
        return decision.score
