"""What a name in a docstring or a signature means: exactly that, and no namesake elsewhere.

Sphinx looks for a bare name everywhere, so that a parameter `text` would be a link to some method
`text`. Here a name is looked up where it is written, as Python would: in the class, in the module,
among what the module imports, types included.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
from pathlib import Path
from typing import Any, Final

import damka
from damka import errors

__all__ = ["explained", "found", "imports", "linked", "paths", "target"]

_SPAN: Final = re.compile(r"(?<![`:\w])`([^`\n]+)`(?![`_\w])")
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_ERROR: Final = re.compile(rf"(?<![\w.`<~])({'|'.join(errors.__all__)})(?![\w`>])")
_PATH: Final = re.compile(r"`{0,2}\bdocs/([\w/-]+)\.md\b`{0,2}")
_ROOT: Final = Path(damka.__file__).parent


def found(name: str) -> Any:
    """Return what has a dotted name, or None."""
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:at]))
        except ImportError:
            continue
        try:
            return functools.reduce(getattr, parts[at:], value)
        except AttributeError:
            return None
    return None


@functools.cache
def _tree(module: str) -> ast.Module:
    """Return the source of a module of `damka`, or an empty one for what is none."""
    package, *parts = module.split(".")
    path = _ROOT.joinpath(*parts)
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(path.read_text("utf-8") if package == "damka" and path.is_file() else "")


@functools.cache
def imports(module: str) -> dict[str, str]:
    """Return the whole names of what a module of `damka` defines and imports, types included.

    >>> imports("damka.draw.replay")["Played"]
    'damka.draw.record.Played'
    """
    tree = _tree(module)
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names[node.name] = f"{module}.{node.name}"
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names[node.target.id] = f"{module}.{node.target.id}"
    return names


def explained(module: str, name: str) -> str | None:
    """Return the docstring below a value of a module, followed to where the value is defined."""
    while (whole := imports(module).get(name)) and whole != f"{module}.{name}":
        module, _, name = whole.rpartition(".")
    body = _tree(module).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        named = any(isinstance(each, ast.Name) and each.id == name for each in targets)
        if named and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return str(after.value.value)
    return None


def linked(lines: list[str], scopes: list[str], parameters: set[str]) -> list[str]:
    """Return a docstring with links to what its names mean, seen from `scopes`, the first first.

    Parameters are no links. Examples stay as they are.

    >>> linked(["As `board`, of `text`."], ["damka.draw.svg"], {"text"})
    ['As :py:obj:`board <damka.draw.svg.board>`, of ``text``.']
    >>> linked(["Raises FenError."], ["damka.board"], set())
    ['Raises :py:exc:`FenError <damka.errors.FenError>`.']
    """

    def span(match: re.Match[str]) -> str:
        text = match[1]
        meant = None if text in parameters else target(text, scopes)
        return f":py:obj:`{text} <{meant}>`" if meant else f"``{text}``"

    def error(match: re.Match[str]) -> str:
        return f":py:exc:`{match[1]} <damka.errors.{match[1]}>`"

    example = False
    told: list[str] = []
    for line in lines:
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        literal = example or line.startswith("    ") or ":py:" in line
        told.append(line if literal else _ERROR.sub(error, _SPAN.sub(span, line)))
    return told


def target(text: str, scopes: list[str]) -> str | None:
    """Return the whole name of what a text means, seen from `scopes`, or None where it is no name.

    >>> target("svg.replay", ["damka.draw"])
    'damka.draw.svg.replay'
    """
    if not _DOTTED.fullmatch(text):
        return None
    if text.startswith("damka."):
        return text
    for scope in scopes:
        if found(f"{scope}.{text}") is not None:
            return f"{scope}.{text}"
        if whole := imports(scope).get(text.partition(".")[0]):
            return ".".join((whole, *text.split(".")[1:]))
    public = text.partition(".")[0] in damka.__all__
    return f"damka.{text}" if public or text.partition(".")[0] in damka._PACKAGES else None


def paths(lines: list[str]) -> list[str]:
    """Return lines in which pages of the repository are links, with the title of the page.

    >>> paths(["The page docs/rules/parameters.md says it."])
    ['The page :doc:`/rules/parameters` says it.']
    """
    return [_PATH.sub(lambda page: f":doc:`/{page[1]}`", line) for line in lines]
