"""The notebook runs, and gives outputs of the kinds that it has in the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import nbformat
import pytest
from tools.docs.notebook import NOTEBOOK, executed

if TYPE_CHECKING:
    from nbformat import NotebookNode


def _outputs(notebook: NotebookNode) -> dict[str, list[list[str]]]:
    """What each cell shows: an output's kinds, or the name of a stream."""
    return {
        cell.id: [sorted(output.get("data", [output.get("name")])) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


@pytest.mark.slow
def test_the_notebook_runs() -> None:
    kept = nbformat.read(NOTEBOOK, as_version=4)
    assert _outputs(executed(NOTEBOOK)) == _outputs(kept)


def test_it_shows_boards_and_plots() -> None:
    kinds = [kind for cell in _outputs(nbformat.read(NOTEBOOK, 4)).values() for kind in cell]
    assert sum("image/svg+xml" in kind for kind in kinds) >= 6
