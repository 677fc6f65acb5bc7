"""Requests of lessons: levels without solutions, hints, and verdicts on every answer."""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import box, locales, rules
from damka.live import lessons as requests
from damka.live.problems import Problem
from damka.study import lessons
from damka.study.lessons import inputs
from tests.strategies import examples
from tests.study.lessons.answers import right_answers
from tests.support import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.rules import Rules

BOXES = tuple(RULE_SETS[name] for name in ("dama64", "american", "dama100"))
VALUES: dict[str, tuple[Any, ...]] = {
    "man_capture": ("forward", "all"),
    "obligation": ("forced", "huff", "free"),
    "king_range": ("short", "flying"),
    "promotion": ("stop", "pass", "go"),
    "precedence": ((), ("count",), ("with_king",), ("count", "kings")),
    "objective": ("normal", "losing"),
    "man_takes_king": (True, False),
}


def house_rules(number: int) -> Rules:
    """Return random house rules."""
    rng = random.Random(number)
    base = RULE_SETS[rng.choice(("dama64", "american", "dama100", "russian"))]
    chosen = {key: rng.choice(values) for key, values in VALUES.items()}
    return base.replace(name=f"house{number}", **chosen)


def wrong_answers(told: dict[str, Any], level: lessons.Level) -> Iterator[int | list[int]]:
    """Yield wrong answers, of those that the page offers."""
    kind = told["goal"]["kind"]
    if kind == "count":
        yield from set(told["goal"]["options"]) - {*level.solutions}
    elif kind in ("huff", "select", "land"):
        squares = sorted(inputs.squares(level.positions(), level.goal))
        answers: list[Any] = squares if kind == "huff" else [[each] for each in squares]
        solutions = [[*each] if isinstance(each, tuple) else each for each in level.solutions]
        yield from (each for each in answers if each not in solutions)
    else:
        firsts = [each[0] if isinstance(each, tuple) else each for each in level.solutions]
        right = {inputs.move_ends(str(move)) for move in firsts}
        ends = {(each["from"], each["to"]): each["route"] for each in told["choices"]}
        yield from (route for end, route in ends.items() if end not in right)


@pytest.mark.parametrize(
    "of", [*BOXES, *map(house_rules, range(5))], ids=lambda each: str(each.name)
)
def test_a_course_is_walked_to_the_end(of: Rules) -> None:
    course = lessons.course(of)
    level_id: str | None = course.levels[0].id
    walked: list[str] = []
    kinds = set()
    previous = None
    while level_id is not None:
        level = course.level(level_id)
        assert level is not None
        language = locales.LANGUAGES[len(walked) % len(locales.LANGUAGES)]
        told = requests.describe(of, level_id, language)
        assert told["previous"] == previous
        assert (told["number"], told["count"]) == (len(walked) + 1, len(course.levels) + 1)
        assert told["pieces"] == (told["lead"][-1]["pieces"] if told["lead"] else told["before"])
        mistakes = 0
        for wrong in wrong_answers(told, level):
            mistakes += 1
            verdict = answer(of, level_id, wrong, language=language)
            assert not verdict["right"], (level_id, wrong)
            assert verdict["sentence"]
            assert verdict["frames"] or verdict["squares"] or verdict["id"].endswith("number")
        played: list[list[int]] = []
        for right in right_answers(level):
            verdict = answer(of, level_id, right, played=played, mistakes=min(mistakes, 1))
            assert verdict["right"], (level_id, right)
            if not verdict["done"]:
                assert isinstance(right, list)
                played = [*played, right]
                assert verdict["next"]["turn"] == "W"
                assert verdict["next"]["pieces"] == verdict["frames"][-1]["pieces"]
        assert verdict["done"]
        assert verdict["stars"] == (0 if level.demonstration else 3 - min(mistakes, 1))
        kinds.add(level.goal.kind)
        walked.append(level_id)
        previous, level_id = level_id, told["next"]
    assert walked == [level.id for level in course.levels]
    assert {"move", "land", "select", "count"} <= kinds


def answer(of: Rules, level: str, value: Any, language: str = "en", **more: Any) -> dict[str, Any]:
    return requests.answer(of, requests.AnswerRequest(level, value, **more), language)


def test_a_level_shows_moves_that_only_look_possible_and_no_solution() -> None:
    told = requests.describe(RULE_SETS["dama64"], "obligation.forced", "en")
    assert "solutions" not in told
    ends = {(each["from"], each["to"]) for each in told["choices"]}
    assert (16, 7) in ends
    assert (16, 12) in ends, "a quiet move instead of the capture"
    assert told["link"] == {"number": 15, "url": "/rules/dama64#p-obligation"}


def test_a_landing_of_a_capture_continues_it() -> None:
    told = requests.describe(RULE_SETS["dama64"], "chain.whole", "en")
    ends = {(each["from"], each["to"]) for each in told["choices"]}
    assert (23, 7) in ends
    assert (23, 14) not in ends


def test_a_wrong_way_of_a_chain_can_be_chosen() -> None:
    of = RULE_SETS["dama64"]
    told = requests.describe(of, "chain.whole", "en")
    assert [23, 14, 9] in [each["route"] for each in told["choices"]]
    refused = answer(of, "chain.whole", [23, 14, 9])
    assert refused["sentence"] == "Your capture isn’t finished. Continue from 14 to 7."
    assert refused["squares"] == [14, 7]
    assert answer(of, "chain.whole", [23, 14, 7])["done"]


def test_a_piece_out_of_reach_is_not_said_to_be_takeable() -> None:
    of = RULE_SETS["dama64"]
    far = answer(of, "move_lines.diagonal", [14, 1])
    assert far["sentence"] == "The piece on 14 can’t take the piece on 1 now."
    near = answer(of, "capture.jump", [14, 9])
    assert near["sentence"].endswith("To take it, jump to the empty square behind it.")


def test_levels_of_house_rules_link_their_paragraph() -> None:
    house = RULE_SETS["dama64"].replace(name="kitchen", man_capture="all")
    level = lessons.course(house).levels[0]
    link = requests.describe(house, level.id, "en")["link"]
    assert link["url"] == f"/box?r={box.encode(house)}#p-{level.topic}"
    assert link["number"] > 0


def test_a_mistake_is_answered_on_the_board() -> None:
    refused = answer(RULE_SETS["dama64"], "obligation.forced", [16, 12])
    assert refused["sentence"] == "You must capture: the man on 16 can take 11."
    assert refused["squares"] == [16, 11]
    huffed = answer(RULE_SETS["dama100"], "obligation.huff", [20, 15])
    assert [each.get("huff") for each in huffed["frames"]] == [None, 25]
    counted = answer(RULE_SETS["dama64"], "chain.whole.2", 1)
    assert counted["frames"][0]["move"]["captures"] == (15, 24)


def test_hints_follow_the_moves_of_a_sequence() -> None:
    of, level = RULE_SETS["dama64"], "obligation.forced.4"

    def hint(number: int, played: str = "") -> dict[str, Any]:
        return requests.hint(of, requests.HintRequest(level, number, played), "en")

    assert hint(1)["squares"] == []
    assert (hint(2)["squares"], hint(2)["more"]) == ([27], 1)
    assert hint(3)["hint"] == "Move from 27 to 23."
    assert hint(3, "27-23") == {"hint": "Move from 31 to 13.", "squares": [31, 13], "more": 0}
    huff = requests.HintRequest("huffing.remove", 2)
    assert requests.hint(RULE_SETS["dama100"], huff, "en")["squares"] == [36]


@pytest.mark.parametrize(
    ("level", "more", "where"),
    [
        ("capture.jump", {"answer": 3}, "answer"),
        ("capture.jump", {"answer": [33, 1]}, "answer"),
        ("chain.whole.2", {"answer": [1]}, "answer"),
        ("capture.jump", {"answer": [14, 5], "played": [[14, 5]]}, "played"),
        ("obligation.forced.4", {"answer": [31, 13], "played": [[31, 26]]}, "played"),
        ("nonsense", {"answer": 1}, "level"),
    ],
)
def test_wrong_requests_are_refused(level: str, more: dict[str, Any], where: str) -> None:
    with pytest.raises(Problem) as caught:
        requests.answer(RULE_SETS["dama64"], requests.AnswerRequest(level, **more), "en")
    assert caught.value.where == where
    with pytest.raises(Problem):
        requests.hint(RULE_SETS["dama64"], requests.HintRequest("capture.jump", 9), "en")
    with pytest.raises(Problem):
        requests.hint(RULE_SETS["dama64"], requests.HintRequest("capture.jump", 1, "x"), "en")


LEVELS = [(of.name, level.id) for of in BOXES for level in lessons.course(of).levels]
SQUARES = st.integers(1, 144)


@given(
    st.sampled_from(LEVELS),
    st.integers(-9, 200) | st.lists(SQUARES, min_size=1, max_size=12),
    st.lists(st.lists(SQUARES, min_size=1, max_size=4), max_size=2),
    st.text(max_size=20),
)
@examples(400)
def test_no_answer_crashes(
    level: tuple[str, str], value: Any, played: list[list[int]], text: str
) -> None:
    of = rules.load(level[0])
    for moves in ([], played):
        with contextlib.suppress(Problem):
            verdict = answer(of, level[1], value, played=moves)
            assert verdict["sentence"]
            assert set(verdict["squares"]) <= {*range(1, of.square_count + 1)}
    with pytest.raises(Problem):
        requests.hint(of, requests.HintRequest(level[1], 9, text), "en")
