"""Calibrate the ten levels to even steps of Elo: `python -m bench.levels [RULES...]`.

`random`, which plays any legal move, and the grades up to 10 (`damka.engine.skill`) each play the
next two, from balanced openings with the colours swapped. There are no time limits, so the load of
the machine does not matter. The levels' grades follow from the ratings that fit the results best:
level 1 scores two thirds against `random`, level 2 five sixths or more, and from there to the
highest grade the steps are even. Level 10 is stronger still, limited only by time. The grades are
written to `src/damka/engine/grades.toml`, with the Elo above `random`.

`--quick` skips the grades above 6, whose games are long, and uses gains measured earlier; `--low`
skips those above 2 and keeps the steps between the others from the file.

`--check` plays the current levels against their neighbours instead, and `--random` levels 1 and 2
against `random`. Games are stored in `.cache/` by commit, so an interrupted run can continue.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, median
from typing import Final, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from bench.peers import ROOT
from bench.strength import commit
from damka.engine import SearchLimits, levels, skill
from damka.match import AdjudicationRules, MatchSettings, Score, run, store
from damka.match.ratings import Meeting, ratings
from damka.match.statistics import elo
from damka.rules import load, names

RULES: Final = ("international", "dama64", "american")
GRADES: Final = (
    *(0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0),
    *(7.0, 8.0, 9.0, 10.0),
)
BASE: Final = "random"
LOW: Final = 2.0
QUICK: Final = 6.0
GAINED: Final = {7.0: 181, 8.0: 249, 9.0: 372, 10.0: 497}
"""Elo above grade 6, from docs/experiments/levels.md."""
TARGETS: Final = (0.65, 0.86)  # shares of levels 1 and 2 against `random`, the second or more
BOUNDS: Final = ((0.55, 0.75), (0.8, 1.0))  # the acceptable ranges
GAMES: Final = 40
AGAINST_RANDOM: Final = 200  # games
DATA: Final = ROOT / "src" / "damka" / "engine" / "grades.toml"
HEAD: Final = """\
# Grades of levels 1 to 9 by rule set, measured by `python -m bench.levels`, with the Elo above a
# player of random moves. The defaults are medians. Level 10 has no handicap: see
# damka/engine/skill.py.
"""


class Pairing(NamedTuple):
    """Two players of a match, with the names of `damka match`."""

    strong: str
    weak: str


def ladder(highest: float) -> list[Pairing]:
    """Return the pairings: every grade against the next two, and the weakest against `random`."""
    rungs = [BASE, *(f"grade:{grade:g}" for grade in GRADES if grade <= highest)]
    return [
        Pairing(rungs[high], rungs[low])
        for low in range(len(rungs))
        for high in (low + 1, low + 2)
        if high < len(rungs)
    ]


def neighbours() -> list[Pairing]:
    """Return every level against the next lower one; 10 is represented by the highest grade."""
    players = [f"level:{number}" for number in levels.LEVELS[:-1]]
    players.append(f"grade:{skill.TOP_GRADE:g}")
    return [Pairing(*pair) for pair in zip(players, [BASE, *players], strict=False)]


def play(pairing: Pairing, rules: str, games: int, jobs: int, bar: Progress) -> Score:
    """Play the missing games of a pairing; return the score."""
    settings = MatchSettings(
        *pairing, load(rules), SearchLimits(), adjudication=AdjudicationRules(tables=False)
    )
    home = Path(".cache") / f"levels-{commit()}" / rules
    if "level" in pairing.strong:
        home /= f"{zlib.crc32(DATA.read_bytes()):08x}"  # The levels depend on the grades.
    home.mkdir(parents=True, exist_ok=True)
    name = "-".join(pairing).replace(":", "")
    file = home / f"{name}.pdn"
    earlier = store.read(file, str(settings))
    task = bar.add_task(f"{rules} {name}", total=games, completed=len(earlier))
    with file.open("a", encoding="utf-8", newline="\n") as records:

        def record(game: store.MatchGame, _: Score) -> None:
            records.write(game.pdn)
            records.flush()
            bar.advance(task)

        score = run(settings, games=games, concurrency=jobs, earlier=earlier, on_game=record)
    bar.remove_task(task)
    return score


def rising(values: list[float]) -> list[float]:
    """Return the closest non-decreasing values (pool adjacent violators)."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and mean(pools[-2]) > mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    return [mean(pool) for pool in pools for _ in pool]


def even_steps(rated: dict[str, float]) -> list[tuple[float, float]]:
    """Return (grade, Elo) of levels 1 to 9."""
    elos = rising([0.0, *(rated[f"grade:{grade:g}"] for grade in GRADES)])
    first, top = elo(TARGETS[0]), elos[-1]
    second = max(elo(TARGETS[1]), first + (top - first) / (skill.COUNT - 1))
    step = (top - second) / (skill.COUNT - 2)
    targets = [first, *(second + n * step for n in range(skill.COUNT - 2))]
    return [(grade_of(target, elos), target) for target in targets]


def grade_of(target: float, elos: list[float]) -> float:
    """Return the grade of this Elo, interpolated; grade 0 plays at random."""
    grades = (0.0, *GRADES)
    for low, high, grade, better in zip(elos, elos[1:], grades, grades[1:], strict=False):
        if target <= high:
            part = 0.0 if high == low else max(0.0, (target - low) / (high - low))
            return grade + part * (better - grade)
    return GRADES[-1]


def higher(rules: str, rated: dict[str, float]) -> dict[str, float]:
    """Return the Elo of the grades missing in `rated`, from the steps in the grades file."""
    table = tomllib.loads(DATA.read_text("utf-8"))[rules]
    # The file may have grades below 1 from an older measurement.
    earlier = [pair for pair in zip(table["grades"], table["elo"], strict=True) if pair[0] >= 0.9]
    earlier.append((skill.TOP_GRADE, 2 * table["elo"][-1] - table["elo"][-2]))
    grades, elos = zip(*earlier, strict=True)

    def on_file(grade: float) -> float:
        return float(np.interp(grade, grades, elos))

    both = [grade for grade in GRADES if earlier[0][0] <= grade and f"grade:{grade:g}" in rated]
    more = mean(rated[f"grade:{grade:g}"] - on_file(grade) for grade in both)
    return {
        f"grade:{grade:g}": on_file(grade) + more
        for grade in GRADES
        if f"grade:{grade:g}" not in rated
    }


def write(measured_steps: dict[str, list[tuple[float, float]]]) -> None:
    """Write the grades into the package, preserving other rule sets."""
    tables = tomllib.loads(DATA.read_text("utf-8"))
    for rules, steps in measured_steps.items():
        tables[rules] = {
            "measured": f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}",
            "grades": [round(grade, 2) for grade, _ in steps],
            "elo": [round(value) for _, value in steps],
        }
    measured = [tables[name]["grades"] for name in sorted(tables) if name != "default"]
    middle = [round(median(column), 2) for column in zip(*measured, strict=True)]
    lines = [HEAD, "[default]", f"grades = {middle}"]
    for name in (name for name in names() if name in tables):
        table = tables[name]
        lines += ["", f"[{name}]", f'measured = "{table["measured"]}"']
        lines += [f"grades = {table['grades']}", f"elo = {table['elo']}"]
    DATA.write_text("\n".join(lines) + "\n", "utf-8")


def calibrate(rule_sets: list[str], games: int, jobs: int, bar: Progress, highest: float) -> Table:
    """Measure rule sets and write their grades; return a table of them."""
    table = Table("rules", "", *(str(number) for number in levels.LEVELS[:-1]), "highest grade")
    pairs = ladder(highest)
    for rules in rule_sets:
        scores = {pairing: play(pairing, rules, games, jobs, bar) for pairing in pairs}
        rated = ratings(
            (Meeting(*pairing, s.games, s.points * s.games) for pairing, s in scores.items()), BASE
        )
        if highest == LOW:
            rated |= higher(rules, rated)
        elif highest == QUICK:
            six = rated[f"grade:{QUICK:g}"]
            rated |= {f"grade:{grade:g}": six + more for grade, more in GAINED.items()}
        steps = even_steps(rated)
        write({rules: steps})
        top = rated[f"grade:{skill.TOP_GRADE:g}"]
        table.add_row(rules, "grade", *(f"{grade:.2f}" for grade, _ in steps), "")
        table.add_row("", "Elo", *(f"{value:.0f}" for _, value in steps), f"{top:.0f}")
    return table


def check(rule_sets: list[str], games: int, jobs: int, bar: Progress) -> Table:
    """Play the levels against their neighbours."""
    table = Table("level", "against", *rule_sets)
    scores = {
        (pairing, rules): play(pairing, rules, games, jobs, bar)
        for rules in rule_sets
        for pairing in neighbours()
    }
    for pairing in neighbours():
        mine = [scores[pairing, rules] for rules in rule_sets]
        table.add_row(*pairing, *(f"{s.points:.0%}, Elo {s.elo}" for s in mine))
    return table


def against_random(
    rule_sets: list[str], games: int, jobs: int, bar: Progress
) -> tuple[Table, bool]:
    """Play levels 1 and 2 against `random`; also return whether all scores are in bounds."""
    table = Table("rules", *(f"level {n}, {low:.0%} to {high:.0%}" for n, (low, high) in _bounds()))
    good = True
    for rules in rule_sets:
        row = []
        for number, (low, high) in _bounds():
            score = play(Pairing(f"level:{number}", BASE), rules, games, jobs, bar)
            missed = not low <= score.points <= high
            good &= not missed
            counts = f"+{score.wins} ={score.draws} −{score.losses}"
            row.append(f"{score.points:.1%} ({counts}){' MISSED' if missed else ''}")
        table.add_row(rules, *row)
    return table, good


def _bounds() -> Iterator[tuple[int, tuple[float, float]]]:
    return enumerate(BOUNDS, 1)


def main() -> int:
    """Calibrate or check; return 1 if level 1 or 2 scores outside its range."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.levels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "rules", nargs="*", help=f"rule sets (default: {', '.join(RULES)}; with --random, all)"
    )
    parser.add_argument(
        "--games", type=int, help="even number of games per pairing (40; --random 200)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="measure the current levels")
    what.add_argument("--random", action="store_true", help="levels 1 and 2 against random moves")
    what.add_argument("--quick", action="store_true", help="only the grades up to 6")
    what.add_argument("--low", action="store_true", help="only the grades up to 2")
    options = parser.parse_args()
    rule_sets = options.rules or list(names() if options.random else RULES)
    games = options.games or (AGAINST_RANDOM if options.random else GAMES)
    highest = LOW if options.low else QUICK if options.quick else skill.TOP_GRADE
    bar = Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    good = True
    with bar:
        if options.check:
            table = check(rule_sets, games, options.jobs, bar)
        elif options.random:
            table, good = against_random(rule_sets, games, options.jobs, bar)
        else:
            table = calibrate(rule_sets, games, options.jobs, bar, highest)
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
