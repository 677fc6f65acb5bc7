"""A training run: generations of self-play, a fit, and a match that the new weights must win.

The run's folder has all results, with a file for every batch of games, so an interrupted run can be
resumed. Only a fit, which takes minutes, starts again.

    settings.json               the settings
    generation-1/games-….games  positions with results and scores (see `data`)
    generation-1/candidate….weights, losses.json (see `candidate`)
    generation-1/gate-….json    the match against the best weights so far (see `gate`)
    generation-1/verdict.json
    trial-…/…                   the best weights against the general evaluation
    best.weights, report.json, report.svg
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from damka._former import warn_former
from damka.engine import weights as learned
from damka.errors import TrainingError
from damka.rules import from_dict
from damka.training.candidate import fit_candidate
from damka.training.data import Workers, generate, generations_of, positions
from damka.training.files import plain, read_json, write_atomically, write_json
from damka.training.gate import TEST, gate, trials
from damka.training.report import write_report
from damka.training.settings import LATER

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.training.progress import View
    from damka.training.settings import TrainingSettings

__all__ = ["Run"]

_NEW_SETTINGS: Final[dict[str, Any]] = {"pieces": 0, "keep": 0.0, "also": []}
"""Settings that older runs lack, with their implied values."""


@dataclass
class Run:
    """A run in `folder`, by `workers` local processes or on the Ray cluster at `ray`.

    Raises TrainingError if the folder has a run with other settings that affect its games.
    """

    rules: Rules
    folder: Path
    settings: TrainingSettings
    view: View
    workers: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        self._workers = Workers(self.rules, self.settings, self.workers, self.ray)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "settings.json"
        requested = {"rules": plain(self.rules.to_dict()), **plain(asdict(self.settings))}
        existing = requested if not path.exists() else _upgrade_settings(read_json(path))
        differences = sorted(
            key
            for key in requested | existing
            if requested.get(key) != existing.get(key) and key not in LATER
        )
        if differences:
            key = differences[0]
            raise TrainingError(
                f"{path}: the run in this folder has {key} = {existing.get(key)!r}, not "
                f"{requested.get(key)!r}; choose another folder, or delete this one"
            )
        if not path.exists():
            # Validate the settings before playing or writing anything.
            self._best(0)
            for run in self.settings.also:
                generations_of(Path(run), self.rules)
        write_json(path, requested)

    def run(self) -> Path | None:
        """Finish the run; return the file of the best weights, None if no candidate passed."""
        for number in range(1, self.settings.generations + 1):
            self._generation(number)
        best = self._best(self.settings.generations)
        has_accepted = self._has_accepted()
        if best is not None and has_accepted:
            trials(self._workers, self.folder, best, self.view)
        write_report(self.folder, self.rules)
        if best is None or not has_accepted:
            return None
        path = self.folder / "best.weights"
        write_atomically(path, best)
        return path

    def go(self) -> Path | None:
        """Deprecated: use `run`."""
        warn_former("Run.go", "run")
        return self.run()

    def _generation(self, number: int) -> None:
        folder = self._folder(number)
        folder.mkdir(exist_ok=True)
        if (folder / "verdict.json").exists():
            return
        best = self._best(number - 1)
        generate(self._workers, number, folder, best, self.view)
        candidate = self._candidate(number, folder, best)
        score = gate(self._workers, number, folder, candidate, best, self.view)
        accepted = score.accepted(TEST)
        write_json(folder / "verdict.json", {"kept": accepted, "pairs": score.pairs})
        self.view.log(
            f"generation {number}: {score} against the "
            f"{'best weights' if best else 'general evaluation'}; "
            + ("accepted" if accepted else "rejected")
        )
        write_report(self.folder, self.rules)

    def _candidate(self, number: int, folder: Path, best: bytes | None) -> bytes:
        path = folder / "candidate.weights"
        if path.exists():
            return path.read_bytes()
        first = max(1, number - self.settings.window + 1)
        other_runs = (generations_of(Path(run), self.rules) for run in self.settings.also)
        own = (self._folder(n) for n in range(first, number + 1))
        generations = [positions(folder, self.rules) for folder in (*chain(*other_runs), *own)]
        return fit_candidate(self.rules, self.settings, folder, generations, best, self.view)

    def _best(self, number: int) -> bytes | None:
        """Return the best weights of `number` generations, None for the general evaluation."""
        for n in range(number, 0, -1):
            folder = self._folder(n)
            if read_json(folder / "verdict.json")["kept"]:
                return (folder / "candidate.weights").read_bytes()
        start = self.settings.start
        if start == learned.GENERAL:
            return None
        path = learned.shipped_file(self.rules) if start == learned.SHIPPED else Path(start)
        if path is None:
            return None
        if not path.is_file():
            raise TrainingError(f"start must be shipped, general or a weights file, not {start!r}")
        weights = learned.read(path)
        weights.native(self.rules)  # raises WeightsError for another board
        return weights.encode()

    def _has_accepted(self) -> bool:
        verdicts = self.folder.glob("generation-*/verdict.json")
        return any(read_json(path)["kept"] for path in verdicts)

    def _folder(self, number: int) -> Path:
        return self.folder / f"generation-{number}"


def _upgrade_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Convert the settings of an older run to the current names and keys."""
    rules = from_dict(settings.get("rules", {}))
    fit = dict(settings.get("fit", {}))
    if "calm" in fit:
        fit["quiet_margin"] = fit.pop("calm")
    return _NEW_SETTINGS | settings | {"rules": plain(rules.to_dict()), "fit": fit}
