"""The AsyncAPI description of live connections, made of the types in `damka.live.messages`.

A message that is added there is described without anything to do here; an example is optional.
"""

from __future__ import annotations

import inspect
from typing import Any, Final, get_args

import msgspec

from damka.live import messages
from damka.server.settings import VERSION

__all__ = ["EXAMPLES", "asyncapi", "kinds"]

Json = dict[str, Any]

_REF: Final = "#/components/schemas/{name}"

EXAMPLES: Final[dict[str, Json]] = {
    "move": {"t": "move", "ply": 0, "move": "22-18"},
    "why": {"t": "why", "text": "c3-c4"},
    "huff": {"t": "huff", "ply": 4, "square": 18},
    "undo": {"t": "undo"},
    "undo_answer": {"t": "undo_answer", "ok": True},
    "draw": {"t": "draw"},
    "draw_answer": {"t": "draw_answer", "ok": False},
    "resign": {"t": "resign"},
    "abort": {"t": "abort"},
    "give_time": {"t": "give_time"},
    "claim": {"t": "claim", "draw": False},
    "flag": {"t": "flag"},
    "rematch": {"t": "rematch"},
    "rematch_answer": {"t": "rematch_answer", "ok": False},
    "hint": {"t": "hint"},
    "ping": {"t": "ping"},
}
"""A message of each kind that a page sends."""


def kinds(union: Any) -> dict[str, type[msgspec.Struct]]:
    """Return the types of messages by their kinds."""
    return {str(each.__struct_config__.tag): each for each in get_args(union)}


def asyncapi(host: str, *, secure: bool = False) -> Json:
    """Return the description, as a value for JSON, of the server at `host`."""
    sent, told = kinds(messages.ClientMessage), kinds(messages.ServerMessage)
    types = [*sent.values(), *told.values()]
    _, schemas = msgspec.json.schema_components(types, ref_template=_REF)
    described = {each.__name__: _message(kind, each) for kind, each in (sent | told).items()}
    # A hint that is asked for and its answer are of one kind.
    described |= {each.__name__: _message(kind, each) for kind, each in told.items()}
    described |= {each.__name__: _message(kind, each) for kind, each in sent.items()}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Damka, live",
            "version": VERSION,
            "description": "A connection to a game. Frames are JSON objects with the kind in `t`. "
            "The server sends the whole state at first and after every change; it replaces the one "
            "before. A program sends its token in the header `Authorization: Bearer …` of the "
            "handshake: it needs the scope `read`, and `play` to act. Close codes: 4401 for a bad "
            "token, 4404 where there is no such game, 1013 to try again later, 1008 for too many "
            "messages.",
            "license": {"name": "MIT"},
        },
        "servers": {"this": {"host": host, "protocol": "wss" if secure else "ws"}},
        "channels": {
            "game": {
                "address": "/live/{gameId}",
                "title": "A game",
                "servers": [{"$ref": "#/servers/this"}],
                "parameters": {"gameId": {"description": "The last part of the game's address."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in described},
                "bindings": {
                    "ws": {
                        "query": {
                            "type": "object",
                            "properties": {
                                "lang": {
                                    "type": "string",
                                    "description": "The language of the sentences.",
                                }
                            },
                        }
                    }
                },
            }
        },
        "operations": {
            "obey": _operation("receive", "What a page or a program sends", sent),
            "tell": _operation("send", "What the server sends", told),
        },
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "messages": described,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _message(kind: str, type_: type[msgspec.Struct]) -> Json:
    told: Json = {
        "name": kind,
        "title": type_.__name__,
        "summary": " ".join((inspect.getdoc(type_) or "").split()),
        "contentType": "application/json",
        "payload": {"$ref": _REF.format(name=type_.__name__)},
    }
    if kind in EXAMPLES and type_ in get_args(messages.ClientMessage):
        told["examples"] = [{"payload": EXAMPLES[kind]}]
    return told


def _operation(action: str, summary: str, types: dict[str, type[msgspec.Struct]]) -> Json:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": "#/channels/game"},
        "messages": [
            {"$ref": f"#/channels/game/messages/{each.__name__}"} for each in types.values()
        ],
    }
