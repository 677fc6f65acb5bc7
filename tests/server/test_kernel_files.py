"""The kernel for browsers: its files on the server, and the policy of its worker."""

from __future__ import annotations

import json
from pathlib import Path

from tests.server.support import Browser, serving

FILES = {"index.js": "export {};", "damka.wasm": "\0asm" * 900, "damka-simd.wasm": "\0asm"}


def test_the_files_are_served_for_ever(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "weights").mkdir(parents=True)
    for name, text in {**FILES, "weights/x.weights": "x", "index.d.ts": "secret"}.items():
        (package / name).write_text(text)
    with serving(tmp_path, kernel=package) as server, Browser(server.url) as browser:
        text = browser.http.get("/analyse/american").text
        page = json.loads(text.split('id="page">')[1].split("</script>")[0])
        module = page["kernel"]["module"]
        response = browser.http.get(module)
        assert response.text == FILES["index.js"]
        assert "immutable" in response.headers["cache-control"]
        wasm = browser.http.get(module.replace("index.js", "damka.wasm"))
        assert wasm.headers["content-type"] == "application/wasm"
        assert wasm.headers["content-encoding"] == "br"
        assert int(wasm.headers["content-length"]) < len(wasm.content)
        for name, status in (("weights/x.weights", 200), ("index.d.ts", 404), ("../x", 404)):
            assert browser.http.get(module.replace("index.js", name)).status_code == status
        # Only the worker may compile WebAssembly; its page and it may share memory.
        worker = browser.http.get(server.app.state.static.url("analysis_worker.js"))
        assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
        page_headers = browser.http.get("/analyse").headers
        assert "unsafe" not in page_headers["content-security-policy"]
        for headers in (worker.headers, page_headers):
            assert headers["cross-origin-embedder-policy"] == "require-corp"


def test_an_incomplete_package_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "index.js").write_text("")
    with serving(tmp_path, kernel=tmp_path) as server, Browser(server.url) as browser:
        assert '"kernel": null' in browser.http.get("/analyse/american").text.replace(
            ":null", ": null"
        )
        assert browser.http.get("/kernel/index.js").status_code == 404
