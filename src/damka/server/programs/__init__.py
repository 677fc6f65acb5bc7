"""What programs ask of a server, with a token: streams, moves, analysis, games as files.

Other parts of the server tell a member's programs that something concerns them by
`Announcer.tell`.
"""

from damka.server.programs.announcer import Announcer

__all__ = ["Announcer"]
