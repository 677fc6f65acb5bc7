"""Reading games in Portable Draughts Notation: a large file, and beside other libraries.

The large file is the twin that `bench.pdn_twin` makes. Other libraries are given its first games
one by one, which suits them best: py-draughts plays a game while it reads it; pydraughts, which
plays no move while it reads, then plays what it has read. It is also given a file of some games,
the rest of which it copies for every game.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench import pdn_twin
from bench.figures import Figure
from bench.peers import environment

__all__ = ["run"]

ROOT = Path(__file__).parents[1]
SECONDS = 20.0
MEGABYTES = 100.0
PYDRAUGHTS_GOAL = 20.0
SMALL = 1000
PY_DRAUGHTS_GOAL = 5.0

_OURS = """
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
_TREES = _OURS.replace("game.move_count", "sum(1 for node in game.mainline() if node.move)")
_PEER = """
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
print(len(texts), read, time.process_time() - started, 0)
"""
_PY_DRAUGHTS = _PEER.format(
    imports="from draughts.boards.russian import Board", play="Board.from_pdn(text)"
)
_PYDRAUGHTS_READS = """
import sys, time
from draughts.PDN import PDNReader
started = time.process_time()
games = PDNReader(filename=sys.argv[1]).games
print(len(games), len(games), time.process_time() - started, 0)
"""
_PYDRAUGHTS_PLAYS = _PEER.format(
    imports="from draughts import Board, Move\nfrom draughts.PDN import PDNReader",
    play="""found = PDNReader(pdn_text=text).games[0]
        board = Board("russian", found.tags.get("FEN", "startpos"))
        for move in found.moves:
            board.push(Move(board, pdn_move=move))""",
)


def run(games: int = pdn_twin.GAMES) -> list[Figure]:
    """Return the times to read the twin, with its size in memory, and those of other libraries."""
    twin = _twin(games)
    count, moves, seconds, megabytes = _run(sys.executable, _OURS, twin, games)
    if count != games:
        raise AssertionError(f"{count:.0f} of {games} games were read")
    what = f"PDN: {games:,} games, {moves:,.0f} moves, {twin.stat().st_size / 1e6:.0f} MB"
    trees = _run(sys.executable, _TREES, twin, games)[2]
    return [
        Figure(what, f"{seconds:.1f} s", goal=f"{SECONDS:g} s", met=seconds <= SECONDS),
        Figure(
            "PDN: memory", f"{megabytes:.0f} MB", goal=f"{MEGABYTES:g} MB", met=megabytes <= 100
        ),
        Figure("PDN: with every main line as a tree", f"{trees:.1f} s"),
        _beside(twin, "draughts", "py-draughts", _PY_DRAUGHTS, 2000, PY_DRAUGHTS_GOAL),
        _beside(twin, "pydraughts", "pydraughts", _PYDRAUGHTS_PLAYS, 60, PYDRAUGHTS_GOAL),
        _beside_file("pydraughts", "pydraughts, unplayed", _PYDRAUGHTS_READS, PYDRAUGHTS_GOAL),
    ]


def _beside_file(peer: str, name: str, script: str, goal: float) -> Figure:
    """Compare the games read a second of one smaller file."""
    small = _twin(SMALL)
    count, read, seconds, _ = _run(str(environment(peer) / "python"), script, small)
    ours = _run(sys.executable, _OURS, small, SMALL)
    return _figure(
        f"PDN: games a second of a file of {SMALL:,}", ours, (count, read, seconds), name, goal
    )


def _beside(twin: Path, peer: str, name: str, script: str, games: int, goal: float) -> Figure:
    """Compare the games read a second, on the first games of the twin."""
    python = str(environment(peer) / "python")
    count, read, seconds, _ = _run(python, script, twin, games)
    # Of a larger part, since so few games are read too quickly to be measured.
    ours = _run(sys.executable, _OURS, twin, 20_000)
    return _figure("PDN: games a second", ours, (count, read, seconds), name, goal)


def _figure(
    what: str,
    ours: tuple[float, ...],
    theirs: tuple[float, float, float],
    name: str,
    goal: float,
) -> Figure:
    count, read, seconds = theirs
    mine, rate = ours[0] / ours[2], count / seconds
    failed = f", {count - read:.0f} of {count:.0f} not read" if read < count else ""
    return Figure.against(what, f"{mine:,.0f}", f"{name} {rate:,.0f}{failed}", mine / rate, goal)


def _twin(games: int) -> Path:
    """The twin of so many games, made if it is missing."""
    twin = ROOT / "build" / f"pdn-twin-{games}.pdn"
    if not twin.exists():
        twin.parent.mkdir(exist_ok=True)
        part = twin.with_suffix(".part")
        pdn_twin.write(part, games)
        part.rename(twin)
    return twin


def _run(python: str, script: str, *arguments: object) -> tuple[float, float, float, float]:
    told = subprocess.run(
        [python, "-c", script, *map(str, arguments)], check=True, capture_output=True, text=True
    )
    first, second, third, fourth = map(float, told.stdout.split()[-4:])
    return first, second, third, fourth
