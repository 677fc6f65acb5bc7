"""Build of the site: pages, static files, kernel, Python and service worker."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from damka.engine.weights import shipped
from damka.locales import LANGUAGES
from damka.pages import WEB
from damka.rules import Rules
from damka.server.static import minify_script, minify_style
from tools.js_package.data import module as rules_data
from tools.static_site import packages, pages
from tools.static_site.packages import PYODIDE
from tools.static_site.sizes import sent

__all__ = ["write"]

ROOT: Final = Path(__file__).parents[2]
SITE: Final = ROOT / "site"
SHARED: Final = tuple(
    ROOT / "js" / name for name in ("kernel.js", "watch.js", "weights.js", "search_worker.js")
)
"""Modules that the site shares with the JavaScript package."""
WASM: Final = ROOT / "build" / "wasm"
_PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_KERNELS: Final = {"simd": "damka-simd.wasm", "plain": "damka.wasm"}
_SERVER_ONLY: Final = (
    *("live.js", "dismiss.js", "settings_sync.js", "lesson_sync.js", "account.js", "account.css"),
    *("seek.js", "seek.css", "lobby.js", "lobby.css", "empty.css", "invite.css"),
    *("events.js", "events.css", "event.js", "event_game.js", "follow.js", "mini.js"),
    *("projector.js", "projector.css", "paper.js", "print.css"),
)
"""Page files that only a server needs."""
_NO_LIBRARY: Final = b"PK\5\6" + bytes(18)
"""An empty archive: Pyodide fetches its standard library, but the site has its own compiled one."""
_LENGTH: Final = 16
_PACKAGE: Final = "kernel"
"""Folder of the JavaScript package, in that of the static files."""


def write(folder: Path, house: Sequence[Rules] = ()) -> None:
    """Write the site into `folder`, replacing its contents.

    Raises SystemExit if a prerequisite was not built.
    """
    part = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    site = _Site(part)
    static, kernel = site.static()
    for file, text in pages.pages(house, static, kernel):
        site.put(file, text.encode())
    for file, text in pages.boards(house):
        site.put(file, text.encode())
    for icon in (SITE / "icons").iterdir():
        site.put(icon.name, icon.read_bytes())
    site.put("icon.svg", (WEB / "static" / "icon.svg").read_bytes())
    site.put("licences.txt", _licences().encode())
    site.service_worker()
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


class _Site:
    """The files written below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._files: Final[dict[str, str]] = {}

    def put(self, file: str, data: bytes) -> str:
        """Write a file; return its path in the site."""
        path = self._folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._files[file] = _hash(data)
        return file

    def static(self) -> tuple[str, dict[str, Any]]:
        """Write the pages' files into a folder named by their common hash.

        Returns the folder, and `kernel` of the page's JSON.
        """
        of_pages, of_site = (
            {path.name: path for path in folder.iterdir() if path.suffix in {".js", ".css", ".svg"}}
            for folder in (WEB / "static", SITE / "js")
        )
        if (common_names := of_pages.keys() & of_site.keys()) != {"transport.js"}:
            raise SystemExit(f"only transport.js may replace a page's file, not {common_names}")
        files = {name: _minified(path) for name, path in sorted({**of_pages, **of_site}.items())}
        files |= {path.name: _minified(path) for path in (*SHARED, SITE / "site.css")}
        for name in _SERVER_ONLY:
            files.pop(name)
        assets = self._assets()
        files["assets.js"] = f"export const ASSETS = {json.dumps(assets)};\n".encode()
        files |= _package(assets["weights"])
        manifest = "\n".join(f"{name} {_hash(data)}" for name, data in sorted(files.items()))
        folder = f"static/{_hash(manifest.encode())}"
        for name, data in files.items():
            self.put(f"{folder}/{name}", data)
        wasm = {kind: assets[kind] for kind in _KERNELS}
        return folder, {"module": f"./{_PACKAGE}/index.js", "wasm": wasm}

    def _assets(self) -> dict[str, Any]:
        """Write the workers' files; return their addresses, relative to the static files."""
        up = "../../"
        version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
        python = f"pyodide/{version}/"
        for name in _PYODIDE_FILES:
            self.put(f"{python}{name}", (PYODIDE / name).read_bytes())
        first, more = packages.archives()
        data_files = {
            "python": ("python.data", first),
            "more": ("more.data", more),
            "stdlib": ("empty.zip", _NO_LIBRARY),
            **{kind: (name, _read_built(WASM / name)) for kind, name in _KERNELS.items()},
        }
        lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
        assets: dict[str, Any] = {
            "pyodide": up + python,
            "packages": {"info": lock["info"], "packages": {}},
        }
        for key, (name, data) in data_files.items():
            assets[key] = up + self.put(f"data/{_hash(data)}/{name}", data)
        texts = {}
        for language in LANGUAGES:
            data = packages.catalogue(language)
            texts[language] = up + self.put(f"data/{_hash(data)}/{language}.data", data)
        weights = {}
        for name, _ in shipped.index():
            data = (shipped.folder() / name).read_bytes()
            weights[name] = up + self.put(f"data/{_hash(data)}/{name}", data)
        first_addresses = (str(assets[key]) for key in ("python", *_KERNELS))
        engine = f"{up}{python}pyodide.asm.wasm"
        lengths = {
            address: self._lengths(address.removeprefix(up))
            for address in (*first_addresses, *texts.values(), engine)
        }
        return {**assets, "weights": weights, "texts": texts, "sizes": lengths}

    def _lengths(self, file: str) -> tuple[int, int]:
        """Return the size of a file, and its compressed size, in bytes."""
        data = (self._folder / file).read_bytes()
        return len(data), sent(data)

    def service_worker(self) -> None:
        """Write the service worker, which caches all files of this version."""
        text = (SITE / "sw.js").read_text("utf-8")
        file_list = "\n".join(f"{file} {hash_}" for file, hash_ in sorted(self._files.items()))
        # Files of every page come first. The browser caches only the kernel that it runs.
        kernels = {
            kind: next(file for file in self._files if file.endswith(f"/{name}"))
            for kind, name in _KERNELS.items()
        }
        files = sorted(
            self._files.keys() - set(kernels.values()),
            key=lambda file: (not file.startswith(("static/", "pyodide/", "data/")), file),
        )
        head = (
            f"const VERSION = {json.dumps(_hash((file_list + text).encode()))};\n"
            f"const FILES = {json.dumps(files)};\n"
            f"const SUMS = {json.dumps(dict(sorted(self._files.items())))};\n"
            f"const KERNELS = {json.dumps(kernels)};\n"
        )
        (self._folder / "sw.js").write_text(head + text, encoding="utf-8")


def _package(weights: Mapping[str, str]) -> dict[str, bytes]:
    """Return the modules of the JavaScript package, with which pages analyse positions.

    Those that the site has already are only named.
    """
    files = {
        f"{_PACKAGE}/{path.name}": (
            f'export * from "../{path.name}";\n'.encode() if path in SHARED else _minified(path)
        )
        for path in sorted((ROOT / "js").glob("*.js"))
        if path.name != "search_worker.js"
    }
    addresses = {name: f"../{address}" for name, address in weights.items()}
    return {**files, f"{_PACKAGE}/rules_data.js": rules_data(addresses).encode()}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_LENGTH]


def _minified(path: Path) -> bytes:
    if path.suffix == ".svg":
        return path.read_bytes()
    text = path.read_text("utf-8")
    return (minify_script if path.suffix == ".js" else minify_style)(text).encode()


def _read_built(path: Path) -> bytes:
    if not path.exists():
        raise SystemExit(f"{path.relative_to(ROOT)} is not built: run `make site`")
    return path.read_bytes()


def _licences() -> str:
    """Return the licences of everything in the site."""
    licence_texts = [("Damka", (ROOT / "LICENSE").read_text("utf-8"))]
    readme = (
        "Pyodide is under the Mozilla Public License 2.0, https://mozilla.org/MPL/2.0/; its\n"
        "source is at https://github.com/pyodide/pyodide. It contains Python, under the Python\n"
        "Software Foundation License Version 2, https://docs.python.org/3/license.html, and\n"
        "libraries that are listed there.\n"
    )
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    licence_texts.append((f"Pyodide {version}", readme))
    licence_texts += packages.licences()
    return "\n\n".join(
        f"{name}\n{'=' * len(name)}\n\n{text.strip()}\n" for name, text in licence_texts
    )
