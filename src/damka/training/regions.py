"""The fitted parameters of the patterns, and the features of positions.

A state of a whole region has a parameter if it occurs often enough; a state of two neighbouring
rows always has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Regions"]


@dataclass(frozen=True, slots=True)
class Regions:
    """Parameter indices: selected states of whole regions, then all states of pairs of rows."""

    views: int
    tables: int
    between: int
    """The number of pairs of neighbouring rows in a region."""
    states_of_row: int
    kept: NDArray[np.int64]
    """The states of whole regions that have parameters, table by table, in ascending order."""
    number: NDArray[np.int32]
    """The parameter of each state of a whole region, -1 for none."""

    @classmethod
    def of(cls, layout: dict[str, Any], states: NDArray[np.uint32], least_met: int) -> Regions:
        """Return parameters for the states that occur at least `least_met` times.

        `layout` is from `_core.weights_layout`; `states` has a row per position with the states of
        the regions, view by view.
        """
        tables = len(layout["regions"])
        states_of_row = 3 ** layout["columns"]
        size = states_of_row ** layout["rows"]
        counts = np.zeros(tables * size, np.int64)
        for column in range(layout["views"] * tables):
            first = column % tables * size
            counts[first : first + size] += np.bincount(states[:, column], minlength=size)
        kept = np.flatnonzero(counts >= least_met)
        number = np.full(tables * size, -1, np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        return cls(layout["views"], tables, layout["rows"] - 1, states_of_row, kept, number)

    @property
    def parameters(self) -> int:
        """The number of fitted parameters."""
        return len(self.kept) + self.tables * self.between * self.states_of_row**2

    def matrix(self, states: NDArray[np.uint32]) -> sparse.csr_array:
        """Return the feature matrix, positions × parameters: +1 for White and -1 for Black."""
        n, columns = states.shape
        table = np.arange(columns, dtype=np.int32) % self.tables
        row, pairs = self.states_of_row, self.states_of_row**2
        size = len(self.number) // self.tables
        whole = self.number[size * table + states]
        index = np.empty((n, columns, 1 + self.between), np.int32)
        index[:, :, 0] = np.maximum(whole, 0)
        for pair in range(self.between):
            first = len(self.kept) + (self.between * table + pair) * pairs
            index[:, :, 1 + pair] = first + states // row ** (self.between - 1 - pair) % pairs
        view = np.arange(columns) // self.tables
        sign = np.broadcast_to(np.where(view % 2 == 0, 1, -1)[None, :, None], index.shape)
        value = sign.astype(np.float32)
        value[:, :, 0][whole < 0] = 0
        width = columns * (1 + self.between)
        rows = np.arange(0, n * width + 1, width, dtype=np.int32 if n * width < 2**31 else np.int64)
        return sparse.csr_array(
            (value.reshape(-1), index.reshape(-1), rows), shape=(n, self.parameters)
        )
