"""Draughts as a PettingZoo environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from damka.board import Board
from damka.draw import text
from damka.notation import numbered
from damka.rules import Rules, load

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DraughtsEnv", "env"]

_AGENTS: Final = {"W": "white", "B": "black"}


def env(
    rules: Rules | str | Path,
    *,
    max_plies: int = 1000,
    render_mode: Literal["ansi"] | None = None,
) -> AECEnv:
    """Return a `DraughtsEnv` in PettingZoo's wrappers.

    An agent that takes an illegal action loses the game: its reward is -1, and the other's is 1.
    """
    raw = DraughtsEnv(rules, max_plies=max_plies, render_mode=render_mode)
    wrapped = _IllegalActionLoses(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class _IllegalActionLoses(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, which also rewards the other agent."""

    def step(self, action: int | None) -> None:
        """Play a move; an illegal action ends the game."""
        was_terminated = self._terminated
        agent = self.agent_selection
        super().step(action)
        if self._terminated and not was_terminated:
            game = self.env.unwrapped
            for other in game.agents:
                game.infos[other]["reason"] = "illegal"
                if other != agent:
                    game.rewards[other] = 1.0
                    game._cumulative_rewards[other] += 1.0


class DraughtsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types.
    """One game of a rule set between the agents "white" and "black".

    An action is the index of a legal move (`Board.move_to_index`). An observation is a dict:
    "observation" is `Board.tensor`, "action_mask" is 1 for every legal action of the agent to move,
    and only zeros for the other agent. The reward is 1 for a won game, -1 for a lost one, and 0 for
    a draw. After `max_plies` plies, an unfinished game is truncated. At the end the infos of both
    agents have the "reason": one of `damka.game.Reason`, "truncated", or "illegal". Seeds have no
    effect, because nothing is random; `reset(options={"fen": …})` begins at a position.

    Raises what `damka.rules.load` raises.
    """

    metadata = {  # noqa: RUF012  PettingZoo wants a dict
        "name": "damka_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str | Path,
        *,
        max_plies: int = 1000,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        self.rules = rules if isinstance(rules, Rules) else load(rules)
        self.max_plies = max_plies
        self.render_mode = render_mode
        self.board = Board(self.rules)
        first = self.rules.first
        self.possible_agents = [_AGENTS[first], _AGENTS["B" if first == "W" else "W"]]
        self._actions = len(self.board.legal_mask())
        self._shape = self.board.tensor().shape
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, self._shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(self._actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Return an agent's observation: the position, and its action mask."""
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection and not self.board.is_over:
            mask[:] = self.board.legal_mask()
        return {"observation": self.board.tensor(), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game, at the position `options["fen"]`, if any."""
        self.board = Board(self.rules, (options or {}).get("fen"))
        self.agents = self.possible_agents[:]
        self.agent_selection = _AGENTS[self.board.turn]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        """Play the move with this index; None after the end of the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an action is the index of a move, not None")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.board.push(self.board.index_to_move(int(action)))
        result = self.board.result
        if result is not None:
            self._set_reason(result.reason)
            self.terminations = dict.fromkeys(self.agents, True)
            if result.winner is not None:
                for name in self.agents:
                    self.rewards[name] = 1.0 if name == _AGENTS[result.winner] else -1.0
        elif self.board.move_count >= self.max_plies:
            self._set_reason("truncated")
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = _AGENTS[self.board.turn]
        self._accumulate_rewards()

    def _set_reason(self, reason: str) -> None:
        for info in self.infos.values():
            info["reason"] = reason

    def render(self) -> str | None:
        """Return the board as text in the render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        return text.board(numbered(self.rules), self.board.pieces)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
