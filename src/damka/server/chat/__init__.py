"""Chat at games between people: permitted texts (`texts`), readers (`rooms`) and storage (`rows`).
The routes are in `http`; live connections receive new messages on `topic`.
"""

from damka.server.chat import rows
from damka.server.chat.rooms import (
    ChatMessage,
    Reader,
    Room,
    SenderNames,
    decode_message,
    kid_topic,
    line,
    topic,
)
from damka.server.chat.texts import PRESETS

__all__ = [
    "PRESETS",
    "ChatMessage",
    "Reader",
    "Room",
    "SenderNames",
    "decode_message",
    "kid_topic",
    "line",
    "rows",
    "topic",
]
