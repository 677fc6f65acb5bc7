"""Strength of the levels: settings, interpolation, and grades by rule set."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import damka.engine
from damka import Board, Game
from damka.engine import Analysis, Engine, Handicap, SearchLimits, levels, skill
from damka.rules import load, names

DATA = tomllib.loads(
    (Path(damka.engine.__file__).parent / "grades.toml").read_text("utf-8"),
)


def test_the_grades_are_for_existing_rule_sets() -> None:
    assert "default" in DATA
    assert DATA.keys() - {"default"} <= set(names())


@pytest.mark.parametrize("name", DATA)
def test_grades_rise_from_level_to_level(name: str) -> None:
    grades = skill.grades(name)
    assert len(grades) == skill.COUNT - 1
    assert all(0 <= low < high < skill.TOP_GRADE for low, high in pairwise(grades))
    elos = DATA[name].get("elo", range(9))
    assert len(elos) == 9
    steps = [high - low for low, high in pairwise(elos[1:])]
    assert max(steps) - min(steps) <= 2


def test_rule_sets_without_measurements_have_default_grades() -> None:
    assert skill.grades("kitchen-table") == skill.grades("default")


@pytest.mark.parametrize("number", [0, 11, -1])
def test_there_are_ten_levels(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 10"):
        skill.level(number, load("american"))


@pytest.mark.parametrize("grade", [-0.1, 10.1, float("nan")])
def test_a_grade_out_of_range_is_refused(grade: float) -> None:
    with pytest.raises(ValueError, match="grade: 0 to 10"):
        skill.at(grade)


def test_a_higher_grade_is_never_more_restricted() -> None:
    rows = [skill.at(n / 20) for n in range(201)]
    for low, high in pairwise(rows):
        assert low.limits.nodes is not None
        assert high.limits.nodes is not None
        assert low.limits.nodes <= high.limits.nodes
        if low.limits.depth is not None and high.limits.depth is not None:
            depths = 1000 * low.limits.depth + low.deeper, 1000 * high.limits.depth + high.deeper
            assert depths[0] <= depths[1] + 1
        assert low.forget >= high.forget
        assert low.hasty >= high.hasty
        assert low.handicap.follow <= high.handicap.follow
        for field in fields(Handicap):
            if field.name not in ("seed", "follow"):
                assert getattr(low.handicap, field.name) >= getattr(high.handicap, field.name)


def test_only_time_limits_the_highest_level() -> None:
    top = skill.level(10, load("international"))
    limits = SearchLimits(seconds=top.limits.seconds)
    assert top == skill.Level(limits, contempt=top.contempt, tables=True)
    assert top.contempt > 0


def test_a_hasty_player_chooses_all_moves_equally_often() -> None:
    rng = random.Random(1)
    game = Game("american", "W:W22,30:B13,3")  # One of the three moves loses a man.
    engine = Engine(hash_mb=1)

    def chosen(hasty: int) -> Counter[str]:
        level = skill.Level(SearchLimits(depth=3), hasty=hasty)
        moves = (levels.choose(engine, game, level, rng).move for _ in range(600))
        return Counter(move.hub() for move in moves if move)

    assert len(chosen(0)) < len(game.legal_moves)
    counts = chosen(1000)
    assert len(counts) == len(game.legal_moves)
    fair = 600 / len(counts)
    assert all(0.7 * fair < count < 1.3 * fair for count in counts.values())


@pytest.mark.parametrize("name", names())
def test_no_level_plays_the_worst_move_on_purpose(name: str) -> None:
    """Weak levels overlook things and sometimes choose randomly."""
    for number in levels.LEVELS:
        assert skill.level(number, load(name)).hasty < 1000


class RecordingEngine(Engine):
    """An engine that records the requested depths."""

    def __init__(self) -> None:
        super().__init__(hash_mb=1)
        self.depths: list[int] = []

    def search(self, game: Game | Board, **limits: Any) -> Analysis:
        self.depths.append(limits["depth"])
        return super().search(game, **limits)


def depths(level: skill.Level, game: Game) -> list[int]:
    engine = RecordingEngine()
    for seed in range(200):
        levels.choose(engine, game, level, random.Random(seed))
    return engine.depths


def test_a_fractional_depth_adds_a_ply_to_some_searches() -> None:
    game = Game("dama64")
    assert set(depths(skill.Level(SearchLimits(depth=2)), game)) == {2}
    assert set(depths(skill.Level(SearchLimits(depth=2), deeper=1000), game)) == {3}
    assert 0.1 < depths(skill.Level(SearchLimits(depth=2), deeper=250), game).count(3) / 200 < 0.4
