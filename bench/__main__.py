"""Measure speed in comparison with other programs: `make bench`, or name some commands.

  perft     leaves per second, international and american, compared with dame-rs
  rules     leaves per second of every rule set, as a share of international's (`make bench-rules`)
  nodes     positions per second of the search, compared with dame-rs
  threads   two threads of a search against one
  library   legal_moves, push and pop in Python, compared with dame-rs, open_spiel and py-draughts
  arrays    boards with masks for reinforcement learning, compared with open_spiel
  pdn       games per second read from a file, compared with py-draughts and pydraughts
  lessons   courses: times, levels and guided games
  review    planted mistakes that a review finds, its false alarms and its time
  browser   the static site in Chromium (after `make site js`)

Figures are medians, in CPU seconds unless noted. Only ratios are comparable between
machines. Other programs are installed under build/peers on first use.

These take long, and have their own options (`--help`):

  python -m bench.strength   matches against other programs
  python -m bench.levels     the Elo of the ten levels
  python -m bench.review     planted mistakes in games, and making such games
  python -m bench endings    won endings, scored and played (--truth, --levels)
  python -m bench calibration  winning chances compared with the results of games
  python -m bench.load       load on a running server
  python -m bench.faults     faults in the middle of running games
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bench import arrays, browser, endings, lessons, library, nodes, pdn, perft, review, threads
from bench.figures import Figure
from bench.peers import PeerError

COMMANDS: dict[str, Callable[..., list[Figure]]] = {
    "perft": perft.run,
    "rules": perft.rules,
    "nodes": nodes.run,
    "threads": threads.run,
    "library": library.run,
    "arrays": arrays.run,
    "pdn": pdn.run,
    "lessons": lessons.run,
    "review": review.run,
    "browser": browser.run,
}


def main() -> int:
    """Measure and print; the exit status is 1 for a missed goal or a missing peer."""
    if sys.argv[1:2] == ["endings"]:
        return endings.main(sys.argv[2:])
    if sys.argv[1:2] == ["calibration"]:
        from bench import calibration  # noqa: PLC0415  needs the extra `train`

        return calibration.main(sys.argv[2:])
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="*", help="one or more of the first list (all but rules)")
    parser.add_argument(
        "--quick", action="store_true", help="one short run of each, as a smoke test"
    )
    options = parser.parse_args()
    chosen = options.command or [name for name in COMMANDS if name != "rules"]
    for name in chosen:
        if name not in COMMANDS:
            parser.error(f"no command {name!r}; there are {', '.join(COMMANDS)}")
    table = Table("measured", "Damka", "peer", "ratio", "goal")
    good = True
    console = Console(stderr=True)
    try:
        for number, name in enumerate(chosen, 1):
            place = f"{name} ({number} of {len(chosen)})"
            with console.status(f"measuring {place} …") as status:
                try:
                    figures = COMMANDS[name](
                        quick=options.quick,
                        say=lambda part: status.update(f"measuring {place}: {part} …"),  # noqa: B023
                    )
                except PeerError as error:
                    console.print(f"{name}: {error}", style="red", markup=False)
                    good = False
                    continue
            for figure in figures:
                ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}×"
                # Short runs say nothing about goals.
                met = None if options.quick else figure.met
                verdict = {None: "", True: ": met", False: ": MISSED"}[met]
                good &= met is not False
                table.add_row(figure.what, figure.ours, figure.peer, ratio, figure.goal + verdict)
    finally:
        # Also after an error or Ctrl-C, with the results so far.
        Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
