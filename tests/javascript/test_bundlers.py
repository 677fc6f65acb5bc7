"""Pages that use the package installed by npm (not linked) and built with common bundlers."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from tests.chromium import Host
from tests.javascript.support import HERE, built

BUNDLERS: Final = HERE / "bundlers" / "node_modules"

PAGE: Final = """<!doctype html>
<link rel="icon" href="data:,">
<damka-board style="width: 300px"></damka-board>
<script type="module" src="./page.js"></script>
"""
SCRIPT: Final = """
import { Board, Engine, MoveError, loadRules, loadWeights } from "damka";
import "damka/element";

async function play() {
  const rules = await loadRules("russian", OPTIONS);
  const board = new Board(rules);
  const view = document.querySelector("damka-board");
  await view.show(board);
  const engine = new Engine({ weights: "bundled", ...ENGINE });
  const { move } = await engine.search(board, { depth: 4 });
  engine.close();
  const error = new MoveError("illegal", "");
  return {
    moves: board.legalMoves.length,
    move: board.push(move).text,
    weights: Boolean(await loadWeights(rules, WEIGHTS)),
    squares: view.shadowRoot.querySelectorAll(".piece").length,
    names: [board, engine, rules, move, error, view].map((each) => each.constructor.name),
  };
}

play().then(
  (results) => (globalThis.results = results),
  (error) => (globalThis.results = { error: String(error) }),
);
"""
NAMES: Final = ["Board", "Engine", "Rules", "Move", "MoveError", "BoardElement"]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command; assert that there are no errors or warnings, and return its output."""
    line = [str(part) for part in command]
    completed = subprocess.run(
        line, cwd=cwd, capture_output=True, text=True, check=False, timeout=200
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "warn" not in (completed.stdout + completed.stderr).lower()
    return completed.stdout + completed.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the packed package with npm into an empty project."""
    assert (BUNDLERS / "vite").exists(), "the bundlers are not installed: run `make ready`"
    folder = tmp_path_factory.mktemp("installed")
    (folder / "package.json").write_text('{"type": "module", "private": true}', "utf-8")
    run("npm", "pack", "--silent", built(), cwd=folder)
    [packed] = folder.glob("damka-*.tgz")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", f"./{packed.name}", cwd=folder)
    assert not (folder / "node_modules" / "damka").is_symlink()
    return folder


@pytest.fixture
def project(installed: Path, tmp_path: Path) -> Path:
    """Create a project of a page, with a copy of the installed package."""
    shutil.copytree(installed / "node_modules", tmp_path / "node_modules")
    shutil.copy(installed / "package.json", tmp_path)
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    write_script(tmp_path)
    return tmp_path


def write_script(folder: Path, **options: str) -> None:
    text = SCRIPT
    usual = {"OPTIONS": "{}", "ENGINE": "{}", "WEIGHTS": "undefined"}
    for name, value in {**usual, **options}.items():
        text = text.replace(name, value)
    (folder / "page.js").write_text(text, "utf-8")


def page_results(browser: Browser, address: str) -> dict[str, Any]:
    """Open a page and return its results; assert that no request failed."""
    page = browser.new_page()
    failed: list[str] = []
    page.on("response", lambda reply: failed.append(reply.url) if reply.status >= 400 else None)
    try:
        page.goto(address)
        page.wait_for_function("globalThis.results")
        results: dict[str, Any] = page.evaluate("globalThis.results")
    finally:
        page.close()
    assert not failed
    return results


def check(results: dict[str, Any]) -> None:
    assert "error" not in results, results["error"]
    assert (results["moves"], results["weights"], results["squares"]) == (7, True, 24)
    assert results["move"]


@contextmanager
def development(version: str, project: Path) -> Iterator[str]:
    """Run Vite's development server; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = BUNDLERS / version / "bin" / "vite.js"
    options = ("--host", "127.0.0.1", "--port", str(port), "--strictPort")
    server = subprocess.Popen(
        ["node", program, *options], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        for _ in range(600):
            assert server.poll() is None, server.communicate()[0]
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.communicate()


@pytest.mark.browser
@pytest.mark.parametrize("version", ["vite", "vite-7"])
def test_vite_serves_optimised_dependencies(version: str, project: Path, browser: Browser) -> None:
    with development(version, project) as address:
        results = page_results(browser, address)
    check(results)
    assert results["names"] == NAMES
    assert (project / "node_modules" / ".vite" / "deps" / "damka.js").exists()


@pytest.mark.browser
@pytest.mark.parametrize("version", ["vite", "vite-7"])
def test_vite_builds_a_page(version: str, project: Path, browser: Browser) -> None:
    run("node", BUNDLERS / version / "bin" / "vite.js", "build", "--base", "./", cwd=project)
    with Host(project / "dist") as host:
        check(page_results(browser, host.url))


@pytest.mark.browser
def test_esbuild_bundles_a_page_with_the_files_beside_it(project: Path, browser: Browser) -> None:
    bundle(project)
    package = project / "node_modules" / "damka"
    for path in (*package.glob("*.wasm"), package / "search_worker.js"):
        shutil.copy(path, project / "out")
    shutil.copytree(package / "weights", project / "out" / "weights")
    with Host(project / "out") as host:
        check(page_results(browser, host.url))


@pytest.mark.browser
def test_esbuild_bundles_a_page_with_explicit_addresses(project: Path, browser: Browser) -> None:
    shutil.copytree(project / "node_modules" / "damka", project / "out" / "lib" / "damka")
    [weights] = (built() / "weights").glob("russian-*")
    address = f'"./lib/damka/weights/{weights.name}"'
    worker = 'new Worker("./lib/damka/search_worker.js", { type: "module" })'
    write_script(
        project,
        OPTIONS='{ wasm: "./lib/damka/damka.wasm" }',
        ENGINE=f"{{ weights: {address}, worker: () => {worker} }}",
        WEIGHTS=address,
    )
    bundle(project)
    with Host(project / "out") as host:
        check(page_results(browser, host.url))


def bundle(project: Path) -> None:
    """Build the page with esbuild, without warnings."""
    esbuild = BUNDLERS / "esbuild" / "bin" / "esbuild"
    output = run(
        *(esbuild, "page.js", "--bundle", "--format=esm", "--outdir=out", "--log-level=warning"),
        cwd=project,
    )
    assert output == ""
    shutil.copy(project / "index.html", project / "out")


def test_bundled_classes_keep_their_names(project: Path) -> None:
    script = (
        'import * as damka from "damka"; import { BoardElement } from "damka/element";'
        "const all = { ...damka, BoardElement };"
        "const classes = Object.entries(all).filter(([, value]) => typeof value === 'function');"
        "for (const [name, value] of classes) if (name !== value.name) throw new Error(name);"
        "console.log(classes.length)"
    )
    (project / "names.js").write_text(script, "utf-8")
    assert int(run("node", "names.js", cwd=project)) > 15


def test_the_element_can_be_imported_without_a_page(project: Path) -> None:
    """In server-side rendering no element is defined, and creating one reports the cause."""
    script = (
        'import { BoardElement } from "damka/element";'
        "if ('HTMLElement' in globalThis || 'customElements' in globalThis) throw new Error();"
        "try { new BoardElement(); } catch (error) { console.log(error.message); }"
    )
    (project / "server.js").write_text(script, "utf-8")
    output = run("node", "server.js", cwd=project)
    assert output == "<damka-board> needs a browser: there is no HTMLElement here\n"
