"""A training run small enough for a test; also a program, which a test can kill."""

from __future__ import annotations

import sys
from pathlib import Path

from damka.rules import load
from damka.training import Options, Run, TrainingSettings

__all__ = ["RULES", "TINY", "FakeView"]

RULES = load("mini-american")
TINY = TrainingSettings(
    games=120,
    generations=2,
    nodes=40,
    pairs=20,
    trials=10,
    trial_seconds=0.0005,
    start="general",
    fit=Options(epochs=2, steps=20),
)


class FakeView:
    """Records its progress and raises an interrupt after some parts."""

    def __init__(self, after: int = -1) -> None:
        self.stages: list[str] = []
        self.lines: list[str] = []
        self.done: dict[str, int] = {}
        self.left = after

    def begin(self, stage: str, total: int, done: int) -> None:
        assert 0 <= done <= total
        self.stages.append(stage)
        self.done[stage] = done

    def advance(self, parts: int, note: str) -> None:
        assert note
        self.done[self.stages[-1]] += parts
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1

    def log(self, line: str) -> None:
        assert line
        self.lines.append(line)


if __name__ == "__main__":
    Run(RULES, Path(sys.argv[1]), TINY, FakeView(), workers=2).run()
