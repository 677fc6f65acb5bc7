"""The browser's Python: the packages and what they need of the library, as one archive."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

__all__ = ["PYODIDE", "archive", "licences"]

ROOT: Final = Path(__file__).parents[2]
PYODIDE: Final = ROOT / "site" / "node_modules" / "pyodide"
COMPILED: Final = ROOT / "build" / "site" / "compiled"
_COMPILER: Final = tuple(Path(__file__).with_name(name) for name in ("compile.mjs", "compiling.py"))
WHEELS: Final = ROOT / "build" / "site" / "wheels"
OURS: Final = {"damka": ROOT / "src" / "damka", "damka_site": ROOT / "site/python/damka_site"}
BRIDGE: Final = ROOT / "site" / "python" / "bridge"
_WITHOUT: Final = (
    *("cli", "match", "rating", "server", "tournament", "training", "web/static"),
    *("reference.py", "rl.py"),
)
"""Of `damka`: what a browser has no use for."""
_KINDS: Final = {".py", ".po", ".toml", ".txt", ".html"}
_PLAIN: Final = ("jinja2", "markupsafe")
"""Packages of this environment that are plain Python, or can do without their compiled part."""
_DATE: Final = (2020, 1, 1, 0, 0, 0)  # the same files make the same archive


def _files() -> Iterator[tuple[str, bytes]]:
    for name, folder in OURS.items():
        for path in sorted(folder.rglob("*")):
            place = path.relative_to(folder).as_posix()
            if path.suffix in _KINDS and not place.startswith(_WITHOUT):
                yield f"{name}/{place}", path.read_bytes()
    for path in sorted(BRIDGE.glob("*.py")):
        if path.stem != "in_library":
            yield f"damka/_core/{path.name}", path.read_bytes()
    for wheel in _wheels():
        with zipfile.ZipFile(wheel) as packed:
            for place in sorted(packed.namelist()):
                if ".dist-info/" not in place and not place.endswith("/"):
                    yield place, packed.read(place)
    for name in _PLAIN:
        dist = distribution(name)
        for file in sorted(dist.files or (), key=str):
            if file.suffix == ".py":
                yield file.as_posix(), Path(str(dist.locate_file(file))).read_bytes()


def _wheels() -> list[Path]:
    found = sorted(WHEELS.glob("*.whl"))
    if not found:
        raise SystemExit(f"no wheels in {WHEELS}: run `make site`")
    return found


def archive() -> bytes:
    """Return the archive that the worker unpacks: a tar file of compiled code, deflated."""
    sources = _sources()
    parts = (sources, (PYODIDE / "package.json").read_bytes(), *map(Path.read_bytes, _COMPILER))
    key = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
    kept = COMPILED / f"{key[:16]}.data"
    if not kept.exists():
        _compile(sources, kept)
    return kept.read_bytes()


def _sources() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for place, data in _files():
            packed.writestr(zipfile.ZipInfo(place, _DATE), data)
    return made.getvalue()


def _compile(sources: bytes, kept: Path) -> None:
    """Compile the sources in Pyodide into `kept`, in place of what was kept before."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        packed, made = Path(folder, "packages.zip"), Path(folder, "python.tar")
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
        deflated = Path(folder, "python.data")
        deflated.write_bytes(zlib.compress(made.read_bytes(), 9))
        for before in kept.parent.glob("*.data"):
            before.unlink(missing_ok=True)
        deflated.rename(kept)


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
