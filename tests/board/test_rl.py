"""The environment passes PettingZoo's own tests."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from damka import rl


@pytest.mark.parametrize("name", ["american", "international", "dama64"])
def test_the_environment_passes_pettingzoos_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        # It warns of observations that are not flat, and of spaces as attributes.
        warnings.simplefilter("ignore")
        api_test(rl.env(name), num_cycles=300)
        seed_test(lambda: rl.env(name), num_cycles=60)


def test_rewards_are_those_of_the_result() -> None:
    env = rl.env("american", render_mode="ansi")
    env.reset()
    assert len(env.render().splitlines()) >= 8
    rng = np.random.default_rng(2)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
        else:
            assert observation is not None
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    result = env.unwrapped.board.result
    assert result is not None
    wanted = {None: (0, 0), "W": (1, -1), "B": (-1, 1)}[result.winner]
    assert (rewards["white"], rewards["black"]) == wanted


def test_an_endless_game_is_cut_off() -> None:
    env = rl.env("international", max_plies=3)
    env.reset()
    for _ in range(3):
        observation, *_ = env.last()
        assert observation is not None
        env.step(int(observation["action_mask"].argmax()))
    assert env.last()[2:4] == (False, True)
