"""Pages of the API reference: one for each module in the table of docs/api/README.md.

Autodoc reads signatures and docstrings from the running package. This extension writes the pages,
gives native classes the annotations of the kernel's stub, and looks names up where they are used.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import sys
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

_TABLE: Final = Path(__file__).parents[2] / "docs" / "api" / "README.md"
MODULES: Final = tuple(
    re.findall(r"^\| \[(damka[\w.]*)\]", _TABLE.read_text("utf-8"), re.MULTILINE)
)
"""The documented modules, in the order of the table."""

_STUB: Final = Path(damka.__file__).with_name("_core.pyi")
_LONGEST: Final = 60
"""Longest value that is shown."""
_SCOPES: Final = ("damka", "damka.draw", "damka.engine")
"""Where names are looked up that a page does not import."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_UNPARSABLE: Final = re.compile(r"= ?(<[^>]*>|_[A-Z_]\w*)")
"""A default without a public name, which would keep the types from being links."""
_COMMON: Final = {"add_note", "with_traceback", "args", "count", "index"}
"""Members of every exception and named tuple."""
_ERROR: Final = re.compile(rf"(?<![\w.`<~])({'|'.join(errors.__all__)})(?![\w`>])")
_PAGE: Final = re.compile(r"`{0,2}\bdocs/([\w/-]+)\.md\b`{0,2}")
_BLOCK: Final = re.compile(r"^(\S.*[^:\n]):\n\n(?=    )", re.MULTILINE)
_places: dict[tuple[str, int], str] = {}
"""Documented names by short name and identity of the value."""


def setup(app: Sphinx) -> None:
    """Connect with Sphinx."""
    app.connect("builder-inited", _write)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
    app.connect("autodoc-skip-member", _skip)
    app.connect("doctree-read", _scope)
    app.connect("doctree-read", _mentions)
    app.connect("env-updated", _index)
    app.connect("missing-reference", _resolve)


def _write(app: Sphinx) -> None:
    for module in MODULES:
        path = Path(app.srcdir, "api", f"{module}.rst")
        path.write_text(page(module), "utf-8")
        _document_values(module)
    annotate_native()


def page(module: str) -> str:
    """Return the page of a module. Names that another module owns are links to its page."""
    public = importlib.import_module(module).__all__
    links = [f":py:obj:`{name}`" for name in public if owner(module, name) != module]
    text = f"{module}\n{'=' * len(module)}\n\n.. automodule:: {module}\n"
    if module == errors.__name__:
        text += "   :show-inheritance:\n"
    return f"{text}\nAlso: {', '.join(links)}.\n" if links else text


def owner(module: str, name: str) -> str:
    """Return the documented module whose page describes a public name of `module`.

    >>> owner("damka", "Game"), owner("damka", "Board"), owner("damka.draw", "svg")
    ('damka.game', 'damka', 'damka.draw.svg')
    """
    value = getattr(importlib.import_module(module), name)
    if inspect.ismodule(value):
        return value.__name__
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        return module
    defined = f"{value.__module__}."
    places = [each for each in publishers(name, value) if defined.startswith(f"{each}.")]
    return max(places, key=len, default=module)


def publishers(name: str, value: object) -> list[str]:
    """Return the documented modules that have a value among their public names."""
    modules = [importlib.import_module(each) for each in MODULES]
    return [
        each.__name__ for each in modules if name in each.__all__ and getattr(each, name) is value
    ]


def annotate_native() -> None:
    """Give native classes the members of the stub, which have annotations.

    They cannot be called any more.
    """
    stub = dict(vars(_core))  # aliases use classes before the stub defines them
    exec(f"from __future__ import annotations\n{_STUB.read_text('utf-8')}", stub)  # noqa: S102
    for name, native in vars(_core).items():
        if inspect.isclass(native):
            for member, value in vars(stub[name]).items():
                if not member.startswith("_"):
                    setattr(native, member, value)
    stub.clear()  # so that nothing can evaluate the annotations, which are shown as written


def _document_values(module: str) -> None:
    """Give a module's analyzer the docstrings of the constants that the module imports."""
    analyzer = ModuleAnalyzer.for_module(module)
    analyzer.analyze()
    for name in sys.modules[module].__all__:
        value = getattr(sys.modules[module], name)
        if inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value):
            continue
        lines = value_doc(module, name)
        # A path is that of the machine that builds the site.
        if len(repr(value)) > _LONGEST or isinstance(value, Path):
            lines += ["", ":meta hide-value:"]
        analyzer.attr_docs["", name] = [*lines, ""]


def value_doc(module: str, name: str) -> list[str]:
    """Return the docstring of a constant, from the module that defines it."""
    place, _, short = _origin(module, name).rpartition(".")
    return ModuleAnalyzer.for_module(place).find_attr_docs().get(("", short), [])


@functools.cache
def imports(module: str) -> dict[str, str]:
    """Return the full names of what a module of `damka` imports, types included.

    >>> imports("damka.draw.replay")["Played"]
    'damka.draw.record.Played'
    """
    found = lookup(module)
    if not (inspect.ismodule(found) and module.startswith("damka") and found is not _core):
        return {}
    return {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in ast.walk(ast.parse(inspect.getsource(found)))
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }


def _origin(module: str, name: str) -> str:
    """Return the full name of a name of a module, followed through imports."""
    first, dot, rest = name.partition(".")
    source = imports(module).get(first, "")
    place, _, short = source.rpartition(".")
    if not source or (place, short) == (module, first):
        return f"{module}.{name}"
    source = source if inspect.ismodule(lookup(source)) else _origin(place, short)
    return f"{source}{dot}{rest}"


@functools.cache
def lookup(name: str) -> Any:
    """Return the value of a dotted name, or None."""
    if not _NAME.fullmatch(name):
        return None
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:at]))
            return functools.reduce(getattr, parts[at:], value)
        except ImportError:
            continue
        except AttributeError:
            return None
    return None


def _signature(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, arguments: str | None, returns: str
) -> tuple[str, str] | None:
    return (_UNPARSABLE.sub("= ...", arguments), returns) if arguments else None


def _docstring(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Link errors and pages; treat indented lines after a colon as literal."""
    text = _BLOCK.sub(r"\1::\n\n", "\n".join(lines))
    if text.startswith("Alias for field number"):  # of a named tuple
        text = ""
    paragraphs = text.split("\n\n")
    for at, paragraph in enumerate(paragraphs):
        if not paragraph.lstrip().startswith(">>>"):
            linked = _ERROR.sub(r":py:exc:`\1 <damka.errors.\1>`", paragraph)
            paragraphs[at] = _PAGE.sub(r":doc:`/\1`", linked)
    lines[:] = "\n\n".join(paragraphs).splitlines()


def _skip(app: Sphinx, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    module = app.env.docname.removeprefix("api/")
    elsewhere = what == "module" and owner(module, name) != module
    return True if elsewhere or name in _COMMON else None


def _scope(app: Sphinx, doctree: document) -> None:
    """Resolve names where they are written: in the class, the module, its imports, or `damka`.

    Parameters are no references.
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
        # Boards and moves that are native are those of `damka`.
        meanings = [_origin(scope, name).replace("damka._core.", "damka.") for scope in scopes]
        if within := reference.get("py:class"):
            meanings.insert(0, f"{module}.{within}.{name}")
        meant = reference["reftarget"] = _first_known(meanings) or name
        kind = lookup(meant)
        if get_origin(kind) is Literal and not publishers(name, kind):
            values = " | ".join(map(repr, get_args(kind)))
            reference.replace_self(addnodes.desc_sig_name("", values))


def _first_known(names: Iterable[str]) -> str | None:
    return next((name for name in names if lookup(name) is not None), None)


def _mentions(app: Sphinx, doctree: document) -> None:
    """Link names in the code of Markdown pages, such as `damka.Board` and `svg.replay`."""
    if app.env.doc2path(app.env.docname).suffix != ".md":
        return
    for code in list(doctree.findall(nodes.literal)):
        text = code.astext().removesuffix("()")
        inside = isinstance(code.parent, nodes.reference | nodes.title | addnodes.pending_xref)
        if inside or not ("." in text or text[:1].isupper()):
            continue
        meant = _first_known(f"{scope}.{text.removeprefix('damka.')}" for scope in _SCOPES)
        if meant:
            told = {"refdomain": "py", "reftype": "obj", "reftarget": meant, "refwarn": False}
            link = addnodes.pending_xref("", refdoc=app.env.docname, **told)
            code.replace_self(link)
            link += code


def _index(app: Sphinx, env: BuildEnvironment) -> None:
    for name in env.domains.python_domain.objects:
        _places.setdefault((name.rpartition(".")[2], id(lookup(name))), name)


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: Element
) -> Element | None:
    """Find what is documented under the name of another module: `damka.Game`."""
    name = node["reftarget"]
    value = lookup(name) if node.get("refdomain") == "py" else None
    place = _places.get((name.rpartition(".")[2], id(value)))
    if value is None or place is None:
        return None
    entry = env.domains.python_domain.objects[place]
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, place)
