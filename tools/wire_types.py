"""Write `src/damka/web/wire.d.ts`, the page's types of the live messages.

The types come from `damka.live.messages`. Run this after a change there:

    .venv/bin/python -m tools.wire_types

A test compares the file with this program's output.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

from msgspec import inspect as types

from damka.live import messages

FILE: Final = Path(__file__).parents[1] / "src" / "damka" / "web" / "wire.d.ts"

_HEAD: Final = """\
/**
 * Messages of a live connection between the page and the server. Generated from
 * src/damka/live/messages.py by tools/wire_types.py; do not edit.
 */

type Side = "W" | "B";
"""
_SIDES: Final = {"W", "B"}


def declarations() -> str:
    """Return the text of the file."""
    structs: dict[str, types.StructType] = {}
    unions = []
    for name in ("ServerMessage", "ClientMessage"):
        kinds = get_args(getattr(messages, name))
        for kind in kinds:
            _collect(types.type_info(kind), structs)
        unions.append(f"type {name} =\n" + "\n".join(f"  | {k.__name__}" for k in kinds) + ";\n")
    shown = [_interface(structs[name]) for name in sorted(structs)]
    return "\n".join((_HEAD, *shown, *unions))


def _collect(of: types.Type, structs: dict[str, types.StructType]) -> None:
    """Add the structs used by a type to `structs`, by name."""
    match of:
        case types.StructType(cls):
            if cls.__name__ not in structs:
                structs[cls.__name__] = of
                for field in of.fields:
                    _collect(field.type, structs)
        case types.UnionType(members):
            for member in members:
                _collect(member, structs)
        case types.ListType(item) | types.VarTupleType(item):
            _collect(item, structs)
        case types.DictType(_, value):
            _collect(value, structs)


def _interface(struct: types.StructType) -> str:
    lines = [*_comment(inspect.getdoc(struct.cls) or ""), f"interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    lines += (
        f"  {field.encode_name}{'' if field.required else '?'}: {type_text(field.type)};"
        for field in struct.fields
    )
    return "\n".join((*lines, "}\n"))


def _comment(text: str) -> Iterator[str]:
    if "\n" not in text:
        yield f"/** {text} */"
        return
    yield "/**"
    yield from (f" * {line}".rstrip() for line in text.splitlines())
    yield " */"


def type_text(of: types.Type) -> str:
    match of:
        case types.StrType():
            return "string"
        case types.IntType() | types.FloatType():
            return "number"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "null"
        case types.AnyType():
            return "unknown"
        case types.LiteralType(values):
            return "Side" if set(values) == _SIDES else " | ".join(f'"{v}"' for v in values)
        case types.StructType(cls):
            return cls.__name__
        case types.ListType(item) | types.VarTupleType(item):
            inner = type_text(item)
            return f"({inner})[]" if " " in inner else f"{inner}[]"
        case types.DictType(key, value):
            return f"Record<{type_text(key)}, {type_text(value)}>"
        case types.UnionType(members):
            return " | ".join(type_text(each) for each in members)
    raise TypeError(f"no TypeScript type for {of}")


if __name__ == "__main__":
    FILE.write_text(declarations(), "utf-8")
