"""Paths in the benchmarks exist; most benchmarks are only run manually."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT = ("build/", "dist/")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def pattern(node: ast.expr) -> str | None:
    """Return a part of a path as a glob pattern; None if it is not a literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(each.value) if isinstance(each, ast.Constant) else "*" for each in node.values
        )
    return None


def parts(node: ast.expr) -> list[str | None] | None:
    """Return the parts of `ROOT / "a" / "b"`; None for any other expression."""
    if isinstance(node, ast.Name) and node.id == "ROOT":
        return []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        before = parts(node.left)
        return None if before is None else [*before, pattern(node.right)]
    return None


def paths_in(source: str) -> Iterator[str]:
    """Yield the paths below the root in a module, up to the first part that is not a literal."""
    tree = ast.parse(source)
    inner = {id(node.left) for node in ast.walk(tree) if isinstance(node, ast.BinOp)}
    for node in ast.walk(tree):
        path_parts = parts(node) if isinstance(node, ast.BinOp) and id(node) not in inner else None
        if path_parts:
            known = path_parts[: path_parts.index(None)] if None in path_parts else path_parts
            yield "/".join(str(each) for each in known)


PATHS = sorted(
    {
        (file.relative_to(ROOT).as_posix(), path)
        for file in ROOT.glob("bench/**/*.py")
        for path in paths_in(file.read_text("utf-8"))
        if path
    }
)


def test_paths_are_found_in_code() -> None:
    assert ("bench/strength.py", "bench/turbo_hub.py") in PATHS
    source = 'A = ROOT / "a" / f"b-{n}.txt"\nB = ROOT / "c" / name / "d"\nC = OTHER / "e"'
    assert sorted(paths_in(source)) == ["a/b-*.txt", "c"]


@pytest.mark.parametrize(
    ("file", "path"), [each for each in PATHS if not each[1].startswith(BUILT)]
)
def test_files_in_benchmarks_exist(file: str, path: str) -> None:
    assert list(ROOT.glob(path)), f"{file} names {path}"


@pytest.mark.parametrize("name", ["dist/site", "dist/damka-js"])
def test_the_makefile_builds_the_benchmarks_inputs(name: str) -> None:
    assert any(path == name for _, path in PATHS)
    assert name in MAKEFILE
