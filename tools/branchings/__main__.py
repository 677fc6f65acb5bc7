"""Measure how often capture routes branch, for every rule set.

The positions come from the games, positions and rule books of this repository, with all their
successors within two plies, and from random play: games from the start, crowds (random numbers of
men and kings) and hunts (few pieces against many).

    python -m tools.branchings --positions 300000
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from damka import Board, pdn, rulebook
from damka.errors import DamkaError
from damka.rulebook.scenes import diagram
from damka.rules import Rules, load, names

ROOT: Final = Path(__file__).parents[2]
DATA: Final = ROOT / "tests" / "data"
PROGRAM: Final = ROOT / "build" / "branchings"
SOURCES: Final = ("movegen/movegen_table.cpp", "movegen/captures_*.cpp")
FEN: Final = re.compile(r"[WB]:W[K\d,-]+:B[K\d,-]+")
SHARES: Final = (0.99, 0.9999, 0.999999)


def main() -> None:
    """Print a line for each kind of position: the number, percentiles and the worst one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=100_000, help="random positions of each kind and rule set"
    )
    options = parser.parse_args()
    _compile()
    totals: dict[str, Counter[int]] = {}
    worst: dict[str, tuple[int, str]] = {}
    real = {name: set(_recorded(load(name))) for name in names()}
    for name in names():
        rules = load(name)
        lines = [_rules(rules), *_lines("real", real[name]), *_lines("composed", _composed(rules))]
        lines += [f"random {kind} {options.positions}" for kind in ("games", "crowds", "hunts")]
        output = subprocess.run(  # noqa: S603  the program compiled above
            [PROGRAM], input="\n".join(lines), check=True, capture_output=True, text=True
        )
        for line in output.stdout.splitlines():
            kind, position, *counts = line.split()
            pairs = [each.split(":") for each in counts]
            counter = Counter({int(branches): int(n) for branches, n in pairs})
            totals[kind] = totals.get(kind, Counter()) + counter
            worst[kind] = max(worst.get(kind, (0, "")), (max(counter), f"{name} {position}"))
    for kind, total in totals.items():
        shares = "  ".join(f"{share:.4%}: {_percentile(total, share):,}" for share in SHARES)
        maximum, where = worst[kind]
        print(f"{kind:9}{total.total():>12,} positions  {shares}  most: {maximum:,} ({where})")


def _compile() -> None:
    PROGRAM.parent.mkdir(exist_ok=True)
    core = ROOT / "core"
    sources = [Path(__file__).with_name("count.cpp")]
    sources += [file for pattern in SOURCES for file in core.glob(pattern)]
    command = ["c++", "-std=c++20", "-O2", f"-I{core}", *map(str, sources), "-o", str(PROGRAM)]
    subprocess.run(command, check=True)  # noqa: S603  the command above


def _rules(rules: Rules) -> str:
    numbers = {key: n if isinstance(n, tuple) else (n,) for key, n in rules.kernel.items()}
    return "rules " + " ".join(f"{key}={','.join(map(str, n))}" for key, n in numbers.items())


def _recorded(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the positions of recorded games, variations included."""
    for file in sorted(DATA.glob("pdn/*.pdn")):
        with suppress(DamkaError):
            for game in pdn.read(file):
                nodes: list[pdn.Node] = [game] if game.rules.name == rules.name else []
                while nodes:
                    node = nodes.pop()
                    nodes += node.variations
                    yield _position_of(node.board())
    for line in (DATA / "games" / "games.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["rules"] == rules.name:
            board = Board(rules)
            with suppress(DamkaError):  # game from a drawn ballot
                for move in record["moves"].split():
                    board.push(board.parse(move))
                    yield _position_of(board)


def _composed(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the positions in tests and documentation that are valid by these rules."""
    for topic in rulebook.TOPICS:
        if picture := diagram(rules, topic):
            yield from (("W", picture.pieces), ("B", picture.pieces))
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.py"), *DATA.glob("*/*")]
    texts = (f.read_text(errors="ignore") for f in files if f.is_file() and "complex" not in f.name)
    for fen in sorted({fen for text in texts for fen in FEN.findall(text)}):
        with suppress(DamkaError):
            yield _position_of(Board(rules, fen))


def _position_of(board: Board) -> tuple[str, str]:
    return board.turn, "".join(board.piece_at(q) or "." for q in range(1, board.square_count + 1))


def _lines(kind: str, positions: Iterator[tuple[str, str]] | set[tuple[str, str]]) -> list[str]:
    return [f"at {kind} {turn} {pieces}" for turn, pieces in sorted(set(positions))]


def _percentile(total: Counter[int], share: float) -> int:
    above = total.total() * (1 - share)
    for branches in sorted(total, reverse=True):
        above -= total[branches]
        if above < 0:
            return branches
    return 0


if __name__ == "__main__":
    main()
