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
from damka.match.adjudication import Adjudicator, Clear
from damka.match.players import create
from damka.match.store import Played
from damka.rules import other
from damka.tablebase import find

if TYPE_CHECKING:
    from damka.engine import Player
    from damka.game import Game
    from damka.match.store import Termination
    from damka.rules import Rules, Side
    from damka.tablebase import Tablebases

__all__ = ["MatchSettings", "Played", "Task", "close", "play"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class MatchSettings:
    """Settings of all games of a match."""

    first: str
    second: str
    rules: Rules
    limits: SearchLimits
    clear: Clear | None = None
    """Thresholds of adjudication; None to play each game to its end."""
    source: str = "random"
    """Source of the openings; see `damka.match.openings.read`."""
    seed: int = 0

    def __str__(self) -> str:
        """Return the text that identifies a match: two runs of one match share it."""
        rules = zlib.crc32(repr(sorted(self.rules.to_dict().items())).encode())
        limits = self.limits
        told = {"nodes": limits.nodes, "depth": limits.depth, "seconds": limits.seconds}
        clear = self.clear
        return "; ".join(
            (
                f"{self.first} - {self.second}",
                f"{self.rules.name} {rules:08x}",
                *(f"{name} {value:g}" for name, value in told.items() if value is not None),
                f"openings {self.source}, seed {self.seed}",
                "all played out" if clear is None else f"adjudicated: {clear}",
            )
        )


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Task:
    """One game to play: the games 2n and 2n + 1 are a pair, with one opening and swapped colours.

    In even games the first player of the match has the side that begins by the rules.
    """

    number: int
    opening: str


_Key = tuple[str, SearchLimits, int]
_players: dict[_Key, Player] = {}


def play(settings: MatchSettings, task: Task) -> Played:
    """Play one game; a player who fails or breaks the rules forfeits it.

    Raises MatchError for unknown players or openings.
    """
    game = openings.begin(settings.rules, task.opening)
    first: Side = settings.rules.first if task.number % 2 == 0 else other(settings.rules.first)
    seats: dict[Side, str] = {first: settings.first, other(first): settings.second}
    keys: dict[Side, _Key] = {
        side: (spec, settings.limits, int(side != first)) for side, spec in seats.items()
    }
    clock = _Clock()
    ready: set[Side] = set()
    judge = Adjudicator(settings.clear) if settings.clear else None
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
            score = clock.turn(game, player, settings.limits.seconds)
        except DamkaError as error:
            _drop(keys[side])
            termination, winner, reason = "forfeit", other(side), f"{seats[side]}: {error}"
            break
        if game.result is None and judge is not None:
            verdict = judge.judge(side, score, len(game.history))
            verdict = verdict or judge.look_up(game, _tables(settings))
            if verdict is not None:
                termination, (winner, reason) = "adjudication", verdict
                break
    if game.result is not None:
        winner, reason = game.result
    points = 0.5 if winner is None else float(winner == first)
    seconds = (clock.mean(first), clock.mean(other(first)))
    played = Played(
        number=task.number,
        opening=task.opening,
        points=points,
        plies=len(game.history),
        termination=termination,
        reason=reason,
        seconds=seconds,
    )
    own = {"Match": str(settings), **store.tags(played)}
    return replace(played, pdn=pdn.record(game, winner=winner, names=seats, own=own))


_found: dict[Rules, Tablebases | None] = {}


def close() -> None:
    """Close all players of this process."""
    while _players:
        _drop(next(iter(_players)))


def _player(key: _Key, rules: Rules) -> Player:
    if key not in _players:
        _players[key] = create(key[0], key[1], rules)
    return _players[key]


def _tables(settings: MatchSettings) -> Tablebases | None:
    if settings.clear is None or not settings.clear.tables:
        return None
    if settings.rules not in _found:
        _found[settings.rules] = find(settings.rules)
    return _found[settings.rules]


def _drop(key: _Key) -> None:
    """Close a player; the next game gets a new one."""
    player = _players.pop(key, None)
    if player is not None:
        with contextlib.suppress(DamkaError, OSError):
            player.close()


class _Clock:
    """Measures the time of the players' moves."""

    def __init__(self) -> None:
        self._spent: dict[Side, list[float]] = {"W": [], "B": []}

    def mean(self, side: Side) -> float:
        spent = self._spent[side]
        return sum(spent) / len(spent) if spent else 0.0

    def turn(self, game: Game, player: Player, seconds: float | None) -> int | None:
        """Play one turn of a player; return its score."""
        side = game.turn
        if not game.legal_moves:
            game.huff(game.offences[0])  # After the other side's offence only the huff is legal.
            if game.result is not None:
                return None
        started = time.perf_counter()
        decision = player.choose(game, seconds)
        self._spent[side].append(time.perf_counter() - started)
        # No draw offers: a match game is adjudicated or played out.
        game.apply(replace(decision, offer_draw=False))
        return decision.score
