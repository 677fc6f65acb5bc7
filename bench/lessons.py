"""Courses: time to make one, levels, and the chance of a random answer to be right.

House rules are random changes of the shipped rule sets. "By chance" is the share of levels that a
learner passes who chooses at random among the answers that look possible.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any, Final

from bench.figures import Figure, Say
from damka.errors import RulesError
from damka.rules import PARAMETERS, load, names
from damka.study import lessons
from damka.study.lessons import Guide, inputs
from damka.study.lessons.generate import generate

if TYPE_CHECKING:
    from damka.rules import Rules

BOXES: Final = ("dama64", "american", "dama100")
HOUSES: Final = 20
GAMES: Final = 100
PLIES: Final = 300


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the figures of every shipped rule set, of house rules and of guided games."""
    shipped = names()[::12] if quick else names()
    made = [(load(name), *timed(load(name), say)) for name in shipped]
    houses = [timed(rules, say) for rules in house_rules(2 if quick else HOUSES)]
    seconds = max(taken for _, _, taken in made)
    house = max(taken for _, taken in houses)
    counts = [len(course.levels) for _, course, _ in made]
    chances = [chance(level) for _, course, _ in made for level in course.levels]
    chances += [chance(level) for course, _ in houses for level in course.levels]
    figures = [
        Figure("lessons: slowest course of a shipped rule set, CPU", f"{seconds:.1f} s"),
        Figure(
            "lessons: slowest course of house rules, CPU",
            f"{house:.1f} s",
            "",
            None,
            "5 s",
            house <= 5,
        ),
        Figure("lessons: levels", f"{min(counts)} to {max(counts)}"),
        Figure("lessons: passed by chance, mean", f"{statistics.mean(chances):.1%}"),
        Figure(
            "lessons: passed by chance, most",
            f"{max(chances):.0%}",
            "",
            None,
            "50%",
            max(chances) <= 0.5,
        ),
    ]
    for name in BOXES:
        say(f"guided games of {name}")
        games = 5 if quick else GAMES
        shown = sum(shows_everything(load(name), seed) for seed in range(games)) / games
        figures.append(
            Figure(
                f"lessons: guided games that show every stage, {name}",
                f"{shown:.0%}",
                "",
                None,
                "80%",
                shown >= 0.8,
            )
        )
    return figures


def timed(rules: Rules, say: Say) -> tuple[lessons.Course, float]:
    """Return the course of some rules and the CPU seconds of its search."""
    say(rules.name)
    start = time.process_time()
    course = generate(rules)
    return course, time.process_time() - start


def house_rules(count: int) -> list[Rules]:
    """Return shipped rules with three random changes."""
    rng = random.Random(37)
    keys = [key for key, parameter in PARAMETERS.items() if parameter.group and parameter.values]
    found: list[Rules] = []
    while len(found) < count:
        changes: dict[str, Any] = {}
        for key in rng.sample(keys, 3):
            value = rng.choice(PARAMETERS[key].values)
            changes[key] = (value,) if PARAMETERS[key].kind == "order" else value
        try:
            found.append(
                load(rng.choice(names())).replace(name=f"house{len(found) + 1}", **changes)
            )
        except RulesError:
            continue
    return found


def chance(level: lessons.Level) -> float:
    """Return the chance of a random answer to be right."""
    return inputs.chance(level.positions(), level.goal, level.solutions)


def shows_everything(rules: Rules, seed: int) -> bool:
    """Play a guided game with a learner who looks one move ahead."""
    guide, rng = Guide(rules, seed=seed), random.Random(seed)
    game = guide.new_game()
    while game.result is None and len(game.history) < PLIES:
        if game.turn != guide.side:
            game.apply(guide.reply(game))
            continue
        guide.notice(game)
        worth = []
        for move in game.legal_moves:
            after = game.board.copy()
            after.push(move)
            loss = max((len(reply.captures) for reply in after.legal_moves), default=0)
            worth.append((len(move.captures) - loss, rng.random(), move))
        game.play(max(worth, key=lambda each: each[:2])[2])
    return guide.seen == {*guide.stages}
