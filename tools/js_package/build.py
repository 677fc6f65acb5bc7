"""Build of the package: modules, types, kernel, weights, example."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

from damka.engine.weights import shipped
from damka.server.static import minify_style
from tools.js_package import data

__all__ = ["style", "write"]

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = ROOT / "js"
STATIC: Final = ROOT / "src" / "damka" / "web" / "static"
WASM: Final = ROOT / "build" / "wasm"
TYPES: Final = ROOT / "build" / "js" / "types"
MODULES: Final = ROOT / "build" / "js" / "modules"

ENTRIES: Final = ("index.js", "element/element.js")
"""Public modules; shared code is bundled into files beside them."""

WORKER: Final = "search_worker.js"
"""The engine's worker, bundled separately: one file to copy."""

ELEMENT: Final = (
    "board",
    "board_state",
    "board_view",
    "cells",
    "gestures",
    "layout",
    "marks",
    "motion",
    "pieces",
    "resolve",
    "shapes",
)
"""Modules of the page that the board element uses."""
_BUNDLE_OPTIONS: Final = (
    "--bundle",
    "--minify",
    "--keep-names",
    "--format=esm",
    "--target=es2022",
    "--log-level=warning",
)
_SPLIT_OPTIONS: Final = (
    "--splitting",
    "--chunk-names=chunk-[hash]",
    "--define:HTMLElement=BaseElement",
    f"--inject:{Path(__file__).with_name('base_element.js')}",
)
_BESIDE: Final = re.compile(r"new URL\(\s*[\"'`](\./[^\"'`]+)[\"'`],\s*import\.meta\.url\)")
FACES: Final = (".piece .shadow", ".w .face", ".b .face")
"""Rules of base.css that the element needs."""


def write(folder: Path) -> None:
    """Write the package into `folder`, replacing its contents.

    Raises SystemExit if a prerequisite was not built.
    """
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    modules = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in _modules()}
    for name in ELEMENT:
        modules[f"element/{name}.js"] = (STATIC / f"{name}.js").read_text("utf-8")
    modules |= {
        "rules_data.js": data.module(),
        "element/style.js": f"export const STYLE = {json.dumps(style())};\n",
    }
    shutil.rmtree(MODULES, ignore_errors=True)
    for name, text in modules.items():
        _put(MODULES / name, text)
    # Without this, the bundled modules would import each other for side effects that do not exist.
    effects = json.loads((SOURCE / "package.json").read_text("utf-8"))["sideEffects"]
    _put(MODULES / "package.json", json.dumps({"type": "module", "sideEffects": effects}))
    entries = (str(MODULES / entry) for entry in ENTRIES)
    _run("esbuild", *entries, *_BUNDLE_OPTIONS, *_SPLIT_OPTIONS, f"--outdir={part}")
    _run("esbuild", str(MODULES / WORKER), *_BUNDLE_OPTIONS, f"--outdir={part}")
    for name, text in _types():
        _put(part / name, text)
    _put(part / "package.json", _manifest())
    for path in (
        ROOT / "LICENSE",
        SOURCE / "README.md",
        WASM / "damka.wasm",
        WASM / "damka-simd.wasm",
    ):
        if not path.exists():
            raise SystemExit(f"{path.relative_to(ROOT)} is not built: run `make js`")
        shutil.copyfile(path, part / path.name)
    (part / "weights").mkdir()
    for name, _ in shipped.index():
        shutil.copyfile(shipped.folder() / name, part / "weights" / name)
    shutil.copytree(SOURCE / "example", part / "example")
    _check_addresses(part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _check_addresses(folder: Path) -> None:
    """Raise SystemExit if a module refers to a missing file beside it."""
    for path in folder.rglob("*.js"):
        for name in _BESIDE.findall(path.read_text("utf-8")):
            if not (path.parent / name).exists():
                raise SystemExit(f"{path.relative_to(folder)} refers to {name}, which is missing")


def _modules() -> list[Path]:
    return sorted((*SOURCE.glob("*.js"), *SOURCE.glob("element/*.js")))


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _run(*command: str) -> None:
    """Run one of the tools of package.json."""
    line = ["npx", "--no-install", *command]
    completed = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    if completed.returncode:
        raise SystemExit(completed.stdout + completed.stderr)


def style() -> str:
    """Return the style of the page's board, adapted for the element's shadow tree."""
    base = (STATIC / "base.css").read_text("utf-8")
    faces = []
    for selector in FACES:
        match = re.search(rf"^{re.escape(selector)} {{.*}}$", base, re.MULTILINE)
        if match is None:
            raise SystemExit(f"base.css has no rule {selector}")
        faces.append(match[0])
    board = (STATIC / "board.css").read_text("utf-8").replace("damka-board", "damka-squares")
    host = (SOURCE / "element" / "host.css").read_text("utf-8")
    return minify_style("\n".join((board, *faces, host)))


def _types() -> list[tuple[str, str]]:
    """Return the declarations of the public modules, generated from their comments."""
    shutil.rmtree(TYPES, ignore_errors=True)
    _run("tsc", "-p", "js/types.json")
    declared = {
        path.relative_to(TYPES / "js").as_posix(): path.read_text("utf-8")
        for path in sorted((TYPES / "js").rglob("*.d.ts"))
    }
    declared["element/element.d.ts"] += (SOURCE / "element" / "events.d.ts.in").read_text("utf-8")
    declared["rules_data.d.ts"] = (SOURCE / "rules_data.d.ts").read_text("utf-8")
    return list(declared.items())


def _manifest() -> str:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    manifest = json.loads((SOURCE / "package.json").read_text("utf-8"))
    name = manifest.pop("name")
    whole = {"name": name, "version": version, **manifest}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
