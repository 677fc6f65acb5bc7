"""What the reference tells of native classes: the docstrings' words, the stub's types.

nanobind gives a native method a signature of its own. The stub beside the kernel has the types that
mypy checks, so these are shown where the stub has the method; a docstring that the kernel lacks is
taken from there, too.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sphinx import addnodes
from sphinx.domains.python._annotations import _parse_annotation
from sphinx.util.nodes import make_refnode

import damka

if TYPE_CHECKING:
    from docutils.nodes import Element, document
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["Stub", "setup", "stubs"]

_NATIVE: Final = "damka._core"
_OTHER: Final = "damka.reference"  # has moves of its own
_STUB: Final = Path(damka.__file__).with_name("_core.pyi")
_SIGNATURE: Final = re.compile(r"^\w*\(.*\)( -> .+)?$")


class Stub(NamedTuple):
    """What a stub tells of a class, a function or a property."""

    arguments: str
    returns: str
    doc: str


def setup(app: Sphinx) -> None:
    """Connect with Sphinx."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-skip-member", _skip)
    app.connect("object-description-transform", _types)
    app.connect("doctree-read", _names)
    app.connect("missing-reference", _resolve)


@functools.cache
def stubs() -> dict[str, Stub]:
    """Return what the kernel's stub tells, by name: "Board", "Board.push", "evaluate"."""
    found: dict[str, Stub] = {}
    tree = ast.parse(_STUB.read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = Stub("", "", ast.get_docstring(node) or "")
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    found[f"{node.name}.{each.name}"] = _stub(each, bound=True)
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = _stub(node, bound=False)
    return found


def _stub(node: ast.FunctionDef, *, bound: bool) -> Stub:
    static = any(
        isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list
    )
    arguments = node.args
    if bound and not static:
        del (arguments.posonlyargs or arguments.args)[0]
    returns = ast.unparse(node.returns) if node.returns else ""
    return Stub(f"({ast.unparse(arguments)})", returns, ast.get_docstring(node) or "")


def _native(name: str) -> Stub | None:
    """Return the stub of what is documented under `name`, where that is native."""
    owner, _, member = name.rpartition(".")
    found = _object(owner)
    if inspect.isclass(found):
        for each in found.__mro__:
            if member in vars(each):
                native = each.__module__ == _NATIVE
                return stubs().get(f"{each.__name__}.{member}") if native else None
        return None
    found = _object(name)
    if getattr(found, "__module__", None) == _NATIVE:
        return stubs().get(member)
    return None


def _object(name: str) -> Any:
    """Return what has a dotted name, or None."""
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:at]))
        except ImportError:
            continue
        try:
            return functools.reduce(getattr, parts[at:], found)
        except AttributeError:
            return None
    return None


def _signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    if signature is None:
        return None
    if what == "class":
        init = stubs().get(f"{obj.__name__}.__init__")
        return (init.arguments, "") if obj.__module__ == _NATIVE and init else None
    stub = _native(name) if what in {"method", "function"} else None
    return None if stub is None else (stub.arguments, stub.returns)


def _types(app: Sphinx, domain: str, kind: str, content: Element) -> None:
    """Give native properties the types of the stub."""
    if kind != "property" or content.parent is None:
        return
    for shown in content.parent.findall(addnodes.desc_signature):
        stub = _native(f"{shown.get('module')}.{shown.get('fullname')}")
        if stub is not None and stub.returns and "type" not in shown.attributes:
            told = _parse_annotation(stub.returns, app.env)
            colon = addnodes.desc_sig_punctuation("", ":")
            space = addnodes.desc_sig_space()
            shown.append(addnodes.desc_annotation(stub.returns, "", colon, space, *told))


def _names(app: Sphinx, doctree: document) -> None:
    """Let the names of `damka` itself mean these, not namesakes of other modules."""
    for name in doctree.findall(addnodes.pending_xref):
        target, module = name.get("reftarget"), name.get("py:module")
        if name.get("refdomain") == "py" and target in damka.__all__ and module != _OTHER:
            name["reftarget"] = f"damka.{target}"


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    while lines and _SIGNATURE.match(lines[0].strip()):
        del lines[0]
    if not any(lines):
        stub = _native(name)
        if stub is not None and stub.doc:
            lines[:] = stub.doc.splitlines()
    _literal(lines)


def _literal(lines: list[str]) -> None:
    """Mark indented lines after a colon as literal, as they are meant."""
    for at in range(len(lines) - 2):
        indented = lines[at + 2].startswith("    ") and not lines[at].startswith(" ")
        if (
            indented
            and not lines[at + 1]
            and lines[at].endswith(":")
            and not lines[at].endswith("::")
        ):
            lines[at] += ":"


def _skip(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    # What namedtuples, dataclasses and exceptions have in common tells nothing.
    return True if name in {"add_note", "with_traceback", "args", "count", "index"} else None


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    """Find what is documented under the name of another package: `damka.Game`."""
    if node.get("refdomain") != "py":
        return None
    found = _object(node["reftarget"])
    module, qualified = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
    if not (isinstance(module, str) and module.startswith("damka") and qualified):
        return None
    objects = env.domains.python_domain.objects
    target = f"{module}.{qualified}"
    if target not in objects:
        return None
    entry = objects[target]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, target)
