"""Live games: seats, offers, takebacks, clocks, and the messages of the live protocol.

Independent of the web and of the database: the server stores these games and sends their messages
over sockets.
"""

from damka.live.live_game import LiveGame, OfferLimits
from damka.live.search_request import SearchRequest
from damka.live.stored_game import Seat, StoredGame

__all__ = ["LiveGame", "OfferLimits", "SearchRequest", "Seat", "StoredGame"]


def __dir__() -> list[str]:
    return __all__
