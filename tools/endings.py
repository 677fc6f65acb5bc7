"""Measure how endings end by material, for core/eval/endings.cpp.

    python -m tools.endings sample russian --seconds 60 --seed 1 >> russian.txt
    python -m tools.endings write *.txt

`sample` prints random quiet endings of up to eight pieces, one a line: pieces, side to move, and
its result, from tablebases or, beyond them, proved by a search into them; without a proof it counts
as a draw. Run it for every family in FAMILIES, after `damka tablebase build russian --pieces 5`
(on large boards tables of four pieces, and those of five against one). `write` counts the results
by material and writes core/eval/endings_data.hpp.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from damka import Board
from damka.engine import BEYOND, Engine
from damka.rules import load
from damka.tablebase import Tablebases, default_folder

FAMILIES = (
    *("american", "italian", "russian", "czech", "dama64", "international", "killer"),
    *("frisian", "turkish"),
)
ROADS = ("russian", "czech")
"""The families where a king on the main road matters: the hypothesis that it does not is refuted
there only (chi² of 2.4 and 3.0 per degree of freedom, 0.9 to 1.5 in the others)."""

TRADING = ("american", "italian")
"""The families where wins of more pieces take too long to be proved: where the kings are short,
a share is close to its mean after a trade. With five pieces and kings on both sides they differ by
2% (american) and 13% (italian); a search finds a proof of only 54% of the american wins."""

DATA = Path(__file__).parents[1] / "core" / "eval" / "endings_data.hpp"
PIECES = 8
STEP = 5  # percent
NODES = 20_000
TABLES = 5  # pieces
TRADED = 0.95
PRIOR = 0.5  # endings: weight of all roads in the share of one road

Force = tuple[int, int]  # kings and men
Material = tuple[Force, Force]
Counts = dict[tuple[Material, int], list[int]]
"""Wins, draws and losses of White by material and difference on the main road."""
Shares = tuple[float, float, float]


def materials() -> Iterator[Material]:
    """Yield all materials with a king, the stronger side first, in the order of endings.cpp."""
    for first in range(1, PIECES):
        for second in range(1, min(first, PIECES - first) + 1):
            for kings in range(first + 1):
                most = kings if first == second else second
                for theirs in range(most + 1):
                    if kings + theirs:
                        yield (kings, first - kings), (theirs, second - theirs)


def is_quiet(start: Board, pieces: str) -> bool:
    """Return whether both sides can move and neither can capture."""
    boards = [start.with_pieces(pieces, turn) for turn in ("W", "B")]
    return all(b.legal_moves and not b.legal_moves[0].is_capture for b in boards)


def random_ending(start: Board, material: Material, rng: random.Random) -> Board | None:
    """Return a random quiet ending, White with the first force; None if none was found."""
    count = start.square_count
    row = count // start.rules.height
    (kings, men), (theirs, other) = material
    letters = "W" * kings + "w" * men + "B" * theirs + "b" * other
    for _ in range(200):
        squares = ["."] * count
        for at, letter in zip(rng.sample(range(count), len(letters)), letters, strict=True):
            squares[at] = letter
        if "w" in squares[:row] or "b" in squares[count - row :]:
            continue
        pieces = "".join(squares)
        if is_quiet(start, pieces):
            return start.with_pieces(pieces, "W" if rng.random() < 0.5 else "B")
    return None


def truth(tables: Tablebases, engine: Engine, board: Board, nodes: int = NODES) -> int | None:
    """Return the result for the side to move, or None if neither side's win is proved.

    The engine must probe the same tables.
    """
    known = tables.get_wdl(board)
    if known is not None:
        return known
    score = engine.search(board, nodes=nodes).score
    return None if abs(score) <= BEYOND else 1 if score > 0 else -1


def sample(name: str, seconds: float, seed: int, folder: Path) -> None:
    """Print endings of every material in turn until the time is over."""
    rng = random.Random(seed)
    start = Board(name)
    order = list(materials())
    until = time.monotonic() + seconds
    engine = Engine(16, tablebases=folder)
    with Tablebases(start.rules, folder) as tables:
        while time.monotonic() < until:
            rng.shuffle(order)
            for material in order:
                board = random_ending(start, material, rng)
                if board is not None:
                    print(board.pieces, board.turn, truth(tables, engine, board) or 0)


def count(path: Path, rules: str) -> Counts:
    """Return White's wins, draws and losses by material and difference on the main road."""
    found: Counts = defaultdict(lambda: [0, 0, 0])
    geometry = load(rules)
    last = geometry.width - 1
    square = geometry.width == geometry.height
    for line in path.read_text("utf-8").splitlines():
        pieces, turn, value = line.split()[:3]
        result = int(value) if turn == "W" else -int(value)
        road = 0
        for side, sign in (("W", 1), ("B", -1)):
            cells = [geometry.cell(at) for at, p in enumerate(pieces, 1) if p == side]
            road += sign * (square and any(r == c or r + c == last for r, c in cells))
        white = (pieces.count("W"), pieces.count("w"))
        black = (pieces.count("B"), pieces.count("b"))
        found[(white, black), road][1 - result] += 1
        if white == black:
            found[(white, black), -road][1 + result] += 1
    return found


def shares_of(found: Counts, *, trading: bool) -> dict[Material, Shares]:
    """Return the shares of wins, draws and losses by material, for both orders of the sides.

    With `trading`, a share beyond the tables is at least nearly that after a trade.
    """
    shares: dict[Material, Shares] = {}
    for first, second in sorted(materials(), key=lambda sides: sum(map(sum, sides))):
        results = [sum(found[(first, second), road][i] for road in (-1, 0, 1)) for i in range(3)]
        total = sum(results) or 1
        won, lost = results[0] / total, results[2] / total
        if trading and sum(first) + sum(second) > TABLES:
            after = traded(first, second, shares)
            won = max(won, TRADED * after[0])
            lost = min(max(lost, TRADED * after[2]), 1 - won)
        shares[first, second] = (won, 1 - won - lost, lost)
        shares[second, first] = (lost, 1 - won - lost, won)
    return shares


def traded(first: Force, second: Force, shares: dict[Material, Shares]) -> Shares:
    """Return the mean shares after a trade of one piece for another."""
    weights, sums = 0, [0.0, 0.0, 0.0]
    for ours in (0, 1):
        for theirs in (0, 1):
            weight = first[ours] * second[theirs]
            left = (first[0] - (ours == 0), first[1] - (ours == 1))
            right = (second[0] - (theirs == 0), second[1] - (theirs == 1))
            after = shares.get((left, right)) if sum(right) else (1.0, 0.0, 0.0)
            if weight and after and sum(left):
                weights += weight
                sums = [total + weight * share for total, share in zip(sums, after, strict=True)]
    won, drawn, lost = (total / max(weights, 1) for total in sums)
    return won, drawn, lost


def data(found: Counts, *, roads: bool, trading: bool) -> str:
    """Return a family's data, in the order of endings.cpp: two letters for each material."""
    everywhere = shares_of(found, trading=trading)
    letters = []
    for road in (0, -1, 1) if roads else (0,):
        for material in materials():
            shares = everywhere[material]
            if roads:
                here = found[material, road]
                total = sum(here) + PRIOR
                won, drawn, lost = (
                    (n + PRIOR * share) / total for n, share in zip(here, shares, strict=True)
                )
                shares = (won, drawn, lost)
            letters += [chr(97 + round(100 / STEP * share)) for share in (shares[0], shares[2])]
    return "".join(letters)


def write(paths: list[Path]) -> None:
    """Write the header from the samples of all families."""
    lines = [
        "// Shares of wins by material, written by tools/endings.py: two letters, for the wins and",
        "// the losses of the first side, from a (none) in steps of five percent.",
        "#pragma once",
        "",
        "#include <string_view>",
        "",
        "namespace damka::endings_data {",
        "",
    ]
    for name in FAMILIES:
        found: Counts = defaultdict(lambda: [0, 0, 0])
        for path in paths:
            if path.name.split(".")[0] != name:
                continue
            for key, results in count(path, name).items():
                found[key] = [a + b for a, b in zip(found[key], results, strict=True)]
        text = data(found, roads=name in ROADS, trading=name in TRADING)
        lines.append(f"inline constexpr std::string_view k{name.capitalize()} =")
        rows = [f'    "{text[at : at + 90]}"' for at in range(0, len(text), 90)]
        lines += [*rows[:-1], rows[-1] + ";", ""]
    lines.append("}  // namespace damka::endings_data")
    DATA.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Sample or write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    commands = parser.add_subparsers(dest="command", required=True)
    sampler = commands.add_parser("sample", help="print random endings with their results")
    sampler.add_argument("rules", choices=FAMILIES)
    sampler.add_argument("--seconds", type=float, default=60)
    sampler.add_argument("--seed", type=int, default=0)
    sampler.add_argument("--folder", type=Path, default=default_folder(), help="of the tables")
    writer = commands.add_parser("write", help="write the header")
    writer.add_argument("samples", type=Path, nargs="+", help="files named RULES.….txt")
    options = parser.parse_args()
    if options.command == "sample":
        sample(options.rules, options.seconds, options.seed, options.folder)
    else:
        write(options.samples)


if __name__ == "__main__":
    main()
