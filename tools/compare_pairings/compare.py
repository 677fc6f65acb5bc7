"""A random tournament, paired by both programs round for round."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import TrfParser

from damka.errors import TournamentError
from damka.tournament import ByeKind, Round, Tournament, swiss, trf
from tools.compare_pairings.judge import Field, Pair, Verdict, judge
from tools.compare_pairings.random_tournament import begin, move_on, play

__all__ = ["Report", "compare", "pairs_of", "theirs"]


@dataclass
class Report:
    """What was compared: counts, and a text for each difference that the rules do not explain."""

    tournaments: int = 0
    rounds: int = 0
    unpaired: int = 0
    """Rounds that neither could pair: everybody had met."""
    alike: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __iadd__(self, other: Report) -> Report:
        self.tournaments += other.tournaments
        self.rounds += other.rounds
        self.unpaired += other.unpaired
        self.alike += other.alike
        self.explained += other.explained
        self.faults += other.faults
        return self

    def text(self) -> str:
        """Return the report as it is printed."""
        lines = [
            f"{self.tournaments} tournaments, {self.rounds} rounds",
            f"  alike: {self.alike}",
            f"  unpaired by both: {self.unpaired}",
            f"  different, ours as the rules of 2026 say: {self.explained.total()}",
            *(f"    {count:6} {reason}" for reason, count in self.explained.most_common()),
            f"  faults: {len(self.faults)}",
            *(f"    {fault.splitlines()[0]}" for fault in self.faults[:20]),
        ]
        return "\n".join(lines)


def compare(seed: int, players: tuple[int, int] = (6, 24), plain: bool = False) -> Report:
    """Return what came of the random tournament of this seed.

    It has so many players, at least and at most. In a `plain` one they are even in number and play
    every game, so that both editions of the rules ask for almost the same.
    """
    rng = random.Random(seed)
    report = Report(tournaments=1)
    tournament = begin(rng, *players)
    if plain:
        tournament = tournament.withdraw("1001") if len(tournament.players) % 2 else tournament
    while len(tournament.rounds) < tournament.length:
        tournament = tournament if plain else move_on(rng, tournament)
        number = len(tournament.rounds) + 1
        if sum(1 for _ in swiss.entrants(tournament)) < 2:
            break
        report.rounds += 1
        text = trf.export(tournament, coming=True)
        other = theirs(text, tournament)
        try:
            ours = swiss.pair(tournament)
        except TournamentError as error:
            if other is None:
                report.unpaired += 1
            else:
                report.faults.append(f"seed {seed}, round {number}: {error}\n{text}{other}")
            break
        _judge(report, tournament, ours, other, f"seed {seed}, round {number}")
        tournament = play(rng, tournament.add(ours), forfeits=not plain)
    return report


def theirs(text: str, tournament: Tournament) -> list[Pair] | None:
    """Return the pairing by py4swiss, None where it finds none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tournament.trf"
        file.write_text(text, "utf-8")
        parsed = TrfParser.parse(file, strict=True)
    try:
        found = DutchEngine.generate_pairings(parsed)
    except PairingError:
        return None
    ids = [player.id for player in tournament.players]
    return [(ids[each.white - 1], ids[each.black - 1] if each.black else None) for each in found]


def pairs_of(found: Round) -> list[Pair]:
    """Return the pairings of a round, and the bye that the pairing gave."""
    byes = [bye.player for bye in found.byes if bye.kind is ByeKind.ALLOCATED]
    return [*((each.white, each.black) for each in found.pairings), *((bye, None) for bye in byes)]


def _judge(
    report: Report, tournament: Tournament, ours: Round, other: list[Pair] | None, where: str
) -> None:
    mine = pairs_of(ours)
    if other is not None and sorted(mine, key=str) == sorted(other, key=str):
        report.alike += 1
        return
    if other is None:
        report.explained["paired by ours alone: with limits of colours given up"] += 1
        return
    before = len(tournament.rounds)
    players = {each.id: each for each in swiss.entrants(tournament)}
    verdict = judge(Field(players, before, before + 1 == tournament.length), mine, other)
    if verdict.better == 1:
        report.explained[f"{verdict.criterion}: {verdict.words}"] += 1
        return
    report.faults.append(f"{where}: {_fault(verdict)}\n{_show(tournament, mine, other)}")


def _fault(verdict: Verdict) -> str:
    preferred = {2: "theirs preferred", 0: "neither preferred"}[verdict.better]
    return f"{verdict.criterion} ({verdict.words}): {preferred}"


def _show(tournament: Tournament, mine: list[Pair], other: list[Pair]) -> str:
    lines = [trf.export(tournament, coming=True)]
    for name, pairs in (("ours", mine), ("theirs", other)):
        shown = [f"{tournament.number(w)}-{tournament.number(b) if b else 0}" for w, b in pairs]
        lines.append(f"{name}: {' '.join(shown)}")
    for each in swiss.entrants(tournament):
        lines.append(f"{each.number:3} {each.score:g} {each.colours} {each.floats} {each.had_bye}")
    return "\n".join(lines)
