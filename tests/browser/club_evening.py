"""A club evening as docs/club.md has it: `python -m tests.browser.club_evening [--guests N]`.

A server of its own process, a laptop, a wall and eight phones in Chromium, and as many guests more
without a browser as are asked for, all behind one address and under the usual limits. It plays two
rounds, one phone dies, and it says how long everything took.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright

from tests.browser.support import Window, window
from tests.chromium import FLAGS, TOUCH, executable
from tests.server.support import Browser as Guest

PHONES = ("Ana", "Bruno", "Цветан", "Dina", "Emil", "Žofia", "Gino", "Hana")
PLIES = 8


def own_address() -> str:
    """The machine's address in its network, as phones would type it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


class Clock:
    """Says what was done, and when."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s  {text}", flush=True)


def play_guest(guest: Guest, path: str, stop: threading.Event, lags: list[float]) -> None:
    """Play what there is for a guest without a browser, at the pace of a quick person."""
    lots, done = random.Random(), set()
    while not stop.is_set():
        told = guest.http.get(f"/api{path}").json()
        game = told["me"]["game"]
        if game is None or game in done:
            stop.wait(1.0)
            continue
        done.add(game)
        live = guest.live(game.rpartition("/")[2])
        state = live.state()
        while state["result"] is None and not stop.is_set():
            if state["turn"] in state["you"]:
                stop.wait(lots.uniform(0.2, 1.0))
                if state["ply"] >= PLIES:
                    live.send("resign")
                else:
                    ply, began = state["ply"], time.monotonic()
                    live.send("move", ply=ply, move=lots.choice(state["legal"])["hub"])
                    while state["ply"] == ply and not state["result"]:
                        state = live.state()
                    lags.append(time.monotonic() - began)
                    continue
            try:
                state = live.state()
            except TimeoutError:
                continue
        live.close()


def play_phones(phones: list[Window], until: float) -> None:
    """Let the phones play their games to their ends, each by its page."""
    while time.monotonic() < until:
        open_ = [phone for phone in phones if "/game/" in phone.page.url]
        if not open_:
            return
        for phone in open_:
            state = phone.state
            if state.get("result"):
                phone.page.get_by_role("link", name="Club evening").tap()
                phone.page.wait_for_url(re.compile("/events/"))
            elif state.get("turn") in state.get("you", ()):
                if state["ply"] >= PLIES:
                    phone.page.locator("#resign").tap()
                    phone.answer("Resign")
                    phone.page.wait_for_timeout(300)
                else:
                    phone.play(random.choice(state["legal"])["hub"])
            else:
                phone.page.wait_for_timeout(50)


def evening(browser: Browser, url: str, code: str, guests: int) -> None:
    """Hold the evening."""
    clock = Clock()
    with ExitStack() as stack:
        laptop = stack.enter_context(window(browser, url, ignore_errors=True))
        page = laptop.open("/events").page
        page.get_by_role("link", name="New event").click()
        page.get_by_label("Name of the event").fill("Club evening")
        page.get_by_label("Your name").fill("Rossi")
        page.get_by_label("Code of the operator").fill(code)
        page.get_by_label("Rounds", exact=True).fill("2")
        page.get_by_role("button", name="Make the event").click()
        page.wait_for_url(re.compile("/arbiter$"))
        address = page.url.removesuffix("/arbiter")
        path = address.removeprefix(url)
        clock.say("the event is made")
        wall = stack.enter_context(window(browser, url, ignore_errors=True)).page
        wall.goto(f"{address}/projector")
        link = wall.locator(".address").inner_text()
        phones = []
        for name in PHONES:
            phone = stack.enter_context(window(browser, url, ignore_errors=True, **TOUCH))
            phone.page.goto(f"http://{link}")
            phone.page.get_by_label("Your name").fill(name)
            phone.page.get_by_role("button", name="Join").tap()
            phone.page.get_by_text(f"You play as {name}.").wait_for()
            phones.append(phone)
        clock.say(f"{len(phones)} phones have joined by {link}")
        stop, lags = threading.Event(), list[float]()
        threads = []
        for number in range(guests):
            guest = stack.enter_context(Guest(url))
            answer = guest.http.post(f"{path}/join", data={"name": f"Guest {number + 1}"})
            assert answer.status_code == 303, answer.text
            threads.append(threading.Thread(target=play_guest, args=(guest, path, stop, lags)))
        clock.say(f"{guests} more have joined")
        page.get_by_role("button", name="Start").click()
        for thread in threads:
            thread.start()
        for number in (1, 2):
            page.get_by_role("button", name=f"Pair round {number}").click()
            page.get_by_role("button", name=f"Begin round {number}").click()
            clock.say(f"round {number} is begun")
            for phone in phones:
                phone.page.wait_for_url(re.compile("/game/"))
                phone.ready()
            clock.say("every phone shows its board")
            if number == 1:
                phones[0] = dead_phone(browser, stack, page, phones[0], address)
                clock.say("a phone has died and another one has gone on")
                wall.locator(".mini").first.wait_for(state="attached")
                lag = follow(wall, phones[1:])
                clock.say(f"the wall showed a move after {lag:.2f} s")
            play_phones(phones, time.monotonic() + 120)
            clock.say("the phones have played")
            wait(lambda: all_over(url, path), 120)
            page.reload()
            clock.say(f"round {number} is over")
        stop.set()
        for thread in threads:
            thread.join()
        rows = page.request.get(f"{url}/api{path}").json()["standings"]
        clock.say(f"it ends with {rows[0]['name']} first of {len(rows)}")
        if lags:
            lags.sort()
            clock.say(
                f"{len(lags)} moves of guests, answered in {1000 * lags[len(lags) // 2]:.0f} ms "
                f"(median), {1000 * lags[int(len(lags) * 0.99)]:.0f} ms (99%)"
            )
        began = time.monotonic()
        for _ in range(10):
            httpx.get(address, trust_env=False)
        clock.say(f"the event's page takes {100 * (time.monotonic() - began):.0f} ms")


def dead_phone(
    browser: Browser, stack: ExitStack, page: Any, phone: Window, address: str
) -> Window:
    """Go on at another phone with the code that the arbiter sees."""
    phone.page.close()
    page.reload()
    row = page.locator(".people tr", has_text=PHONES[0]).first
    code = row.locator(".codes").inner_text()
    new = stack.enter_context(window(browser, address, ignore_errors=True, **TOUCH))
    new.page.goto(address)
    new.page.get_by_text("I played at another device").tap()
    new.page.get_by_label("Code of your seat").fill(code)
    new.page.locator(".seat").get_by_role("button", name="Go").tap()
    new.page.get_by_role("link", name="To your board").tap()
    new.page.wait_for_url(re.compile("/game/"))
    new.ready()
    assert new.state["you"], "the new phone has the seat"
    return new


def follow(wall: Any, phones: list[Window]) -> float:
    """Play a move at a phone; return after how many seconds the wall shows it."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for phone in phones:
            state = phone.state
            if state["turn"] in state["you"] and not state["result"]:
                game = phone.page.url.rpartition("/")[2]
                mini = wall.locator(f'[data-game="{game}"]')
                pieces = mini.get_attribute("data-pieces")
                began = time.monotonic()
                phone.play(state["legal"][0]["hub"])
                while mini.get_attribute("data-pieces") == pieces:
                    wall.wait_for_timeout(10)
                    assert time.monotonic() < end
                return time.monotonic() - began
        phones[0].page.wait_for_timeout(50)
    raise AssertionError("nobody could move")


def all_over(url: str, path: str) -> bool:
    found = httpx.get(f"{url}/api{path}", trust_env=False).json()["round"]["boards"]
    return all(each["result"] for each in found)


def wait(look: Any, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < end
        time.sleep(0.3)


def main() -> None:
    """Start the server as the guide says, hold the evening, stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--guests", type=int, default=32)
    guests = parser.parse_args().guests
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        damka = Path(sys.executable).with_name("damka")
        environment = os.environ | {
            "DAMKA_DATABASE": f"sqlite:///{folder}/games.sqlite3",
            "PYTHONUNBUFFERED": "1",
        }
        with socket.socket() as probe:
            probe.bind(("0.0.0.0", 0))  # noqa: S104  as a club does
            port = probe.getsockname()[1]
        server = subprocess.Popen(
            [damka, "serve", "--host", "0.0.0.0", "--no-browser", "--port", str(port)],  # noqa: S104
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if "Damka is at" in line:
                    break
            code = subprocess.run(
                [damka, "admin", "code"],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            ).stdout.strip()
            browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS])
            evening(browser, f"http://{own_address()}:{port}", code, guests)
            browser.close()
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(20)


if __name__ == "__main__":
    main()
