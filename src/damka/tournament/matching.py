"""Minimum-cost matching with the maximum number of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from damka.tournament import checks

__all__ = ["EXACT", "cheapest", "search"]

EXACT: Final = 10
"""Maximum number of players for exhaustive search; more need a library."""

Costs = Mapping[tuple[int, int], int]
"""Costs of pairs by their numbers, the smaller first; a missing pair is not allowed."""


def cheapest(count: int, costs: Costs) -> list[tuple[int, int]]:
    """Return the pairs of numbers from 0 to `count` − 1, in ascending order.

    The result is deterministic, also for equal costs.
    """
    return search(count, costs) if count <= EXACT else match(count, costs)


def search(count: int, costs: Costs) -> list[tuple[int, int]]:
    """Return the pairs by dynamic programming over subsets, in exponential time."""

    @cache
    def best(unmatched: int) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        """Return the number of unpaired players, the cost and the pairs for a subset."""
        if not unmatched:
            return 0, 0, ()
        one = (unmatched & -unmatched).bit_length() - 1
        rest = unmatched & ~(1 << one)
        unpaired, cost, pairs = best(rest)
        result = (unpaired + 1, cost, pairs)
        for other in range(one + 1, count):
            if rest >> other & 1 and (one, other) in costs:
                unpaired, cost, pairs = best(rest & ~(1 << other))
                result = min(result, (unpaired, cost + costs[one, other], ((one, other), *pairs)))
        return result

    return list(best((1 << count) - 1)[2])


def match(count: int, costs: Costs) -> list[tuple[int, int]]:
    """Return the pairs by Edmonds' algorithm. Raises TournamentError without its library."""
    try:
        import networkx  # noqa: PLC0415  the library is an extra, and takes time to load
    except ModuleNotFoundError as error:
        raise checks.not_installed(error) from error

    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((*pair, -cost) for pair, cost in sorted(costs.items()))
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in pairs)
