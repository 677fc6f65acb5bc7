"""The browser's Python: packages and their standard library modules, in two archives."""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final, NamedTuple

from damka import locales

__all__ = ["PYODIDE", "Archives", "archives", "catalogue", "licences"]

ROOT: Final = Path(__file__).parents[2]
PYODIDE: Final = ROOT / "site" / "node_modules" / "pyodide"
COMPILED: Final = ROOT / "build" / "site" / "compiled"
_COMPILER: Final = tuple(Path(__file__).with_name(name) for name in ("compile.mjs", "compiling.py"))
WHEELS: Final = ROOT / "build" / "site" / "wheels"
OURS: Final = {"damka": ROOT / "src" / "damka", "damka_site": ROOT / "site/python/damka_site"}
BRIDGE: Final = ROOT / "site" / "python" / "bridge"
LAZY_MODULES: Final = ROOT / "site" / "python" / "lazy_modules.py"
_WITHOUT: Final = (
    *("cli", "match", "rating", "server", "tournament", "training", "web/static"),
    *("reference.py", "rl.py"),
)
"""Parts of `damka` that a browser does not need."""
_KINDS: Final = {".py", ".toml", ".txt", ".html"}
_PLAIN: Final = ("jinja2", "markupsafe")
"""Packages of this environment that are pure Python, or work without their compiled part."""
_NOT_SHIPPED: Final = "polib"
"""Only for tests in Pyodide: the site's catalogues are compiled."""
_DATE: Final = (2020, 1, 1, 0, 0, 0)  # for reproducible archives
_LEVEL: Final = 9


class Archives(NamedTuple):
    """Compressed tar files of compiled code."""

    first: bytes
    """The archive of a first game."""
    more: bytes


def _files() -> Iterator[tuple[str, bytes]]:
    yield from _ours()
    for wheel in _wheels():
        with zipfile.ZipFile(wheel) as packed:
            for place in sorted(packed.namelist()):
                if place.endswith((".py", ".so")) and ".dist-info/" not in place:
                    yield place, packed.read(place)
    for name in _PLAIN:
        dist = distribution(name)
        for file in sorted(dist.files or (), key=str):
            if file.suffix == ".py":
                yield file.as_posix(), Path(str(dist.locate_file(file))).read_bytes()


def _ours() -> Iterator[tuple[str, bytes]]:
    for name, folder in OURS.items():
        for path in sorted(folder.rglob("*")):
            place = path.relative_to(folder).as_posix()
            if path.suffix in _KINDS and not place.startswith(_WITHOUT):
                yield f"{name}/{place}", path.read_bytes()
    yield LAZY_MODULES.name, LAZY_MODULES.read_bytes()
    for language in locales.LANGUAGES:
        for place, data in locales.compiled(language).items():
            yield f"damka/locales/{language}/{place}", data
    for path in sorted(BRIDGE.glob("*.py")):
        if path.stem != "in_library":
            yield f"damka/_core/{path.name}", path.read_bytes()


def _wheels() -> list[Path]:
    found = sorted(WHEELS.glob("*.whl"))
    if not found:
        raise SystemExit(f"no wheels in {WHEELS}: run `make site`")
    return [wheel for wheel in found if not wheel.name.startswith(f"{_NOT_SHIPPED}-")]


def archives() -> Archives:
    """Return the archives that the worker unpacks."""
    sources = _sources()
    parts = (sources, (PYODIDE / "package.json").read_bytes(), *map(Path.read_bytes, _COMPILER))
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    kept = COMPILED / key[:16]
    if not kept.exists():
        _compile(sources, kept)
    return Archives(*((kept / f"{name}.data").read_bytes() for name in Archives._fields))


def catalogue(language: str) -> bytes:
    """Return the archive of a language's catalogues."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for name, data in locales.compiled(language).items():
            entry = tarfile.TarInfo(f"damka/locales/{language}/{name}")
            entry.size = len(data)
            packed.addfile(entry, io.BytesIO(data))
    return zlib.compress(made.getvalue(), _LEVEL)


def _sources() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for place, data in _files():
            packed.writestr(zipfile.ZipInfo(place, _DATE), data)
    return made.getvalue()


def _compile(sources: bytes, kept: Path) -> None:
    """Compile the sources in Pyodide into the cache folder `kept`, replacing its content."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        packed, made = Path(folder, "packages.zip"), Path(folder, "made")
        made.mkdir()
        packed.write_bytes(sources)
        program, script = _COMPILER
        done = subprocess.run(  # noqa: S603  what it runs is ours
            ["node", program, PYODIDE, script, packed, made],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"compiling the browser's Python:\n{done.stderr[-4000:]}")
        for tar in (*made.iterdir(),):
            tar.with_suffix(".data").write_bytes(zlib.compress(tar.read_bytes(), _LEVEL))
            tar.unlink()
        for before in kept.parent.iterdir():
            if before.name != Path(folder).name:
                shutil.rmtree(before) if before.is_dir() else before.unlink(missing_ok=True)
        made.rename(kept)


def licences() -> list[tuple[str, str]]:
    """Return the licences of the packages: [(name and version, text)]."""
    told = []
    for wheel in _wheels():
        with zipfile.ZipFile(wheel) as packed:
            texts = [
                packed.read(place).decode("utf-8", "replace")
                for place in sorted(packed.namelist())
                if ".dist-info/" in place and ("LICEN" in place.upper() or "COPYING" in place)
            ]
        name = "-".join(wheel.name.split("-")[:2])
        told.append((name, "\n".join(texts) or "see the package's page"))
    for name in _PLAIN:
        dist = distribution(name)
        texts = [
            Path(str(dist.locate_file(file))).read_text("utf-8")
            for file in dist.files or ()
            if "LICEN" in file.name.upper()
        ]
        told.append((f"{name}-{dist.version}", "\n".join(texts)))
    return told
