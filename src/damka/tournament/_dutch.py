"""Adapter of the library caissify-pairings: forbidden pairs, and validation of its pairings."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, Final

import networkx
from caissify_pairings.engines.dutch import DutchEngine, DutchPlayer

__all__ = ["Dutch"]

_SECOND_ROUND: Final = 2
"""In a first round the library pairs by the starting list and ignores forbidden pairs; in later
rounds it runs the full algorithm. Before any games both give the same pairings."""


class Dutch(DutchEngine):  # type: ignore[misc]
    """The pairing of one round; players are numbers."""

    def __init__(
        self,
        players: list[dict[str, Any]],
        met: Set[tuple[int, int]],
        forbidden: Set[frozenset[int]],
        number: int,
        length: int,
    ) -> None:
        # Forbidden pairs are not added as opponents: the number of games played decides on byes.
        self._forbidden = forbidden
        self._free_colours = False
        first_round = number < _SECOND_ROUND
        super().__init__(
            players,
            met,
            _SECOND_ROUND if first_round else number,
            max(length, _SECOND_ROUND + 1) if first_round else length,
        )
        self.pairs: list[tuple[int, int | None]] = []
        """Pairs after `solve`, None for a bye. Colours are assigned elsewhere: the library uses the
        pairing number where the rules use the points."""

    def solve(self) -> bool:
        """Compute the pairs; False when there is no pairing by the rules."""
        self._free_colours = not self._is_possible()
        if self._free_colours and not self._is_possible():
            return False
        self.pairs = [(each["white_id"], each["black_id"]) for each in self.generate_pairings()]
        return self._is_valid(self.pairs)

    def _can_pair(self, p1: DutchPlayer, p2: DutchPlayer) -> bool:
        if frozenset((p1.id, p2.id)) in self._forbidden:
            return False
        if self._free_colours:
            return p1.id != p2.id and p2.id not in p1.opponents
        return bool(super()._can_pair(p1, p2))

    def _is_possible(self) -> bool:
        """Whether a complete pairing exists; without one the library's search would not end."""
        graph = networkx.Graph()
        players: Sequence[DutchPlayer] = self._players
        graph.add_nodes_from(range(len(players)))
        graph.add_edges_from(
            (i, j)
            for i, one in enumerate(players)
            for j, other in enumerate(players[:i])
            if self._can_pair(one, other)
        )
        matching = networkx.max_weight_matching(graph, maxcardinality=True)
        return len(matching) == len(players) // 2

    def _is_valid(self, pairs: Sequence[tuple[int, int | None]]) -> bool:
        players = {player.id: player for player in self._players}
        paired = [player for pair in pairs for player in pair if player is not None]
        byes = sum(other is None for _, other in pairs)
        return (
            sorted(paired) == sorted(players)
            and byes == len(players) % 2
            and all(
                self._can_pair(players[one], players[other])
                for one, other in pairs
                if other is not None
            )
        )
