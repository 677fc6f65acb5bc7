"""The lobby: open challenges, and the pool in which opponents are found.

What is true stands in the table `seeks`; the processes that serve together tell each other by the
topic "lobby" that it has changed. A seek lives as long as a page of its maker is open. Requests are
served by `http`, live connections by `live`.
"""

from damka.server.lobby.service import Lobby

__all__ = ["Lobby"]
