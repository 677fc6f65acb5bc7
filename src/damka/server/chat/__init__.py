"""Chat at games between people: what may be said (`texts`), who reads it (`rooms`), and where it is
kept (`rows`). The routes are in `http`; live connections tell what is new by `topic`.
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
