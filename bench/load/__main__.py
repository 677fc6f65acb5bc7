"""Load on a running server, over loopback: `python -m bench.load [scenario …]`.

Figures are told beside their goals. The exit status is 1 when something was lost, doubled or
refused that should not have been.
"""

import sys

from bench.load import memory, playing, searching, shedding, watching
from bench.load.command import main
from bench.load.context import Scenario

SCENARIOS: dict[str, Scenario] = {
    "games": playing.games,
    "cluster": playing.cluster,
    "steps": playing.steps,
    "spectators": watching.spectators,
    "reconnects": watching.reconnects,
    "sockets": memory.sockets,
    "idle": memory.idle,
    "engines": searching.engines,
    "shedding": shedding.shedding,
    "finished": memory.finished,
}

if __name__ == "__main__":
    sys.exit(main("python -m bench.load", __doc__, SCENARIOS))
