"""A game as people play it: seats, offers, taking back, and what a page is told of it.

Nothing here knows the web or a database: the server keeps such games in its store and tells them
over sockets.
"""

from damka.live.live_game import LiveGame, OfferLimits
from damka.live.search_request import SearchRequest
from damka.live.stored_game import Seat, StoredGame

__all__ = ["LiveGame", "OfferLimits", "SearchRequest", "Seat", "StoredGame"]


def __dir__() -> list[str]:
    return __all__
