"""A browser without vector instructions (SIMD) also plays offline.

Chromium no longer has a switch to disable SIMD. So the test replaces the instruction in the feature
detection with an invalid one, which Chromium rejects as an older browser rejects SIMD.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

SIMD, INVALID = re.compile(r"\b253,\s*98,\s*11\b"), "253,255,11"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_a_browser_without_simd_plays_offline(browser: Browser, host: Host, folder: Path) -> None:
    scripts = [
        path
        for path in (folder / "sw.js", *folder.glob("static/**/*.js"))
        if SIMD.search(path.read_text("utf-8"))
    ]
    assert len(scripts) == 2
    assert {path.name for path in scripts} == {"sw.js", "kernel.js"}
    # The service worker verifies files by their hashes: change it last, with the new hashes.
    hashes: dict[str, str] = {}
    for path in sorted(scripts, key=lambda path: path.name == "sw.js"):
        text = path.read_text("utf-8")
        changed = SIMD.sub(INVALID, text)
        if path.name == "sw.js":
            for old, new in hashes.items():
                changed = changed.replace(old, new)
        else:
            hashes[_hash(text)] = _hash(changed)
        host.replaced[path.relative_to(folder).as_posix()] = changed.encode()
    try:
        with open_context(browser) as context:
            before = len(host.requests)
            window = open_window(context, host).open("en/index.html").wait_until_cached()
            context.set_offline(True)
            window.new_game("dama64", opponent="computer", level="3").play_on(3, 2, "W")
            assert len(window.game().history) == 4
            requested = {path.rsplit("/", 1)[-1] for path in host.requests[before:]}
            assert "damka.wasm" in requested
            assert "damka-simd.wasm" not in requested
            assert window.errors == []
    finally:
        host.replaced.clear()


def test_only_one_kernel_is_cached(browser: Browser, host: Host) -> None:
    with open_context(browser) as context:
        window = open_window(context, host).open("en/index.html").wait_until_cached()
        cached: list[str] = window.page.evaluate(
            """async () => {
              const [name] = await caches.keys();
              return (await (await caches.open(name)).keys()).map(({ url }) => url);
            }"""
        )
        kernels = [url for url in cached if url.rsplit("/", 1)[-1].startswith("damka")]
        assert [url.rsplit("/", 1)[-1] for url in kernels] == ["damka-simd.wasm"]
