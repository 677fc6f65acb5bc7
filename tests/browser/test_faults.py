"""The screenshots' layout checks, on small pages that have each fault, and none."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page
from tools.screenshots.checks import find_faults

from tests.chromium import blank_page

STYLE = """<!doctype html><style>
  * { margin: 0; font: 16px/1.25 sans-serif; }
  body { padding: 20px; }
  button, a.card { display: inline-block; padding: 8px; border: 0; }
  .at { position: absolute; }
</style>"""


def kinds(page: Page, html: str, **options: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return kind and element of each fault of a page."""
    page.set_content(STYLE + html)
    faults = find_faults(page, **options)
    print(*faults, sep="\n")
    return [(each.kind, each.element) for each in faults]


FAULTS = {
    "a wide element": (
        '<p id="wide" style="width: 2000px">Wide</p>',
        [("overflow", "p#wide “Wide”")],
    ),
    "a text left of the page": (
        '<p class="at" style="left: -30px">Left</p>',
        [("overflow", "body > p.at “Left”")],
    ),
    "two buttons on one another": (
        '<button class="at" id="a" style="left: 20px">Play</button>'
        '<button class="at" id="b" style="left: 40px">Invite</button>',
        [("overlap", "button#a “Play”")],
    ),
    "two texts on one another": (
        '<p id="a">One line of text</p><p style="margin-top: -14px">Another line of text</p>',
        [("overlap", "p#a “One line of text”")],
    ),
    "a part that is too large for where it lies": (
        '<div style="position: relative; height: 80px"><section class="at" id="end"'
        ' style="inset: 0"><p style="height: 90px">You won</p><button id="a">Rematch</button>'
        "</section></div>",
        [("overlap", "button#a “Rematch”")],
    ),
    "a button on the text of a card": (
        '<a id="card" class="card" href="/" style="width: 300px">A game with a long name</a>'
        '<button class="at" id="a" style="left: 40px">×</button>',
        [("overlap", "button#a “×”")],
    ),
    "a text over a board": (
        '<damka-board style="display: block; height: 300px"></damka-board>'
        '<p id="a" class="at" style="top: 90px; left: 60px">Black begins</p>',
        [("overlap", "body > damka-board")],
    ),
    "a button under a fixed bar at the end of the page": (
        '<p style="height: 900px">Text</p><button id="a">Play</button>'
        '<nav style="position: fixed; bottom: 0; left: 0; right: 0; height: 60px">'
        '<a href="/">Home</a></nav>',
        [("overlap", "button#a “Play”")],
    ),
    "a text wider than its box": (
        '<p id="a" style="width: 60px; overflow: hidden; white-space: nowrap">A long sentence</p>',
        [("cut", "p#a “A long sentence”")],
    ),
    "an ellipsis": (
        '<p id="a" style="width: 60px; overflow: hidden; white-space: nowrap;'
        ' text-overflow: ellipsis">A long sentence</p>',
        [("cut", "p#a “A long sentence”")],
    ),
    "a text higher than its box": (
        '<div id="a" style="width: 90px; height: 30px; overflow: hidden">A long, long sentence'
        " on several lines</div>",
        [("cut", "div#a “A long, long sentence on several lines”")],
    ),
    "a broken word": (
        '<p id="a" style="width: 60px; overflow-wrap: anywhere">Bulgarian draughts</p>',
        [("cut", "p#a “Bulgarian draughts”")],
    ),
    "a text that sticks out of its button": (
        '<button id="a" style="width: 60px; white-space: nowrap">A long label</button>',
        [("cut", "button#a “A long label”")],
    ),
    "a placeholder that is too long": (
        '<input id="a" style="width: 60px" placeholder="Type a move, for example 22-18">',
        [("cut", "input#a")],
    ),
    "an option that is too long": (
        '<select id="a" style="width: 60px"><option>Three days for every move</option></select>',
        [("cut", "select#a “Three days for every move”")],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(browser: Browser, name: str) -> None:
    html, expected = FAULTS[name]
    with blank_page(browser) as page:
        assert kinds(page, html, layers=("#end",)) == expected


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ('<p style="height: 790px">Text</p><button id="play">Play</button>', "button#play “Play”"),
        ('<button id="play" style="display: none">Play</button>', "#play"),
        (
            '<button id="play">Play</button><div class="at" style="inset: 0">Please wait</div>',
            "button#play “Play”",
        ),
        (
            '<div style="height: 40px; overflow: auto"><p style="height: 80px">Text</p>'
            '<button id="play">Play</button></div>',
            "button#play “Play”",
        ),
    ],
    ids=["below the window", "hidden", "covered", "scrolled out of its list"],
)
def test_a_main_button_out_of_view_is_found(browser: Browser, html: str, fault: str) -> None:
    with blank_page(browser) as page:
        assert ("out of view", fault) in kinds(page, html, in_view=("#play",))


GOOD = """
<style>
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
  .cards { display: flex; gap: 8px; }
  .choice label { position: relative; display: inline-block; }
  .choice input { position: absolute; inset: 0; margin: 0; opacity: 0; }
  nav { position: fixed; left: 0; right: 0; bottom: 0; height: 48px; }
  body { padding-bottom: 60px; }
</style>
<h1>Choose a game <span class="unseen">The list has three games and many more</span></h1>
<p style="width: 110px"><span id="say">You must capture</span> <a href="/">rule 14</a></p>
<p>A <a href="/">link in a long sentence that takes more than one line of the page</a>, and more of
  the sentence, with <b>bold</b> words.</p>
<div class="cards"><a class="card" href="/one"><b>One</b> <small>8 × 8</small></a>
<a class="card" href="/two" style="width: 300px; position: relative"><b>Two</b></a>
<button class="at" style="left: 200px">×</button></div>
<fieldset class="choice"><legend>Opponent</legend>
<label><input type="radio" name="opponent" checked><span>Computer</span></label>
<label><input type="radio" name="opponent"><span>Person</span></label></fieldset>
<label><input type="checkbox"> Remember</label>
<label for="name">Name</label> <input id="name" placeholder="Your name">
<ol style="height: 40px; width: 120px; overflow: auto; white-space: nowrap">
<li>A move with a long comment</li><li>Another move</li><li>A third move</li></ol>
<p style="line-height: 1.1; width: 120px">Lines of a text that are close to one another</p>
<damka-board style="display: block; height: 200px"><p class="at">12</p></damka-board>
<button id="play">Play</button>
<p style="height: 900px">A long page</p>
<button>The end</button>
<nav><a href="/">Home</a> <a href="/events">Events</a></nav>
"""


def test_a_good_page_has_no_faults(browser: Browser) -> None:
    for size in ((1280, 800), (320, 568)):
        with blank_page(browser, viewport={"width": size[0], "height": size[1]}) as page:
            in_view = ("#play", "#say") if size[1] > 600 else ("#say",)
            assert kinds(page, GOOD, in_view=in_view) == []


def test_only_an_open_dialog_is_examined(browser: Browser) -> None:
    with blank_page(browser) as page:
        page.set_content(
            f'{STYLE}<p class="at" id="a">Behind</p><p class="at">the dialog</p>'
            '<dialog><p id="b" style="width: 40px; overflow: hidden; white-space: nowrap">'
            "A long sentence</p></dialog>"
        )
        assert [each.kind for each in find_faults(page)] == ["overlap"]
        page.evaluate("document.querySelector('dialog').showModal()")
        assert [each.element for each in find_faults(page)] == ["p#b “A long sentence”"]


def test_faults_can_be_allowed(browser: Browser) -> None:
    with blank_page(browser) as page:
        page.set_content(
            f'{STYLE}<p class="name" style="width: 40px; overflow: hidden; white-space: nowrap">'
            'A long name</p><button class="at" style="top: 60px">Undo</button>'
            '<section class="at" id="end" style="top: 50px; background: white"><h2>You won</h2>'
            "</section>"
        )
        assert {each.kind for each in find_faults(page)} == {"cut", "overlap"}
        assert find_faults(page, may_be_cut=(".name",), layers=("#end",)) == []
