"""Execute the documentation's notebook and keep its outputs: `python -m tools.docs.notebook`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import nbformat
from nbclient import NotebookClient

__all__ = ["NOTEBOOK", "executed"]

NOTEBOOK: Final = Path(__file__).parents[2] / "docs" / "notebooks" / "tour.ipynb"

_FIRST_USE: Final = "Matplotlib is building the font cache"
"""What is told on a machine where Matplotlib was never used."""


def executed(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with the outputs that its cells have now.

    Raises nbclient.exceptions.CellExecutionError for a cell that fails.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=240,
        coalesce_streams=True,  # what is printed arrives in pieces
        resources={"metadata": {"path": path.parent}},
    )
    with tempfile.TemporaryDirectory() as folder:
        # Not over a port, which others on the machine could read.
        manager = client.create_kernel_manager()
        manager.transport, manager.ip = "ipc", f"{folder}/ipc"
        client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of day
        if "outputs" in cell:
            cell.outputs = [each for each in cell.outputs if _FIRST_USE not in each.get("text", "")]
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


if __name__ == "__main__":
    nbformat.write(executed(NOTEBOOK), NOTEBOOK)
