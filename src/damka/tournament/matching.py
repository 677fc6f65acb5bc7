"""Pairs at the least cost: as many pairs as there can be, and of those the cheapest in all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from damka.tournament import checks

__all__ = ["EXACT", "cheapest", "search"]

EXACT: Final = 10
"""Up to so many are paired by a search through all pairings; more need a library."""

Costs = Mapping[tuple[int, int], int]
"""What a pair costs, by the numbers of the two, the smaller first; a pair that is not there must
not be."""


def cheapest(count: int, costs: Costs) -> list[tuple[int, int]]:
    """Return the pairs among the numbers from 0 to `count` − 1, in their order.

    Of several that cost the same it is always the same one that is returned.
    """
    return search(count, costs) if count <= EXACT else match(count, costs)


def search(count: int, costs: Costs) -> list[tuple[int, int]]:
    """Return the pairs by looking at all sets of who is left; the time doubles with each."""

    @cache
    def best(left: int) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        """Return how many are alone, the cost, and the pairs, for a set of who is left."""
        if not left:
            return 0, 0, ()
        one = (left & -left).bit_length() - 1
        rest = left & ~(1 << one)
        alone, cost, pairs = best(rest)
        found = (alone + 1, cost, pairs)
        for other in range(one + 1, count):
            if rest >> other & 1 and (one, other) in costs:
                alone, cost, pairs = best(rest & ~(1 << other))
                found = min(found, (alone, cost + costs[one, other], ((one, other), *pairs)))
        return found

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
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)
