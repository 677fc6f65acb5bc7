"""The walls of docs/architecture.md: who may import whom, and one public door per package."""

from __future__ import annotations

import ast
import importlib
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "damka"

PAGE = SOURCE.parents[1] / "docs" / "architecture.md"


def may_know() -> dict[str, set[str]]:
    """Return what each room may import when it is loaded or run, as the page says."""
    rows = re.findall(r"^\| (`.*?`) \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    table = {room: named(others) for rooms, others in rows for room in named(rooms)}
    for room, others in rows:
        if others.strip().startswith("all but"):
            table[room.strip("`")] = table.keys() - table[room.strip("`")]
    return table


def named(text: str) -> set[str]:
    return set(re.findall(r"`(\w+)`", text))


MAY_KNOW = may_know()
# The package's own door gathers the library; nothing of the web, no engine.
DOOR = {"board", "engine", "errors", "game", "move", "refusal", "rules"}


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imported_rooms(path: Path) -> set[str]:
    """Return the rooms that a file imports, in functions and for type checking too."""
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            rooms |= {room_of(each.name) for each in node.names if each.name.startswith("damka.")}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "damka":
            rooms |= {_NAMES.get(each.name, each.name) for each in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("damka."):
            rooms.add(room_of(str(node.module)))
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: a relative import"
    return rooms - {"__version__"}


_NAMES = {"Board": "board", "Game": "game", "Move": "move", "Rules": "rules"}


def files() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        room = parts[0].removesuffix(".py")
        if room != "__init__":
            found.append((room, path))
    return found


def test_every_room_has_its_place() -> None:
    assert {room for room, _ in files()} | {"_core"} == MAY_KNOW.keys()


@pytest.mark.parametrize(
    ("room", "path"), files(), ids=lambda value: value if isinstance(value, str) else value.stem
)
def test_a_room_imports_only_what_it_may_know(room: str, path: Path) -> None:
    extra = imported_rooms(path) - {room} - MAY_KNOW.get(room, set())
    assert not extra, f"{path.relative_to(SOURCE)} imports {extra}"


def test_there_are_no_cycles_between_rooms() -> None:
    graph: dict[str, set[str]] = {}
    for room, path in files():
        graph.setdefault(room, set()).update(imported_rooms(path) - {room})
    assert list(TopologicalSorter(graph).static_order())


def test_the_library_door_opens_to_the_library_alone() -> None:
    assert imported_rooms(SOURCE / "__init__.py") <= DOOR


def test_nothing_but_tests_imports_the_reference() -> None:
    assert not [
        path
        for room, path in files()
        if room != "reference" and "reference" in imported_rooms(path)
    ]


@pytest.mark.parametrize(
    "package",
    sorted({"damka"} | {f"damka.{room}" for room in MAY_KNOW if (SOURCE / room).is_dir()}),
)
def test_a_package_has_one_door(package: str) -> None:
    module = importlib.import_module(package)
    # The linter sees to it that the door is sorted (RUF022).
    assert len(set(module.__all__)) == len(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
