"""Which of two pairings of a round the rules prefer, and by what.

A pairing is judged bracket by bracket, from the top score down, by the criteria of C.04.3 in their
order and, where they leave it open, by the order in which the rules try candidates. Both pairings
must be complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from damka.tournament.swiss import Entrant

__all__ = ["Field", "Verdict", "judge"]

Pair = tuple[str, str | None]
"""White and Black, None for a bye."""

Value = Any

_NAMES: Final = {
    "C2": "no bye for one who had a win without a game",
    "C5": "the bye for one with a lower score",
    "C6": "fewer downfloaters",
    "C7": "lower scores of the downfloaters",
    "C8": "the next bracket",
    "C9": "the bye for one with fewer unplayed games",
    "C10": "colour difference of topscorers",
    "C11": "colour of topscorers three times in a row",
    "C12": "colour preferences",
    "C13": "strong colour preferences",
    "C14": "downfloat of the round before",
    "C15": "upfloat of the round before",
    "C16": "downfloat two rounds before",
    "C17": "upfloat two rounds before",
    "C18": "score difference after a downfloat",
    "C19": "score difference after an upfloat",
    "C20": "score difference after a downfloat two rounds before",
    "C21": "score difference after an upfloat two rounds before",
    "order": "the order of the candidates",
}


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round, and where the tournament is."""

    players: Mapping[str, Entrant]
    rounds_before: int
    last: bool

    def top(self, player: Entrant) -> bool:
        """Return whether a player is a topscorer: in the last round, with more than half."""
        return self.last and player.score > self.rounds_before / 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What decides between two pairings."""

    criterion: str
    better: int
    """1 for the first, 2 for the second, 0 for neither."""

    @property
    def words(self) -> str:
        """The criterion in words."""
        return _NAMES.get(self.criterion, self.criterion)


def judge(field: Field, one: Sequence[Pair], two: Sequence[Pair]) -> Verdict:
    """Return what decides between two complete pairings of a round."""
    if {frozenset(pair) for pair in one} == {frozenset(pair) for pair in two}:
        return Verdict("colours alone", 0)
    byes = [next((field.players[w] for w, b in pairs if b is None), None) for pairs in (one, two)]
    if byes[0] is not None and byes[1] is not None:
        for criterion, values in (
            ("C2", [bye.had_bye for bye in byes if bye]),
            ("C5", [bye.score for bye in byes if bye]),
        ):
            if values[0] != values[1]:
                return Verdict(criterion, 1 if values[0] < values[1] else 2)
    first, second = _brackets(field, one), _brackets(field, two)
    for mine, theirs in zip(first, second, strict=True):
        for criterion, value in mine.items():
            if value != theirs[criterion]:
                return Verdict(criterion, 1 if value < theirs[criterion] else 2)
    return Verdict("nothing", 0)


def _brackets(field: Field, pairs: Sequence[Pair]) -> list[dict[str, Value]]:
    """Return the values of a pairing, smaller is better, bracket by bracket."""
    brackets = [_Bracket(field, pairs, score) for score in _scores(field)]
    values = []
    for number, bracket in enumerate(brackets):
        after = brackets[number + 1] if number + 1 < len(brackets) else None
        values.append(dict(bracket.values(after)))
    return values


def _scores(field: Field) -> list[float]:
    return sorted({player.score for player in field.players.values()}, reverse=True)


class _Bracket:
    """One bracket of a pairing: its residents, those moved down into it, its pairs, who leaves."""

    def __init__(self, field: Field, pairs: Sequence[Pair], score: float) -> None:
        self._field = field
        self._score = score
        self.pairs: list[tuple[Entrant, Entrant]] = []
        self.down: list[Entrant] = []
        self._bye: Entrant | None = None
        for white, black in pairs:
            one = field.players[white]
            other = None if black is None else field.players[black]
            if other is None:
                self._bye = one
            lower = min(one.score, other.score) if other else -1.0
            higher = one if other is None or one.rank < other.rank else other
            if other is not None and lower == score:
                self.pairs.append((one, other))
            elif lower < score <= higher.score:
                self.down.append(higher)

    def values(self, after: _Bracket | None) -> Iterator[tuple[str, Value]]:
        field = self._field
        yield "C6", len(self.down)
        yield "C7", self.scores_down()
        yield "C8", (len(after.down), after.scores_down()) if after else ()
        only_bye = len(self.down) == 1 and self.down[0] is self._bye
        unplayed = field.rounds_before - len(self.down[0].colours) if only_bye else 0
        yield "C9", unplayed
        given = [(one, "white", two) for one, two in self.pairs]
        given += [(two, "black", one) for one, two in self.pairs]
        top = [(p, c) for p, c, other in given if field.top(p) or field.top(other)]
        yield "C10", sum(abs(_difference((*p.colours, c))) > 2 for p, c in top)
        yield "C11", sum((*p.colours, c)[-3:] == (c,) * 3 for p, c in top)
        denied = [p for p, c, _ in given if _wanted(p)[0] not in ("", c)]
        yield "C12", len(denied)
        yield "C13", sum(_wanted(p)[1] == 2 for p in denied)
        residents = [p for p in self.down if p.score == self._score]
        moved = [_ordered(pair) for pair in self.pairs if pair[0].score != pair[1].score]
        for back, names in ((1, ("C14", "C15")), (2, ("C16", "C17"))):
            yield names[0], sum(_float(p, back) == "down" for p in residents)
            yield names[1], sum(_float(p, back) == "up" for _, p in moved)
        for back, names in ((1, ("C18", "C19")), (2, ("C20", "C21"))):
            # Of those who float on, the difference is larger than any that a pair can have.
            gone = [p for p in self.down if p.score > self._score]
            diffs = [(h.score - low.score, h, low) for h, low in moved]
            yield (
                names[0],
                sorted(
                    [d for d, high, _ in diffs if _float(high, back) == "down"]
                    + [p.score + 1 for p in gone if _float(p, back) == "down"],
                    reverse=True,
                ),
            )
            yield (
                names[1],
                sorted((d for d, _, low in diffs if _float(low, back) == "up"), reverse=True),
            )
        yield "order", self._order()

    def scores_down(self) -> list[float]:
        return sorted((p.score for p in self.down), reverse=True)

    def _order(self) -> Value:
        """Return the place of the pairing among the candidates (article 4)."""
        pairs = [_ordered(pair) for pair in self.pairs]
        moved = sorted((p for p in pairs if p[0].score != p[1].score), key=lambda p: p[0].rank)
        level = [p for p in pairs if p[0].score == p[1].score]
        chosen = [high.rank for high, _ in moved]
        opponents = [low.rank for _, low in moved]
        residents = sorted(
            [p for pair in level for p in pair] + [p for p in self.down if p.score == self._score],
            key=lambda p: p.rank,
        )
        return chosen, opponents, _resident_order(residents, level)


def _resident_order(residents: list[Entrant], pairs: list[tuple[Entrant, Entrant]]) -> Value:
    """Return the order of a homogeneous bracket: exchanges first, then transpositions."""
    number = {p.id: n for n, p in enumerate(residents, 1)}
    half = len(pairs)
    upper = sorted(number[high.id] for high, _ in pairs)
    lower = {number[high.id]: number[low.id] for high, low in pairs}
    sent = [n for n in range(1, half + 1) if n not in upper]
    taken = [n for n in upper if n > half]
    exchange = (
        len(sent),
        sum(taken) - sum(sent),
        [-n for n in reversed(sent)],
        taken,
    )
    return exchange, [lower[n] for n in upper]


def _ordered(pair: tuple[Entrant, Entrant]) -> tuple[Entrant, Entrant]:
    one, two = pair
    return (one, two) if one.rank < two.rank else (two, one)


def _float(player: Entrant, back: int) -> str:
    return player.floats[-back] if len(player.floats) >= back else "none"


def _difference(colours: Sequence[str]) -> int:
    return colours.count("white") - colours.count("black")


def _wanted(player: Entrant) -> tuple[str, int]:
    """Return the colour that a player should have, "" for any, and how strongly: 1 to 3."""
    colours = player.colours
    if not colours:
        return "", 0
    difference = _difference(colours)
    twice = len(colours) > 1 and colours[-1] == colours[-2]
    other = "black" if colours[-1] == "white" else "white"
    if abs(difference) > 1 or not twice:
        wanted = "black" if difference > 0 else "white" if difference < 0 else other
    else:
        wanted = other
    return wanted, 3 if abs(difference) > 1 or twice else 2 if difference else 1
