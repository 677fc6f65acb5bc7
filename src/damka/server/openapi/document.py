"""OpenAPI description of the requests, generated from `operations` and their types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from damka.server.accounts.tokens import SCOPES
from damka.server.openapi import responses
from damka.server.openapi.operation import ANY_SCOPE, Content, Operation
from damka.server.openapi.operations import OPERATIONS
from damka.server.settings import VERSION

__all__ = ["TAGS", "openapi"]

Json = dict[str, Any]

_REF: Final = "#/components/schemas/{name}"
TAGS: Final = {
    "account": "The account of the token",
    "games": "Starting, finding and exporting games",
    "playing": "Acting in a game",
    "studies": "Studies: annotated games, by chapters",
    "events": "Tournaments and arenas",
    "streams": "Event streams (JSON lines)",
    "analysis": "The engine and the endgame tablebases, not for running games between people",
    "rules": "Rule sets",
    "server": "The server itself",
}
_PARAMETERS: Final[dict[str, Json]] = {
    "game_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
    "event_id": {"type": "string", "pattern": "^[a-z2-9]{8}$"},
    "seek_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
    "study_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{22}$"},
    "chapter_id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8}$"},
    "code": {"type": "string", "pattern": "^[A-Za-z0-9-]{14,16}$"},
    "name": {"type": "string", "maxLength": 80},
}
_PARAMETER_TEXTS: Final = {
    "game_id": "The last part of the game's URL.",
    "event_id": "The last part of the tournament's URL.",
    "seek_id": "The challenge's id.",
    "study_id": "The id of your study, or of the link of a shared one.",
    "chapter_id": "The id of a chapter.",
    "code": "The invitation code: 14 letters and digits, with or without hyphens.",
    "name": "The name of a member.",
}
_PROBLEMS: Final = {
    400: "Invalid request.",
    401: "Unknown token, or the request needs a member who is logged in.",
    403: "Forbidden: the token lacks the scope, or you are not a player of the game.",
    404: "Not found.",
    409: "Conflict: the game is over, its position has changed, or the seat is taken.",
    413: "The request is too large.",
    422: "A field is invalid, or a move is illegal.",
    429: "Too many requests. Wait a second before trying again.",
    503: "The server is busy.",
}


def openapi() -> Json:
    """Return the description as a JSON value."""
    contents = [*_contents(), Content(responses.Fault)]
    types = [each.type for each in contents if each.type is not None]
    queries = [each.query for each in OPERATIONS.values() if each.query is not None]
    _, schemas = msgspec.json.schema_components([*types, *queries], ref_template=_REF)
    paths: Json = {}
    for (method, path), operation in sorted(OPERATIONS.items()):
        paths.setdefault(path, {})[method.lower()] = _operation(method, path, operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Damka",
            "version": VERSION,
            "summary": "Play and analyse draughts by any rules.",
            "description": "Create a token on your account page and send it in the header "
            "`Authorization: Bearer …`. Errors are JSON with a code and a message in the language "
            "of `Accept-Language`. The live protocol of WebSocket connections is described in "
            "`/asyncapi.json`.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": f"Scopes: {', '.join(SCOPES)}.",
                },
                "seat": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "damka_seat",
                    "description": "Cookie of a browser with seats in games.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "damka_session",
                    "description": "Cookie of a browser that is logged in.",
                },
            },
            "responses": {
                str(status): {
                    "description": text,
                    "content": {"application/json": {"schema": _schema(responses.Fault)}},
                }
                for status, text in _PROBLEMS.items()
            },
        },
    }


def _contents() -> Iterator[Content]:
    for operation in OPERATIONS.values():
        yield from operation.body
        for contents in operation.responses.values():
            yield from contents


def _operation(method: str, path: str, operation: Operation) -> Json:
    result: Json = {
        "operationId": _id(method, path),
        "summary": operation.summary,
        "tags": [operation.tag],
        "security": _security(operation),
        "responses": _responses(operation),
    }
    if operation.description:
        result["description"] = operation.description
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": _PARAMETER_TEXTS[name],
            "schema": _PARAMETERS[name],
        }
        for name in re.findall(r"{(\w+)}", path)
    ]
    if operation.query is not None:
        parameters += _query(operation.query)
    if parameters:
        result["parameters"] = parameters
    if operation.body:
        result["requestBody"] = {
            "required": not any(each.optional for each in operation.body),
            "content": _bodies(operation.body),
        }
    return result


def _security(operation: Operation) -> list[Json]:
    """Return the accepted credentials of a request; the scope is listed with the token's scheme."""
    schemes: list[Json] = []
    if operation.scope is not None:
        scopes = [] if operation.scope == ANY_SCOPE else [operation.scope]
        schemes.append({"token": scopes})
        schemes.append({"session": []})
    if operation.open:
        schemes.append({"seat": []} if operation.scope != ANY_SCOPE else {})
        schemes.append({})
    return [each for at, each in enumerate(schemes) if each not in schemes[:at]]


def _responses(operation: Operation) -> Json:
    result: Json = {
        str(status): {
            "description": "Success." if status in {200, 201} else "Sent to the opponent.",
            "content": _bodies(contents),
        }
        for status, contents in operation.responses.items()
    }
    problems = {*operation.problems}
    if operation.scope is None and operation.description:
        problems |= {400, 403, 429}
    if operation.scope is not None:
        problems |= {400, 401, 403, 429}
    for status in sorted(problems):
        result[str(status)] = {"$ref": f"#/components/responses/{status}"}
    return result


def _bodies(contents: tuple[Content, ...]) -> Json:
    result: Json = {}
    for content in contents:
        body: Json = {"schema": {"type": "string"}}
        if content.type is not None:
            body = {"schema": _schema(content.type)}
        if content.example is not msgspec.UNSET:
            body["example"] = content.example
        result[content.media_type] = body
    return result


def _schema(kind: Any) -> Json:
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REF)
    return schema


def _query(kind: type[msgspec.Struct]) -> list[Json]:
    schema = msgspec.json.schema_components([kind], ref_template=_REF)[1][kind.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "schema": {key: value for key, value in field.items() if key != "description"},
            **({"description": field["description"]} if "description" in field else {}),
        }
        for name, field in schema["properties"].items()
    ]


def _id(method: str, path: str) -> str:
    words = re.findall(r"[a-z_]+", path)
    return "_".join([method.lower(), *words])
