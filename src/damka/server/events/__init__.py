"""Events: tournaments and arenas that a server runs, with their games, pages and arbiters.

`damka.tournament` pairs and counts. Here an event has a place in the database, its pairings become
games, whose results come back by themselves, and people join, watch and decide. Other parts of the
server ask `Events` to which event a game belongs.
"""

from damka.server.events.conductor import Conductor
from damka.server.events.feed import Feeds
from damka.server.events.game_acts import GameActs
from damka.server.events.service import Done, Events, is_event_id, topic
from damka.server.events.values import EventState, Setup, Stored

__all__ = [
    "Conductor",
    "Done",
    "EventState",
    "Events",
    "Feeds",
    "GameActs",
    "Setup",
    "Stored",
    "is_event_id",
    "topic",
]
