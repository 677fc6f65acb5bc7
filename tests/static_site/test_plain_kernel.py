"""A browser without vector instructions (SIMD) also plays offline.

Chromium has no switch to disable SIMD any more. So the test replaces the instruction of the feature
test by an invalid one, which Chromium rejects as an older browser rejects SIMD.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chromium import Host
from tests.static_site.support import context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

VECTOR, NOTHING = re.compile(r"\b253,\s*98,\s*11\b"), "253,255,11"


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_it_plays_without_vectors_and_without_a_network(
    browser: Browser, host: Host, folder: Path
) -> None:
    asking = [
        path
        for path in (folder / "sw.js", *folder.glob("static/*/*.js"))
        if VECTOR.search(path.read_text("utf-8"))
    ]
    assert "sw.js" in {path.name for path in asking}
    assert len(asking) == 2
    # The service worker verifies files by their hashes: change it last, with the new hashes.
    sums: dict[str, str] = {}
    for path in sorted(asking, key=lambda path: path.name == "sw.js"):
        text = path.read_text("utf-8")
        changed = VECTOR.sub(NOTHING, text)
        if path.name == "sw.js":
            for old, new in sums.items():
                changed = changed.replace(old, new)
        else:
            sums[_sum(text)] = _sum(changed)
        host.replaced[path.relative_to(folder).as_posix()] = changed.encode()
    try:
        with context(browser) as made:
            before = len(host.requests)
            desk = window(made, host).open("en/index.html").kept()
            made.set_offline(True)
            desk.new_game("dama64", opponent="computer", level="3").play_on(3, 2, "W")
            assert len(desk.game().history) == 4
            asked = {path.rsplit("/", 1)[-1] for path in host.requests[before:]}
            assert "damka.wasm" in asked
            assert "damka-simd.wasm" not in asked
            assert desk.errors == []
    finally:
        host.replaced.clear()


def test_one_kernel_is_kept(browser: Browser, host: Host) -> None:
    with context(browser) as made:
        desk = window(made, host).open("en/index.html").kept()
        kept: list[str] = desk.page.evaluate(
            """async () => {
              const [name] = await caches.keys();
              return (await (await caches.open(name)).keys()).map(({ url }) => url);
            }"""
        )
        kernels = [url for url in kept if url.rsplit("/", 1)[-1].startswith("damka")]
        assert [url.rsplit("/", 1)[-1] for url in kernels] == ["damka-simd.wasm"]
