"""Content of the API pages, from the OpenAPI and AsyncAPI descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from damka.server.openapi.document import TAGS

__all__ = ["live", "operations", "types"]

Json = dict[str, Any]
Piece = dict[str, str | None]
"""Part of a type's description: `text`, and `ref`, the name of the type if there is one."""

_METHODS: Final = ("get", "post")


def operations(document: Json) -> list[Json]:
    """Return the operations by tag: [{title, operations}]."""
    groups: dict[str, list[Json]] = {name: [] for name in TAGS}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                operation = methods[method]
                groups[operation["tags"][0]].append(_operation(method, path, operation))
    return [
        {"title": TAGS[name], "name": name, "operations": sorted(each, key=lambda o: o["path"])}
        for name, each in groups.items()
        if each
    ]


def live(document: Json) -> list[Json]:
    """Return the messages to the server and those from it.

    Each item is {title, address, messages}.
    """
    described = document["components"]["messages"]
    groups = []
    for operation in document["operations"].values():
        channel = operation["channel"]["$ref"].rpartition("/")[2]
        names = [f"{channel}.{each['$ref'].rpartition('/')[2]}" for each in operation["messages"]]
        messages = [
            {
                "kind": described[name]["name"],
                "type": name,
                "summary": described[name]["summary"],
                "example": _text(described[name]["examples"][0]["payload"])
                if "examples" in described[name]
                else None,
            }
            for name in names
        ]
        address = document["channels"][channel]["address"]
        groups.append({"title": operation["summary"], "address": address, "messages": messages})
    return groups


def types(document: Json) -> list[Json]:
    """Return the types: [{name, description, fields}]."""
    return [
        {
            "name": name,
            "description": schema.get("description", ""),
            "fields": [
                {
                    "name": field,
                    "type": words(field_schema),
                    "required": field in schema.get("required", ()),
                    "description": field_schema.get("description", ""),
                }
                for field, field_schema in schema.get("properties", {}).items()
            ],
        }
        for name, schema in document["components"]["schemas"].items()
    ]


def words(schema: Mapping[str, Any]) -> list[Piece]:
    """Return a description of a type, with the names of referenced types."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return [{"text": name, "ref": name}]
    if "anyOf" in schema:
        return _joined([words(each) for each in schema["anyOf"]], " or ")
    if "enum" in schema:
        return _plain(" | ".join(json.dumps(each) for each in schema["enum"]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            inner = _joined([words(each) for each in schema["prefixItems"]], ", ")
            return [*_plain("["), *inner, *_plain("]")]
        return [*_plain("list of "), *words(schema.get("items", {}))]
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return [*_plain("object of "), *words(schema["additionalProperties"])]
    return _plain(f"{kind or 'any'}{_bounds(schema)}")


def _bounds(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None or high is not None:
        return f", {'' if low is None else low} to {'' if high is None else high}"
    return f", at most {schema['maxLength']} characters" if "maxLength" in schema else ""


def _operation(method: str, path: str, operation: Json) -> Json:
    scopes = [(each["token"] or ["any"])[0] for each in operation["security"] if "token" in each]
    bodies = [
        {"media_type": kind, "type": words(body["schema"])}
        for kind, body in operation.get("requestBody", {}).get("content", {}).items()
    ]
    responses = [
        {"status": status, "media_type": kind, "type": words(body["schema"])}
        for status, response in operation["responses"].items()
        for kind, body in response.get("content", {}).items()
    ]
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "description": operation.get("description", ""),
        "scope": scopes[0] if scopes else None,
        "parameters": [
            {
                "name": each["name"],
                "where": each["in"],
                "required": each["required"],
                "type": words(each["schema"]),
                "description": each.get("description", ""),
            }
            for each in operation.get("parameters", ())
        ],
        "bodies": bodies,
        "responses": responses,
        "problems": [status for status in operation["responses"] if status >= "400"],
        "curl": _curl(method, path, operation),
    }


def _curl(method: str, path: str, operation: Json) -> str:
    parts = ["curl"]
    if any("token" in each for each in operation["security"]):
        parts.append('-H "Authorization: Bearer $TOKEN"')
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        if "example" in body:
            parts.append(f"-H 'Content-Type: {kind}' -d '{_text(body['example'])}'")
            break
    else:
        if method == "post":
            parts.append("-X POST")
    example_path = (
        path.replace("{game_id}", "$GAME").replace("{code}", "BCDF").replace("{name}", "$NAME")
    )
    return " ".join([*parts, f'"$DAMKA{example_path}"'])


def _joined(parts: Iterable[list[Piece]], between: str) -> list[Piece]:
    whole: list[Piece] = []
    for part in parts:
        whole += [*(_plain(between) if whole else []), *part]
    return whole


def _plain(text: str) -> list[Piece]:
    return [{"text": text, "ref": None}]


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
