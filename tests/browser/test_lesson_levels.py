"""The page of a level: answers by mouse, touch and keyboard, and mistakes on the board."""

from __future__ import annotations

import json
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from damka import box, locales
from damka.study import lessons
from damka.study.lessons import inputs
from tests.slowness import slowness
from tests.study.lessons.answers import right_answers
from tests.support import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Route

    from tests.browser.support import Window

KINDS = {
    "move": ("dama64", "obligation.forced"),
    "sequence": ("dama64", "obligation.forced.4"),
    "select": ("dama64", "obligation.forced.2"),
    "count": ("dama64", "chain.whole.2"),
    "land": ("dama64", "move_lines.diagonal.2"),
    "huff": ("dama100", "huffing.remove"),
    "draw": ("dama64", "repetition.3"),
    "win": ("dama64", "no_moves.normal"),
}
"""A level of every kind of goal."""
VOICES = """
window.spoken = [];
const voices = [{ lang: "en-GB", name: "Test" }];
Object.defineProperty(window, "speechSynthesis", {
  value: {
    getVoices: () => voices,
    addEventListener: () => {},
    speak: (words) => {
      window.spoken.push([words.text, words.lang]);
      window.finish = () => words.onend();
    },
    cancel: () => {},
  },
});
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


OFFLINE = "No connection. Try again when you’re online."
LEVEL_REQUEST = re.compile(r"/api/lesson\?")
HINT_REQUEST = re.compile(r"/api/lesson/hint\?")
HINTS_WHILE_BUSY = """() => {
  const hint = document.querySelector("#hint");
  window.changes = window.faults = 0;
  new MutationObserver(() => {
    window.changes += 1;
    const asks = document.body.hasAttribute("data-asks");
    if (!asks && !hint.hidden && !hint.disabled) window.faults += 1;
  }).observe(document.body, { attributes: true, attributeFilter: ["data-asks"] });
}"""
"""Counts the times at which a hint is offered while the page takes no answer."""


def level_of(rules: str, level_id: str) -> lessons.Level:
    level = lessons.course(RULE_SETS[rules]).level(level_id)
    assert level is not None
    return level


def wrong(level: lessons.Level) -> int | list[int]:
    """Return a wrong answer."""
    at, goal = level.positions(), level.goal
    if goal.kind == "count":
        return min({*goal.options} - {*level.solutions})
    if goal.kind == "huff":
        return min(inputs.squares(at, goal) - {*level.solutions})
    if goal.kind in ("select", "land"):
        [solution] = level.solutions
        assert isinstance(solution, tuple)
        return [min(inputs.squares(at, goal) - {*solution})]
    firsts = [each[0] if isinstance(each, tuple) else each for each in level.solutions]
    ends = {inputs.move_ends(str(move)) for move in firsts}
    starts = {start for start, _ in ends}
    return [*min(inputs.moves(at).keys() - ends, key=lambda each: (each[0] not in starts, each))]


class Level:
    """A level on the page, answered by mouse, touch or keyboard."""

    def __init__(self, window: Window, by: str = "mouse", *, motion: bool = False) -> None:
        # With reduced motion the next level waits for its button.
        window.page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
        self.window = window
        self.by = by
        self.actions = 0

    def open(self, rules: str, level_id: str) -> Level:
        self.window.open(f"/learn/{rules}/{level_id}")
        self.window.page.locator("body.ready").wait_for()
        self.asked()
        return self

    def asked(self) -> None:
        """Wait until the level takes an answer."""
        self.window.page.locator("body[data-asks]").wait_for()

    def choose(self, *squares: int) -> None:
        for square in squares:
            self.actions += 1
            if self.by == "mouse":
                self.window.click(square)
            elif self.by == "touch":
                self.window.tap(square)
            else:
                cell = f'#board [data-square="{square}"]'
                self.window.page.locator(cell).focus()
                self.window.press("Enter")

    def push(self, selector: str) -> None:
        self.actions += 1
        button = self.window.page.locator(selector)
        expect(button).to_be_enabled()
        if self.by == "mouse":
            button.click()
        elif self.by == "touch":
            button.tap()
        else:
            button.focus()
            self.window.press("Enter")

    def answer(self, level: lessons.Level, value: int | list[int], *, check: bool = False) -> None:
        if level.goal.kind == "count":
            self.push(f'#numbers button:text-is("{value}")')
        else:
            self.choose(*([value] if isinstance(value, int) else value))
            if check:
                self.push("#check")

    def solve(self, level: lessons.Level) -> None:
        """Answer rightly; wait for the end of the level."""
        answers = right_answers(level)
        for i, value in enumerate(answers):
            if i:
                expect(self.window.page.locator("#speech")).to_have_class("speech good")
                self.window.page.locator("body[data-asks]").wait_for()
            self.answer(level, value, check=level.goal.kind in ("select", "land"))
        self.window.page.locator("#next:not([hidden])").wait_for()


@contextmanager
def without_answer(window: Window, path: re.Pattern[str]) -> Iterator[None]:
    """Let the requests of a path fail, as without a connection."""
    failed: list[Route] = []

    def fail(route: Route) -> None:
        failed.append(route)
        route.abort()

    window.page.route(path, fail)
    try:
        yield
    finally:
        window.page.unroute(path)
    # The console names the requests that failed.
    window.until(lambda: len(window.errors) >= len(failed), "the failures in the console")
    window.errors.clear()


def stored(window: Window, rules: str) -> dict[str, int]:
    text = window.page.evaluate("localStorage['damka.lessons'] ?? '{}'")
    stars: dict[str, int] = json.loads(text).get(lessons.fingerprint(RULE_SETS[rules]), {})
    return stars


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["keys", "touch"])
def test_a_wrong_and_then_a_right_answer(kind: str, by: str, request: Any) -> None:
    window: Window = request.getfixturevalue("phone" if by == "touch" else "desktop")
    rules, level_id = KINDS[kind]
    level = level_of(rules, level_id)
    page = Level(window, by).open(rules, level_id)
    before = window.pieces
    page.answer(level, wrong(level), check=kind in ("select", "land"))
    window.page.locator("#again:not([hidden])").wait_for()
    said = window.page.inner_text("#speech")
    assert said
    assert said != level.sentence("en")
    expect(window.page.locator("#stars .on")).to_have_count(0)
    shown = window.page.locator("#board .noted:not(.edge)").count() or window.pieces != before
    assert shown, "the mistake is answered on the board"
    page.push("#again")
    page.asked()
    assert window.pieces == before
    page.solve(level)
    expect(window.page.locator("#stars .on")).to_have_count(2)
    assert stored(window, rules) == {level_id: 2}


def test_a_whole_course_by_mouse(desktop: Window) -> None:
    course = lessons.course(RULE_SETS["dama64"])
    page = Level(desktop).open("dama64", course.levels[0].id)
    for level in course.levels:
        expect(desktop.page.locator("#task")).to_have_text(level.task("en"))
        page.asked()
        page.solve(level)
        if level is not course.levels[-1]:
            page.push("#next")
    assert stored(desktop, "dama64") == {
        level.id: 0 if level.demonstration else 3 for level in course.levels
    }
    expect(desktop.page.locator("#next")).to_have_attribute("href", "/learn/dama64/game")
    desktop.page.go_back()
    expect(desktop.page.locator("#task")).to_have_text(course.levels[-2].task("en"))


def test_the_first_capture_comes_soon(desktop: Window) -> None:
    """From home: at most 12 presses, and a minute of the page's own time."""
    page = Level(desktop, motion=True)
    desktop.open("/")
    begin = time.monotonic()
    page.push("#learn-rules")
    page.push("#next")
    for level in lessons.course(RULE_SETS["dama64"]).levels:
        expect(desktop.page.locator("#task")).to_have_text(level.task("en"))
        page.asked()
        page.solve(level)
        if level.stage == "capture":
            break
    desktop.until(lambda: "b" not in desktop.pieces, "the man is captured")
    assert page.actions <= 12
    assert (time.monotonic() - begin) / slowness() <= 60


def test_a_refused_move_marks_its_squares_and_links_its_rule(desktop: Window) -> None:
    page = Level(desktop).open("dama64", "obligation.forced")
    page.choose(16, 12)
    expect(desktop.page.locator("#speech")).to_have_text(
        "You must capture: the man on 16 can take 11."
    )
    expect(desktop.page.locator("#board .noted:not(.edge)")).to_have_count(2)
    expect(desktop.page.locator("#rule-link")).to_have_attribute(
        "href", "/rules/dama64#p-obligation"
    )


def test_a_missed_capture_is_huffed_on_the_board(desktop: Window) -> None:
    page = Level(desktop).open("dama100", "obligation.huff")
    page.choose(20, 15)
    desktop.page.locator("#again:not([hidden])").wait_for()
    assert desktop.pieces[24] == "."
    assert desktop.pieces[14] == "w"
    page.push("#again")
    page.asked()
    assert desktop.pieces[24] == "w"


def test_a_piece_that_cannot_move_is_no_mistake(desktop: Window) -> None:
    level = level_of("dama64", "obligation.forced")
    page = Level(desktop).open("dama64", "obligation.forced")
    page.choose(11)
    expect(desktop.page.locator("#note")).to_contain_text("your opponent’s")
    expect(desktop.page.locator("#rule-text")).to_have_text(level.rule("en"))
    page.solve(level)
    assert stored(desktop, "dama64") == {level.id: 3}


def test_hints_come_one_at_a_time(desktop: Window) -> None:
    level = level_of("dama64", "capture.jump")
    page = Level(desktop).open("dama64", level.id)
    for hint in level.hints("en"):
        page.push("#hint")
        expect(desktop.page.locator("#note")).to_have_text(hint)
        expect(desktop.page.locator("#rule-text")).to_have_text(level.rule("en"))
        expect(desktop.page.locator("#task")).to_have_text(level.task("en"))
    expect(desktop.page.locator("#hint")).to_be_disabled()
    page.solve(level)
    expect(desktop.page.locator("#stars .on")).to_have_count(2)


SEEN = """() => {
  const nav = document.querySelector(".nav")?.getBoundingClientRect();
  const end = nav && nav.top > innerHeight / 2 ? nav.top : innerHeight;
  const note = document.getElementById("note").getBoundingClientRect();
  return [document.getElementById("board").getBoundingClientRect().toJSON(), end - note.bottom];
}"""
"""The place of the board, and how far above the end of the visible page the hint ends."""


@pytest.mark.parametrize("language", locales.LANGUAGES)
@pytest.mark.parametrize("level_id", ["obligation.forced.3", "chain.whole.2"])
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (375, 667), (390, 844), (1280, 800)])
def test_a_hint_leaves_the_board_in_its_place(
    desktop: Window, size: tuple[int, int], level_id: str, language: str
) -> None:
    level = level_of("dama64", level_id)
    desktop.page.set_viewport_size({"width": size[0], "height": size[1]})
    desktop.open(f"/learn/dama64/{level_id}?lang={language}")
    desktop.page.locator("body.ready[data-asks]").wait_for()
    before, _ = desktop.page.evaluate(SEEN)
    for hint in level.hints(language):
        desktop.page.locator("#hint").click()
        expect(desktop.page.locator("#note")).to_have_text(hint)
        now, room = desktop.page.evaluate(SEEN)
        assert now == before
        assert room >= 0, "the whole hint is visible"


@pytest.mark.parametrize("back", ["reload", "next and back", "the course"])
def test_a_hint_costs_a_star_until_the_level_is_finished(desktop: Window, back: str) -> None:
    level, after = lessons.course(RULE_SETS["dama64"]).levels[2:4]
    page = Level(desktop).open("dama64", level.id)
    page.push("#hint")
    expect(desktop.page.locator("#note")).to_have_text(level.hints("en")[0])
    if back == "reload":
        desktop.page.reload()
    else:
        desktop.open("/learn/dama64" if back == "the course" else f"/learn/dama64/{after.id}")
        desktop.page.go_back()
    desktop.page.locator("body.ready").wait_for()
    page.asked()
    expect(desktop.page.locator("#note")).to_be_empty()
    page.push("#hint")
    expect(desktop.page.locator("#note")).to_have_text(level.hints("en")[0])
    page.solve(level)
    expect(desktop.page.locator("#stars .on")).to_have_count(2)
    assert stored(desktop, "dama64") == {level.id: 2}
    # The attempt is over: another one without a hint earns all stars.
    desktop.page.reload()
    page.asked()
    page.solve(level)
    expect(desktop.page.locator("#stars .on")).to_have_count(3)
    assert stored(desktop, "dama64") == {level.id: 3}


def test_mistakes_count_after_another_level_was_opened(desktop: Window) -> None:
    first, second = lessons.course(RULE_SETS["dama64"]).levels[2:4]
    page = Level(desktop).open("dama64", first.id)
    page.solve(first)
    page.push("#next")
    expect(desktop.page.locator("#place")).to_contain_text("4/")
    page.asked()
    page.answer(second, wrong(second))
    desktop.page.locator("#again:not([hidden])").wait_for()
    desktop.page.go_back()
    expect(desktop.page.locator("#place")).to_contain_text("3/")
    desktop.page.go_forward()
    expect(desktop.page.locator("#place")).to_contain_text("4/")
    page.asked()
    page.solve(second)
    assert stored(desktop, "dama64") == {first.id: 3, second.id: 2}


def test_a_rule_is_not_repeated_on_the_next_level(desktop: Window) -> None:
    first, second, third = lessons.course(RULE_SETS["dama64"]).levels[6:9]
    rule, task = desktop.page.locator("#rule-text"), desktop.page.locator("#task")
    assert first.rule("en") == second.rule("en") == third.rule("en")
    page = Level(desktop).open("dama64", first.id)
    expect(rule).to_have_text(first.rule("en"))
    page.solve(first)
    page.push("#next")
    expect(task).to_have_text(second.task("en"))
    expect(rule).to_be_empty()
    page.asked()
    # After a mistake the learner needs it.
    page.answer(second, wrong(second), check=True)
    page.push("#again")
    page.asked()
    expect(rule).to_have_text(second.rule("en"))
    page.solve(second)
    page.push("#next")
    expect(task).to_have_text(third.task("en"))
    expect(rule).to_be_empty()
    desktop.page.reload()
    expect(rule).to_have_text(third.rule("en"))


@pytest.mark.parametrize("kind", ["lead", "sequence"])
def test_no_hint_can_be_pressed_while_moves_are_shown(desktop: Window, kind: str) -> None:
    levels = lessons.course(RULE_SETS["dama64"]).levels
    level = next(
        each for each in levels if (each.lead if kind == "lead" else len(right_answers(each)) > 1)
    )
    page = Level(desktop).open("dama64", level.id)
    desktop.page.evaluate(HINTS_WHILE_BUSY)
    page.answer(level, wrong(level), check=level.goal.kind in ("select", "land"))
    page.push("#again")
    page.asked()
    expect(desktop.page.locator("#hint")).to_be_enabled()
    page.solve(level)
    assert desktop.page.evaluate("changes") >= 3
    assert desktop.page.evaluate("faults") == 0


def test_a_hint_that_comes_too_late_does_not_count(desktop: Window) -> None:
    rules, level_id = KINDS["sequence"]
    level = level_of(rules, level_id)
    page = Level(desktop).open(rules, level_id)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    desktop.page.route(HINT_REQUEST, hold)
    page.push("#hint")
    desktop.until(lambda: held, "the request for the hint")
    page.answer(level, right_answers(level)[0])
    expect(desktop.page.locator("#speech")).to_have_class("speech good")
    page.asked()
    with desktop.page.expect_response(HINT_REQUEST):
        held[0].continue_()
    desktop.page.unroute(HINT_REQUEST)
    for value in right_answers(level)[1:]:
        page.asked()
        page.answer(level, value)
    expect(desktop.page.locator("#stars .on")).to_have_count(3)


def test_a_hint_without_a_connection_says_so(desktop: Window) -> None:
    level = level_of("dama64", "capture.jump")
    page = Level(desktop).open("dama64", level.id)
    with without_answer(desktop, HINT_REQUEST):
        page.push("#hint")
        expect(desktop.page.locator("#note")).to_have_text(OFFLINE)
        expect(desktop.page.locator("#task")).to_have_text(level.task("en"))
    page.solve(level)
    expect(desktop.page.locator("#stars .on")).to_have_count(3)


def test_a_move_is_dragged(desktop: Window) -> None:
    Level(desktop).open("dama64", "capture.jump")
    desktop.drag(14, 5)
    desktop.page.locator("#next:not([hidden])").wait_for()


def test_a_chain_is_captured_jump_by_jump(desktop: Window) -> None:
    level = level_of("dama64", "chain.whole")
    route = (23, 14, 7)
    page = Level(desktop).open("dama64", level.id)
    page.choose(*route[:2])
    expect(desktop.page.locator("#board .captured")).to_have_count(1)
    expect(desktop.page.locator("#next")).to_be_hidden()
    page.choose(9)
    expect(desktop.page.locator("#speech")).to_have_text(
        "Your capture isn’t finished. Continue from 14 to 7."
    )
    page.push("#again")
    page.asked()
    page.choose(*route)
    desktop.page.locator("#next:not([hidden])").wait_for()
    assert stored(desktop, "dama64") == {level.id: 2}


def test_escape_gives_a_piece_back_wherever_the_focus_is(desktop: Window) -> None:
    page = Level(desktop).open("dama64", "chain.whole")
    cell = desktop.page.locator('#board [data-square="14"]')
    spoken = desktop.page.locator("#spoken")
    page.choose(23)
    expect(cell).to_have_attribute("aria-label", re.compile("possible answer"))
    page.choose(14)
    expect(spoken).to_have_text("Now continue!")
    for _ in range(2):
        desktop.press("Escape")
    expect(desktop.page.locator("#board [aria-selected=true]")).to_have_count(0)
    expect(cell).not_to_have_attribute("aria-label", re.compile("possible answer"))
    expect(spoken).to_be_empty()


def test_an_answer_without_a_connection_is_announced(desktop: Window) -> None:
    page = Level(desktop).open("dama64", "capture.jump")
    with without_answer(desktop, re.compile("/api/lesson/answer")):
        page.choose(14, 5)
        expect(desktop.page.locator("#spoken")).to_have_text(OFFLINE)
    page.push("#again")
    page.asked()


def test_the_rule_of_moves_that_are_shown_is_said_before(desktop: Window) -> None:
    level = level_of(*KINDS["draw"])
    Level(desktop)
    desktop.open(f"/learn/dama64/{level.id}")
    expect(desktop.page.locator("#task")).to_have_text("Watch the moves first.")
    expect(desktop.page.locator("#rule-text")).to_have_text(level.rule("en"))


def test_a_level_without_connection_stays_when_it_is_left(desktop: Window) -> None:
    Level(desktop).open("dama64", "capture.jump")
    with without_answer(desktop, re.compile(r"/learn/dama64$")):
        desktop.page.locator("#back").click()
        expect(desktop.page.locator("#note")).to_have_text(OFFLINE)
    desktop.page.locator("#back").click()
    desktop.page.wait_for_url("**/learn/dama64")


@pytest.mark.own_page
def test_squares_are_judged_only_by_check(desktop: Window) -> None:
    level = level_of("dama64", "obligation.forced.2")
    [right] = right_answers(level)
    assert isinstance(right, list)
    desktop.page.clock.install()
    page = Level(desktop).open("dama64", level.id)
    page.choose(*right)
    expect(desktop.page.locator("#check")).to_be_enabled()
    desktop.page.clock.run_for(5000)
    expect(desktop.page.locator("#next")).to_be_hidden()
    desktop.press("Enter")
    desktop.page.locator("#next:not([hidden])").wait_for()
    assert stored(desktop, "dama64") == {level.id: 3}


def test_a_piece_out_of_reach_is_said_to_be_so(desktop: Window) -> None:
    page = Level(desktop).open("dama64", "move_lines.diagonal")
    page.choose(14, 1)
    expect(desktop.page.locator("#speech")).to_have_text(
        "The piece on 14 can’t take the piece on 1 now."
    )


def test_chosen_squares_outlast_another_language(desktop: Window) -> None:
    level = level_of("dama64", "obligation.forced.2")
    page = Level(desktop).open("dama64", level.id)
    page.choose(18)
    desktop.page.locator("#language select").select_option("it")
    expect(desktop.page.locator("#task")).to_have_text(level.task("it"))
    page.asked()
    expect(desktop.page.locator("#check")).to_be_enabled()
    page.choose(20)
    page.push("#check")
    desktop.page.locator("#next:not([hidden])").wait_for()
    desktop.page.locator("#language select").select_option("en")
    page.asked()
    expect(desktop.page.locator("#check")).to_be_disabled()


def test_without_a_connection_the_last_level_stays(desktop: Window) -> None:
    last = lessons.course(RULE_SETS["dama64"]).levels[-1]
    page = Level(desktop).open("dama64", last.id)
    page.solve(last)
    with without_answer(desktop, re.compile(r"/learn/dama64/game")):
        page.push("#next")
        expect(desktop.page.locator("#note")).to_have_text(OFFLINE)
    page.push("#next")
    desktop.page.wait_for_url("**/game/*")


@pytest.mark.own_page
def test_mistakes_and_further_levels_are_read_aloud(desktop: Window) -> None:
    desktop.page.add_init_script(VOICES)
    first, second = lessons.course(RULE_SETS["dama64"]).levels[:2]
    page = Level(desktop, motion=True).open("dama64", first.id)
    desktop.page.locator("#aloud").click()

    def read() -> str:
        text: str = desktop.page.evaluate("window.spoken.at(-1)[0]")
        return " ".join(text.split())

    def reads(text: str) -> None:
        desktop.until(lambda: text in read(), f"{text!r} is read aloud")

    page.choose(14, 1)
    expect(desktop.page.locator("#again")).to_be_visible()
    reads(desktop.page.inner_text("#speech"))
    page.push("#again")
    page.asked()
    page.solve(first)
    reads("Well done")
    expect(desktop.page.locator("#next.filling")).to_have_count(0)
    desktop.page.evaluate("window.finish()")
    expect(desktop.page.locator("#task")).to_have_text(second.task("en"))
    page.asked()
    # The rule was read with the level before.
    reads(second.task("en"))
    desktop.page.locator("#aloud").click()
    page.solve(second)
    assert read() == second.task("en")


@pytest.mark.own_page
def test_a_level_is_read_aloud(desktop: Window) -> None:
    desktop.page.add_init_script(VOICES)
    level = level_of("dama64", "obligation.forced")
    Level(desktop).open("dama64", level.id)
    desktop.page.locator("#aloud").click()
    [(text, language)] = desktop.page.evaluate("spoken")
    assert language == "en"
    assert text.split() == level.sentence("en").split()
    expect(desktop.page.locator("#aloud")).to_have_attribute("aria-pressed", "true")


@pytest.mark.own_page
def test_without_a_voice_nothing_is_offered(desktop: Window) -> None:
    desktop.page.add_init_script(VOICES.replace("en-GB", "fr-FR"))
    Level(desktop).open("dama64", "obligation.forced")
    expect(desktop.page.locator("#aloud")).to_be_hidden()


def test_the_next_level_opens_by_itself(desktop: Window) -> None:
    first, second = lessons.course(RULE_SETS["dama64"]).levels[:2]
    page = Level(desktop, motion=True).open("dama64", first.id)
    page.solve(first)
    expect(desktop.page.locator("#task")).to_have_text(second.task("en"))
    expect(desktop.page).to_have_url(f"{desktop.url}/learn/dama64/{second.id}")
    desktop.page.go_back()
    expect(desktop.page.locator("#task")).to_have_text(first.task("en"))


@pytest.mark.parametrize("motion", [True, False])
def test_without_a_connection_the_finished_level_stays(desktop: Window, *, motion: bool) -> None:
    first, second, third = lessons.course(RULE_SETS["dama64"]).levels[:3]
    page = Level(desktop, motion=motion).open("dama64", first.id)
    note, task = (desktop.page.locator(each) for each in ("#note", "#task"))
    page.solve(first)
    if not motion:
        page.push("#next")
    expect(task).to_have_text(second.task("en"))
    page.asked()
    with without_answer(desktop, LEVEL_REQUEST):
        page.solve(second)
        if not motion:
            page.push("#next")
        expect(note).to_have_text(OFFLINE)
        desktop.page.go_back()
        expect(desktop.page).to_have_url(re.compile(f"/{re.escape(second.id)}$"))
        expect(note).to_have_text(OFFLINE)
    page.push("#next")
    expect(task).to_have_text(third.task("en"))
    desktop.page.go_back()
    expect(task).to_have_text(second.task("en"))


def test_a_level_that_is_missing_leads_to_its_page(desktop: Window) -> None:
    first, second = lessons.course(RULE_SETS["dama64"]).levels[:2]
    page = Level(desktop).open("dama64", first.id)
    page.solve(first)
    problem = {"error": "not_found", "message": "There is no such level."}
    desktop.page.route(LEVEL_REQUEST, lambda route: route.fulfill(status=404, json=problem))
    with desktop.page.expect_navigation(url=f"**/learn/dama64/{second.id}", wait_until="load"):
        page.push("#next")
    desktop.page.unroute(LEVEL_REQUEST)
    expect(desktop.page.locator("#task")).to_have_text(second.task("en"))
    desktop.errors.clear()


def test_an_input_keeps_the_finished_level(desktop: Window) -> None:
    level = level_of("dama64", "move_lines.diagonal")
    page = Level(desktop, motion=True).open("dama64", level.id)
    page.solve(level)
    desktop.page.locator("#next.filling").wait_for()
    desktop.click(1)
    expect(desktop.page.locator("#next")).to_be_visible()
    expect(desktop.page.locator("#next")).not_to_have_class("button filling")
    page.push("#next")
    expect(desktop.page.locator("#task")).not_to_have_text(level.task("en"))


def test_house_rules_have_levels(desktop: Window) -> None:
    house = RULE_SETS["dama64"].replace(name="kitchen", man_capture="all")
    level = lessons.course(house).levels[0]
    page = Level(desktop)
    desktop.open(f"/learn/-/{level.id}?r={box.encode(house)}")
    desktop.page.locator("body.ready").wait_for()
    page.solve(level)
    page.push("#next")
    expect(desktop.page.locator("#task")).to_have_text(lessons.course(house).levels[1].task("en"))
    assert f"?r={box.encode(house)}" in desktop.page.url
    desktop.page.reload()
    expect(desktop.page.locator("#task")).to_have_text(lessons.course(house).levels[1].task("en"))
    desktop.page.locator("#rule-link").click()
    desktop.page.wait_for_url("**/box?r=*#p-*")
    expect(desktop.page.locator(f"#p-{lessons.course(house).levels[1].topic}")).to_be_in_viewport()
