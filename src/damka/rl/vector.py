"""Many games against an opponent as a Gymnasium vector environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from damka.boards import Boards
from damka.draw import text
from damka.game import Game
from damka.notation import numbered
from damka.rl.opponents import Seat, seat
from damka.rl.single import check_starts, load_rules, space_of
from damka.rules import SIDES, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from damka.board import Board
    from damka.rl.opponents import Opponent
    from damka.rules import Side

__all__ = ["DraughtsVectorEnv"]

_MAX_RESTARTS: Final = 1000


class DraughtsVectorEnv(VectorEnv["NDArray[np.uint8]", "NDArray[np.int64]", "NDArray[Any]"]):
    """`num_envs` games against `opponent`, on all cores, as a Gymnasium vector environment.

    Arguments, actions, observations, rewards and infos are as in `DraughtsGymEnv`, in arrays with
    one row per game; `threads` is as in `damka.Boards`. A finished game restarts in the same step
    (`AutoresetMode.SAME_STEP`): infos then have its "final_obs" and "final_info", as in Gymnasium's
    own vector environments. `reset(options={"reset_mask": …})` restarts the masked games.

    A policy as `opponent` receives the observations and masks of all games in which it is to move,
    and returns an array of actions. Levels and players receive the positions one by one, without
    move stacks.

    Raises the errors of `DraughtsGymEnv`.

    >>> import damka.rl
    >>> import gymnasium
    >>> envs = gymnasium.make_vec("damka/Russian-v0", num_envs=3)
    >>> observations, infos = envs.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((3, 8, 8, 8), (3, 1152))
    >>> actions = infos["action_mask"].argmax(axis=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards
    array([0., 0., 0.])
    """

    metadata = {  # noqa: RUF012  as the base class
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        rules: Rules | str | Path = "american",
        num_envs: int = 1,
        *,
        side: Side | None = None,
        opponent: Opponent = "random",
        starts: Iterable[Board | str] | None = None,
        max_plies: int = 1000,
        threads: int | None = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        if side is not None and side not in SIDES:
            raise ValueError(f"side: W, B or None, not {side!r}")
        if max_plies < 2:
            raise ValueError(f"max_plies: 2 or more, not {max_plies}")
        self.rules: Final = load_rules(rules)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.games: Final = Boards(
            self.rules,
            num_envs,
            threads=threads,
            starts=check_starts(starts),
            max_plies=max_plies,
        )
        self._fixed_side: Final = side
        self._opponent: Final = seat(opponent)
        self._white = np.zeros(num_envs, np.bool_)
        self.single_observation_space = space_of(self.rules)
        self.single_action_space = spaces.Discrete(self.games.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def sides(self) -> NDArray[np.str_]:
        """The agent's side in each game."""
        return np.where(self._white, "W", "B")

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, as an array games × actions."""
        return self.games.legal_mask().copy()

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Restart every game, or those of `options["reset_mask"]`.

        All games share one random generator, so only the first of several seeds is used.
        """
        single_seed = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=single_seed)
        where = (options or {}).get("reset_mask")
        games_seed = None if single_seed is None else int(self.np_random.integers(2**63))
        self.games.reset(where, seed=games_seed)
        if single_seed is not None and isinstance(self._opponent, Seat):
            self._opponent.begin(self.np_random)
        self._start_games(np.ones(self.num_envs, np.bool_) if where is None else where)
        return self.games.observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play a move in every game, and the opponent's replies.

        Raises ValueError for a wrong number of actions.
        """
        action_array = np.asarray(actions)
        if action_array.shape != (self.num_envs,):
            raise ValueError(
                f"one action for each of {self.num_envs} games, not {action_array.shape}"
            )
        finished = _FinishedGames(self.games)
        legal = self._legal(action_array)
        finished.add_unfinished(~legal, "illegal")
        rewards = np.where(legal, 0.0, -1.0)
        move_rewards, ended = self.games.step(action_array.astype(np.int64), legal)
        finished.add_finished()
        rewards += move_rewards
        opponent_rewards, resigned = self._play_opponent(legal & ~ended, finished)
        rewards += np.where(resigned, 1.0, -opponent_rewards)
        over, truncated, sides = finished.over, finished.truncated, self.sides
        self.games.reset(~legal | resigned)
        self._start_games(over)
        infos = self._infos()
        for game, (observation, reason) in finished.items():
            mask = np.zeros(self.games.actions, np.int8)
            info = {"action_mask": mask, "side": str(sides[game]), "reason": reason}
            infos = self._add_info(infos, {"final_obs": observation, "final_info": info}, game)
        return self.games.observations(), rewards, over & ~truncated, truncated, infos

    def render(self) -> tuple[str, ...] | None:
        """Return the boards as text in the render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        rules = numbered(self.rules)
        boards = (self.games.board(game) for game in range(self.num_envs))
        return tuple(text.board(rules, board.pieces) for board in boards)

    def close_extras(self, **_: Any) -> None:
        """Close the opponent's engine."""
        if isinstance(self._opponent, Seat):
            self._opponent.close()

    def _infos(self) -> dict[str, Any]:
        all_games = np.ones(self.num_envs, np.bool_)
        mask = self.games.legal_mask().astype(np.int8)
        return {
            "action_mask": mask,
            "_action_mask": all_games,
            "side": self.sides,
            "_side": all_games,
        }

    def _legal(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the mask of actions that are indices of legal moves."""
        count = self.games.actions
        is_index = (actions >= 0) & (actions < count) & (actions == np.floor(actions))
        numbers = np.where(is_index, actions, 0).astype(np.int64)
        legal: NDArray[np.bool_] = (
            is_index & self.games.legal_mask()[np.arange(len(is_index)), numbers]
        )
        return legal

    def _start_games(self, where: NDArray[np.bool_]) -> None:
        """Choose the agent's side in some new games, and play the opponent's first moves.

        A game that ends with such a move restarts.
        """
        new_games = where
        for _ in range(_MAX_RESTARTS):
            count = int(new_games.sum())
            plays_white = self.np_random.integers(2, size=count) == 0
            self._white[new_games] = (
                plays_white if self._fixed_side is None else self._fixed_side == "W"
            )
            opponent_begins = new_games & (self.games.white_to_move != self._white)
            if not opponent_begins.any():
                return
            finished = _FinishedGames(self.games)
            _, resigned = self._play_opponent(opponent_begins, finished)
            self.games.reset(resigned)
            new_games = finished.over
        raise ValueError("the opponent's first move ends the game")

    def _play_opponent(
        self, where: NDArray[np.bool_], finished: _FinishedGames
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play the opponent's moves in some games.

        Returns the opponent's rewards, and the mask of games that it resigns. Raises ValueError for
        an illegal action of a policy.
        """
        games = np.flatnonzero(where)
        actions = np.zeros(self.num_envs, np.int64)
        resigned = np.zeros(self.num_envs, np.bool_)
        if self._opponent is None:
            actions[games] = self._random_actions(games)
        elif isinstance(self._opponent, Seat):
            for game in games:
                board = self.games.board(int(game))
                action = self._opponent.choose(Game(self.rules, board.fen))
                resigned[game] = action is None
                actions[game] = action or 0
        elif len(games):
            observations = self.games.observations()[games]
            mask = self.games.legal_mask()[games].astype(np.int8)
            actions[games] = np.asarray(self._opponent(observations, mask))
        finished.add_unfinished(resigned, "resignation")
        rewards, _ = self.games.step(actions, where & ~resigned)
        finished.add_finished()
        return rewards, resigned

    def _random_actions(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a uniformly random legal action for each of these games."""
        rows, actions = np.nonzero(self.games.legal_mask()[games])
        first = np.searchsorted(rows, np.arange(len(games)))
        count = np.diff(first, append=len(rows))
        offsets = (self.np_random.random(len(games)) * count).astype(np.int64)
        result: NDArray[np.int64] = actions[first + offsets]
        return result


class _FinishedGames(dict[int, tuple["NDArray[np.uint8]", str]]):
    """Games that ended in a step: their last observations and reasons."""

    def __init__(self, games: Boards) -> None:
        super().__init__()
        self._games = games

    def add_finished(self) -> None:
        """Add the games that ended in the last step of `Boards`."""
        reasons = self._games.reasons
        for game, observation in zip(*self._games.final_observations(), strict=True):
            self[int(game)] = observation, Boards.REASONS[reasons[game]]

    def add_unfinished(self, where: NDArray[np.bool_], reason: str) -> None:
        """Add games that end in their current position."""
        if where.any():
            observations = self._games.observations()
            for game in np.flatnonzero(where):
                self[int(game)] = observations[game], reason

    @property
    def over(self) -> NDArray[np.bool_]:
        """The mask of the finished games."""
        return self._mask(self)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """The mask of the truncated games."""
        return self._mask(game for game, (_, reason) in self.items() if reason == "truncated")

    def _mask(self, games: Iterable[int]) -> NDArray[np.bool_]:
        mask = np.zeros(len(self._games), np.bool_)
        mask[list(games)] = True
        return mask
