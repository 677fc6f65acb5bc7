"""Attempts: right answers finish a level, wrong ones are answered on the board."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from damka import Move, locales
from damka.study import lessons
from damka.study.lessons import inputs
from damka.study.lessons.positions import hub
from tests.support import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HOUSE = (
    RULE_SETS["dama64"].replace(name="house1", man_capture="all", precedence=("count",)),
    RULE_SETS["american"].replace(name="house2", obligation="free", king_range="flying"),
    RULE_SETS["dama100"].replace(name="house3", promotion="go", king_landing="killer"),
    RULE_SETS["turkish"].replace(name="house4", king_landing="adjacent", objective="losing"),
    RULE_SETS["dama64"].replace(name="house5", objective="breakthrough", promotion="pass"),
)
GAMES = (*(RULE_SETS[name] for name in ("dama64", "american", "dama100", "frisian")), *HOUSE)
Value = "str | int | Sequence[int]"


def right_answers(level: lessons.Level) -> list[str | int | Sequence[int]]:
    """Return the first right answer, or the moves of it."""
    answer = level.solutions[0]
    if level.goal.kind == "sequence":
        assert isinstance(answer, tuple)
        return [inputs.move_ends(str(move)) for move in answer]
    if isinstance(answer, str):
        found = [move for move in level.board().legal_moves if hub(move) == answer]
        return [found[0].route]
    return [answer]  # type: ignore[list-item]


def wrong_answers(level: lessons.Level) -> Iterator[str | int | Sequence[int]]:
    """Yield answers that a learner may give, and that are wrong."""
    at, goal = level.positions(), level.goal
    if goal.kind == "count":
        yield from {*goal.options} - {*level.solutions}
    elif goal.kind == "huff":
        yield from inputs.squares(at, goal) - {*level.solutions}
    elif goal.kind in ("select", "land"):
        squares = sorted(inputs.squares(at, goal))
        for size in (1, 2, len(squares)):
            for chosen in combinations(squares[:8], min(size, 8)):
                if chosen not in level.solutions:
                    yield chosen
    else:
        firsts = [a[0] if isinstance(a, tuple) else a for a in level.solutions]
        right = {inputs.move_ends(str(move)) for move in firsts}
        yield from (f"{start}-{end}" for start, end in inputs.moves(at).keys() - right)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.name)
def test_a_course_is_walked_to_the_end_with_right_and_wrong_answers(rules) -> None:  # type: ignore[no-untyped-def]
    for level in lessons.course(rules).levels:
        attempt = lessons.Attempt(level)
        for value in right_answers(level):
            verdict = attempt.answer(value)
            assert verdict.right, (level.id, value)
            assert verdict.sentence("en") == "Well done!"
        assert verdict.done
        assert verdict.stars == lessons.MAX_STARS
        for value in wrong_answers(level):
            attempt = lessons.Attempt(level)
            verdict = attempt.answer(value)
            assert not verdict.right, (level.id, value)
            shown = (verdict.refusal, verdict.reply, verdict.squares, verdict.played)
            assert any(shown) or verdict.number, (level.id, value)
            for language in locales.LANGUAGES:
                assert verdict.sentence(language)
            assert attempt.board == level.board(), "the level starts again"
        for value in right_answers(level):
            verdict = attempt.answer(value)
        assert verdict.done
        assert 1 <= verdict.stars < lessons.MAX_STARS or attempt.mistakes == 0


def level(name: str, level_id: str) -> lessons.Level:
    found = lessons.course(RULE_SETS[name]).level(level_id)
    assert found is not None
    return found


def quiet(at: lessons.Level) -> Move:
    return at.board().quiet_moves[0]


def test_a_refused_move_names_the_rule_and_the_squares() -> None:
    must = level("dama64", "obligation.forced")
    move = quiet(must)
    verdict = lessons.Attempt(must).answer((move.start, move.end))
    assert verdict.refusal is not None
    assert verdict.refusal.code == "must_capture"
    assert verdict.sentence("en").startswith("You must capture")


def test_a_missed_capture_is_huffed() -> None:
    must = level("dama100", "obligation.huff")
    move = quiet(must)
    verdict = lessons.Attempt(must).answer((move.start, move.end))
    assert verdict.id == "huffed"
    assert verdict.played == move
    after = must.board()
    after.push_unchecked(move)
    assert verdict.reply == (after.offences[0],)


@pytest.mark.parametrize("name", ["dama64", "mini-international", "frisian"])
def test_a_wrong_gift_is_punished_and_its_loss_is_said(name: str) -> None:
    shot = level(name, "obligation.forced.4")
    verdicts = {move: lessons.Attempt(shot).answer(move.route) for move in shot.board().legal_moves}
    punished = {move: verdict for move, verdict in verdicts.items() if verdict.id == "punished"}
    for move, verdict in punished.items():
        after = shot.board()
        after.push(move)
        assert verdict.played == move
        (reply,) = verdict.reply
        assert isinstance(reply, Move)
        assert reply in after.legal_moves
        after.push(reply)
        back = max((len(capture.captures) for capture in after.legal_moves), default=0)
        lost = len(reply.captures)
        assert verdict.number == lost >= back == verdict.back
        pieces = "a piece" if lost == 1 else f"{lost} pieces"
        what = f"only {back}" if back else "nothing"
        said = f"Look: your opponent takes {pieces}, and you can take {what} in return."
        if back == lost:
            what = "one" if lost == 1 else "as many"
            said = f"Your opponent takes {pieces}, and you take {what} in return: you win nothing."
        assert verdict.sentence("en") == said
    assert punished
    quiet_ones = [verdict for verdict in verdicts.values() if verdict.id == "no_gift"]
    for verdict in quiet_ones:
        said = "Your opponent can’t take anything, so you haven’t given a piece."
        assert verdict.sentence("en") == said
        assert not verdict.reply
    assert len(punished) + len(quiet_ones) + 1 == len(verdicts)


def test_a_wrong_move_of_another_level_is_punished_without_a_sum() -> None:
    win = level("dama64", "no_moves.normal")
    verdicts = [lessons.Attempt(win).answer(move.route) for move in win.board().legal_moves]
    assert {(v.id, v.number) for v in verdicts} <= {("right", 0), ("punished", 0), ("other", 0)}


def test_a_move_that_is_no_draw_says_so() -> None:
    draw = level("dama64", "repetition.3")
    at = lessons.Attempt(draw).board
    verdicts = [lessons.Attempt(draw).answer(move.route) for move in at.legal_moves]
    assert {verdict.id for verdict in verdicts} == {"right", "punished", "no_draw"}
    said = {verdict.sentence("en") for verdict in verdicts if verdict.id == "no_draw"}
    assert said == {"The game continues: that isn’t a draw yet."}


def test_hints_come_one_at_a_time_and_cost_a_star() -> None:
    jump = level("dama64", "capture.jump")
    attempt = lessons.Attempt(jump)
    hints = [attempt.hint("en") for _ in range(4)]
    assert hints == [*jump.hints("en"), None]
    verdict = attempt.answer(right_answers(jump)[0])
    assert verdict.stars == lessons.MAX_STARS - 1


def test_an_answer_of_another_kind_is_an_error() -> None:
    with pytest.raises(TypeError, match="must be squares, not int"):
        lessons.Attempt(level("dama64", "move_lines.diagonal.2")).answer(3)
    with pytest.raises(TypeError, match="must be a move, not a number"):
        lessons.Attempt(level("dama64", "capture.jump")).answer(3)
    with pytest.raises(TypeError, match="must be a whole number, not str"):
        lessons.Attempt(level("dama64", "chain.whole.2")).answer("2")
