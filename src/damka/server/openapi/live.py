"""AsyncAPI description of live connections, generated from the types in `damka.live.messages`.

A message that is added there is described automatically; an example is optional.
"""

from __future__ import annotations

import inspect
from typing import Any, Final, NamedTuple, get_args

import msgspec

from damka.live import messages
from damka.server.events import messages as events
from damka.server.lobby import messages as lobby
from damka.server.settings import VERSION

__all__ = ["CHANNELS", "EXAMPLES", "asyncapi", "kinds"]

Json = dict[str, Any]

EXAMPLES: Final[dict[str, Json]] = {
    "move": {"t": "move", "ply": 0, "move": "22-18"},
    "why": {"t": "why", "text": "c3-c4"},
    "why_allowed": {"t": "why_allowed", "ply": 4},
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
    "watchers": {"t": "watchers", "on": True},
    "ping": {"t": "ping"},
}
"""Example of each kind of message from a page."""


def kinds(union: Any) -> dict[str, type[msgspec.Struct]]:
    """Return the message types of a union by their kinds."""
    return {str(each.__struct_config__.tag): each for each in get_args(union) or (union,)}


class _Channel(NamedTuple):
    """Kind of live connection, with the messages to and from the server."""

    name: str
    title: str
    address: str
    sent: Any
    received: Any


CHANNELS: Final = (
    _Channel("game", "Game", "/live/{gameId}", messages.ClientMessage, messages.ServerMessage),
    _Channel("event", "Tournament", "/live/event/{eventId}", events.FromPage, events.ToPage),
    _Channel("lobby", "Lobby", "/lobby/live", lobby.FromPage, lobby.ToPage),
)


def asyncapi(host: str, *, secure: bool = False) -> Json:
    """Return the description, as a JSON value, of the server at `host`."""
    schemas: Json = {}
    described: Json = {}
    channels: Json = {}
    operations: Json = {}
    for channel in CHANNELS:
        sent, received = kinds(channel.sent), kinds(channel.received)
        reference = f"#/components/schemas/{channel.name}.{{name}}"
        types = [*sent.values(), *received.values()]
        _, components = msgspec.json.schema_components(types, ref_template=reference)
        schemas |= {f"{channel.name}.{name}": each for name, each in sorted(components.items())}
        # A hint request and its answer have the same kind.
        message_types = [*sent.items(), *received.items()]
        described |= {
            f"{channel.name}.{type_.__name__}": _message(channel.name, kind, type_)
            for kind, type_ in message_types
        }
        channels[channel.name] = _channel(channel, [type_ for _, type_ in message_types])
        operations[f"{channel.name}Receive"] = _operation(
            channel.name, "receive", f"{channel.title}: messages to the server", sent
        )
        operations[f"{channel.name}Send"] = _operation(
            channel.name, "send", f"{channel.title}: messages from the server", received
        )
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Damka, live",
            "version": VERSION,
            "description": "Frames are JSON objects whose type is in `t`. The server sends the "
            "complete state first and after every change. For a game, a program sends its token "
            "in the header `Authorization: Bearer …` of the handshake. The token needs the scope "
            "`read`, and `play` to act. Close codes: 4401 invalid token, 4404 game not found, "
            "1013 try again later, 1008 too many messages.",
            "license": {"name": "MIT"},
        },
        "servers": {"this": {"host": host, "protocol": "wss" if secure else "ws"}},
        "channels": channels,
        "operations": operations,
        "components": {
            "schemas": schemas,
            "messages": described,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _channel(channel: _Channel, types: list[type[msgspec.Struct]]) -> Json:
    language = {"type": "string", "description": "Language of the messages."}
    result: Json = {
        "address": channel.address,
        "title": channel.title,
        "servers": [{"$ref": "#/servers/this"}],
        "messages": {
            each.__name__: {"$ref": f"#/components/messages/{channel.name}.{each.__name__}"}
            for each in types
        },
        "bindings": {"ws": {"query": {"type": "object", "properties": {"lang": language}}}},
    }
    for name, what in (("gameId", "game"), ("eventId", "tournament")):
        if f"{{{name}}}" in channel.address:
            described = f"The last part of the {what}'s URL."
            result["parameters"] = {name: {"description": described}}
    return result


def _message(channel: str, kind: str, type_: type[msgspec.Struct]) -> Json:
    result: Json = {
        "name": kind,
        "title": type_.__name__,
        "summary": " ".join((inspect.getdoc(type_) or "").split()),
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{channel}.{type_.__name__}"},
    }
    if kind in EXAMPLES and type_ in get_args(messages.ClientMessage):
        result["examples"] = [{"payload": EXAMPLES[kind]}]
    return result


def _operation(
    channel: str, action: str, summary: str, types: dict[str, type[msgspec.Struct]]
) -> Json:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [
            {"$ref": f"#/channels/{channel}/messages/{each.__name__}"} for each in types.values()
        ],
    }
