"""Events: tournaments and arenas run by the server, with their games, pages and arbiters.

`damka.tournament` does pairings and standings. This package stores events in the database, creates
a game for each pairing, records the results and serves players, spectators and arbiters. Other
parts of the server use `Events` to look up the event of a game.
"""

from damka.server.events.conductor import Conductor
from damka.server.events.feed import Feeds
from damka.server.events.game_actions import GameActions
from damka.server.events.service import ChangeLogEntry, Events, is_event_id, topic
from damka.server.events.values import EventState, Setup, StoredEvent

__all__ = [
    "ChangeLogEntry",
    "Conductor",
    "EventState",
    "Events",
    "Feeds",
    "GameActions",
    "Setup",
    "StoredEvent",
    "is_event_id",
    "topic",
]
