"""Gymnasium environments of games against an opponent, single and vectorized."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from damka import Board, rl
from damka.engine import Engine, EnginePlayer, SearchLimits
from damka.errors import FenError, UnknownRulesError
from damka.game import Decision
from damka.rl import DraughtsGymEnv, DraughtsVectorEnv
from damka.rules import load, names

if TYPE_CHECKING:
    import numpy.typing as npt

MATE = "W:W18:B14"
"""White captures the last piece, by American rules."""


def first(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> Any:
    """Policy: return the legal action with the smallest index."""
    assert observations.dtype == np.uint8
    return masks.argmax(axis=-1)


def any_action(mask: npt.NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def played(env: gymnasium.Env[Any, Any], seed: int) -> list[tuple[Any, ...]]:
    """Return the steps of a game with a seed."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    steps: list[tuple[Any, ...]] = [(observation.tobytes(), info["side"])]
    done = False
    while not done:
        action = any_action(info["action_mask"], rng)
        observation, reward, terminated, truncated, info = env.step(action)
        steps.append((observation.tobytes(), reward, terminated, truncated, info.get("reason")))
        done = terminated or truncated
    return steps


@pytest.mark.parametrize("name", names())
def test_every_rule_set_has_an_environment_that_passes_gymnasiums_check(name: str) -> None:
    env = gymnasium.make(rl.id_of(name))
    assert isinstance(env.unwrapped, DraughtsGymEnv)
    assert env.unwrapped.rules.name == name
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("opponent", ["random", 1, 3, first])
@pytest.mark.parametrize("side", ["W", "B", None])
def test_opponents_and_sides_pass_gymnasiums_check(opponent: rl.Opponent, side: Any) -> None:
    check_env(gymnasium.make("damka/American-v0", side=side, opponent=opponent).unwrapped)


@pytest.mark.parametrize("opponent", ["random", 2])
def test_the_same_seed_plays_the_same_game(opponent: rl.Opponent) -> None:
    env = gymnasium.make("damka/Russian-v0", opponent=opponent)
    games = [played(env, seed) for seed in (1, 2, 1)]
    assert games[0] == games[2]
    assert games[0] != games[1]


def test_an_id_may_include_the_package_to_import() -> None:
    code = """
import gymnasium
env = gymnasium.make("damka.rl:damka/American-v0")
print(env.reset(seed=1)[0].shape)
print(gymnasium.make_vec("damka.rl:damka/American-v0", num_envs=3).reset(seed=1)[0].shape)
"""
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.splitlines() == ["(8, 8, 8)", "(3, 8, 8, 8)"]


def test_any_rules_have_an_environment() -> None:
    mine = load("dama64").replace(name="mine", rows=2)
    env = gymnasium.make("damka/Draughts-v0", rules=mine)
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == len(Board(mine).legal_moves)
    with pytest.raises(UnknownRulesError):
        gymnasium.make("damka/Draughts-v0", rules="no-such")


def test_the_agent_plays_its_side_and_the_opponent_the_other() -> None:
    env = DraughtsGymEnv("american", side="W", opponent=first)
    _, info = env.reset(seed=0)
    assert (info["side"], env.board.turn, env.board.move_count) == ("W", "W", 1)
    model = Board("american")
    model.push(model.index_to_move(int(model.legal_mask().argmax())))
    assert env.board == model
    env.step(np.int64(info["action_mask"].argmax()))
    assert env.board.turn == "W"
    assert env.board.move_count == 3
    black = DraughtsGymEnv("american", side="B", opponent=first)
    assert black.reset(seed=0)[1]["side"] == black.board.turn == "B"
    either = DraughtsGymEnv("american")
    assert {either.reset(seed=seed)[1]["side"] for seed in range(20)} == {"W", "B"}
    assert either.reset(seed=1, options={"side": "B"})[1]["side"] == "B"


def test_masks_mark_the_legal_actions() -> None:
    env = DraughtsGymEnv("international", side="W")
    _, info = env.reset(seed=4)
    for _ in range(10):
        assert info["action_mask"].dtype == np.int8
        assert (info["action_mask"] == env.action_masks()).all()
        assert (env.action_masks() == env.board.legal_mask()).all()
        assert env.action_space.contains(env.action_space.sample(mask=info["action_mask"]))
        _, _, terminated, truncated, info = env.step(np.int64(info["action_mask"].argmax()))
        assert not terminated
        assert not truncated


@pytest.mark.parametrize(("side", "reward"), [("W", 1.0), ("B", -1.0)])
def test_the_reward_is_the_agents(side: Any, reward: float) -> None:
    env = DraughtsGymEnv("american", side=side, opponent=first)
    fen = MATE if side == "W" else "B:W23:B6,14"  # 14-18, which White captures; then 6-9
    observation, info = env.reset(seed=0, options={"fen": fen})
    for _ in range(60):
        observation, got, terminated, _, info = env.step(np.int64(info["action_mask"].argmax()))
        if terminated:
            break
    assert terminated
    if side == "W":
        assert (got, info["reason"]) == (reward, "no_pieces")
    else:
        result = env.board.result
        assert result is not None
        expected = 0.0 if result.winner is None else 1.0 if result.winner == side else -1.0
        assert (got, info["reason"]) == (expected, result.reason)
    assert not info["action_mask"].any()
    assert observation.shape == env.observation_space.shape
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(np.int64(0))


def test_an_illegal_action_loses() -> None:
    for action in (-1, 0, 5000, 1.5):
        env = DraughtsGymEnv("american")
        env.reset(seed=1)
        _, reward, terminated, truncated, info = env.step(action)  # type: ignore[arg-type]
        assert (reward, terminated, truncated, info["reason"]) == (-1.0, True, False, "illegal")


def test_a_long_game_is_truncated_without_a_winner() -> None:
    env = DraughtsGymEnv("international", side="W", max_plies=6)
    _, info = env.reset(seed=1)
    ends = []
    for _ in range(3):
        _, reward, terminated, truncated, info = env.step(np.int64(info["action_mask"].argmax()))
        ends.append((reward, terminated, truncated))
    assert ends == [(0.0, False, False)] * 2 + [(0.0, False, True)]
    assert info["reason"] == "truncated"
    assert env.board.move_count == 6


def test_games_begin_at_random_start_positions() -> None:
    starts: list[Board | str] = ["W:W32:B1", Board("american", "W:W31:B2")]
    env = DraughtsGymEnv("american", side="W", starts=starts)
    fens = {env.reset(seed=seed) and env.board.fen for seed in range(20)}
    assert fens == {Board("american", "W:W32:B1").fen, Board("american", "W:W31:B2").fen}
    with pytest.raises(ValueError, match="the game is over in"):
        DraughtsGymEnv("american", starts=["W:W:B1"])
    with pytest.raises(ValueError, match="the start has other rules: russian"):
        DraughtsGymEnv("american", starts=[Board("russian")])
    with pytest.raises(ValueError, match="starts: at least one position"):
        DraughtsGymEnv("american", starts=[])
    with pytest.raises(ValueError, match="starts: at least one position"):
        DraughtsVectorEnv("american", 2, starts=iter(()))
    with pytest.raises(FenError):
        env.reset(options={"fen": "nonsense"})
    with pytest.raises(ValueError, match="the opponent's first move ends the game"):
        DraughtsGymEnv("american", side="B", starts=[MATE]).reset(seed=1)


class ResigningPlayer:
    """A player that resigns."""

    name = "resigning"

    def begin(self, seed: int) -> None:
        self.seed = seed

    def choose(self, *_: Any, **__: Any) -> Decision:
        return Decision(resign=True)

    def accepts_draw(self, *_: Any, **__: Any) -> bool:
        return False

    def close(self) -> None:
        pass


def test_a_player_of_the_engine_is_an_opponent() -> None:
    player = EnginePlayer(Engine(hash_mb=1), SearchLimits(depth=2))
    env = DraughtsGymEnv("russian", side="W", opponent=player)
    _, info = env.reset(seed=1)
    env.step(np.int64(info["action_mask"].argmax()))
    assert env.board.move_count == 2
    env = DraughtsGymEnv("russian", side="W", opponent=ResigningPlayer())
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(np.int64(info["action_mask"].argmax()))
    assert (reward, terminated, info["reason"]) == (1.0, True, "resignation")


@pytest.mark.parametrize("kind", [DraughtsGymEnv, DraughtsVectorEnv])
def test_invalid_settings_are_refused(kind: Any) -> None:
    for wrong in (0, 11, 2.5, "strong"):
        with pytest.raises(ValueError, match="opponent: "):
            kind("american", opponent=wrong)
    for strange in (None, True, [1]):
        with pytest.raises(TypeError, match="opponent: "):
            kind("american", opponent=strange)
    with pytest.raises(ValueError, match="side: W, B or None"):
        kind("american", side="white")
    with pytest.raises(ValueError, match="max_plies: 2 or more"):
        kind("american", max_plies=1)


def test_a_policy_must_return_a_legal_action() -> None:
    env = DraughtsGymEnv("american", side="W", opponent=lambda *_: 0)
    with pytest.raises(ValueError, match="the opponent's action 0 is not legal"):
        env.reset(seed=1)
    envs = DraughtsVectorEnv("american", 3, side="W", opponent=lambda *_: [0, 0, 0])
    with pytest.raises(ValueError, match=r"actions\[0\] is 0"):
        envs.reset(seed=1)


def test_ansi_rendering_shows_the_board() -> None:
    env = gymnasium.make("damka/American-v0", render_mode="ansi")
    env.reset(seed=1)
    assert len(str(env.render()).splitlines()) >= 8
    assert DraughtsGymEnv("american").render() is None
    envs = DraughtsVectorEnv("american", 2, render_mode="ansi")
    envs.reset(seed=1)
    assert len(envs.render() or ()) == 2


def test_captures_are_compulsory_in_rule_sets_with_huffing() -> None:
    env = DraughtsGymEnv("dama100", opponent=1)
    _, info = env.reset(seed=2, options={"fen": "W:W32,33,47:B27,8,9", "side": "W"})
    legal = {env.board.index_to_move(int(i)) for i in np.flatnonzero(info["action_mask"])}
    assert all(move.is_capture for move in legal)


# Vector environments


@pytest.mark.native
@pytest.mark.parametrize("name", names())
def test_every_rule_set_has_a_vector_environment(name: str) -> None:
    envs: Any = gymnasium.make_vec(rl.id_of(name), num_envs=4)
    assert isinstance(envs.unwrapped, DraughtsVectorEnv)
    observations, infos = envs.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(30):
        assert observations in envs.observation_space
        mask = infos["action_mask"]
        assert mask.any(axis=1).all()
        actions = np.array([any_action(row, rng) for row in mask])
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (4,)
    envs.close()


@pytest.mark.native
@pytest.mark.parametrize("opponent", ["random", 1, first])
def test_vector_environments_follow_gymnasiums_conventions(opponent: rl.Opponent) -> None:
    """Check the rewards, final observations and infos of each game."""
    envs = DraughtsVectorEnv("american", 8, opponent=opponent, max_plies=60, threads=2)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=5)
    rng = np.random.default_rng(5)
    white = envs.single_observation_space.shape is not None
    assert white
    turn = load("american").planes.index("white_to_move")
    reasons = set()
    for _ in range(150):
        sides = infos["side"].copy()
        # It is the agent's turn in every game.
        assert [bool(each[turn, 0, 0]) for each in observations] == [s == "W" for s in sides]
        actions = np.array([any_action(row, rng) for row in infos["action_mask"]])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        over = terminations | truncations
        assert not (terminations & truncations).any()
        if not over.any():
            assert "final_obs" not in infos
            assert not rewards.any()
            continue
        assert (infos["_final_obs"] == over).all()
        assert (infos["_final_info"] == over).all()
        for game in range(8):
            if not over[game]:
                assert infos["final_obs"][game] is None
                assert rewards[game] == 0
                continue
            last = infos["final_obs"][game]
            info = {key: infos["final_info"][key][game] for key in ("reason", "side")}
            assert last.shape == envs.single_observation_space.shape
            assert info["side"] == sides[game]
            assert (info["reason"] == "truncated") == truncations[game]
            reasons.add(info["reason"])
            men = {"W": last[:2].any(), "B": last[2:4].any()}
            if info["reason"] == "no_pieces":
                winner = "W" if men["W"] else "B"
                assert rewards[game] == (1 if winner == sides[game] else -1)
                assert not men["B" if winner == "W" else "W"]
            if truncations[game]:
                assert rewards[game] == 0
    assert {"no_pieces", "truncated"} <= reasons


@pytest.mark.native
def test_a_vector_environment_equals_single_environments() -> None:
    """With a deterministic opponent, each row equals a single environment."""
    envs = DraughtsVectorEnv("russian", 3, side="W", opponent=first, max_plies=40)
    singles = [DraughtsGymEnv("russian", side="W", opponent=first, max_plies=40) for _ in range(3)]
    observations, infos = envs.reset(seed=1)
    resets = [single.reset(seed=1) for single in singles]
    masks = [info["action_mask"] for _, info in resets]
    rng = np.random.default_rng(9)
    ends = 0
    for _ in range(120):
        assert all((a == b).all() for a, b in zip(infos["action_mask"], masks, strict=True))
        actions = np.array([any_action(mask, rng) for mask in masks])
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        for game, single in enumerate(singles):
            step = single.step(actions[game])
            observation, reward, terminated, truncated, info = step
            assert (rewards[game], terminations[game], truncations[game]) == step[1:4]
            masks[game] = info["action_mask"]
            if terminated or truncated:
                ends += 1
                assert infos["final_info"]["reason"][game] == info["reason"]
                assert (infos["final_obs"][game] == observation).all()
                observation, info = single.reset()
                masks[game] = info["action_mask"]
            assert (observations[game] == observation).all()
            del reward
    assert ends > 3


@pytest.mark.native
def test_the_same_seed_plays_the_same_games() -> None:
    def run(seed: int, threads: int) -> list[Any]:
        envs = DraughtsVectorEnv(
            "american", 6, starts=["W:W30,31:B1,2", "B:W25,26:B5,6"], threads=threads
        )
        _, infos = envs.reset(seed=seed)
        steps = []
        for _ in range(60):
            observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            steps.append((observations.tobytes(), rewards.tolist(), infos["side"].tolist()))
        return steps

    assert run(1, 1) == run(1, 3)
    assert run(1, 1) != run(2, 1)


@pytest.mark.native
def test_an_illegal_action_loses_only_its_own_game() -> None:
    envs = DraughtsVectorEnv("american", 4, opponent=first)
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[1], actions[2] = 0, -3
    _, rewards, terminations, truncations, infos = envs.step(actions)
    assert rewards.tolist() == [0, -1, -1, 0]
    assert terminations.tolist() == [False, True, True, False]
    assert not truncations.any()
    assert infos["final_info"]["reason"].tolist() == [None, "illegal", "illegal", None]
    with pytest.raises(ValueError, match="one action for each of 4 games"):
        envs.step(actions[:2])


@pytest.mark.native
def test_a_player_that_resigns_loses_its_games() -> None:
    envs = DraughtsVectorEnv("american", 3, side="B", opponent=ResigningPlayer())
    _, infos = envs.reset(seed=1)
    _, rewards, terminations, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert rewards.tolist() == [1, 1, 1]
    assert terminations.all()
    assert infos["final_info"]["reason"].tolist() == ["resignation"] * 3
    assert (envs.games.plies == 0).all()


@pytest.mark.native
def test_a_reset_mask_resets_only_marked_games() -> None:
    envs = DraughtsVectorEnv("american", 3, side="B", opponent=first)
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(axis=1))
    assert envs.games.plies.tolist() == [2, 2, 2]
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert envs.games.plies.tolist() == [2, 0, 2]


@pytest.mark.native
def test_gymnasiums_sync_vectorization_works() -> None:
    envs = gymnasium.make_vec("damka/American-v0", num_envs=2, vectorization_mode="sync")
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (2, 8, 8, 8)
    envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()
