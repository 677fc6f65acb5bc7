"""The report of a training run: figures and a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.training.files import read_json, write_atomically, write_json
from damka.training.plot import Bar, Curve, picture
from damka.training.score import MatchScore

if TYPE_CHECKING:
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["write_report"]


def write_report(folder: Path, rules: Rules) -> None:
    """Write report.json and report.svg into a run's folder.

    Raises TrainingError for a damaged file of the run.
    """
    curves, bars, stages = [], [], []
    for path in sorted(folder.glob("generation-*"), key=lambda p: int(p.name[11:])):
        if (path / "losses.json").exists():
            losses = read_json(path / "losses.json")
            curves.append(Curve(path.name, [(a, b) for a, b in losses["losses"]]))
            if "net" in losses:
                curves.append(Curve(f"{path.name}, network", [(a, b) for a, b in losses["net"]]))
            stages.append({"stage": path.name, "positions": losses["positions"]})
        score = MatchScore.of(path.glob("gate-*.json"))
        if score.count:
            bars.append(Bar(path.name, score.elo))
            stages.append({"stage": f"{path.name}: gate", **score.figures()})
    for name in ("nodes", "time"):
        score = MatchScore.of(folder.glob(f"trial-*/{name}-*.json"))
        if score.count:
            bars.append(Bar(f"general, {name}", score.elo))
            stages.append({"stage": f"trial: {name}", **score.figures()})
    write_json(folder / "report.json", stages)
    svg = picture(f"Learning {rules.name} from self-play", curves, bars)
    write_atomically(folder / "report.svg", svg.encode())
