"""The work in pieces that one process does and a state file remembers."""

from __future__ import annotations

import collections
import json
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from damka import Board, reference
from damka.rules import Rules, load
from tools.prove import random_positions
from tools.prove.compare import Disagreement, compare, effect, features, fen, smallest
from tools.prove.games import compare_game, with_draws

__all__ = ["ANY", "CHUNK", "Done", "Job", "do", "jobs"]

ANY: Final = "any rules"
"""The name under which random rule sets go."""

CHUNK: Final = 250
PUBLISHED: Final = Path(__file__).parents[2] / "tests" / "data" / "perft.json"

LEAVES: Final = 700_000
"""The most that are counted where nobody has published how many there are."""

FOLLOWED: Final = 2
"""After about so many moves of a position the replies are compared as well."""


@dataclass(frozen=True, slots=True)
class Job:
    """Some positions of a rule set, or a count of leaves."""

    rules: str
    kind: str
    """"positions", "games", "published" or "agreed"."""
    number: int
    """Which of the chunks of positions or games, or how many plies."""
    size: int = 1

    @property
    def id(self) -> str:
        """The name in the state file."""
        return f"{self.rules}/{self.kind}/{self.number}/{self.size}"


@dataclass(slots=True)
class Done:
    """What came of a job."""

    seconds: float = 0.0
    seen: dict[str, int] = field(default_factory=dict)
    """Positions, and what they had; or plies of a count."""
    failure: str = ""


def jobs(chosen: list[str], positions: int) -> list[Job]:
    """Return the work for these rule sets."""
    published = json.loads(PUBLISHED.read_text("utf-8"))
    found = [
        Job(name, "published", plies)
        for name in chosen
        for plies in range(1, len(published.get(name, ())) + 1)
    ]
    for first in range(0, positions, CHUNK):
        size = min(CHUNK, positions - first)
        found += [Job(name, "positions", first // CHUNK, size) for name in chosen]
        found += [Job(name, "games", first // CHUNK, size * 3 // 2) for name in chosen]
    counted = [name for name in chosen if name not in published and name != ANY]
    return [*found, *(Job(name, "agreed", _deepest(load(name))) for name in counted)]


def _deepest(rules: Rules) -> int:
    """How many plies the specification can count in a minute or so."""
    board, depth = Board(rules), 1
    while board.perft(depth + 1) <= LEAVES and depth < 12:
        depth += 1
    return depth


def do(job: Job) -> Done:
    """Do a job, in whichever process."""
    began = time.perf_counter()
    done = Done()
    try:
        if job.kind == "positions":
            _positions(job, done)
        elif job.kind == "games":
            _games(job, done)
        elif job.kind == "published":
            counts = json.loads(PUBLISHED.read_text("utf-8"))[job.rules]
            found = Board(load(job.rules)).perft(job.number)
            if found != counts[job.number - 1]:
                raise Disagreement(f"{job.number} plies: {counts[job.number - 1]}, not {found}")
            done.seen["published"] = job.number
        else:
            rules = load(job.rules)
            counted = reference.perft(rules, reference.start(rules), job.number)
            if (found := Board(rules).perft(job.number)) != counted:
                raise Disagreement(f"{job.number} plies: the specification {counted}, not {found}")
            done.seen["agreed"] = job.number
    except Disagreement as found_one:
        done.failure = f"{job.rules}: {found_one}"
    done.seconds = time.perf_counter() - began
    return done


def _positions(job: Job, done: Done) -> None:
    chooser = random_positions.RandomChooser(job.id)
    seen: collections.Counter[str] = collections.Counter()
    rules = random_positions.rule_set(chooser) if job.rules == ANY else load(job.rules)
    while seen["positions"] < job.size:
        if job.rules == ANY and chooser.below(8) == 0:
            rules = random_positions.rule_set(chooser)
        kind = chooser.below(8)
        if kind == 0:
            _walk(rules, reference.start(rules), chooser, 40, 5, seen)
        elif kind == 1:
            _walk(rules, random_positions.ending(rules, chooser), chooser, 10, 1, seen)
        else:
            _look(rules, random_positions.position(rules, chooser), seen)
    done.seen = dict(seen)


def _games(job: Job, done: Done) -> None:
    lots = random.Random(job.id)
    chooser = random_positions.RandomChooser(job.id)
    plies = 0
    while plies < job.size:
        rules = (
            with_draws(random_positions.rule_set(chooser), lots)
            if job.rules == ANY
            else load(job.rules)
        )
        kind = lots.randrange(4)
        if kind == 0:
            first = reference.start(rules)
        elif kind == 1 and job.rules != ANY:
            first = random_positions.ending(rules, chooser)
        else:
            first = random_positions.position(rules, chooser)
        try:
            plies += 1 + compare_game(rules, first, lots, min(200, job.size - plies))
        except Disagreement as found:
            raise Disagreement(f"{found}{_told(rules)}") from found
    done.seen["ends"] = plies


def _look(rules: Rules, position: reference.Position, seen: collections.Counter[str]) -> None:
    """Compare one position."""
    try:
        moves = compare(Board(rules, fen(position)), position, FOLLOWED)
    except Disagreement as found:
        least = smallest(rules, position)
        raise Disagreement(f"{found}\n  in {fen(least)}{_told(rules)}") from found
    seen.update(("positions", *features(position, moves)))


def _walk(
    rules: Rules,
    position: reference.Position,
    chooser: random_positions.Chooser,
    plies: int,
    every: int,
    seen: collections.Counter[str],
) -> None:
    """Play on and compare on the way: what is counted of kings is no part of a FEN."""
    board = Board(rules, fen(position))
    for ply in range(plies):
        if ply % every == 0:
            try:
                moves = compare(board, position, FOLLOWED)
            except Disagreement as found:
                way = " ".join(map(str, board.stack))
                raise Disagreement(
                    f"{found}\n  in {board.root().fen} after {way}{_told(rules)}"
                ) from found
            seen.update(("positions", *features(position, moves)))
        moves = reference.legal_moves(rules, position)
        if not moves:
            return
        # The king that moved last moves again, most of the time.
        moved = [square for square, _ in position.streaks]
        again = (
            [m for m in moves if m.start in moved and not m.captures] if chooser.below(4) else []
        )
        chosen = chooser.choice(again or moves)
        position = reference.apply(rules, position, chosen)
        board.push(next(move for move in board.legal_moves if effect(move) == effect(chosen)))


def _told(rules: Rules) -> str:
    """Return the parameters of a rule set that was drawn."""
    if rules.name != "drawn":
        return f" of {rules.name}"
    usual = load("dama64").to_dict()
    changes = {key: value for key, value in rules.to_dict().items() if usual[key] != value}
    return f"\n  by dama64 with {changes}"
