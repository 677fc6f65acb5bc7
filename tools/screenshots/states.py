"""States of the page that are pictured, and how each is reached."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tests.browser.support import Window
from tests.server.guided import best_move, due, play_guided
from tests.server.support import Browser as Visitor

from tools.screenshots import games
from tools.screenshots.scene import LEVEL, Scene


class NotThereError(Exception):
    """A page does not exist; the message has its path and status."""


@dataclass(frozen=True)
class State:
    """A state of a page.

    `open` leads a window to it. The first visible element of each selector in `in_view` must be
    visible without scrolling. A `brief` state is pictured with a stopped clock.
    """

    name: str
    about: str
    open: Callable[[Scene, Window], None]
    in_view: tuple[str, ...] = ()
    brief: bool = False


def visit(window: Window, visitor: Visitor, path: str) -> None:
    """Open a page as a visitor. Raises NotThereError if it answers 404."""
    window.url = visitor.url  # type: ignore[misc]
    window.become(visitor)
    response = window.page.goto(visitor.url + path)
    if response is not None and response.status == 404:
        raise NotThereError(f"{path} answers 404")
    if path.startswith("/game/"):
        window.ready()


# Home

PLAY: Final = "#play, #seek"
TABS: Final = {"computer": "computer", "here": "person", "online": "invite"}
"""Values of the opponents' radio buttons, by tab."""


def home(tab: str, *, running: bool) -> Callable[[Scene, Window], None]:
    """Return a function that opens a tab of the home page, with or without running games."""

    def show(scene: Scene, window: Window) -> None:
        visitor = scene.player if running else scene.guest
        visit(window, visitor, "/games")
        choice = json.dumps({"opponent": TABS[tab]})
        window.page.evaluate("choice => localStorage.setItem('damka.choice', choice)", choice)
        visit(window, visitor, "/")

    return show


# A game


def loaded(game: tuple[str, str], **options: object) -> Callable[[Scene, Window], None]:
    """Return a function that opens a game that begins with a position."""

    def show(scene: Scene, window: Window) -> None:
        visitor = scene.visitor()
        visit(window, visitor, f"/game/{visitor.load_game(games.position(*game), **options)}")

    return show


def start(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    visit(window, visitor, f"/game/{visitor.new_game(opponent='computer', level=LEVEL)}")


def selected(scene: Scene, window: Window) -> None:
    loaded(games.CHAIN)(scene, window)
    window.click(36)
    window.page.wait_for_selector(".target")


def question(scene: Scene, window: Window) -> None:
    """Choose the last square of several routes."""
    loaded(games.FOUR_WAYS)(scene, window)
    window.click(2, 25)
    window.page.wait_for_selector(".over .branch, .over .target")


def huff_warning(scene: Scene, window: Window) -> None:
    loaded(games.HUFF)(scene, window)
    window.click(36, 31)
    window.page.wait_for_selector("#answers button")


def looking_back(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    game = visitor.load_game(
        games.played("dama64", games.MIDDLE), opponent="computer", level=LEVEL, side="W"
    )
    visit(window, visitor, f"/game/{game}")
    window.press(*["ArrowLeft"] * 7)


def opponents_turn(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    game, _, _ = scene.online_game(visitor, f"{games.OPENING} 18-15")
    visit(window, visitor, f"/game/{game}")


def offer(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    game, _, theirs = scene.online_game(visitor, games.OPENING)
    theirs.send("undo")
    visit(window, visitor, f"/game/{game}")
    window.page.wait_for_selector("#answers button")


def refused(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    game = visitor.load_game(
        games.played("american", games.REFUSED), opponent="computer", level=LEVEL, side="W"
    )
    window.page.clock.install()
    visit(window, visitor, f"/game/{game}")
    # The squares of a refused move are marked only briefly.
    window.page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=2))
    window.drag(19, 15)
    window.until_refused()


def invitation(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    visit(window, visitor, f"/game/{visitor.new_game(opponent='invite', clock=None)}")


def ended(
    rules: str, moves: str, side: str, *, by_computer: bool = False
) -> Callable[[Scene, Window], None]:
    """Return a function that plays a game's last move while its page is open."""

    def show(scene: Scene, window: Window) -> None:
        visitor = scene.visitor()
        unplayed = 2 if by_computer else 1
        text = games.played(rules, moves, unplayed=unplayed)
        game = visitor.load_game(text, opponent="computer", level=LEVEL, side=side)
        visit(window, visitor, f"/game/{game}")
        live = visitor.live(game)
        live.state()
        live.play(games.messages(rules, moves)[-unplayed])
        live.close()
        window.until(lambda: window.state["result"], "the game is over")
        window.settled()
        window.page.locator("#end").wait_for()

    return show


def guided_page(scene: Scene, window: Window) -> None:
    """Open the page that starts a guided game, while the game is not there yet."""
    window.page.route("**/api/games", lambda route: route.fulfill(json={"url": "#"}))
    visit(window, scene.guest, "/learn/dama64/game")


def guided_start(scene: Scene, window: Window) -> None:
    visitor = scene.visitor()
    visit(window, visitor, f"/game/{visitor.new_game(opponent='guide')}")


def guided_notice(scene: Scene, window: Window) -> None:
    """Open a guided game at the first capture that must be made."""
    visitor, stages = scene.visitor(), ("capture", "must")
    while True:
        game = visitor.new_game(opponent="guide")
        live = visitor.live(game)
        state = play_guided(live, lambda state: len(due(state)) == len(stages))
        if not state["result"]:
            break
        live.close()
    live.close()
    visit(window, visitor, f"/game/{game}")


def guided_end(scene: Scene, window: Window) -> None:
    """Play the last move of a won guided game while its page is open."""
    visitor = scene.visitor()
    while True:
        game = visitor.new_game(opponent="guide")
        live = visitor.live(game)
        state = play_guided(
            live, lambda state: any("end the game" in each["sentence"] for each in due(state))
        )
        if not state["result"]:
            break
        live.close()
    visit(window, visitor, f"/game/{game}")
    while not state["result"]:
        live.play(best_move(state))
        state = live.state(lambda state: state["result"] or state["turn"] == "W")
    live.close()
    window.until(lambda: window.state["result"], "the game is over")
    window.settled()
    window.page.locator("#end").wait_for()


# Other pages


def editor(scene: Scene, window: Window) -> None:
    visit(window, scene.guest, "/analyse/dama64?setup=1")
    window.until(lambda: window.status_text, "the editor says who is to move")


def analysis(scene: Scene, window: Window) -> None:
    """Open the analysis board; without the engine, whose lines differ from run to run."""
    visit(window, scene.guest, "/livez")
    window.page.evaluate('localStorage["damka.lines"] = \'{"on": false}\'')
    visit(window, scene.guest, "/analyse/dama64?moves=22-18,11-15,18x11x15")
    window.page.locator("#tree [role=treeitem]").nth(2).wait_for()
    window.until(lambda: window.status_text, "the status line says who is to move")


def begun_course(scene: Scene, window: Window) -> None:
    """Open a course of which some levels are done."""
    visit(window, scene.guest, "/learn/dama64")
    window.page.evaluate(
        """() => {
          const { course } = document.querySelector(".course").dataset;
          const levels = [...document.querySelectorAll("[data-level]")].slice(0, 11);
          const stars = levels.map(({ dataset }, i) => [dataset.level, 3 - (i % 3)]);
          localStorage["damka.lessons"] = JSON.stringify({ [course]: Object.fromEntries(stars) });
        }"""
    )
    window.page.reload()


def review(scene: Scene, window: Window) -> None:
    moves = "22-18,11-15,18x11x15,8x15x11,25-22,4-8,29-25,9-13,23-18,13-17,18x4x8x15,10-14"
    visit(window, scene.guest, f"/analyse/dama64?moves={moves}&review=1")
    window.page.locator("#review.final").wait_for()


def study(scene: Scene, window: Window) -> None:
    """Open a chapter with variations and comments, at its third move."""
    visit(window, scene.member, "/")
    window.page.evaluate('localStorage["damka.lines"] = \'{"on": false}\'')
    visit(window, scene.member, f"/study/{scene.study}")
    window.page.locator("#tree [role=treeitem]").nth(2).click()
    window.until(lambda: window.status_text, "the status line says who is to move")


def studies(scene: Scene, window: Window) -> None:
    scene.study  # noqa: B018  creates it
    visit(window, scene.member, "/studies")
    window.page.locator("#list li").first.wait_for()


def lesson(
    path: str, *, tap: tuple[int, ...] = (), press: str = "", wait: str = "#hint:not([hidden])"
) -> Callable[[Scene, Window], None]:
    """Return a function that opens a level, taps squares and presses a button."""

    def show(scene: Scene, window: Window) -> None:
        # With reduced motion, a finished level stays.
        window.page.emulate_media(reduced_motion="reduce")
        visit(window, scene.guest, f"/learn/{path}")
        # A level remembers the squares that were chosen in another language.
        window.page.evaluate("sessionStorage.clear()")
        window.page.reload()
        window.page.locator("body[data-asks]").wait_for()
        for square in tap:
            window.page.mouse.click(*window.at(square))
        if press:
            window.page.locator(press).first.click()
        window.page.locator(wait).wait_for()

    return show


def page(path: str, *, member: bool = False) -> Callable[[Scene, Window], None]:
    """Return a function that opens a page of the club's server."""
    return lambda scene, window: visit(window, scene.member if member else scene.guest, path)


def empty(path: str) -> Callable[[Scene, Window], None]:
    """Return a function that opens a page of the server without games."""
    return lambda scene, window: visit(window, scene.visitor(scene.empty), path)


def lobby(scene: Scene, window: Window) -> None:
    last = scene.challenges - 1
    visit(window, scene.guest, "/lobby")
    window.page.locator("#challenges li").nth(last).wait_for()


def own_games(scene: Scene, window: Window) -> None:
    visit(window, scene.regular, "/games")
    window.page.locator("[data-do]:not([hidden])").first.wait_for()


def events(scene: Scene, window: Window) -> None:
    visit(window, scene.guest, scene.event.rpartition("/")[0])


def event(scene: Scene, window: Window) -> None:
    visit(window, scene.guest, scene.event)


def profile_empty(scene: Scene, window: Window) -> None:
    visit(window, scene.newcomer, "/@/Ilona")


def not_found(scene: Scene, window: Window) -> None:
    window.url = scene.club.url  # type: ignore[misc]
    window.page.goto(f"{scene.club.url}/nothing/here")


STATUS: Final = ("#say",)
LESSON: Final = ("#speech", "#stars")
ANSWERS: Final = ("#say", "#answers button:first-child", "#answers button:last-child")
GUIDE: Final = ("#say", "#answers button", "#answers a")

STATES: Final = (
    *(
        State(
            f"home-{tab}{'-running' if running else ''}", about, home(tab, running=running), (PLAY,)
        )
        for tab, about in (
            ("computer", "home, against the computer"),
            ("here", "home, two people at one screen"),
            ("online", "home, over the network"),
        )
        for running in (False, True)
    ),
    State("game-start", "a new game against the computer", start, STATUS),
    State("game-selected", "a piece with a chain is selected", selected, STATUS),
    State("game-question", "a capture with several routes", question, STATUS),
    State("game-huff", "a warning: this move can be huffed", huff_warning, ANSWERS),
    State("game-back", "looking back", looking_back, STATUS),
    State("game-waiting", "the opponent's turn", opponents_turn, STATUS),
    State("game-offer", "the opponent asks for a takeback", offer, ANSWERS),
    State("game-refused", "a refused move", refused, STATUS, brief=True),
    State("game-invitation", "waiting for an invited opponent", invitation),
    State("end-won", "you won", ended("dama64", games.WON, "W"), ("#end",)),
    State("end-lost", "you lost", ended("dama64", games.LOST, "W", by_computer=True), ("#end",)),
    State("end-drawn", "a draw by repetition", ended("american", games.DRAWN, "B"), ("#end",)),
    State("guided-page", "the page that starts a guided game", guided_page, (".button.big",)),
    State("guided", "a guided game begins", guided_start, GUIDE),
    State("guided-notice", "the guide explains the first capture", guided_notice, GUIDE),
    State("guided-end", "the end of a guided game", guided_end, ("#end", "#end-guide", "#level")),
    State("games", "your games", own_games, ("#next",)),
    State("games-empty", "no games yet", empty("/games"), (".nothing .button",)),
    State("analysis", "the analysis board", analysis),
    State("review", "the review of a game", review),
    State("study", "a chapter of a study", study),
    State("studies", "your studies", studies),
    State("studies-empty", "no studies yet", page("/studies"), (".nothing .button",)),
    State("editor", "the board editor", editor, ("#open-play", "#analyse-this")),
    State("learn", "the courses of all games", page("/learn")),
    State("course", "the path of a course", page("/learn/dama64"), ("#next",)),
    State("course-begun", "a course of which some levels are done", begun_course, ("#next",)),
    State("lesson", "a level with a move", lesson("dama64/obligation.forced"), LESSON),
    State(
        "lesson-chosen",
        "a level with chosen squares",
        lesson("dama64/obligation.forced.2", tap=(12, 20), wait="#check:not([disabled])"),
        (*LESSON, "#check"),
    ),
    State(
        "lesson-number",
        "a level with numbers",
        lesson("american/chain.whole.2"),
        (*LESSON, "#numbers button:last-child"),
    ),
    State(
        "lesson-hint",
        "a hint",
        lesson("dama100/land_on.continue", press="#hint", wait=".speech.hint"),
        LESSON,
    ),
    State(
        "lesson-wrong",
        "a mistake in a level",
        lesson("dama64/obligation.forced", tap=(16, 12), wait="#again:not([hidden])"),
        (*LESSON, "#again"),
    ),
    State(
        "lesson-huff",
        "a huff in a level",
        lesson("dama100/obligation.huff", tap=(20, 15), wait="#again:not([hidden])"),
        (*LESSON, "#again"),
    ),
    State(
        "lesson-chain",
        "a capture of several pieces after its first jump",
        lesson("dama64/chain.whole", tap=(23, 14), wait="#board .captured"),
        LESSON,
    ),
    State(
        "lesson-done",
        "a level that is finished",
        lesson("dama64/chain.whole", tap=(23, 14, 7), wait=".stars.fresh"),
        (*LESSON, "#next", "#stars"),
    ),
    State("rules", "the rules of a game", page("/rules/dama64")),
    State("box", "the form for house rules", page("/box")),
    State("join", "the form for an invitation's code", page("/join")),
    State("lobby", "the lobby with challenges", lobby),
    State("lobby-empty", "the lobby without challenges", empty("/lobby")),
    State("events", "the list of events", events),
    State("events-empty", "no events", empty("/events")),
    State("event", "a running event", event),
    State("event-new", "the form for a new event", page("/events/new")),
    State("profile", "a member with ratings and games", page("/@/Petra", member=True)),
    State("profile-empty", "a new member", profile_empty),
    State("account", "log in or register", page("/account")),
    State("account-member", "a member's account", page("/account", member=True)),
    State("404", "a page that does not exist", not_found),
)

ALLOWED_CUTS: Final = (
    # Names of events and players may be of any length; their pages and tooltips show all of them.
    ".where",
    ".strip b",
    # The row of running games is compact; the pages of the games show everything.
    ".run b",
    ".run small",
    # The longest name in the lobby and the link of an invitation are broken, and stay complete.
    "#challenges b",
    "#invite-link",
    # On the smallest phones, long answers of the form for house rules; the open menu shows them.
    "select[id^=q-]",
    # A FEN is longer than any field, and can be scrolled and copied.
    "#fen",
    # A line of the engine is longer than its row; a tap shows all of it.
    ".line .rest",
    ".line .rest *",
)
"""Texts that may be cut."""

LAYERS: Final = ("#end", "#invite")
"""Parts that may cover others, besides dialogs and fixed bars: the result covers the moves, and an
invitation the board, until the opponent comes."""
