"""Compile the browser's Python for the fastest load; `compile.mjs` runs this in Pyodide.

The output includes the modules of the standard library that `damka_site` can reach by imports. It
excludes optional imports of asyncio, shutil and others, and imports in functions that are not
called in a browser.

There are two archives. The first has the modules that `damka_site.in_browser` imports, and their
data: a first game needs no others. The second has the rest, which `lazy_modules` adds when it has
arrived, or when one of its modules is imported.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import marshal
import modulefinder
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

LIBRARY: Final = Path("/library")
PACKAGES: Final = Path("/packages")
OUT: Final = Path("/out")
ENTRIES: Final = (
    "damka_site.in_browser",
    *("asyncio", "encodings", "site"),
    # Encodings are imported by name: Python's own, those of templates, and those of PDN files.
    *(
        f"encodings.{name}"
        for name in ("aliases", "ascii", "charmap", "idna", "latin_1", "punycode")
    ),
    *(f"encodings.{name}unicode_escape" for name in ("", "raw_")),
    *(f"encodings.utf_{name}" for name in ("7", "8", "8_sig")),
    *(f"encodings.utf_{size}{order}" for size in (16, 32) for order in ("", "_be", "_le")),
    *(f"encodings.{name}" for name in ("cp850", "cp852", "cp866", "iso8859_2", "koi8_r")),
    *(f"encodings.cp125{digit}" for digit in (0, 1, 2, 4, 7)),
)
COMPLETE_PACKAGES: Final = ("_pyodide", "pyodide")
"""Packages included with all their modules: Pyodide imports them from JavaScript and from C."""
EXCLUDED: Final = (
    *("_pydatetime", "_pydecimal", "_pyrepl", "argparse", "asyncio.proactor_events"),
    *("asyncio.tools", "asyncio.windows_events", "asyncio.windows_utils", "bz2", "compression"),
    *("concurrent.futures.interpreter", "concurrent.futures.process", "concurrent.interpreters"),
    *("ctypes", "doctest", "getopt", "importlib.metadata", "lzma", "platform", "pydoc", "ssl"),
    *("tarfile", "tracemalloc", "urllib.request"),
)
OWN_PACKAGES: Final = ("damka", "damka_site")
FIRST: Final = (
    *("damka_site.in_browser", "lazy_modules", "asyncio", "site"),
    *(f"encodings.{name}" for name in ("aliases", "ascii", "latin_1", "utf_8")),
)
"""Modules imported before a first game begins, not all of them by import statements."""
FIRST_LAZILY: Final = ("damka._core.in_browser", "numbers")
"""Modules that functions and compiled modules import before then."""
LATER: Final = "lazy_modules.txt"
"""File with the names of the modules in the second archive."""
NOT_FIRST: Final = (".html", ".json", ".mo")
"""Suffixes of templates, and of catalogues, which have an archive for each language."""
LONGEST_NAME: Final = 100
"""Longest name in bytes: a tar archive needs a prefix for longer ones."""


def _library() -> dict[str, Path]:
    finder = modulefinder.ModuleFinder(path=[str(PACKAGES), str(LIBRARY)], excludes=list(EXCLUDED))
    for name in ENTRIES:
        finder.import_hook(name)
    for name in COMPLETE_PACKAGES:
        finder.import_hook(name, None, ["*"])
    missing: dict[str, dict[str, Any]] = finder.badmodules
    for name, importing in missing.items():
        is_excluded = any(f"{name}.".startswith(f"{each}.") for each in EXCLUDED)
        own = [each for each in importing if each.split(".")[0] in OWN_PACKAGES]
        if is_excluded and own:
            raise ValueError(f"{name} is excluded, but {own} import it")
    modules: dict[str, Any] = finder.modules
    paths = (Path(module.__file__) for module in modules.values() if module.__file__)
    return {path.relative_to(LIBRARY).as_posix(): path for path in paths if LIBRARY in path.parents}


def _packages() -> dict[str, Path]:
    paths = (path for path in PACKAGES.rglob("*") if path.is_file())
    return {path.relative_to(PACKAGES).as_posix(): path for path in paths}


class _Untyped(ast.NodeTransformer):
    """Removes code for type checkers."""

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        match node.test:
            case ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
                return node.orelse or ast.Pass()
            case ast.Compare(left=ast.Name("__name__")):
                return node.orelse or ast.Pass()
        return node


def _tree(source: bytes) -> ast.Module:
    tree: ast.Module = ast.fix_missing_locations(_Untyped().visit(ast.parse(source)))
    return tree


def _compiled(name: str, source: bytes) -> bytes:
    """Return the bytes of an unchecked pyc file."""
    code = compile(_tree(source), name, "exec", dont_inherit=True, optimize=2)
    flags, hash_ = (1).to_bytes(4, "little"), bytes(8)
    return importlib.util.MAGIC_NUMBER + flags + hash_ + marshal.dumps(code)


def _module(name: str) -> str | None:
    """Return the module of a file; None for other files."""
    place, dot, kind = name.partition(".")
    if not dot or kind.rpartition(".")[2] not in {"py", "so"}:
        return None
    return place.removesuffix("/__init__").replace("/", ".")


def _imported(tree: ast.Module, module: str, *, package: bool) -> Iterator[str]:
    """Yield names that may be modules among the imports of a module."""
    nodes: list[ast.AST] = [*tree.body]
    while nodes:
        match nodes.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                pass
            case ast.Import(names):
                yield from (each.name for each in names)
            case ast.ImportFrom(of, names, level):
                parts = module.split(".")
                here = parts[: len(parts) + package - level] if level else []
                base = ".".join([*here, *filter(None, [of])])
                yield base
                yield from (f"{base}.{each.name}" for each in names)
            case node:
                nodes += ast.iter_child_nodes(node)


def _first(files: Mapping[str, Path]) -> set[str]:
    """Return the modules that a first game needs."""
    of = {module: name for name in files if (module := _module(name)) is not None}
    modules: set[str] = set()
    todo = [
        *FIRST,
        *FIRST_LAZILY,
        *(each for each in of if each.split(".")[0] in COMPLETE_PACKAGES),
    ]
    while todo:
        parts = todo.pop().split(".")
        for i in range(1, len(parts) + 1):
            module = ".".join(parts[:i])
            if module in modules or module not in of:
                continue
            modules.add(module)
            name = of[module]
            if name.endswith(".py"):
                tree = _tree(files[name].read_bytes())
                todo += _imported(tree, module, package=name.endswith("/__init__.py"))
    return modules


def _belongs(name: str, first: set[str]) -> bool:
    """Whether a file belongs in the first archive: data belong with their package."""
    module = _module(name)
    if module is not None:
        return module in first
    folders = Path(name).parts[:-1]
    return not name.endswith(NOT_FIRST) and ".".join(folders[:2]) in first


def _write(place: Path, files: Iterable[tuple[str, bytes]]) -> None:
    with tarfile.open(place, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in files:
            if len(name.encode()) > LONGEST_NAME:
                raise ValueError(f"the name is too long: {name}")
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def main() -> None:
    """Write /out/first.tar and /out/more.tar: reproducible for the same sources."""
    for name in ("library", "packages"):
        with zipfile.ZipFile(f"/{name}.zip") as packed:
            packed.extractall(f"/{name}")  # noqa: S202  our own files
    files = dict(sorted({**_library(), **_packages()}.items()))
    first = _first(files)
    parts: dict[bool, list[tuple[str, bytes]]] = {True: [], False: []}
    later = []
    for name, path in files.items():
        data, belongs = path.read_bytes(), _belongs(name, first)
        if not belongs and (module := _module(name)) is not None:
            later.append(module)
        if path.suffix == ".py":
            parts[belongs].append((f"{name}c", _compiled(name, data)))
        else:
            parts[belongs].append((name, data))
    parts[True].append((LATER, "\n".join(later).encode()))
    OUT.mkdir()
    _write(OUT / "first.tar", parts[True])
    _write(OUT / "more.tar", parts[False])


if __name__ == "__main__":
    main()
