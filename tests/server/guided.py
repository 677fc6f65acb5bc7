"""A learner of guided games, who looks one move ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from damka import Board, rules
from damka.study.lessons import Guide

if TYPE_CHECKING:
    from damka import Move
    from tests.server.support import Live

SMALL = Guide(rules.load("dama64")).rules


def best_move(state: dict[str, Any]) -> str:
    """Return the move that gains most, or loses least, in a guided game of dama64."""
    board = Board(SMALL).with_pieces(state["pieces"], "W")

    def gain(move: Move) -> int:
        after = board.copy()
        after.push(move)
        return len(move.captures) - max((len(m.captures) for m in after.legal_moves), default=0)

    keys = [move["hub"] for move in state["legal"]]
    return max((move for move in board.legal_moves if move.hub() in keys), key=gain).hub()


def due(state: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the notices before the next move."""
    return [each for each in state["guide"]["notices"] if each["ply"] == state["ply"]]


def play_guided(live: Live, until: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Play until a state of the learner's turn, or to the end; return it."""
    state = live.state()
    while not state["result"]:
        state = live.state(lambda state: state["result"] or state["turn"] == "W")
        if state["result"] or until(state):
            break
        state = live.play(best_move(state))
    return state
