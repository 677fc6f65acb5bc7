"""What the reference tells of native classes: the docstrings' words, the stub's types.

nanobind gives a native method a signature of its own. The stub beside the kernel has the types that
mypy checks, so these are shown where the stub has the method; a docstring that the kernel lacks is
taken from there, too.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args, get_origin

from docutils import nodes
from sphinx import addnodes
from sphinx.domains.python._annotations import _parse_annotation
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.nodes import make_refnode

import damka
from tools.docs import names

if TYPE_CHECKING:
    from docutils.nodes import Element, document
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["Stub", "setup", "stubs"]

_NATIVE: Final = "damka._core"
_OTHER: Final = "damka.reference"  # has moves of its own
_STUB: Final = Path(damka.__file__).with_name("_core.pyi")
_AUTOMODULE: Final = re.compile(r"automodule:: (\S+)")
_MANY: Final = 16
_LONGEST: Final = 60
"""The longest value that is shown."""
_PRIVATE: Final = re.compile(r" ?= ?_[A-Z]\w*")
"""A default that has only a private name."""
_SIGNATURE: Final = re.compile(r"^\w*\(.*\)( -> .+)?$")


class Stub(NamedTuple):
    """What a stub tells of a class, a function or a property."""

    arguments: str
    returns: str
    doc: str


def setup(app: Sphinx) -> None:
    """Connect with Sphinx."""
    app.connect("builder-inited", _values)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-skip-member", _skip)
    app.connect("object-description-transform", _types)
    app.connect("doctree-read", _names)
    app.connect("doctree-read", _mentions)
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
    found = names.found(owner)
    if inspect.isclass(found):
        for each in found.__mro__:
            if member in vars(each):
                native = each.__module__ == _NATIVE
                return stubs().get(f"{each.__name__}.{member}") if native else None
        return None
    found = names.found(name)
    if getattr(found, "__module__", None) == _NATIVE:
        return stubs().get(member)
    return None


def _signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    if signature is None:
        return None
    signature = _PRIVATE.sub(" = ...", signature)
    if what == "class":
        init = stubs().get(f"{obj.__name__}.__init__")
        # A native class may name another module as its own, and a class of Python may derive from
        # one of the same name, with a constructor of its own.
        if init and type(vars(obj).get("__init__")).__module__ == "nanobind":
            return init.arguments, ""
        return (_fields(obj), "") if dataclasses.is_dataclass(obj) else (signature, "")
    stub = _native(name) if what in {"method", "function"} else None
    return (signature, returns) if stub is None else (stub.arguments, stub.returns)


def _fields(of: Any) -> str:
    """Return the arguments of a dataclass, without types where there are many."""
    fields = [each for each in dataclasses.fields(of) if each.init]
    told = ["*"] if all(each.kw_only for each in fields) else []
    for each in fields:
        default = each.default
        if each.default_factory is not dataclasses.MISSING:
            default = each.default_factory()
        shown = each.name
        if len(fields) <= _MANY:
            kind = each.type if isinstance(each.type, str) else each.type.__name__
            shown += f": {kind}"
        if default is not dataclasses.MISSING:
            text = repr(default)
            shown += f" = {text if len(text) <= 24 and '<' not in text else '...'}"
        told.append(shown)
    return f"({', '.join(told)})"


def _values(app: Sphinx) -> None:
    """Let a package's page have the constants and types that the package imports.

    Sphinx only knows the docstring of a value in the module that defines it.
    """
    for page in Path(app.srcdir, "api").glob("*.rst"):
        for module in _AUTOMODULE.findall(page.read_text("utf-8")):
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.analyze()
            package = names.found(module)
            for name in getattr(package, "__all__", ()):
                value = getattr(package, name)
                if inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value):
                    continue
                told = names.explained(module, name) or ""
                lines = inspect.cleandoc(told).splitlines()
                # A path is that of the machine on which the pages are made.
                if len(repr(value)) > _LONGEST or isinstance(value, Path):
                    lines += ["", ":meta hide-value:"]
                analyzer.attr_docs[("", name)] = [*lines, ""]


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
    """Let the types in signatures mean what they mean where the code is, not namesakes."""
    for signature in doctree.findall(addnodes.desc_signature):
        owner = names.found(f"{signature.get('module')}.{signature.get('fullname')}")
        if isinstance(owner, property):
            owner = owner.fget
        places = (getattr(owner, "__module__", None), signature.get("module"))
        for name in list(signature.findall(addnodes.pending_xref)):
            target = name["reftarget"]
            known = (names.imports(place).get(target) for place in places if isinstance(place, str))
            whole = next(filter(None, known), None)
            if whole is None and target in damka.__all__ and signature.get("module") != _OTHER:
                whole = f"damka.{target}"
            if whole is not None and _is_literal(whole):
                values = get_args(names.found(whole))
                name.replace_self(addnodes.desc_sig_name("", " | ".join(map(repr, values))))
                continue
            if whole is not None:
                # Boards and moves that are native are those of `damka`.
                name["reftarget"] = whole.replace("damka._core.", "damka.")
            name["refspecific"] = False


def _mentions(app: Sphinx, doctree: document) -> None:
    """Link names in the code of Markdown pages, such as `damka.Board` and `svg.replay`."""
    if app.env.doc2path(app.env.docname).suffix != ".md":
        return
    for code in list(doctree.findall(nodes.literal)):
        text = code.astext().removesuffix("()")
        inside = isinstance(code.parent, nodes.reference | nodes.title | addnodes.pending_xref)
        is_name = "." in text or text[:1].isupper()
        target = names.target(text, ["damka", "damka.draw", "damka.engine"]) if is_name else None
        if inside or target is None or names.found(target) is None:
            continue
        told = {"refdomain": "py", "reftype": "obj", "reftarget": target, "refwarn": False}
        link = addnodes.pending_xref("", refdoc=app.env.docname, **told)
        code.replace_self(link)
        link += code


def _is_literal(name: str) -> bool:
    """Return whether a name is a type of a few values that no package's page has."""
    module, _, short = name.rpartition(".")
    package = names.found(".".join(module.split(".")[:2]))
    shown = getattr(package, "__all__", ())
    return get_origin(names.found(name)) is Literal and short not in shown


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    while lines and _SIGNATURE.match(lines[0].strip()):
        del lines[0]
    if not any(lines):
        stub = _native(name)
        if stub is not None and stub.doc:
            lines[:] = stub.doc.splitlines()
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()  # a named tuple's own words
    if what == "data":
        # A value of a built-in type has that type's docstring where it has none itself.
        module, _, short = name.rpartition(".")
        told = names.explained(module, short)
        lines[:] = inspect.cleandoc(told or "").splitlines()
    _literal(lines)
    defined = name if what == "module" else getattr(obj, "__module__", None)
    scopes = [name] if what in {"class", "exception", "module"} else [name.rpartition(".")[0]]
    scopes += [scope for scope in (defined, _module_of(name)) if isinstance(scope, str)]
    lines[:] = names.paths(names.linked(lines, scopes, _parameters(name, obj)))


def _module_of(name: str) -> str | None:
    """Return the module in a dotted name."""
    while name and not inspect.ismodule(names.found(name)):
        name = name.rpartition(".")[0]
    return name or None


def _parameters(name: str, obj: Any) -> set[str]:
    """Return the names of the parameters of a function, or of a class that has no such member."""
    stub = _native(name)
    try:
        found = set(inspect.signature(obj).parameters)
    except (TypeError, ValueError):
        found = set(re.findall(r"(\w+):", stub.arguments)) if stub else set()
    return {each for each in found if not (inspect.isclass(obj) and hasattr(obj, each))}


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
    found = names.found(node["reftarget"])
    module, qualified = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
    if found is None:
        return None
    objects = env.domains.python_domain.objects
    target = f"{module}.{qualified}"
    if target not in objects:
        # A package may document what another module defines, and values have no names themselves.
        short = node["reftarget"].rpartition(".")[2]
        same = (
            each for each in objects if each.endswith(f".{short}") and names.found(each) is found
        )
        target = next(same, "")
    if not target:
        return None
    entry = objects[target]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, target)
