"""Every quick measurement in one run: `make bench`, or `python -m bench [SECTION...]`.

On another machine only the ratios are comparable. `python -m bench.levels` measures the levels and
`python -m bench.strength` the strength beside other programs; both take hours.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from bench import arrays, browser, engine, library, nodes, pdn, perft, python_loop, server, threads
from bench.figures import Figure
from bench.peers import PeerError

SECTIONS: dict[str, Callable[[], list[Figure]]] = {
    "perft": perft.run,
    "python": python_loop.run,
    "library": library.run,
    "pdn": pdn.run,
    "arrays": arrays.run,
    "engine": engine.run,
    "nodes": nodes.run,
    "threads": threads.run,
    "server": server.run,
    "browser": browser.run,
}


def main() -> int:
    """Measure and print; the exit status is 1 when a goal is missed or a peer is missing."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("section", nargs="*", help=f"some of {', '.join(SECTIONS)} (default: all)")
    chosen = parser.parse_args().section or list(SECTIONS)
    for section in chosen:
        if section not in SECTIONS:
            parser.error(f"no section {section!r}; there are {', '.join(SECTIONS)}")
    table = Table("measured", "Damka", "peer", "ratio", "goal")
    good = True
    console = Console(stderr=True)
    try:
        for section in chosen:
            with console.status(f"measuring {section} …"):
                try:
                    figures = SECTIONS[section]()
                except PeerError as error:
                    console.print(f"{section}: {error}", style="red", markup=False)
                    good = False
                    continue
            for figure in figures:
                ratio = "" if figure.ratio is None else f"{figure.ratio:.1f}×"
                verdict = {None: "", True: ": met", False: ": MISSED"}[figure.met]
                good &= figure.met is not False
                table.add_row(figure.what, figure.ours, figure.peer, ratio, figure.goal + verdict)
    finally:
        # What has been measured is told, whatever came after.
        Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
