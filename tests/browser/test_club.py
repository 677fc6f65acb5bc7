"""The steps of docs/play/club-night.md, with its commands and buttons.

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
from tests.browser.support import Window, open_window
from tests.chromium import TOUCH
from tests.server.proxy import Delay
from tests.services import free_port
from tests.slowness import slowness

LOST_SECONDS: Final = 20
DAMKA: Final = str(Path(sys.executable).with_name("damka"))
PHONES: Final = ("Ana", "Boris", "Cvetan", "Dina")


@contextmanager
def laptop(folder: Path, port: int) -> Iterator[dict[str, str]]:
    """Steps 1 and 2: a laptop that runs `damka serve`; yield the environment of its terminals.

    The port differs from the documentation's, which may be in use on this machine.
    """
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data")}
    environment["PYTHONUNBUFFERED"] = "1"
    environment.pop("DAMKA_DATABASE_URL", None)
    command = [DAMKA, "serve", "--host", "0.0.0.0", "--no-browser"]  # noqa: S104
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            [*command, "--port", str(port)], stdout=log, stderr=log, env=environment
        ) as server,
    ):
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    assert server.poll() is None, (folder / "log").read_text()
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
            yield environment
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)


def server_address(folder: Path) -> str:
    """Return the network address shown in the terminal; the loopback address without a network."""
    deadline = time.monotonic() + 30
    while "http://" not in (text := (folder / "log").read_text()):
        assert time.monotonic() < deadline, text
        time.sleep(0.1)
    addresses = [each.rstrip("/") for each in re.findall(r"http://[\d.]+:\d+/", text)]
    assert addresses, text
    reachable = [each for each in addresses if "127.0.0.1" not in each and "0.0.0.0" not in each]  # noqa: S104
    return str((reachable or addresses)[0])


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def resign(phone: Window) -> None:
    phone.page.locator(".actions").get_by_text("Resign", exact=True).tap()
    phone.answer("Resign")


def test_the_club_evening_as_documented(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with ExitStack() as stack:
        terminal = stack.enter_context(laptop(tmp_path, port))
        address = server_address(tmp_path)
        # 3. The operator's code, in a second terminal.
        completed = subprocess.run(
            [DAMKA, "admin", "code"],
            capture_output=True, text=True, check=True, env=terminal,
        )  # fmt: skip
        code = re.fullmatch(r"\s*([A-Z0-9]+(?:-[A-Z0-9]+)+)\s*", completed.stdout)
        assert code, completed.stdout
        # 4. The tournament.
        page = stack.enter_context(open_window(browser, address, ignore_errors=True)).page
        page.goto(f"{address}/events")
        page.get_by_role("link", name="New tournament").click()
        page.get_by_label("Tournament name").fill("Club evening")
        page.get_by_label("Your name").fill("Rossi")
        page.get_by_label("Operator’s code").fill(code[1])
        page.get_by_label("Rules", exact=True).select_option("dama64")
        expect(page.get_by_label("System")).to_have_value("swiss")
        expect(page.get_by_label("Rounds", exact=True)).to_have_value("5")
        expect(page.get_by_label("Clock")).to_have_value("10+0")
        press(page, "Create tournament")
        page.wait_for_url(re.compile("/arbiter$"))
        event = page.url.removesuffix("/arbiter")
        # 5. The projector.
        with page.expect_popup() as popup:
            page.get_by_role("link", name="Projector").click()
        wall = popup.value
        join_address = wall.locator(".address").inner_text()
        picture = wall.locator(".code img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
        assert join_address.startswith(address.removeprefix("http://"))
        # The third phone has a bad connection.
        network = stack.enter_context(closing(Delay(address.removeprefix("http://"))))
        phones: dict[str, Window] = {}
        for name in PHONES:
            is_slow = name == "Cvetan"
            url = f"http://{network.host}" if is_slow else address
            phone = stack.enter_context(open_window(browser, url, ignore_errors=True, **TOUCH))
            phone.page.goto(f"{url}/e/{join_address.rpartition('/')[2]}")
            phone.page.get_by_label("Your name").fill(name)
            phone.page.get_by_role("button", name="Join").tap()
            expect(phone.page.get_by_text(f"You are playing as {name}.")).to_be_visible()
            phones[name] = phone
        expect(wall.locator(".crowd")).to_have_text(" · ".join(PHONES))
        # 6. Start: four players cannot play five rounds, so the page says what to do.
        expect(page.locator("#warning")).to_contain_text("4 players can’t play 5 rounds")
        page.get_by_label("Rounds", exact=True).fill("3")
        press(page, "Change")
        expect(page.locator("#warning")).to_have_count(0)
        press(page, "Start")
        press(page, "Pair round 1")
        expect(wall.locator(".slide.now h2")).to_have_text("Round 1")
        press(page, "Start round 1")
        for phone in phones.values():
            phone.page.wait_for_url(re.compile("/game/"))
            phone.ready()
        _lose_the_network(phones, network)
        _play_on(phones)
        for number in (2, 3):
            press(page, f"Pair round {number}")
            boards = {phone.page.url for phone in phones.values()}
            press(page, f"Start round {number}")
            for phone in phones.values():
                phone.page.wait_for_url(partial(_is_new, boards))
                phone.ready()
            if number == 2:
                # One player does not return, and the arbiter sets the result.
                _settle(page, phones)
            _play_on(phones)
        expect(page.locator(".state")).to_have_text("The tournament is over.")
        # Chromium warns that a header has no effect without TLS; there are no other errors.
        for name, phone in phones.items():
            others = [each for each in phone.errors if "Cross-Origin-Opener-Policy" not in each]
            assert name == "Cvetan" or not others, others
        # Export and backup.
        report = page.request.get(f"{event}/export.trf").text()
        tournament = trf.read(report)
        assert [len(each.pairings) for each in tournament.rounds] == [2, 2, 2]
        games = list(pdn.read(page.request.get(f"{event}/export.pdn").text()))
        assert len(games) == 6
        assert {game.headers["Event"] for game in games} == {"Club evening"}
        assert {game.headers["TimeControl"] for game in games} == {"600"}
        assert {game.headers["Round"] for game in games} == {"1", "2", "3"}
        assert all(game.headers["Termination"] for game in games)
        copy = tmp_path / "club.sqlite3"
        backup = [DAMKA, "admin", "backup", str(copy)]
        subprocess.run(backup, check=True, env=terminal, capture_output=True)
        assert copy.stat().st_size > 0


def _opponent(phones: dict[str, Window], phone: Window) -> Window:
    return next(
        other for other in phones.values() if other is not phone and _game(other) == _game(phone)
    )


def _game(phone: Window) -> str:
    return phone.page.url.rpartition("/")[2]


def _lose_the_network(phones: dict[str, Window], network: Delay) -> None:
    """Let Cvetan lose the network on his turn and reconnect: the game continues with its clock."""
    cut_off = phones["Cvetan"]
    opponent = _opponent(phones, cut_off)
    first, second = (cut_off, opponent) if "W" in cut_off.state["you"] else (opponent, cut_off)
    first.play(first.state["legal"][0]["hub"])
    second.until_ply(1)
    second.play(second.state["legal"][0]["hub"])
    first.until_ply(2)
    if first is opponent:
        first.play(first.state["legal"][0]["hub"])
        second.until_ply(3)
    side = cut_off.state["you"][0]
    assert cut_off.state["turn"] == side
    ply, left = cut_off.state["ply"], cut_off.state["clock"]["left"][side]
    start = time.monotonic()
    network.black_hole = True
    opponent.until(
        lambda: "way" in opponent.page.inner_text("#top small"), "the opponent's page shows it"
    )
    delay = (time.monotonic() - start) / slowness()
    assert delay < 10, delay
    cut_off.until(
        lambda: cut_off.page.locator("body.offline").count(), "the phone shows that it is offline"
    )
    opponent.page.wait_for_timeout(1000 * max(0.0, LOST_SECONDS - (time.monotonic() - start)))
    assert opponent.state["result"] is None
    network.black_hole = False
    restored = time.monotonic()
    cut_off.until(lambda: not cut_off.page.locator("body.offline").count(), "the phone reconnects")
    delay = (time.monotonic() - restored) / slowness()
    assert delay < 6, delay
    opponent.until(
        lambda: "way" not in opponent.page.inner_text("#top small"), "the opponent's page shows it"
    )
    # The clock of the side to move kept running, and no other time was charged.
    cut_off.play(cut_off.state["legal"][0]["hub"])
    opponent.until_ply(ply + 1)
    spent = (left - opponent.state["clock"]["left"][side]) / 1000
    assert LOST_SECONDS - 2 < spent < time.monotonic() - start + 1
    assert opponent.state["result"] is None


def _play_on(phones: dict[str, Window]) -> None:
    """End every game: both sides move, then Black resigns."""
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
        expect(white.page.locator("#event-score")).to_contain_text(
            "Counts as 2-0 in the tournament."
        )


def _is_new(boards: set[str], url: str) -> bool:
    return url not in boards


def _is_over(phone: Window) -> bool:
    return phone.state["result"] is not None


def _settle(page: Page, phones: dict[str, Window]) -> None:
    """Set the result of the first board as docs/play/club-night.md describes."""
    page.reload()
    board = page.locator("section[data-part=round] li").first
    board.get_by_role("combobox").select_option("2-0")
    board.get_by_placeholder("Reason").fill("gone home")
    board.get_by_role("button", name="Set result").click()
    expect(page.get_by_text("gone home")).to_be_visible()
    phone = next(iter(phones.values()))
    phone.until(lambda: sum(map(_is_over, phones.values())) == 2, "the game is aborted")
