"""Courses of the shipped rule sets: everything in them is true by the reference rules."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from damka import Board, Move, locales, notation, rulebook, rules
from damka.rules import Rules, load
from damka.study import lessons
from damka.study.lessons import inputs, shipped
from damka.study.lessons.contrasts import needs
from damka.study.lessons.generate import generate
from damka.study.lessons.questions import ask
from damka.study.lessons.shape import canonical, shape
from damka.study.lessons.verify import Plain, is_position_for
from tests.strategies import examples, rule_sets_with_draws
from tests.study.lessons.answers import right_answers
from tests.support import RULE_SETS

BOXES = ("dama64", "american", "dama100")
CAPTURES = {
    *("capture", "capture_lines", "man_capture", "obligation", "chain", "precedence"),
    *("king_range", "king_landing", "land_on", "man_takes_king", "removal", "u_turn", "huffing"),
}
POSITIONS = 3
NAME = re.compile(r"\b[a-l]\d{1,2}\b|\b\d+\b")
WORDS = 15

# Rules that make no difference on so small a board.
RARE = {("mini-international", "removal"), ("thai", "u_turn")}


def check(course: lessons.Course) -> None:
    """Check a course of any rules."""
    levels = course.levels
    assert [(level.id, lessons.verify(level)) for level in levels if lessons.verify(level)] == []
    assert len({level.id for level in levels}) == len(levels)
    starts = [Board(course.rules, level.fen) for level in levels]
    assert len({canonical(course.rules, at.pieces, at.turn) for at in starts}) == len(levels)
    assert needing_later_rules(course) == []
    for level in levels:
        if level.goal.kind not in ("count", "huff"):
            assert inputs.chance(level.positions(), level.goal, level.solutions) <= 1 / 2
        for language in locales.LANGUAGES:
            check_sentences(level, language)


def needing_later_rules(course: lessons.Course) -> list[tuple[str, tuple[str, str]]]:
    """Return the levels that need a rule of a later level, with it, by the reference rules."""
    taught: dict[tuple[str, str], int] = {}
    king_captures: dict[tuple[str, str], int] = {}
    for place, level in enumerate(course.levels):
        taught.setdefault(level.teaches, place)
        if level.stage == "king_captures":
            king_captures.setdefault(level.teaches, place)
    found = []
    for place, level in enumerate(course.levels):
        at = Plain.of(course.rules, level.fen)
        asked = at.after(*level.lead)
        captures = any(move.captures for move in asked.legal)
        right = ask(level.goal.asks, asked, level.goal.piece)
        places = taught | king_captures if captures else taught
        found += [
            (level.id, rule)
            for rule, later in places.items()
            if later > place and level.stage != "men"
            if needs(at, level.goal, level.lead, right, rule)
        ]
    return found


def check_sentences(level: lessons.Level, language: str) -> None:
    """Check lengths, and that named squares are where the text says."""
    texts = (level.rule(language), level.task(language), *level.hints(language))
    for text in texts:
        for sentence in re.split(r"(?<=[.!?:]) ", text):
            assert len(sentence.split()) <= WORDS, (level.id, sentence)
    name = notation.labels(level.rules).name
    if level.goal.piece:
        assert name(level.goal.piece) in NAME.findall(level.task(language))
        is_king = level.board().piece_at(level.goal.piece) == "W"
        king = {"en": "king", "sk": "dám", "it": "dama", "bg": "цариц"}[language]
        assert (king in level.task(language)) is is_king


@pytest.mark.parametrize("name", rules.names())
def test_every_level_of_a_shipped_rule_set_is_true(name: str) -> None:
    course = lessons.course(RULE_SETS[name])
    check(course)
    # Any position differs in shape from the others of its course.
    shapes = [shape(course.rules, Board(course.rules, level.fen).pieces) for level in course.levels]
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("name", rules.names())
def test_three_positions_depend_on_each_capture_rule_after_it_is_taught(name: str) -> None:
    levels = lessons.course(RULE_SETS[name]).levels
    counts = {}
    for place, level in reversed([*enumerate(levels)]):
        if level.teaches[0] in CAPTURES:
            later = levels[place:]
            counts[level.teaches] = sum(is_position_for(each, level.teaches) for each in later)
    assert {rule[0] for rule, count in counts.items() if count < POSITIONS} <= {
        key for each, key in RARE if each == name
    }


@pytest.mark.parametrize("name", BOXES)
def test_the_course_of_a_box_is_short_and_soon_captures(name: str) -> None:
    course = lessons.course(RULE_SETS[name])
    assert 25 <= len(course.levels) <= 36
    assert max(len(stage.levels) for stage in course.stages) <= 10
    assert course.levels[2].id == "capture.jump"


def test_a_level_needs_no_rule_that_a_later_one_teaches() -> None:
    course = lessons.course(RULE_SETS["dama64"])
    ids = [level.id for level in course.levels]
    capture = next(level for level in course.levels if level.id == "king_range.flying.2")
    assert ids.index(capture.id) < ids.index("king_landing.adjacent")
    # A king that takes a piece at the edge has one square to land on, whatever the rule.
    assert needing_later_rules(course) == []
    # Behind this one there are two, and the rule forbids one of them.
    unclear = replace(capture, fen="W:WK16,25:B23", solutions=("16x26x23",))
    levels = [unclear if level is capture else level for level in course.levels]
    assert needing_later_rules(lessons.Course.of(course.rules, levels)) == [
        (capture.id, ("king_landing", "adjacent"))
    ]


def test_an_exchange_comes_before_a_shot() -> None:
    for name in ("dama64", "american", "italian"):
        levels = lessons.course(RULE_SETS[name]).levels
        exchange = next(each for each in levels if each.goal.asks == "exchange")
        shot = next(each for each in levels if each.goal.asks == "shot")
        assert levels.index(exchange) < levels.index(shot)
        assert exchange.teaches == shot.teaches
        gift, capture = right_answers(exchange)
        attempt = lessons.Attempt(exchange)
        given = attempt.answer(gift)
        assert given.right
        assert not given.done
        [reply] = given.reply
        assert isinstance(reply, Move)
        assert len(reply.captures) == 1
        taken = attempt.answer(capture)
        assert taken.done
        assert taken.played is not None
        assert len(taken.played.captures) == 1


def test_a_position_for_a_rule_has_other_answers_without_it() -> None:
    course = lessons.course(RULE_SETS["dama64"])
    backwards, king = ("man_capture", "forward"), ("king_range", "flying")
    # The king's move is about its range, but it is no capture.
    for level_id, rule, expected in (
        ("man_capture.forward", backwards, True),
        ("capture.jump", backwards, False),
        ("king_range.flying", king, False),
        ("king_range.flying.2", king, True),
        ("precedence.with_king", king, True),
        ("capture.jump", ("capture", "jump"), True),
        ("capture.jump", ("chain", "whole"), False),
        ("objective.normal", ("chain", "whole"), True),
    ):
        level = course.level(level_id)
        assert level is not None
        assert is_position_for(level, rule) is expected, (level_id, rule)


@pytest.mark.parametrize("name", rules.names())
def test_the_file_has_the_course_of_every_shipped_rule_set(name: str) -> None:
    assert shipped.read(RULE_SETS[name]) is not None


@pytest.mark.parametrize("name", BOXES)
def test_the_file_is_what_the_search_finds(name: str) -> None:
    found = generate(RULE_SETS[name])
    assert found == lessons.course(RULE_SETS[name]), "run `python -m tools.lessons`"


@examples(3)
@given(rule_sets_with_draws())
def test_courses_of_random_rules_state_nothing_false(drawn: Rules) -> None:
    check(generate(drawn))


def test_a_stage_for_each_part_of_the_rules() -> None:
    stages = {
        name: [stage.id for stage in lessons.course(RULE_SETS[name]).stages] for name in BOXES
    }
    beginning = ["men", "capture", "must", "chains", "choice"]
    assert stages["dama64"] == [*beginning, "kings", "king_captures", "end"]
    assert stages["american"] == stages["dama64"]
    assert stages["dama100"] == [*stages["dama64"], "special"]


def test_ids_name_the_rule_and_its_value() -> None:
    ids = {level.id for level in lessons.course(RULE_SETS["dama64"]).levels}
    assert {
        *("move_lines.diagonal", "capture.jump", "man_capture.forward", "man_capture.forward.2"),
        *("obligation.forced", "chain.whole.2", "king_landing.adjacent", "precedence.with_king"),
        *("removal.after", "promotion.stop", "objective.normal", "no_moves.normal"),
        *("repetition.3", "no_progress_moves.15", "king_range.flying", "man_takes_king.true"),
    } <= ids
    huffing = {level.id for level in lessons.course(RULE_SETS["dama100"]).levels}
    assert {"huffing.remove", "obligation.huff", "precedence.count", "same_move.3"} <= huffing


def test_ids_are_the_same_whatever_a_game_is_called() -> None:
    house = RULE_SETS["dama64"].replace(name="mine", colours=("green", "blue"), notation="A0")
    course = lessons.course(house)
    assert [level.id for level in course.levels] == [
        level.id for level in lessons.course(RULE_SETS["dama64"]).levels
    ]
    assert course.rules == house
    assert re.fullmatch(r"Move your man on [a-h][1-8]\.", course.levels[0].task("en"))


def test_another_rule_has_other_levels() -> None:
    house = load("dama64").replace(name="mine", man_capture="all")
    assert lessons.fingerprint(house) != lessons.fingerprint(RULE_SETS["dama64"])
    levels = [level for level in lessons.course(house).levels if level.teaches[0] == "man_capture"]
    assert [level.id for level in levels] == [*("man_capture.all", "man_capture.all.2")]
    assert levels[0].rule("en") == "A man captures forwards, and also backwards."


def test_a_rule_of_draws_says_its_number() -> None:
    def sentence(name: str, level_id: str) -> str:
        level = lessons.course(RULE_SETS[name]).level(level_id)
        assert level is not None
        return level.sentence("en")

    assert sentence("dama64", "no_progress_moves.15") == (
        "It’s a draw after 15 king moves in a row by each player, without captures. "
        "How many of these moves must each player make?"
    )
    assert sentence("turkish", "material_draws.one_each") == (
        "If each player has only one piece left, it’s a draw. Play the move that makes it a draw."
    )


@pytest.mark.parametrize("name", BOXES)
def test_hints_say_more_than_the_rule(name: str) -> None:
    for level in lessons.course(RULE_SETS[name]).levels:
        for language in locales.LANGUAGES:
            first = level.hints(language)[0].rstrip(".?")
            assert first not in level.sentence(language)


def test_the_first_hint_depends_on_the_answer() -> None:
    def hint(level_id: str) -> str:
        level = lessons.course(RULE_SETS["dama64"]).level(level_id)
        assert level is not None
        return level.hints("en")[0]

    assert hint("move_lines.diagonal.2") == "There is just one right square."
    assert hint("capture.jump") == "Look at the pieces right next to your men."
    assert hint("king_range.flying.2") == "Look along each line from your king."
    assert hint("chain.whole") == "After each jump, look again from the new square."


@pytest.mark.parametrize("name", BOXES)
def test_paragraphs_of_the_rules_lead_to_the_level_that_teaches_them(name: str) -> None:
    course = lessons.course(RULE_SETS[name])
    topics = {"man_move", "man_capture", "obligation", "chain", "precedence", "promotion", "goal"}
    topics |= {"king_move", "king_capture", "man_takes_king", "no_moves", "no_progress"}
    topics |= {
        "dama64": {"king_landing", "removal", "repetition"},
        "american": {"repetition"},
        "dama100": {"king_landing", "removal", "same_move", "huffing"},
    }[name]
    for topic in topics:
        level = course.about(topic)
        assert level is not None, topic
        assert level.topic == topic
    assert course.about("notation") is None
    assert {level.topic for level in course.levels} <= {*rulebook.TOPICS}
