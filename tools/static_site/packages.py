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
OWN_PACKAGES: Final = {
    "damka": ROOT / "src" / "damka",
    "damka_site": ROOT / "site/python/damka_site",
}
BRIDGE: Final = ROOT / "site" / "python" / "bridge"
LAZY_MODULES: Final = ROOT / "site" / "python" / "lazy_modules.py"
_EXCLUDED: Final = (
    *("cli", "match", "rating", "server", "tournament", "training", "web/static"),
    "rl.py",
)
"""Parts of `damka` that a browser does not need."""
_KINDS: Final = {".py", ".toml", ".txt", ".html"}
_PURE_PYTHON: Final = ("jinja2", "markupsafe")
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
    yield from _own_files()
    for wheel in _wheels():
        with zipfile.ZipFile(wheel) as archive:
            for name_inside in sorted(archive.namelist()):
                if name_inside.endswith((".py", ".so")) and ".dist-info/" not in name_inside:
                    yield name_inside, archive.read(name_inside)
    for name in _PURE_PYTHON:
        dist = distribution(name)
        for file in sorted(dist.files or (), key=str):
            if file.suffix == ".py":
                yield file.as_posix(), Path(str(dist.locate_file(file))).read_bytes()


def _own_files() -> Iterator[tuple[str, bytes]]:
    for name, folder in OWN_PACKAGES.items():
        for path in sorted(folder.rglob("*")):
            name_inside = path.relative_to(folder).as_posix()
            if path.suffix in _KINDS and not name_inside.startswith(_EXCLUDED):
                yield f"{name}/{name_inside}", path.read_bytes()
    yield LAZY_MODULES.name, LAZY_MODULES.read_bytes()
    for language in locales.LANGUAGES:
        for name_inside, data in locales.compile_catalogues(language).items():
            yield f"damka/locales/{language}/{name_inside}", data
    for path in sorted(BRIDGE.glob("*.py")):
        if path.stem != "in_library":
            yield f"damka/_core/{path.name}", path.read_bytes()


def _wheels() -> list[Path]:
    wheels = sorted(WHEELS.glob("*.whl"))
    if not wheels:
        raise SystemExit(f"no wheels in {WHEELS}: run `make site`")
    return [wheel for wheel in wheels if not wheel.name.startswith(f"{_NOT_SHIPPED}-")]


def archives() -> Archives:
    """Return the archives that the worker unpacks."""
    sources = _sources()
    inputs = (sources, (PYODIDE / "package.json").read_bytes(), *map(Path.read_bytes, _COMPILER))
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in inputs)).hexdigest()
    cache = COMPILED / key[:16]
    if not cache.exists():
        _compile(sources, cache)
    return Archives(*((cache / f"{name}.data").read_bytes() for name in Archives._fields))


def catalogue(language: str) -> bytes:
    """Return the archive of a language's catalogues."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in locales.compile_catalogues(language).items():
            entry = tarfile.TarInfo(f"damka/locales/{language}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return zlib.compress(buffer.getvalue(), _LEVEL)


def _sources() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name_inside, data in _files():
            archive.writestr(zipfile.ZipInfo(name_inside, _DATE), data)
    return buffer.getvalue()


def _compile(sources: bytes, cache: Path) -> None:
    """Compile the sources in Pyodide into the folder `cache`, replacing its contents."""
    cache.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache.parent) as folder:
        archive, output = Path(folder, "packages.zip"), Path(folder, "compiled")
        output.mkdir()
        archive.write_bytes(sources)
        program, script = _COMPILER
        result = subprocess.run(  # noqa: S603  our own program
            ["node", program, PYODIDE, script, archive, output],  # noqa: S607
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise SystemExit(f"compiling the browser's Python:\n{result.stderr[-4000:]}")
        for tar in (*output.iterdir(),):
            tar.with_suffix(".data").write_bytes(zlib.compress(tar.read_bytes(), _LEVEL))
            tar.unlink()
        for stale in cache.parent.iterdir():
            if stale.name != Path(folder).name:
                shutil.rmtree(stale) if stale.is_dir() else stale.unlink(missing_ok=True)
        output.rename(cache)


def licences() -> list[tuple[str, str]]:
    """Return the licences of the packages: [(name and version, text)]."""
    licence_texts = []
    for wheel in _wheels():
        with zipfile.ZipFile(wheel) as archive:
            texts = [
                archive.read(name_inside).decode("utf-8", "replace")
                for name_inside in sorted(archive.namelist())
                if ".dist-info/" in name_inside
                and ("LICEN" in name_inside.upper() or "COPYING" in name_inside)
            ]
        name = "-".join(wheel.name.split("-")[:2])
        licence_texts.append((name, "\n".join(texts) or "see the package's page"))
    for name in _PURE_PYTHON:
        dist = distribution(name)
        texts = [
            Path(str(dist.locate_file(file))).read_text("utf-8")
            for file in dist.files or ()
            if "LICEN" in file.name.upper()
        ]
        licence_texts.append((f"{name}-{dist.version}", "\n".join(texts)))
    return licence_texts
