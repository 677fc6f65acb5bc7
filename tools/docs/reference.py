"""API reference: one page for each module in the table of docs/api/README.md.

Autodoc reads signatures and docstrings from the running package. This extension writes the pages,
adds the stub's annotations to native classes, and resolves names in their scope.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

from docutils import nodes
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.nodes import make_refnode

import damka
from damka import _core, errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils.nodes import Element, document
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

__all__ = ["MODULES", "annotate_native", "imports", "lookup", "owner", "page", "setup", "value_doc"]

_TABLE: Final = Path(__file__).parents[2].joinpath("docs/api/README.md").read_text("utf-8")
MODULES: Final = tuple(re.findall(r"^\| \[(damka[\w.]*)\]", _TABLE, re.MULTILINE))
"""Documented modules, in the order of the table."""

_SCOPES: Final = ("damka", "damka.draw", "damka.engine")
"""Modules to search for names that a page does not import."""
_COMMON: Final = {"add_note", "with_traceback", "args", "count", "index"}
"""Members of every exception and named tuple."""
_UNPARSABLE: Final = re.compile(r"= ?(<[^>]*>|_[A-Z_]\w*)")
"""A default without a public name, which would prevent links for the types."""
_ERROR: Final = re.compile(rf"(?<![\w.`<~])({'|'.join(errors.__all__)})(?![\w`>])")
_PAGE: Final = re.compile(r"`{0,2}\bdocs/([\w/-]+)\.md\b`{0,2}")
_names_by_value: dict[tuple[str, int], str] = {}
"""Documented names by short name and identity of the value."""


def setup(app: Sphinx) -> None:
    """Register the extension with Sphinx."""
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-skip-member", _skip)
    app.connect("doctree-read", _scope)
    app.connect("doctree-read", _mentions)
    app.connect("env-updated", _index)
    app.connect("missing-reference", _resolve)


@functools.cache
def lookup(name: str) -> Any:
    """Return the value of a dotted name, or None."""
    module, _, short = name.rpartition(".")
    with contextlib.suppress(ImportError, AttributeError, ValueError):
        # A function may shadow a module of the same name: `damka.refusal.explain`.
        return getattr(import_module(module), short)
    with contextlib.suppress(ImportError, AttributeError, ValueError):
        return pkgutil.resolve_name(name)
    return None


def _first_existing(names: Iterable[str]) -> str | None:
    return next((name for name in names if lookup(name) is not None), None)


def _write(app: Sphinx) -> None:
    for module in MODULES:
        Path(app.srcdir, "api", f"{module}.rst").write_text(page(module), "utf-8")
        analyzer = ModuleAnalyzer.for_module(module)
        analyzer.analyze()
        for name in import_module(module).__all__:
            value = lookup(f"{module}.{name}")
            if not (inspect.ismodule(value) or inspect.isclass(value) or inspect.isroutine(value)):
                analyzer.attr_docs["", name] = [*value_doc(module, name), ""]
    annotate_native()


def page(module: str) -> str:
    """Return the page of a module. Names owned by another module link to its page."""
    public = import_module(module).__all__
    links = [f":py:obj:`{name}`" for name in public if owner(module, name) != module]
    text = f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n"
    if module == errors.__name__:
        text += "   :show-inheritance:\n"
    return f"{text}\nAlso: {', '.join(links)}.\n" if links else text


def owner(module: str, name: str) -> str:
    """Return the module whose page documents a public name of `module`.

    >>> owner("damka", "Game"), owner("damka", "Board"), owner("damka.draw", "svg")
    ('damka.game', 'damka', 'damka.draw.svg')
    """
    value = getattr(import_module(module), name)
    if inspect.ismodule(value):
        return value.__name__
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return module
    around = [each for each in MODULES if f"{value.__module__}.".startswith(f"{each}.")]
    return max((each for each in around if _publishes(each, name, value)), key=len, default=module)


def _publishes(module: str, name: str, value: object) -> bool:
    return name in import_module(module).__all__ and lookup(f"{module}.{name}") is value


def annotate_native() -> None:
    """Replace the members of native classes with those of the stub, which cannot be called."""
    stub = dict(vars(_core))  # aliases use classes before their definitions in the stub
    source = Path(damka.__file__).with_name("_core.pyi").read_text("utf-8")
    exec(f"from __future__ import annotations\n{source}", stub)  # noqa: S102
    for name, native in vars(_core).items():
        for member, value in vars(stub[name]).items() if inspect.isclass(native) else ():
            if not member.startswith("_"):
                setattr(native, member, value)
    stub.clear()  # prevents the evaluation of annotations, which are shown as written


def value_doc(module: str, name: str) -> list[str]:
    """Return the docstring of a constant, from the module that defines it."""
    value = lookup(f"{module}.{name}")
    place, _, short = _origin(module, name).rpartition(".")
    lines = ModuleAnalyzer.for_module(place).find_attr_docs().get(("", short), [])
    # A path depends on the machine that builds the site.
    hidden = len(repr(value)) > 60 or isinstance(value, Path)
    return [*lines, "", ":meta hide-value:"] if hidden else lines


@functools.cache
def imports(module: str) -> dict[str, str]:
    """Return the full names of a module's imports from `damka`, types included.

    >>> imports("damka.draw.replay")["DrawableGame"]
    'damka.draw.drawable.DrawableGame'
    """
    source = str(import_module(module).__file__) if module.startswith("damka") else ""
    tree = ast.parse(Path(source).read_text("utf-8") if source.endswith(".py") else "")
    import_nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in import_nodes
        for each in node.names
    }


def _origin(module: str, name: str) -> str:
    """Return the full name of a module's name, resolved through imports."""
    first, dot, rest = name.partition(".")
    source = imports(module).get(first, "")
    place, _, short = source.rpartition(".")
    if not source or (place, short) == (module, first):
        return f"{module}.{name}"
    source = source if inspect.ismodule(lookup(source)) else _origin(place, short)
    return f"{source}{dot}{rest}"


def _signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, arguments: str | None, returns: str
) -> tuple[str, str] | None:
    return (_UNPARSABLE.sub("= ...", arguments), returns) if arguments else None


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Link errors and pages."""
    for at, line in enumerate(lines):
        if line.startswith("Alias for field number"):  # field of a named tuple
            lines[at] = ""
        elif not line.lstrip().startswith((">>>", "...")):
            linked = _ERROR.sub(r":py:exc:`\1 <damka.errors.\1>`", line)
            lines[at] = _PAGE.sub(r":doc:`/\1`", linked)


def _skip(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    module = app.env.docname.removeprefix("api/")
    elsewhere = what == "module" and owner(module, name) != module
    return True if elsewhere or name in _COMMON else None


def _scope(app: Sphinx, doctree: document) -> None:
    """Resolve names in their scope: the class, the module, its imports, or `damka`.

    Parameters are not references.
    """
    for reference in list(doctree.findall(addnodes.pending_xref)):
        described = reference.parent
        while described is not None and not isinstance(described, addnodes.desc):
            described = described.parent
        if described is None:
            continue
        signature, name = described[0], reference["reftarget"]
        module = str(signature.get("module"))
        value = lookup(f"{module}.{signature.get('fullname')}")
        value = value.fget if isinstance(value, property) else value
        parameters = [each[0].astext() for each in signature.findall(addnodes.desc_parameter)]
        if name in parameters and not hasattr(value, name):
            reference.replace_self(reference.children)
            continue
        scopes = [str(getattr(value, "__module__", module)), module, *_SCOPES]
        # Native boards and moves are those of `damka`.
        meanings = [_origin(scope, name).replace("damka._core.", "damka.") for scope in scopes]
        if within := reference.get("py:class"):
            meanings.insert(0, f"{module}.{within}.{name}")
        target = reference["reftarget"] = _first_existing(meanings) or name
        kind = lookup(target)
        if get_origin(kind) is Literal and not any(_publishes(m, name, kind) for m in MODULES):
            values = " | ".join(map(repr, get_args(kind)))
            reference.replace_self(addnodes.desc_sig_name("", values))


def _mentions(app: Sphinx, doctree: document) -> None:
    """Link names in the code of Markdown pages, such as `damka.Board` and `svg.replay`."""
    if app.env.doc2path(app.env.docname).suffix != ".md":
        return
    for code in list(doctree.findall(nodes.literal)):
        text = code.astext().removesuffix("()")
        inside = isinstance(code.parent, nodes.reference | nodes.title | addnodes.pending_xref)
        if inside or not ("." in text or text[:1].isupper()):
            continue
        target = _first_existing(f"{scope}.{text.removeprefix('damka.')}" for scope in _SCOPES)
        if target:
            attributes = {
                "refdomain": "py",
                "reftype": "obj",
                "reftarget": target,
                "refwarn": False,
            }
            link = addnodes.pending_xref("", refdoc=app.env.docname, **attributes)
            code.replace_self(link)
            link += code


def _index(app: Sphinx, env: BuildEnvironment) -> None:
    for name in env.domains.python_domain.objects:
        _names_by_value.setdefault((name.rpartition(".")[2], id(lookup(name))), name)


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    """Resolve names documented in another module: `damka.Game`."""
    name = node["reftarget"]
    value = lookup(name) if node.get("refdomain") == "py" else None
    place = _names_by_value.get((name.rpartition(".")[2], id(value)))
    if value is None or place is None:
        return None
    entry = env.domains.python_domain.objects[place]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, place)
