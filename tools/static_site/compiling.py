"""Compiling the browser's Python to what it loads fastest; `compile.mjs` runs this in Pyodide.

Of the standard library there goes in what `damka_site` can come to import, by the imports in all
the code that it reaches. Of what asyncio, shutil and others import only where it is there, or in
functions that nobody calls in a browser, nothing goes in.
"""

from __future__ import annotations

import importlib.util
import io
import marshal
import modulefinder
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Final

LIBRARY: Final = Path("/library")
PACKAGES: Final = Path("/packages")
ENTRIES: Final = (
    "damka_site.in_browser",
    *("asyncio", "encodings", "site"),
    # Encodings are found by their names: Python's own, those of templates, and those of PDN files.
    *(
        f"encodings.{name}"
        for name in ("aliases", "ascii", "charmap", "idna", "latin_1", "punycode")
    ),
    *(f"encodings.{name}unicode_escape" for name in ("", "raw_")),
    *(f"encodings.utf_{name}" for name in ("7", "8", "8_sig")),
    *(f"encodings.utf_{size}{order}" for size in (16, 32) for order in ("", "_be", "_le")),
    *(f"encodings.{name}" for name in ("cp437", "cp866", "cp1251", "cp1252", "koi8_r")),
)
WHOLE: Final = ("_pyodide", "pyodide")
"""Packages with all their modules: Pyodide imports them from JavaScript and from C."""
WITHOUT: Final = (
    *("_pydatetime", "_pydecimal", "_pyrepl", "argparse", "asyncio.proactor_events"),
    *("asyncio.tools", "asyncio.windows_events", "asyncio.windows_utils", "bz2", "compression"),
    *("concurrent.futures.interpreter", "concurrent.futures.process", "concurrent.interpreters"),
    *("ctypes", "doctest", "getopt", "importlib.metadata", "lzma", "platform", "pydoc", "ssl"),
    *("tarfile", "tracemalloc", "urllib.request"),
)
OURS: Final = ("damka", "damka_site")
LONGEST_NAME: Final = 100
"""Bytes; with a longer one a tar archive would need a prefix."""


def _library() -> dict[str, Path]:
    finder = modulefinder.ModuleFinder(path=[str(PACKAGES), str(LIBRARY)], excludes=list(WITHOUT))
    for name in ENTRIES:
        finder.import_hook(name)
    for name in WHOLE:
        finder.import_hook(name, None, ["*"])
    missing: dict[str, dict[str, Any]] = finder.badmodules
    for name, importing in missing.items():
        left_out = any(f"{name}.".startswith(f"{each}.") for each in WITHOUT)
        ours = [each for each in importing if each.split(".")[0] in OURS]
        if left_out and ours:
            raise ValueError(f"{name} is left out, but {ours} import it")
    modules: dict[str, Any] = finder.modules
    paths = (Path(module.__file__) for module in modules.values() if module.__file__)
    return {path.relative_to(LIBRARY).as_posix(): path for path in paths if LIBRARY in path.parents}


def _packages() -> dict[str, Path]:
    paths = (path for path in PACKAGES.rglob("*") if path.is_file())
    return {path.relative_to(PACKAGES).as_posix(): path for path in paths}


def _compiled(name: str, source: bytes) -> bytes:
    """Return the file with the code, whose source nobody compares."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    flags, hash_ = (1).to_bytes(4, "little"), bytes(8)
    return importlib.util.MAGIC_NUMBER + flags + hash_ + marshal.dumps(code)


def main() -> None:
    """Write /python.tar: the same bytes for the same sources."""
    for name in ("library", "packages"):
        with zipfile.ZipFile(f"/{name}.zip") as packed:
            packed.extractall(f"/{name}")  # noqa: S202  our own files
    with tarfile.open("/python.tar", "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, path in sorted({**_library(), **_packages()}.items()):
            data = path.read_bytes()
            entry = tarfile.TarInfo(name)
            if path.suffix == ".py":
                entry.name, data = f"{name}c", _compiled(name, data)
            if len(entry.name.encode()) > LONGEST_NAME:
                raise ValueError(f"the name is too long: {entry.name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


if __name__ == "__main__":
    main()
