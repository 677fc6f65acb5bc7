"""The steps of docs/play/club-night.md, with the commands and buttons that it names.

One player loses the network for twenty seconds during a game with a clock.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, expect

from damka import pdn
from damka.tournament import trf
from tests.browser.support import Window, window
from tests.chromium import TOUCH
from tests.server.proxy import Delay
from tests.services import free_port

LOST_SECONDS: Final = 20
DAMKA: Final = str(Path(sys.executable).with_name("damka"))
PHONES: Final = ("Ana", "Boris", "Cvetan", "Dina")


@contextmanager
def laptop(folder: Path, port: int) -> Iterator[dict[str, str]]:
    """Steps 1 and 2: a laptop that runs `damka serve`; yield the environment of its terminals.

    The port differs from the documentation's, which may be in use on this machine.
    """
    home = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    home["PYTHONUNBUFFERED"] = "1"
    home.pop("DAMKA_DATABASE_URL", None)
    command = [DAMKA, "serve", "--host", "0.0.0.0", "--no-browser"]  # noqa: S104
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen([*command, "--port", str(port)], stdout=log, stderr=log, env=home) as run,
    ):
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert run.poll() is None, (folder / "log").read_text()
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
            yield home
        finally:
            run.send_signal(signal.SIGINT)
            run.wait(60)


def address_in(folder: Path) -> str:
    """Return the network address shown in the terminal; the loopback's without a network."""
    deadline = time.monotonic() + 30
    while "http://" not in (text := (folder / "log").read_text()):
        assert time.monotonic() < deadline, text
        time.sleep(0.1)
    found = [each.rstrip("/") for each in re.findall(r"http://[\d.]+:\d+/", text)]
    assert found, text
    outside = [each for each in found if "127.0.0.1" not in each and "0.0.0.0" not in each]  # noqa: S104
    return str((outside or found)[0])


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def resign(phone: Window) -> None:
    phone.page.locator(".actions").get_by_text("Resign", exact=True).tap()
    phone.answer("Resign")


def test_the_club_evening_as_documented(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as stack:
        terminal = stack.enter_context(laptop(tmp_path, port))
        address = address_in(tmp_path)
        # 3. Your code, in a second terminal.
        answer = subprocess.run(
            [DAMKA, "admin", "code"],
            capture_output=True, text=True, check=True, env=terminal,
        )  # fmt: skip
        code = re.fullmatch(r"\s*([A-Z0-9]+(?:-[A-Z0-9]+)+)\s*", answer.stdout)
        assert code, answer.stdout
        # 4. The event.
        desk = stack.enter_context(window(browser, address, ignore_errors=True)).page
        desk.goto(f"{address}/events")
        desk.get_by_role("link", name="New tournament").click()
        desk.get_by_label("Tournament name").fill("Club evening")
        desk.get_by_label("Your name").fill("Rossi")
        desk.get_by_label("Operator’s code").fill(code[1])
        desk.get_by_label("Rules", exact=True).select_option("dama64")
        expect(desk.get_by_label("System")).to_have_value("swiss")
        expect(desk.get_by_label("Rounds", exact=True)).to_have_value("5")
        expect(desk.get_by_label("Clock")).to_have_value("10+0")
        press(desk, "Create tournament")
        desk.wait_for_url(re.compile("/arbiter$"))
        event = desk.url.removesuffix("/arbiter")
        # 5. The wall.
        with desk.expect_popup() as opened:
            desk.get_by_role("link", name="Projector").click()
        wall = opened.value
        shown = wall.locator(".address").inner_text()
        picture = wall.locator(".code img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
        assert shown.startswith(address.removeprefix("http://"))
        # The third phone has a bad connection.
        network = stack.enter_context(closing(Delay(address.removeprefix("http://"))))
        phones: dict[str, Window] = {}
        for name in PHONES:
            bad = name == "Cvetan"
            url = f"http://{network.host}" if bad else address
            phone = stack.enter_context(window(browser, url, ignore_errors=True, **TOUCH))
            phone.page.goto(f"{url}/e/{shown.rpartition('/')[2]}")
            phone.page.get_by_label("Your name").fill(name)
            phone.page.get_by_role("button", name="Join").tap()
            expect(phone.page.get_by_text(f"You are playing as {name}.")).to_be_visible()
            phones[name] = phone
        expect(wall.locator(".crowd")).to_have_text(" · ".join(PHONES))
        # 6. Start: four players cannot play five rounds, so the page says what to do.
        expect(desk.locator("#warning")).to_contain_text("4 players can’t play 5 rounds")
        desk.get_by_label("Rounds", exact=True).fill("3")
        press(desk, "Change")
        expect(desk.locator("#warning")).to_have_count(0)
        press(desk, "Start")
        press(desk, "Pair round 1")
        expect(wall.locator(".slide.now h2")).to_have_text("Round 1")
        press(desk, "Start round 1")
        for phone in phones.values():
            phone.page.wait_for_url(re.compile("/game/"))
            phone.ready()
        _lose_the_network(phones, network)
        _play_on(phones)
        for number in (2, 3):
            press(desk, f"Pair round {number}")
            press(desk, f"Start round {number}")
            boards = {phone.page.url for phone in phones.values()}
            for phone in phones.values():
                phone.page.wait_for_url(partial(_is_new, boards))
                phone.ready()
            if number == 2:
                # One player does not come back, and the arbiter decides the game.
                _settle(desk, phones)
            _play_on(phones)
        expect(desk.locator(".state")).to_have_text("The tournament is over.")
        # Chromium warns that a header has no effect without TLS; there are no other errors.
        for name, phone in phones.items():
            others = [each for each in phone.errors if "Cross-Origin-Opener-Policy" not in each]
            assert name == "Cvetan" or not others, others
        # Afterwards.
        report = desk.request.get(f"{event}/export.trf").text()
        back = trf.read(report)
        assert [len(each.pairings) for each in back.rounds] == [2, 2, 2]
        games = list(pdn.read(desk.request.get(f"{event}/export.pdn").text()))
        assert len(games) == 6
        assert {game.headers["Event"] for game in games} == {"Club evening"}
        assert {game.headers["TimeControl"] for game in games} == {"600"}
        assert {game.headers["Round"] for game in games} == {"1", "2", "3"}
        assert all(game.headers["Termination"] for game in games)
        copy = tmp_path / "club.sqlite3"
        backup = [DAMKA, "admin", "backup", str(copy)]
        subprocess.run(backup, check=True, env=terminal, capture_output=True)
        assert copy.stat().st_size > 0


def _opponent(phones: dict[str, Window], of: Window) -> Window:
    return next(each for each in phones.values() if each is not of and _game(each) == _game(of))


def _game(phone: Window) -> str:
    return phone.page.url.rpartition("/")[2]


def _lose_the_network(phones: dict[str, Window], network: Delay) -> None:
    """Let Cvetan lose the network on his turn and reconnect: the game continues with its clock."""
    lost = phones["Cvetan"]
    other = _opponent(phones, lost)
    first, second = (lost, other) if "W" in lost.state["you"] else (other, lost)
    first.play(first.state["legal"][0]["hub"])
    second.until_ply(1)
    second.play(second.state["legal"][0]["hub"])
    first.until_ply(2)
    if first is other:
        first.play(first.state["legal"][0]["hub"])
        second.until_ply(3)
    side = lost.state["you"][0]
    assert lost.state["turn"] == side
    ply, left = lost.state["ply"], lost.state["clock"]["left"][side]
    began = time.monotonic()
    network.hole = True
    other.until(lambda: "way" in other.page.inner_text("#top small"), "the opponent sees it")
    noticed = time.monotonic() - began
    assert noticed < 10, noticed
    lost.until(lambda: lost.page.locator("body.offline").count(), "the phone says so")
    other.page.wait_for_timeout(1000 * max(0.0, LOST_SECONDS - (time.monotonic() - began)))
    assert other.state["result"] is None
    network.hole = False
    back = time.monotonic()
    lost.until(lambda: not lost.page.locator("body.offline").count(), "it is back by itself")
    assert time.monotonic() - back < 6, time.monotonic() - back
    other.until(lambda: "way" not in other.page.inner_text("#top small"), "the opponent sees it")
    # The clock of the side to move ran on, and no other time was charged.
    lost.play(lost.state["legal"][0]["hub"])
    other.until_ply(ply + 1)
    spent = (left - other.state["clock"]["left"][side]) / 1000
    assert LOST_SECONDS - 2 < spent < time.monotonic() - began + 1
    assert other.state["result"] is None


def _play_on(phones: dict[str, Window]) -> None:
    """Play every game to an end: a move or two, then Black resigns."""
    for phone in phones.values():
        if phone.state["result"] is not None or "B" not in phone.state["you"]:
            continue
        white = _opponent(phones, phone)
        if white.state["ply"] == 0:
            white.play(white.state["legal"][0]["hub"])
            phone.until_ply(1)
            phone.play(phone.state["legal"][0]["hub"])
            white.until_ply(2)
        resign(phone)
        white.until(partial(_is_over, white), "the game is over")
        expect(white.page.locator("#event-says")).to_contain_text(
            "Counts as 2-0 in the tournament."
        )


def _is_new(boards: set[str], url: str) -> bool:
    return url not in boards


def _is_over(phone: Window) -> bool:
    return phone.state["result"] is not None


def _settle(desk: Page, phones: dict[str, Window]) -> None:
    """Decide the first board according to the table of docs/play/club-night.md."""
    desk.reload()
    board = desk.locator("section[data-part=round] li").first
    board.get_by_role("combobox").select_option("2-0")
    board.get_by_placeholder("Reason").fill("gone home")
    board.get_by_role("button", name="Set result").click()
    expect(desk.get_by_text("gone home")).to_be_visible()
    one = next(iter(phones.values()))
    one.until(lambda: sum(map(_is_over, phones.values())) == 2, "the game is broken off")
