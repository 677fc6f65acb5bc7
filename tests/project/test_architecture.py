"""The imports that docs/architecture.md allows, and one public door per package."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import damka

SOURCE = Path(__file__).parents[2] / "src" / "damka"

PAGE = SOURCE.parents[1] / "docs" / "architecture.md"


def may_know() -> dict[str, set[str]]:
    """Return what each package may import when it is loaded or run, as the page says."""
    rows = re.findall(r"^\| (`.*?`) \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    table = {package: named(others) for packages, others in rows for package in named(packages)}
    for package, others in rows:
        if others.strip().startswith("all but"):
            table[package.strip("`")] = table.keys() - table[package.strip("`")]
    return table


def named(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


MAY_KNOW = may_know()
# The package's own door gathers the library; nothing of the web, no engine.
DOOR = {"board", "boards", "engine", "errors", "game", "move", "pdn", "refusal", "rules"}


def package_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imported_packages(path: Path) -> set[str]:
    """Return the packages that a file imports, in functions and for type checking too."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {
                package_of(each.name) for each in node.names if each.name.startswith("damka.")
            }
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "damka":
            found |= {_NAMES.get(each.name, each.name) for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("damka."):
            found.add(package_of(str(node.module)))
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: a relative import"
    return found - {"__version__"}


_NAMES = {"Board": "board", "Game": "game", "Move": "move", "Rules": "rules"}


def files() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        package = parts[0].removesuffix(".py")
        if package != "__init__":
            found.append((package, path))
    return found


def test_every_package_is_in_the_table() -> None:
    assert {package for package, _ in files()} | {"_core"} == MAY_KNOW.keys()


@pytest.mark.parametrize(
    ("package", "path"), files(), ids=lambda value: value if isinstance(value, str) else value.stem
)
def test_a_package_imports_only_what_it_may(package: str, path: Path) -> None:
    extra = imported_packages(path) - {package} - MAY_KNOW.get(package, set())
    assert not extra, f"{path.relative_to(SOURCE)} imports {extra}"


def test_there_are_no_cycles_between_packages() -> None:
    graph: dict[str, set[str]] = {}
    for package, path in files():
        graph.setdefault(package, set()).update(imported_packages(path) - {package})
    assert list(TopologicalSorter(graph).static_order())


def test_importing_the_library_imports_only_the_library() -> None:
    assert imported_packages(SOURCE / "__init__.py") - damka._PACKAGES <= DOOR


def test_nothing_but_tests_imports_the_reference() -> None:
    assert not [
        path
        for package, path in files()
        if package != "reference" and "reference" in imported_packages(path)
    ]


@pytest.mark.parametrize(
    "package",
    sorted({"damka"} | {f"damka.{package}" for package in MAY_KNOW if (SOURCE / package).is_dir()}),
)
def test_a_package_has_one_door(package: str) -> None:
    module = importlib.import_module(package)
    # The linter sees to it that the door is sorted (RUF022).
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize(
    ("names", "also"),
    [
        (("live.setup", "live.state", "live.actions", "live.requests"), {"jinja2"}),
        (("pages.contexts", "pages.box_form", "pages.templates"), set()),
    ],
)
def test_games_and_pages_know_neither_the_web_nor_a_database(
    names: tuple[str, ...], also: set[str]
) -> None:
    imports = "; ".join(f"import damka.{name}" for name in names)
    look = f"import sys; {imports}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    loaded = {module.split(".")[0] for module in done.stdout.split()}
    assert "damka" in loaded
    assert not loaded & {"fastapi", "starlette", "uvicorn", "sqlalchemy", "alembic", *also}
