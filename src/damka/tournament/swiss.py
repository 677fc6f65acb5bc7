"""Swiss pairings by the FIDE (Dutch) system, edition of 1 February 2026.

The library caissify-pairings computes the pairings; this module converts the history, including
unplayed rounds, adds missing features, and validates the result:

- Forbidden pairs are avoided in every round.
- When no pairing satisfies the colour limits, players are paired without them; when no pairing
  exists at all, an error is raised.
- Large fields are paired in parts (`PART`), because the time grows with the cube of their size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from damka.errors import TournamentError
from damka.tournament import checks
from damka.tournament.colours import first_has_white
from damka.tournament.history import Record, history
from damka.tournament.rounds import Bye, ByeKind, Pairing, Round
from damka.tournament.tournament import System, Tournament

__all__ = [
    "PART",
    "Entrant",
    "board_order",
    "entrants",
    "most_rounds",
    "pair",
    "repeated_byes",
    "sure_rounds",
]


def __dir__() -> list[str]:
    return __all__


_MIN_REST: Final = 20
PART: Final = 100
"""Maximum number of players paired at once. Larger fields are split by rank: score groups stay
together; a score group that is too large is split by taking the same share of its upper and lower
half, so that upper half still meets lower half."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Entrant:
    """A player as input of the pairing."""

    id: str
    number: int
    score: float
    """Points, scaled so that a win in every round would equal the number of rounds."""
    colours: tuple[str, ...]
    floats: tuple[str, ...]
    met: frozenset[str]
    had_bye: bool
    """Whether the player had a pairing-allocated bye or a forfeit win."""

    @property
    def rank(self) -> tuple[float, int]:
        """Sort key: score, then pairing number."""
        return -self.score, self.number


def pair(tournament: Tournament) -> Round:
    """Return the pairings of the next round, best boards first, with the requested byes.

    When all players have withdrawn or requested a bye, the round has no pairings. A player who gets
    a second bye, because there is no other pairing, is named in its remarks.

    Raises TournamentError when a game is unfinished, all rounds are paired, only one player is
    left, or there is no pairing without rematches or forbidden pairs. Takes about a second for 40
    players, some seconds for 100 and a minute for 1,000.
    """
    if tournament.system is not System.SWISS:
        raise TournamentError("system", tournament.system, System.SWISS)
    tournament.check_over()
    number = len(tournament.rounds) + 1
    if number > tournament.length:
        raise TournamentError("rounds", number, f"at most {tournament.length}")
    requested_byes = {
        bye.player: bye.kind for bye in tournament.requested_byes if bye.round == number
    }
    byes = [Bye(p.id, requested_byes[p.id]) for p in tournament.active if p.id in requested_byes]
    playing = sorted(entrants(tournament), key=lambda each: each.rank)
    if not playing:
        return Round((), tuple(byes))
    if len(tournament.active) < 2:
        raise TournamentError(f"round {number}", f"{len(playing)} players", "2 or more")
    forbidden = frozenset(frozenset(pair) for pair in tournament.forbidden)
    paired: list[tuple[list[Entrant], list[tuple[str, str | None]]]] = []
    parts = list(_split(playing))
    for index, each in enumerate(parts):
        part = each
        while (pairs := _pair(part, forbidden, number, tournament)) is None:
            # Merged with a neighbouring part, a pairing may exist.
            if paired:
                part = [*paired.pop()[0], *part]
            elif index + 1 < len(parts):
                parts[index + 1] = [*part, *parts[index + 1]]
                break
            else:
                raise TournamentError(
                    f"round {number}",
                    "no pairing",
                    "a pairing without rematches and forbidden pairs; "
                    "pair by hand, or end the tournament",
                )
        else:
            paired.append((part, pairs))
    pairs_of_ids = [pair for _, pairs in paired for pair in pairs]
    return _build_round(pairs_of_ids, {each.id: each for each in playing}, byes, tournament)


def _build_round(
    pairs_of_ids: Iterable[tuple[str, str | None]],
    entrants: Mapping[str, Entrant],
    byes: Sequence[Bye],
    tournament: Tournament,
) -> Round:
    def board(pair: tuple[str, str]) -> tuple[float, float, int]:
        one, other = (entrants[player] for player in pair)
        return board_order((one.score, one.number), (other.score, other.number))

    pairs = sorted(((w, b) for w, b in pairs_of_ids if b is not None), key=board)
    allocated = [Bye(player, ByeKind.ALLOCATED) for player, other in pairs_of_ids if other is None]
    outcomes = (None,) * tournament.games
    numbers = {player.id: number for number, player in enumerate(tournament.players)}
    return Round(
        tuple(Pairing(w, b, outcomes) for w, b in pairs),
        tuple(sorted((*allocated, *byes), key=lambda bye: numbers[bye.player])),
        tuple(
            f"{tournament.player(bye.player).name} has a bye for the second time:"
            " no other pairing is possible"
            for bye in allocated
            if entrants[bye.player].had_bye
        ),
    )


def repeated_byes(tournament: Tournament, number: int) -> tuple[str, ...]:
    """Return the players, by id, with an allocated bye who already had a bye or forfeit win."""
    checks.integer("round", number, 1, len(tournament.rounds))
    before = history(tournament, number - 1)
    return tuple(
        bye.player
        for bye in tournament.rounds[number - 1].byes
        if bye.kind is ByeKind.ALLOCATED
        and any(_is_full_bye(record, tournament) for record in before[bye.player])
    )


def most_rounds(players: int) -> int:
    """Return the number of rounds that these players can play without rematches."""
    return players - 1 + players % 2


def sure_rounds(players: int) -> int:
    """Return the number of rounds that are always possible without rematches.

    With at most half as many rounds as players, the remaining opponents always allow a perfect
    matching (Dirac's theorem). Up to four players can always play a full round robin.
    """
    return most_rounds(players) if players <= 4 else (players + 1) // 2


def board_order(one: tuple[float, int], other: tuple[float, int]) -> tuple[float, float, int]:
    """Return the sort key of boards: points of the higher ranked player, of the lower, the number.

    Both players are given by points and pairing number.
    """
    (high, number), (low, _) = sorted((one, other), key=lambda each: (-each[0], each[1]))
    return -high, -low, number


def entrants(tournament: Tournament) -> Iterator[Entrant]:
    """Yield the players to pair in the next round: neither withdrawn nor with a requested bye."""
    records = history(tournament)
    full = tournament.points.win * tournament.games
    before = _points_before(records, tournament.games)
    next_round = len(tournament.rounds) + 1
    absent = {bye.player for bye in tournament.requested_byes if bye.round == next_round}
    absent |= set(tournament.withdrawn)
    for number, player in enumerate(tournament.players, 1):
        if player.id in absent:
            continue
        own = records[player.id]
        firsts = own[:: tournament.games]  # the first game of a round counts for colours
        yield Entrant(
            player.id,
            number,
            sum(record.points for record in own) / full,
            tuple("white" if each.white else "black" for each in firsts if each.played),
            tuple(_float(each, before, player.id, tournament) for each in firsts),
            frozenset(str(each.opponent) for each in own if each.played),
            any(_is_full_bye(each, tournament) for each in own),
        )


def _points_before(records: Mapping[str, Sequence[Record]], games: int) -> dict[str, list[float]]:
    """Return the points of each player before each round."""
    return {
        player: [
            0.0,
            *itertools.accumulate(
                sum(each.points for each in own[i : i + games]) for i in range(0, len(own), games)
            ),
        ]
        for player, own in records.items()
    }


def _is_full_bye(record: Record, tournament: Tournament) -> bool:
    """Whether this record excludes the player from later byes (C.04.1, article 4)."""
    full = not record.played and record.points >= tournament.points.win
    return record.bye is ByeKind.ALLOCATED or full


def _float(
    record: Record, before: Mapping[str, Sequence[float]], player: str, tournament: Tournament
) -> str:
    """Return a player's float in a round (C.04.3, article 1.4)."""
    if not record.played:
        return "down" if record.points > tournament.points.loss else "none"
    own, other = (before[each][record.round - 1] for each in (player, str(record.opponent)))
    return "down" if own > other else "up" if own < other else "none"


def _pair(
    entrants: Sequence[Entrant],
    forbidden_pairs: frozenset[frozenset[str]],
    number: int,
    tournament: Tournament,
) -> list[tuple[str, str | None]] | None:
    """Return the ids of White and Black of each pair, None for a bye; None without a pairing."""
    try:
        from damka.tournament._dutch import Dutch  # noqa: PLC0415  the library is an extra
    except ModuleNotFoundError as error:
        raise checks.not_installed(error) from error

    by_number = {each.number: each for each in entrants}
    # Absent players need numbers too: the number of games played decides on byes.
    numbers = {player.id: n for n, player in enumerate(tournament.players, 1)}
    met = {(each.number, numbers[other]) for each in entrants for other in each.met}
    forbidden = {frozenset(numbers[player] for player in pair) for pair in forbidden_pairs}
    pairing = Dutch(
        [_library_player(each) for each in entrants],
        met,
        forbidden,
        number,
        tournament.length,
    )
    if not pairing.solve():
        return None
    pairs: list[tuple[str, str | None]] = []
    for one, other in pairing.pairs:
        if other is None:
            pairs.append((by_number[one].id, None))
            continue
        higher, lower = sorted((by_number[one], by_number[other]), key=lambda each: each.rank)
        white = first_has_white(
            higher.colours, lower.colours, higher.number, tournament.top_seed_white
        )
        pairs.append((higher.id, lower.id) if white else (lower.id, higher.id))
    return pairs


def _library_player(entrant: Entrant) -> dict[str, Any]:
    """Convert a player to the library's format."""
    return {
        "id": entrant.number,
        "name": "",
        "score": entrant.score,
        "rating": 0,
        "starting_number": entrant.number,
        "pairing_number": entrant.number,
        "color_hist": list(entrant.colours),
        "float_history": list(entrant.floats),
        "bye_count": int(entrant.had_bye),
        "forfeit_win_count": 0,
    }


def _split(ranked: list[Entrant]) -> Iterator[list[Entrant]]:
    """Yield parts of at most `PART` players, all but the last of even size."""
    pending: list[Entrant] = []
    remaining = len(ranked)
    for _, members in itertools.groupby(ranked, key=lambda each: each.score):
        group = list(members)
        # A smaller remainder would have too few opponents.
        while len(pending) + len(group) > PART and remaining > PART + _MIN_REST:
            if pending and len(group) <= PART:
                part, pending = pending, []
            else:
                # The same number from the top of the upper and of the lower half.
                half_size, half = (PART - len(pending)) // 2, len(group) // 2
                part = [*pending, *group[:half_size], *group[half : half + half_size]]
                group, pending = group[half_size:half] + group[half + half_size :], []
            if len(part) % 2:
                pending = [part.pop()]
            remaining -= len(part)
            if part:
                yield part
            else:
                break
        pending += group
    yield pending
