"""API for programs, authenticated by tokens: streams, moves and game exports.

Other parts of the server notify a member's programs with `Announcer.notify`.
"""

from damka.server.programs.announcer import Announcer

__all__ = ["Announcer"]
