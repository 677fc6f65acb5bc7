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
        # The tests warn about observations that are not flat, and about spaces as attributes.
        warnings.simplefilter("ignore")
        api_test(rl.env(name), num_cycles=300)
        seed_test(lambda: rl.env(name), num_cycles=60)


def test_rewards_match_the_result() -> None:
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
    expected = {None: (0, 0), "W": (1, -1), "B": (-1, 1)}[result.winner]
    assert (rewards["white"], rewards["black"]) == expected


def test_a_long_game_is_truncated() -> None:
    env = rl.env("international", max_plies=3)
    env.reset()
    for _ in range(3):
        observation, *_ = env.last()
        assert observation is not None
        env.step(int(observation["action_mask"].argmax()))
    assert env.last()[2:4] == (False, True)


@pytest.mark.parametrize("plies", [0, 1, 6])
def test_an_illegal_action_loses_and_the_other_agent_wins(plies: int) -> None:
    env = rl.env("american")
    env.reset()
    for _ in range(plies):
        observation, *_ = env.last()
        assert observation is not None
        env.step(int(observation["action_mask"].argmax()))
    loser = env.agent_selection
    winner = {"white": "black", "black": "white"}[loser]
    observation, *_ = env.last()
    assert observation is not None
    env.step(int(observation["action_mask"].argmin()))
    assert env.rewards == {loser: -1.0, winner: 1.0}
    ends = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        assert terminated or truncated
        ends[agent] = (reward, info["reason"])
        env.step(None)
    assert ends == {loser: (-1.0, "illegal"), winner: (1.0, "illegal")}
    assert not env.agents


def test_rewards_of_an_illegal_action_are_accumulated_per_agent() -> None:
    """The loser steps first, then the winner; no reward carries over to the next game."""
    env = rl.env("russian")
    for _ in range(2):
        env.reset()
        env.step(0)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            total[agent] += env.last()[1]
            env.step(None)
        assert total == {"white": -1.0, "black": 1.0}


def test_infos_have_the_reason_of_the_end() -> None:
    env = rl.env("american", max_plies=2)
    env.reset()
    for _ in range(2):
        observation, *_ = env.last()
        assert observation is not None
        env.step(int(observation["action_mask"].argmax()))
    assert [info["reason"] for info in env.infos.values()] == ["truncated"] * 2
    env.reset(options={"fen": "W:W18:B14"})
    assert env.agent_selection == "white"
    observation, *_ = env.last()
    assert observation is not None
    env.step(int(observation["action_mask"].argmax()))
    assert env.rewards == {"white": 1.0, "black": -1.0}
    assert [info["reason"] for info in env.infos.values()] == ["no_pieces"] * 2
