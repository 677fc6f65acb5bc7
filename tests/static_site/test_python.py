"""The site's Python: compiled, and with all modules that it imports."""

from __future__ import annotations

import base64
import io
import json
import re
import tarfile
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage
from tools.static_site import packages

from damka import Game, rules
from damka.live.files import MEDIA_TYPE
from lazy_modules import EARLY_IMPORT
from tests.chromium import Host
from tests.static_site.support import ALL, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def names(archive: bytes) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(zlib.decompress(archive))) as packed:
        return set(packed.getnames())


def archives(folder: Path) -> tuple[set[str], set[str]]:
    """Return the names in both archives."""
    [first], [more] = (folder.glob(f"data/*/{name}.data") for name in ("python", "more"))
    return names(first.read_bytes()), names(more.read_bytes())


def test_all_code_is_compiled(folder: Path) -> None:
    first, more = archives(folder)
    assert not first & more
    found = first | more
    assert not [name for name in found if name.endswith((".py", ".po"))]
    expected = {f"{name}c" for name, _ in packages._files() if name.endswith(".py")}
    assert expected <= found
    assert {
        "asyncio/__init__.pyc",
        "encodings/koi8_r.pyc",
        "encodings/unicode_escape.pyc",
        "damka/engine/grades.toml",
    } <= found
    assert not {"ssl.pyc", "unittest/__init__.pyc", "tarfile.pyc", "polib.pyc"} & found


def test_the_first_archive_has_what_a_first_game_needs(folder: Path) -> None:
    first, more = archives(folder)
    assert {
        "damka/live/live_game.pyc",
        "damka/rules/sets/turkish.toml",
        "asyncio/__init__.pyc",
        "lazy_modules.txt",
    } <= first
    assert {
        "damka/rulebook/__init__.pyc",
        "damka/pdn/reader.pyc",
        "damka/box/link.pyc",
        "damka/draw/svg.pyc",
        "damka/tablebase/tablebases.pyc",
        "damka/web/templates/box.html",
        "damka/locales/bg/texts.json",
        "jinja2/environment.pyc",
    } <= more
    ours = [name for name in first if name.startswith("damka/pages/")]
    assert ours == []
    [one], [rest] = (folder.glob(f"data/*/{name}.data") for name in ("python", "more"))
    assert one.stat().st_size < 1_500_000
    assert rest.stat().st_size > 500_000


@pytest.mark.parametrize("name", rules.names() if ALL else ["international", "dama100", "thai"])
def test_a_first_game_needs_nothing_of_the_rest(browser: Browser, host: Host, name: str) -> None:
    with open_context(browser, service_workers="block") as made:
        desk = open_window(made, host)
        made.route("**/more.data", lambda _: None)  # It never arrives.
        imports: list[str] = []

        def log(message: ConsoleMessage) -> None:
            if EARLY_IMPORT in message.text:
                imports.append(message.text)

        desk.listen("console", log)
        desk.open(f"en/game.html?rules={name}&opponent=computer&colour=first&level=2").ready()
        start = json.loads((host.folder / "en" / "start" / f"{name}.json").read_text("utf-8"))
        legal = start["state"]["legal"] or desk.wait_until_joined().state["legal"]
        first = legal[0]
        desk.click(first["from"], first["to"])
        desk.wait_until_joined()
        desk.until(lambda: imports or desk.state["ply"] >= 2, "the answer")
        assert imports == []
        assert desk.errors == []


def test_the_search_starts_early_and_the_cache_late(browser: Browser, host: Host) -> None:
    with open_context(browser) as made:
        desk = open_window(made, host)
        before = len(host.requests)

        def asked() -> list[str]:
            return [path.partition("?")[0].rsplit("/", 1)[-1] for path in host.requests[before:]]

        desk.open("sk/game.html?rules=dama64&opponent=computer&colour=first&level=1").ready()
        desk.click(22, 18)
        desk.wait_until_joined()
        assert "search_worker.js" in asked(), "before there is anything to search"
        desk.until(lambda: desk.state["ply"] == 2, "the answer")
        desk.until(lambda: "sw.js" in asked(), "the cache")
        found = asked()
        earlier = found[: found.index("sw.js")]
        weights = [name for name in earlier if name.startswith("dama64-")]
        assert earlier.index(weights[0]) < earlier.index("more.data"), "the rest of Python"
        # Only one language is loaded.
        languages = [name for name in earlier if re.fullmatch(r"(en|bg|it|sk)\.data", name)]
        assert languages == ["sk.data"]
        desk.wait_until_cached()


def test_other_requests_wait_for_the_rest(browser: Browser, host: Host) -> None:
    with open_context(browser, service_workers="block") as made:
        desk = open_window(made, host).new_game("american")
        told = desk.page.evaluate(
            """async () => {
              const script = document.querySelector("script[type=module]").src;
              const { request } = await import(new URL("transport.js", script));
              return (await request("/api/box?base=american")).ok;
            }"""
        )
        assert told


@pytest.mark.release
def test_the_same_sources_make_the_same_archive(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [path for name in ("python", "more") for path in folder.glob(f"data/*/{name}.data")]
    monkeypatch.setattr(packages, "COMPILED", tmp_path)
    assert list(packages.archives()) == [path.read_bytes() for path in paths]


ENCODINGS = ["utf-8", "utf-16", "utf-32", "cp1251", "koi8-r", "cp866"]
"""Encodings of Russian files; reading them needs those of other languages as well."""


def test_pdn_files_are_read_in_every_encoding(browser: Browser, host: Host) -> None:
    white = "Чижов Алексей Рудольфович, Андреев Владимир Васильевич"
    text = f'[White "{white}"]\n[GameType "20"]\n\n1. 32-28 18-23 *\n'
    files = [base64.b64encode(text.encode(each)).decode() for each in ENCODINGS]
    with open_context(browser) as made:
        desk = open_window(made, host).open("en/index.html")
        games = desk.page.evaluate(
            """async ([files, type]) => {
              const script = document.querySelector("script[type=module]").src;
              const { request } = await import(new URL("transport.js", script));
              const games = [];
              for (const file of files) {
                const body = new Blob([Uint8Array.from(atob(file), (each) => each.charCodeAt(0))]);
                const { data } = await request("/api/games/load", { body, type });
                games.push(await request(`/api/games/${data.id}/file`));
              }
              return games;
            }""",
            [files, MEDIA_TYPE],
        )
        read = [Game.from_json(json.dumps(each["data"])).players["W"] for each in games]
        assert dict(zip(ENCODINGS, read, strict=True)) == dict.fromkeys(ENCODINGS, white)
        assert desk.errors == []
