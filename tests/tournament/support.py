"""Tournaments for tests: from short texts, and random."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from damka.tournament import (
    CLASSIC,
    Bye,
    ByeKind,
    Outcome,
    Pairing,
    Player,
    PointSystem,
    Round,
    System,
    Tournament,
    Unplayed,
)

__all__ = ["played", "player", "random_rounds", "tournament", "tournaments"]


def player(name: str, rating: int = 0) -> Player:
    return Player(name, f"Player {name}", rating)


def tournament(count: int, length: int = 5, **settings: Any) -> Tournament:
    """Return a tournament with players "1", "2" and so on, rated 2000, 1990 and so on."""
    empty = replace(Tournament(name="Test", length=length), **settings)
    return empty.enter(*(player(str(n), 2010 - 10 * n) for n in range(1, count + 1)))


def played(rounds: str, points: PointSystem = CLASSIC, **settings: Any) -> Tournament:
    """Parse a tournament, one round per line, such as "A 1-0 B, C = D, E U"."""
    found = []
    names: set[str] = set()
    for line in rounds.strip().splitlines():
        pairings, byes = [], []
        for part in line.split(","):
            match part.split():
                case [white, outcome, black]:
                    pairings.append(Pairing(white, black, (Outcome(outcome),)))
                    names |= {white, black}
                case [one, kind]:
                    byes.append(Bye(one, ByeKind(kind)))
                    names.add(one)
        found.append(Round(tuple(pairings), tuple(byes)))
    empty = Tournament(name="Test", length=max(len(found), 1), points=points)
    players = tuple(player(name) for name in sorted(names))
    return replace(empty, **{"players": players, "rounds": tuple(found), **settings})


def random_rounds(
    seed: int, count: int, rounds: int, *, unplayed: bool = True, points: PointSystem = CLASSIC
) -> Tournament:
    """Return a tournament with random pairings and results."""
    rng = random.Random(seed)
    outcomes = [*Outcome] if unplayed else [o for o in Outcome if o.played]
    found = []
    for _ in range(rounds):
        order = [str(n) for n in range(1, count + 1)]
        rng.shuffle(order)
        byes = []
        if count % 2:
            byes.append(Bye(order.pop(), ByeKind.ALLOCATED))
        if unplayed and rng.random() < 0.5:
            byes += [Bye(order.pop(), rng.choice([*ByeKind])) for _ in range(2)]
        pairs = zip(order[::2], order[1::2], strict=True)
        found.append(
            Round(tuple(Pairing(w, b, (rng.choice(outcomes),)) for w, b in pairs), tuple(byes))
        )
    return replace(tournament(count, max(rounds, 1), points=points), rounds=tuple(found))


@st.composite
def tournaments(draw: st.DrawFn, *, unplayed: bool = True) -> Tournament:
    """Strategy of random tournaments of up to ten players and seven rounds."""
    count = draw(st.integers(2, 5)) * 2 + (draw(st.integers(0, 1)) if unplayed else 0)
    system = draw(st.sampled_from(System))
    found = random_rounds(
        draw(st.integers(0, 10**6)),
        count,
        draw(st.integers(0, 7)),
        unplayed=unplayed,
        points=draw(st.sampled_from((CLASSIC, PointSystem(2, 1, 0), PointSystem(3, 1, 0)))),
    )
    return replace(found, system=system, unplayed=draw(st.sampled_from(Unplayed)))
