"""Faults in the middle of running games, over loopback: `python -m bench.faults [scenario …]`.

The exit status is 1 when an acknowledged move is lost, when a clock is wrong by more than a tenth
of a second, and when nobody is told what is going on.
"""

import sys

from bench.faults import clients, processes, storage
from bench.load.command import main
from bench.load.context import Scenario, Sizes

SCENARIOS: dict[str, Scenario] = {
    "server": processes.server,
    "one_of_two": processes.one_of_two,
    "postgres": processes.database,
    "broker": processes.broker,
    "full_disk": storage.full_disk,
    "deleted": storage.deleted,
    "replaced": storage.replaced,
    "damaged": storage.damaged,
    "clients": clients.clients,
}
USUAL = Sizes(games=200, seconds=15.0, every=4.0)

if __name__ == "__main__":
    sys.exit(main("python -m bench.faults", __doc__, SCENARIOS, USUAL))
