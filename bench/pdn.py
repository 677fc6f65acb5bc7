"""Reading a large file in Portable Draughts Notation, in comparison with other libraries.

The file is generated in build/ by `bench.pdn_twin`. Other libraries get its first games one by one,
which is fastest for them. py-draughts plays each game while reading it. pydraughts does not, so its
games are played afterwards; it is also given a file of some games, where it copies the rest of the
file for each game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench import pdn_twin
from bench.figures import Figure, Say
from bench.peers import ROOT, printed

__all__ = ["run"]

SECONDS: Final = 20.0
MEGABYTES: Final = 100.0
SMALL: Final = 1000

_OURS: Final = """
import re, sys, time
from pathlib import Path
from damka import pdn
started = time.process_time()
games = moves = 0
for game in pdn.read(Path(sys.argv[1])):
    games += 1
    moves += game.move_count
    if games == int(sys.argv[2]):
        break
taken = time.process_time() - started
most = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(games, moves, taken, int(most[1]) / 1000 if most else 0)
"""
_TREES: Final = _OURS.replace("game.move_count", "sum(1 for node in game.mainline() if node.move)")
_PEER: Final = """
import itertools, sys, time
{imports}
games = []
with open(sys.argv[1]) as file:
    for line in file:
        if line.startswith("[White "):
            if len(games) == int(sys.argv[2]):
                break
            games.append([])
        games[-1].append(line)
texts = ["".join(lines) for lines in games]
read = 0
started = time.process_time()
for text in texts:
    try:
        {play}
        read += 1
    except Exception:
        pass
print(len(texts), read, time.process_time() - started)
"""
_PY_DRAUGHTS: Final = _PEER.format(
    imports="from draughts.boards.russian import Board", play="Board.from_pdn(text)"
)
_PYDRAUGHTS_READS: Final = """
import sys, time
from draughts.PDN import PDNReader
started = time.process_time()
games = PDNReader(filename=sys.argv[1]).games
print(len(games), len(games), time.process_time() - started)
"""
_PYDRAUGHTS_PLAYS: Final = _PEER.format(
    imports="from draughts import Board, Move\nfrom draughts.PDN import PDNReader",
    play="""game = PDNReader(pdn_text=text).games[0]
        board = Board("russian", game.tags.get("FEN", "startpos"))
        for move in game.moves:
            board.push(Move(board, pdn_move=move))""",
)
_PEERS: Final = (
    ("draughts", "py-draughts", _PY_DRAUGHTS, 2000, 5.0),
    ("pydraughts", "pydraughts", _PYDRAUGHTS_PLAYS, 60, 20.0),
)
"""Peer, name, script, number of games, and goal for the ratio."""


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the time and memory to read the large file, and rates next to other libraries."""
    games = SMALL if quick else pdn_twin.GAMES
    say("generating the large file")
    twin = _twin(games)
    say("Damka reads")
    count, moves, seconds, megabytes = printed(_OURS, twin, games)
    if count != games:
        raise AssertionError(f"{count:.0f} of {games} games were read")
    what = f"PDN: {games:,} games, {moves:,.0f} moves, {twin.stat().st_size / 1e6:.0f} MB"
    trees = printed(_TREES, twin, games)[2]
    figures = [
        Figure(what, f"{seconds:.1f} s", goal=f"{SECONDS:g} s", met=seconds <= SECONDS),
        Figure(
            "PDN: memory",
            f"{megabytes:.0f} MB",
            goal=f"{MEGABYTES:g} MB",
            met=megabytes <= MEGABYTES,
        ),
        Figure("PDN: main lines as trees", f"{trees:.1f} s"),
    ]
    for peer, name, script, number, goal in _PEERS:
        say(f"{name} reads and plays")
        theirs = printed(script, twin, number // 20 if quick else number, peer=peer)
        # On more games, since a few are read too quickly to measure.
        ours = printed(_OURS, twin, min(games, 20_000))
        figures.append(_rates("PDN: games per second", ours, theirs, name, goal))
    say("pydraughts reads a file")
    small = _twin(SMALL // 10 if quick else SMALL)
    theirs = printed(_PYDRAUGHTS_READS, small, peer="pydraughts")
    ours = printed(_OURS, small, int(theirs[0]))
    what = f"PDN: games per second of a file of {theirs[0]:,.0f}"
    return [*figures, _rates(what, ours, theirs, "pydraughts, unplayed", 20.0)]


def _rates(
    what: str, ours: tuple[float, ...], theirs: tuple[float, ...], name: str, goal: float
) -> Figure:
    count, read, seconds = theirs
    mine, rate = ours[0] / ours[2], count / seconds
    failed = f", {count - read:.0f} of {count:.0f} not read" if read < count else ""
    return Figure.against(what, f"{mine:,.0f}", f"{name} {rate:,.0f}{failed}", mine / rate, goal)


def _twin(games: int) -> Path:
    """Return the generated file with this number of games, written on first use."""
    twin = ROOT / "build" / f"pdn-twin-{games}.pdn"
    if not twin.exists():
        twin.parent.mkdir(exist_ok=True)
        part = twin.with_suffix(".part")
        pdn_twin.write(part, games)
        part.rename(twin)
    return twin
