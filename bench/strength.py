"""Play matches against other engines: `python -m bench.strength [dame] [turbo]`.

International draughts, one thread each, 0.2 s per move, random balanced openings with the colours
swapped, games played to the end. The peers are installed by `bench.peers` and use the Hub protocol.
Our engine probes endgame tables of up to five pieces, which are built before the first match
(twelve minutes on two cores). Games are stored in `.cache/` by commit, so an interrupted run can
continue. 200 games take an hour, half of that with `--jobs 2`.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.peers import ROOT, PeerError, environment
from damka.cli.match_view import View
from damka.engine import SearchLimits
from damka.errors import DamkaError
from damka.match import MatchSettings, Score, run, store
from damka.rules import load
from damka.tablebase import Tablebases

RULES = "international"


@dataclass(frozen=True)
class Peer:
    """An opponent: its command, and the goal for the score."""

    title: str
    games: int
    command: Callable[[], tuple[str, ...]]
    goal: str
    met: Callable[[Score], bool]


PEERS = {
    "dame": Peer(
        "dame-rs",
        games=200,
        command=lambda: (str(environment("dame") / "dame"), "hub"),
        goal="+600 Elo or more, 95% lower bound +450 or more",
        met=lambda score: score.elo.elo >= 600 and score.elo.low >= 450,
    ),
    "turbo": Peer(
        "py-draughts' TurboEngine",
        games=60,
        command=lambda: (
            str(environment("draughts") / "python"),
            str(ROOT / "bench" / "turbo_hub.py"),
        ),
        goal="90% of the points or more",
        met=lambda score: score.points >= 0.9,
    ),
}


def endgame_tables(pieces: int) -> int:
    """Build the missing tables of up to `pieces` pieces (0 for none) in the default folder.

    Return the largest number of pieces with tables.
    """
    if not pieces:
        return 0
    damka = Path(sys.executable).with_name("damka")
    command = [str(damka), "tablebase", "build", RULES, "--pieces", str(pieces)]
    subprocess.run(command, check=True)
    with Tablebases(load(RULES)) as tables:
        return tables.pieces


def measure(
    name: str, games: int, seconds: float, *, pieces: int, seed: int, concurrency: int
) -> bool:
    """Play a match against a peer, print the report, and return whether its goal is met.

    Our engine probes its tables of up to `pieces` pieces.
    """
    peer = PEERS[name]
    settings = MatchSettings(
        "engine" if pieces else "engine:tablebases=none",
        f"hub:{shlex.join(peer.command())}",
        load(RULES),
        SearchLimits(seconds=seconds),
        seed=seed,
    )
    file = Path(".cache") / f"strength-{name}-{commit()}-{seconds:g}s-{pieces}p-{seed}.pdn"
    file.parent.mkdir(exist_ok=True)
    earlier = store.read(file, str(settings))
    tables_text = f"endgame tables of up to {pieces} pieces" if pieces else "no endgame tables"
    print(f"against {peer.title}, {tables_text}, games in {file}")
    with View(settings, games, None, earlier, file) as view:
        score = run(
            settings, games=games, concurrency=concurrency, earlier=earlier, on_game=view.show
        )
    good = peer.met(score)
    print(f"goal: {peer.goal}: {'met' if good else 'MISSED'}\n")
    return good


@cache
def commit() -> str:
    """Return the tested commit, with a checksum of uncommitted changes if there are any.

    The grades of the levels are left out, because measuring them changes them.
    """

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout

    name = git("rev-parse", "--short=10", "HEAD").decode().strip()
    changed = git("diff", "HEAD", "--", "core", "src", ":(exclude)*/grades.toml")
    return f"{name}+{zlib.crc32(changed):08x}" if changed else name


def main() -> int:
    """Play the named peers (default: all); return 0 if every goal is met."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.strength",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("peer", nargs="*", help=f"some of {', '.join(PEERS)} (default: all)")
    parser.add_argument("--games", type=int, help="an even number (dame 200, turbo 60)")
    parser.add_argument("--time", type=float, default=0.2, help="seconds per move (default: 0.2)")
    parser.add_argument(
        "--pieces",
        type=int,
        default=5,
        choices=(0, 2, 3, 4, 5),
        help="largest number of pieces in endgame tables, 0: none (default: 5)",
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed of the openings (0)")
    parser.add_argument("--jobs", "--concurrency", type=int, default=1, help="concurrent games (1)")
    options = parser.parse_args()
    for name in options.peer:
        if name not in PEERS:
            parser.error(f"no peer {name!r}; there are {', '.join(PEERS)}")
    try:
        pieces = endgame_tables(options.pieces)
    except subprocess.CalledProcessError as error:
        print(f"no endgame tables: {error}", file=sys.stderr)
        return 1
    good = True
    for name in options.peer or PEERS:
        games = options.games or PEERS[name].games
        try:
            good &= measure(
                name,
                games,
                options.time,
                pieces=pieces,
                seed=options.seed,
                concurrency=options.jobs,
            )
        except (DamkaError, PeerError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
