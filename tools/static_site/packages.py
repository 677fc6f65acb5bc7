"""The browser's Python packages, as one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

__all__ = ["archive", "licences"]

ROOT: Final = Path(__file__).parents[2]
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
    """Return the archive that the worker unpacks."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for place, data in _files():
            packed.writestr(zipfile.ZipInfo(place, _DATE), data, zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


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
