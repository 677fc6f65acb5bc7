"""How to play in five pictures: each is correct, and does what its sentence says."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings

from damka import reference
from damka.locales import LANGUAGES
from damka.rulebook.steps import STEPS, Step, steps
from damka.rules import Rules, load, names
from damka.rules.topics import TOPIC_GROUPS, TOPICS
from tests.rulebook.test_rulebook import CHECKS, arrows, position
from tests.strategies import rule_sets_with_draws

Directions = set[tuple[int, int]]

FORWARD: Directions = {(-1, 0)}
BACKWARD: Directions = {(1, 0)}
SIDEWAYS: Directions = {(0, -1), (0, 1)}
DIAGONALLY_FORWARD: Directions = {(-1, -1), (-1, 1)}
DIAGONALLY: Directions = {*DIAGONALLY_FORWARD, (1, -1), (1, 1)}
ALL: Directions = {*FORWARD, *BACKWARD, *SIDEWAYS, *DIAGONALLY}

WAYS = {
    "diagonally forwards": DIAGONALLY_FORWARD,
    "forwards or sideways": FORWARD | SIDEWAYS,
    "forwards, diagonally forwards or sideways": FORWARD | SIDEWAYS | DIAGONALLY_FORWARD,
    "diagonally, forwards or backwards": DIAGONALLY,
    "forwards, backwards or sideways": FORWARD | BACKWARD | SIDEWAYS,
    "in all eight directions": ALL,
}
"""The directions that a sentence names."""


def book(rules: Rules, language: str = "en") -> dict[str, Step]:
    return {step.name: step for step in steps(rules, language)}


def words(sentence: str, pattern: str) -> str:
    match = re.match(pattern, sentence)
    assert match, sentence
    return match[1]


def signs(rules: Rules, start: int, end: int) -> tuple[int, int]:
    """Return the direction from one square to another, as White sees it."""
    (row, column), (to_row, to_column) = rules.cell(start), rules.cell(end)
    down, right = to_row - row, to_column - column
    return (down > 0) - (down < 0), (right > 0) - (right < 0)


def middle(rules: Rules) -> int:
    """Return a square with two squares on each side of it, in every direction."""
    row, column = rules.height // 2, rules.width // 2
    square = rules.square_at(row, column) or rules.square_at(row, column - 1)
    assert square is not None
    return square


def moves_of(rules: Rules, piece: str) -> list[tuple[int, int]]:
    at = reference.place(rules, "W", {middle(rules): piece})
    return [(move.start, move.end) for move in reference.quiet_moves(rules, at)]


def capture_directions(rules: Rules) -> Directions:
    """Return the directions in which a man can capture a man next to it."""
    start = middle(rules)
    row, column = rules.cell(start)
    found: Directions = set()
    for down, right in product((-1, 0, 1), repeat=2):
        # Along rows and columns every second square of a dark board is a playing square.
        far = 2 if rules.squares == "dark" and 0 in (down, right) else 1
        victim = rules.square_at(row + far * down, column + far * right)
        if (down, right) != (0, 0) and victim is not None:
            at = reference.place(rules, "W", {start: "w", victim: "b"})
            if reference.captures(rules, at):
                found.add((down, right))
    return found


@pytest.mark.parametrize("name", names())
def test_every_rule_set_has_five_correct_pictures_with_short_sentences(name: str) -> None:
    rules = load(name)
    for language in LANGUAGES:
        shown = steps(rules, language)
        assert tuple(step.name for step in shown) == STEPS
        for step in shown:
            assert re.fullmatch(r"\S[^{}]*[.!]", step.text), step.text
            assert len(step.text) < 190, step.text
    for step in shown:
        for check in CHECKS:
            check(rules, step.diagram)
        assert "<title>" in step.diagram.svg("en")


@settings(deadline=None, max_examples=100)
@given(rule_sets_with_draws())
def test_any_house_rules_have_five_correct_pictures(rules: Rules) -> None:
    shown = steps(rules, "en")
    assert tuple(step.name for step in shown) == STEPS
    for step in shown:
        for check in CHECKS:
            check(rules, step.diagram)


@pytest.mark.parametrize("name", names())
def test_the_sentences_are_true(name: str) -> None:
    rules = load(name)
    step = book(rules)

    said = WAYS[words(step["move"].text, r"A man moves one square (.+?)\.$")]
    assert {signs(rules, *move) for move in moves_of(rules, "w")} == said
    assert all(signs(rules, *move)[0] <= 0 for move in moves_of(rules, "w"))

    said = WAYS[words(step["capture"].text, r"A man captures (.+?)\. It jumps")]
    assert capture_directions(rules) == said
    at = position(step["capture"].diagram)
    for route in arrows(step["capture"].diagram):
        assert at.at(route[0]) == "w"
        assert at.at(route[-1]) == "."

    diagram = step["king"].diagram
    crowned = [route for route in arrows(diagram) if position(diagram).at(route[0]) == "w"]
    assert [rules.cell(route[-1])[0] for route in crowned] == [0], "a man reaches the far row"
    if rules.objective == "breakthrough":
        assert "The first player to get a king wins." in step["king"].text
    else:
        said_ = words(step["king"].text, r".*A king moves (.+)\.$")
        king = moves_of(rules, "W")
        assert ("any distance" in said_) == (len(king) > len({signs(rules, *m) for m in king}))
        expected = ALL if "direction" in said_ else DIAGONALLY
        if "sideways" in said_:
            expected = FORWARD | BACKWARD | SIDEWAYS
        assert {signs(rules, *move) for move in king} == expected

    text, diagram = step["must"].text, step["must"].diagram
    if text.startswith("If you can capture, you must."):
        legal = reference.legal_moves(rules, position(diagram))
        assert legal
        assert all(move.captures for move in legal)
        assert barred(step), "and a move that is not allowed"
    else:
        assert text.startswith("If you miss a capture")
        assert diagram.marks.huffable


def barred(step: dict[str, Step]) -> bool:
    """Whether the last picture has a move that is not allowed."""
    return any(arrow.forbidden for arrow in step["must"].diagram.marks.arrows)


def test_the_first_sentence_names_the_side_and_the_goal() -> None:
    assert book(load("american"))["start"].text.startswith("Red moves first. You win if your")
    assert "if you have no piece left" in book(load("antidraughts"))["start"].text
    assert "get a king wins" in book(load("breakthrough"))["start"].text
    mine = load("dama64").replace(name="mine", colours=["tan", "teal"], obligation="free")
    assert book(mine)["start"].text.startswith("Tan moves first.")
    assert book(mine)["must"].text.startswith("You may capture, but you do not have to.")


def test_every_topic_belongs_to_one_group() -> None:
    assert sorted(topic for group in TOPIC_GROUPS.values() for topic in group) == sorted(TOPICS)
