"""The fuzzer's targets accept what it begins with, and what has broken one of them."""

from __future__ import annotations

import random

import pytest
from tools.fuzz.seeds import seeds
from tools.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_targets_take_their_seeds_and_damaged_ones(name: str) -> None:
    lots = random.Random(name)
    for seed in seeds(name):
        TARGETS[name](seed)
        for _ in range(4):
            damaged = bytearray(seed)
            for _ in range(lots.randint(1, 3)):
                damaged[lots.randrange(len(damaged))] = lots.randrange(256)
            TARGETS[name](bytes(damaged))


def test_a_target_sees_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damka.Game.from_json", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        TARGETS["game"](b"{}")
