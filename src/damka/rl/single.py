"""A game against an opponent as a Gymnasium environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from damka.board import Board
from damka.draw import text
from damka.game import Game
from damka.notation import numbered
from damka.rl.opponents import Seat, random_action, seat
from damka.rules import SIDES, Rules, load

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from damka.rl.opponents import Opponent
    from damka.rules import Side

__all__ = ["DraughtsGymEnv", "check_starts", "load_rules", "space_of"]

_MAX_RESTARTS: Final = 1000


class DraughtsGymEnv(gymnasium.Env["NDArray[np.uint8]", np.int64]):
    """Games against `opponent`, as a Gymnasium environment.

    `step` plays the agent's move and the opponent's reply. An action is the index of a legal move
    (`Board.move_to_index`), an observation is `Board.tensor`. Infos have the "action_mask", 1 for
    every legal action, and the agent's "side"; `action_masks()` returns the mask as booleans, for
    libraries that call it. The reward is 1 for a won game, -1 for a lost one, and otherwise 0. An
    illegal action loses the game.

    `side` is the agent's side, "W" or "B"; None for a random one in every game. `opponent` is a
    `damka.rl.Opponent`. Games begin at the rules' start position, or at a random one of `starts`
    (boards or FEN); `reset(options={"fen": …, "side": …})` sets both. After `max_plies` plies, an
    unfinished game is truncated. At the end infos have the "reason": one of `damka.game.Reason`,
    "truncated", or "illegal". Captures are compulsory, also under rules with huffing.

    Raises the errors of `damka.rules.load`, FenError for an invalid start position, and ValueError
    for one in which the game is over, and for other values out of range.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  as the base class

    def __init__(
        self,
        rules: Rules | str | Path = "american",
        *,
        side: Side | None = None,
        opponent: Opponent = "random",
        starts: Iterable[Board | str] | None = None,
        max_plies: int = 1000,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self.rules: Final = load_rules(rules)
        self.side: Side = _check_side(side) or self.rules.first
        self.max_plies: Final = max_plies
        self.render_mode = render_mode
        self._fixed_side: Final = side
        self._opponent: Final = seat(opponent)
        self._starts: Final = tuple(
            _start_board(self.rules, start) for start in check_starts(starts)
        )
        if max_plies < 2:
            raise ValueError(f"max_plies: 2 or more, not {max_plies}")
        self._game = Game(self.rules)
        self._over = True
        self.observation_space = space_of(self.rules)
        self.action_space = spaces.Discrete(len(self._game.board.legal_mask()))

    @property
    def board(self) -> Board:
        """The current board, with its move stack."""
        return self._game.board

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions; all False after the end of the game."""
        mask = self.board.legal_mask()
        if self._over:
            mask[:] = False
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a new game; return the observation and infos at the agent's first turn.

        `options` may have the "fen" of the start position, and the agent's "side".
        """
        super().reset(seed=seed)
        options = options or {}
        fen = options.get("fen")
        start = None if fen is None else _start_board(self.rules, fen)
        for _ in range(_MAX_RESTARTS):
            self._start_game(start, _check_side(options.get("side", self._fixed_side)))
            if self.board.turn != self.side:
                self._play_opponent()
            if self._reason is None:
                return self.board.tensor(), self._info()
        raise ValueError("the opponent's first move ends the game")

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play the move with this index, and the opponent's reply.

        Raises Gymnasium's ResetNeeded after the end of the game.
        """
        if self._over:
            raise ResetNeeded("the game is over: call reset")
        if not self._is_legal(action):
            return self._end_step(-1.0, "illegal")
        self._play(int(action))
        if self._reason is None:
            self._play_opponent()
        if self._reason is None:
            return self.board.tensor(), 0.0, False, False, self._info()
        winner = self._winner
        reward = 0.0 if winner is None else 1.0 if winner == self.side else -1.0
        return self._end_step(reward, self._reason)

    def render(self) -> str | None:
        """Return the board as text in the render mode "ansi"."""
        if self.render_mode != "ansi":
            return None
        return text.board(numbered(self.rules), self.board.pieces)

    def close(self) -> None:
        """Close the opponent's engine."""
        if isinstance(self._opponent, Seat):
            self._opponent.close()

    def _start_game(self, start: Board | None, side: Side | None) -> None:
        if start is None and self._starts:
            start = self._starts[int(self.np_random.integers(len(self._starts)))]
        self._game = Game(self.rules, None if start is None else start.fen)
        self.side = side or SIDES[int(self.np_random.integers(2))]
        self._over = False
        self._reason: str | None = None
        self._winner: Side | None = None
        if isinstance(self._opponent, Seat):
            self._opponent.begin(self.np_random)

    def _is_legal(self, action: object) -> bool:
        mask = self.board.legal_mask()
        number = int(action)  # type: ignore[call-overload]
        return number == action and 0 <= number < len(mask) and bool(mask[number])

    def _play(self, action: int) -> None:
        self._game.play(self.board.index_to_move(action))
        result = self._game.result
        if result is not None:
            self._reason, self._winner = result.reason, result.winner
        elif self.board.move_count >= self.max_plies:
            self._reason = "truncated"

    def _play_opponent(self) -> None:
        """Play the opponent's move. Raises ValueError for an illegal action of a policy."""
        if self._opponent is None:
            action: int | None = random_action(self.board, self.np_random)
        elif isinstance(self._opponent, Seat):
            action = self._opponent.choose(self._game)
        else:
            mask = self.board.legal_mask()
            action = int(self._opponent(self.board.tensor(), mask.astype(np.int8)))
            if not self._is_legal(action):
                raise ValueError(f"the opponent's action {action} is not legal")
        if action is None:
            self._reason, self._winner = "resignation", self.side
        else:
            self._play(action)

    def _end_step(
        self, reward: float, reason: str
    ) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        self._over = True
        truncated = reason == "truncated"
        info = {**self._info(), "reason": reason}
        return self.board.tensor(), reward, not truncated, truncated, info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "side": self.side}


def load_rules(rules: Rules | str | Path) -> Rules:
    """Load a rule set; instead of huffing, its captures are compulsory."""
    loaded = rules if isinstance(rules, Rules) else load(rules)
    return loaded.replace(obligation="forced") if loaded.obligation == "huff" else loaded


def check_starts(starts: Iterable[Board | str] | None) -> tuple[Board | str, ...]:
    """Return the start positions as a tuple; raise ValueError for an empty list."""
    if starts is None:
        return ()
    positions = tuple(starts)
    if not positions:
        raise ValueError("starts: at least one position, or None for the start of the rules")
    return positions


def space_of(rules: Rules) -> spaces.Space[NDArray[np.uint8]]:
    """Return the observation space."""
    space: spaces.Space[Any] = spaces.Box(
        0, 255, (len(rules.planes), rules.height, rules.width), np.uint8
    )
    return space


def _check_side(side: Side | None) -> Side | None:
    if side is not None and side not in SIDES:
        raise ValueError(f"side: W, B or None, not {side!r}")
    return side


def _start_board(rules: Rules, start: Board | str) -> Board:
    """Return a start board. Raises ValueError for other rules, or if the game is over."""
    if isinstance(start, Board) and load_rules(start.rules) != rules:
        raise ValueError(f"the start has other rules: {start.rules.name}")
    board = Board(rules, start.fen if isinstance(start, Board) else start)
    if board.is_over:
        raise ValueError(f"the game is over in {board.fen}")
    return board
