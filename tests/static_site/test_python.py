"""The site's Python: compiled, and with all that it comes to import."""

from __future__ import annotations

import base64
import io
import json
import tarfile
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tools.static_site import packages

from damka import Game
from damka.live.pdn_files import MEDIA_TYPE
from tests.chromium import Host
from tests.static_site.support import context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def names(archive: bytes) -> set[str]:
    with tarfile.open(fileobj=io.BytesIO(zlib.decompress(archive))) as packed:
        return set(packed.getnames())


def test_all_code_is_compiled(folder: Path) -> None:
    [path] = folder.glob("data/*/python.data")
    found = names(path.read_bytes())
    assert not [name for name in found if name.endswith(".py")]
    expected = {f"{name}c" for name, _ in packages._files() if name.endswith(".py")}
    assert expected <= found
    assert {
        "asyncio/__init__.pyc",
        "encodings/koi8_r.pyc",
        "encodings/unicode_escape.pyc",
        "damka/engine/grades.toml",
    } <= found
    assert not {"ssl.pyc", "unittest/__init__.pyc", "tarfile.pyc"} & found


@pytest.mark.release
def test_the_same_sources_make_the_same_archive(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [path] = folder.glob("data/*/python.data")
    monkeypatch.setattr(packages, "COMPILED", tmp_path)
    assert packages.archive() == path.read_bytes()


ENCODINGS = ["utf-8", "utf-16", "utf-32", "cp1251", "koi8-r", "cp866"]


def test_pdn_files_are_read_in_every_encoding(browser: Browser, host: Host) -> None:
    white = "Чижов Алексей Рудольфович, Андреев Владимир Васильевич"
    text = f'[White "{white}"]\n[GameType "20"]\n\n1. 32-28 18-23 *\n'
    files = [base64.b64encode(text.encode(each)).decode() for each in ENCODINGS]
    with context(browser) as made:
        desk = window(made, host).open("en/index.html")
        games = desk.page.evaluate(
            """async ([files, type]) => {
              const script = document.querySelector("script[type=module]").src;
              const { request } = await import(new URL("transport.js", script));
              const games = [];
              for (const file of files) {
                const body = new Blob([Uint8Array.from(atob(file), (each) => each.charCodeAt(0))]);
                const { told } = await request("/api/games/load", { body, type });
                games.push(await request(`/api/games/${told.id}/file`));
              }
              return games;
            }""",
            [files, MEDIA_TYPE],
        )
        read = [Game.from_json(json.dumps(each["told"])).players["W"] for each in games]
        assert dict(zip(ENCODINGS, read, strict=True)) == dict.fromkeys(ENCODINGS, white)
        assert desk.errors == []
