"""The lobby: open challenges, and the pool for automatic pairing.

The state is in the table `seeks`; the processes of a cluster publish changes on the topic "lobby".
A seek stays open while its creator has a page open. `http` serves requests, `live` serves live
connections.
"""

from damka.server.lobby.service import Lobby

__all__ = ["Lobby"]
