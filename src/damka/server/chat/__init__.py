"""Chat at games between people: permitted texts (`texts`), readers (`rooms`) and storage (`rows`).
The routes are in `http`; live connections receive new messages on `topic`.
"""

from damka.server.chat import rows
from damka.server.chat.rooms import Called, Posted, Reader, Room, kid_topic, line, posted, topic
from damka.server.chat.texts import PRESETS

__all__ = [
    "PRESETS",
    "Called",
    "Posted",
    "Reader",
    "Room",
    "kid_topic",
    "line",
    "posted",
    "rows",
    "topic",
]
