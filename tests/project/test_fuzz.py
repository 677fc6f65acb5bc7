"""The fuzz targets accept their seeds and damaged seeds, and detect a fault."""

from __future__ import annotations

import random

import pytest
from tools.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_targets_accept_seeds_and_damaged_seeds(name: str) -> None:
    rng = random.Random(name)
    assert TARGETS[name].seeds
    for seed in TARGETS[name].seeds:
        TARGETS[name].read(seed)
        for _ in range(4):
            damaged = bytearray(seed)
            for _ in range(rng.randint(1, 3)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            TARGETS[name].read(bytes(damaged))


def test_a_target_detects_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damka.Game.from_pdn", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        TARGETS["pdn-game"].read(b"{}")
