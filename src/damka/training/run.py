"""A training run: self-play, fit, and a match that the new weights must win; then again.

Everything that has been done lies in the run's folder, a file for every batch of games; a run that
was broken off, wherever it was, goes on from there. Only a fit begins anew, which takes minutes.

    settings.json               what was asked for
    generation-1/games-….games  positions, with results and scores
    generation-1/candidate….weights, losses.json
    generation-1/gate-….json    the match against the best there was
    generation-1/verdict.json
    trial-…/…                   the best against the general evaluation
    best.weights, report.json, report.svg
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from damka.engine import weights as learned
from damka.errors import TrainingError
from damka.match import Sprt
from damka.rules import from_dict
from damka.training import fit as fitting
from damka.training import records
from damka.training.files import plain, read_json, write_json, write_whole
from damka.training.matches import Tally
from damka.training.net import fit_net, net_numbers, net_steps
from damka.training.report import write_report
from damka.training.settings import LATER
from damka.training.sheet import calm, sheet_of
from damka.training.work import Batch, played_by_ray, played_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from damka.rules import Rules
    from damka.training.records import Games
    from damka.training.settings import Settings

__all__ = ["Run", "View"]

_BATCH: Final = 100  # games of self-play in a file
_GATE_BATCH: Final = 20  # games of a match in a file, an even number
_GATE: Final = Sprt(0, 20)
_NEWER: Final[dict[str, Any]] = {"pieces": 0, "keep": 0.0, "also": []}
"""What a run of before there were these settings was begun with."""


class View(Protocol):
    """Somebody who is told how a run goes."""

    def begin(self, stage: str, total: int, done: int) -> None:
        """A stage of `total` parts begins or goes on, `done` of them done."""

    def advance(self, parts: int, note: str) -> None:
        """So many parts more are done."""

    def tell(self, line: str) -> None:
        """Something has come to its end."""


@dataclass
class Run:
    """A run in `folder`, by `workers` processes here or on the Ray cluster at `ray`.

    Raises TrainingError when the folder holds a run whose games were played with other settings.
    """

    rules: Rules
    folder: Path
    settings: Settings
    view: View
    workers: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "settings.json"
        asked = {"rules": plain(self.rules.to_dict()), **plain(asdict(self.settings))}
        found = asked if not path.exists() else _begun(read_json(path))
        differ = sorted(
            key for key in asked | found if asked.get(key) != found.get(key) and key not in LATER
        )
        if differ:
            key = differ[0]
            raise TrainingError(
                f"{path}: a run with {key} = {found.get(key)!r} was begun here, not with "
                f"{asked.get(key)!r}; choose another folder, or delete this one"
            )
        if not path.exists():
            # Before anything is played, and before the folder holds a run with a wrong name in it.
            self._best(0)
            for each in self.settings.also:
                self._others(Path(each))
        write_json(path, asked)

    def go(self) -> Path | None:
        """Do what is left to do; return the best weights' file, None if none beat the start."""
        for number in range(1, self.settings.generations + 1):
            self._generation(number)
        best = self._best(self.settings.generations)
        if best is not None and self._won():
            self._trials(best)
        write_report(self.folder, self.rules)
        if best is None or not self._won():
            return None
        path = self.folder / "best.weights"
        write_whole(path, best)
        return path

    # --- a generation ---

    def _generation(self, number: int) -> None:
        folder = self.folder / f"generation-{number}"
        folder.mkdir(exist_ok=True)
        if (folder / "verdict.json").exists():
            return
        best = self._best(number - 1)
        self._play(number, folder, best)
        candidate = self._fit(number, folder, best)
        tally = self._match(
            folder, "gate", candidate, best, pairs=self.settings.pairs, test=_GATE, seed=number
        )
        kept = tally.accepted(_GATE)
        write_json(folder / "verdict.json", {"kept": kept, "pairs": tally.pairs})
        self.view.tell(
            f"generation {number}: {tally} against the {'best' if best else 'general evaluation'}; "
            + ("kept" if kept else "not kept")
        )
        write_report(self.folder, self.rules)

    def _best(self, number: int) -> bytes | None:
        """Return the best weights after so many generations, None for the general evaluation."""
        for each in range(number, 0, -1):
            folder = self.folder / f"generation-{each}"
            if read_json(folder / "verdict.json")["kept"]:
                return (folder / "candidate.weights").read_bytes()
        start = self.settings.start
        if start == learned.GENERAL:
            return None
        path = learned.shipped_file(self.rules) if start == learned.SHIPPED else Path(start)
        if path is None:
            return None
        if not path.is_file():
            raise TrainingError(f"{start}: no such file of weights; or give shipped, or general")
        weights = learned.read(path)
        weights.native(self.rules)  # Do they fit the board?
        return weights.encode()

    def _won(self) -> bool:
        verdicts = self.folder.glob("generation-*/verdict.json")
        return any(read_json(path)["kept"] for path in verdicts)

    def _play(self, number: int, folder: Path, best: bytes | None) -> None:
        total = self.settings.games
        count = -(-total // _BATCH)
        batches = []
        for i in range(count):
            batch = self._batch(i, i * _BATCH, min(_BATCH, total - i * _BATCH))
            batches.append(
                replace(
                    batch,
                    seed=batch.seed + number,
                    one=best,
                    random_moves=self.settings.random_moves,
                    record=True,
                )
            )
        todo = [b for b in batches if not _games_file(folder, b).exists()]
        done = sum(b.count for b in batches) - sum(b.count for b in todo)
        self.view.begin(f"generation {number}: self-play", total, done)
        for batch, games in self._played(todo):
            records.write(_games_file(folder, batch), games)
            self.view.advance(batch.count, f"{games.plies / batch.count:.0f} plies a game")

    def _batch(self, number: int, first: int, count: int) -> Batch:
        return Batch(
            rules=self.rules.to_dict(),
            number=number,
            first=first,
            count=count,
            seed=1_000_003 * self.settings.seed,
            one=None,
            nodes=self.settings.nodes,
            opening_plies=_opening_plies(self.rules),
            pieces=self.settings.pieces,
        )

    def _played(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Games]]:
        if self.ray is not None:
            return played_by_ray(batches, self.ray)
        return played_here(batches, self.workers)

    # --- the fit ---

    def _fit(self, number: int, folder: Path, best: bytes | None) -> bytes:
        path = folder / "candidate.weights"
        if path.exists():
            return path.read_bytes()
        first = max(1, number - self.settings.window + 1)
        folders = [each for run in self.settings.also for each in self._others(Path(run))]
        folders += [self.folder / f"generation-{each}" for each in range(first, number + 1)]
        generations = [self._positions(each) for each in folders]
        options = self.settings.fit
        glance = None if best is None else learned.WeightsFile.decode(best).native(self.rules)
        quiet = [calm(self.rules, each, glance, options.calm) for each in generations]
        sheet = sheet_of(self.rules, quiet, options)
        if not sheet.size:
            raise TrainingError(f"{folder}: no position to learn from")
        self.view.begin(f"generation {number}: fit", fitting.steps_of(sheet.size, options), 0)
        fitted = fitting.fit(sheet, options, self._steps())
        numbers, step = fitting.numbers_of(self.rules, sheet, fitted)
        if best is not None and self.settings.keep:
            numbers = fitting.mixed(numbers, learned.WeightsFile.decode(best), self.settings.keep)
        # The margins go with what the scores are like, which another fit hardly changes.
        margins = learned.Margins() if best is None else learned.WeightsFile.decode(best).margins
        weights = learned.WeightsFile.of(
            self.rules, numbers, step=step, full_board=sheet.full_board, margins=margins
        )
        losses = {"positions": sheet.size, "losses": fitted.losses}
        if steps := net_steps(sheet.size, options):
            self.view.begin(f"generation {number}: network", steps, 0)
            native = weights.native(self.rules)
            net = fit_net(self.rules, sheet, native, fitted.man, options, self._steps())
            losses |= {"without_net": net.before, "net": net.losses}
            if net.helps:
                numbers += net_numbers(self.rules, net, sheet.full_board)
                weights = replace(weights, numbers=numbers)
            self.view.tell(
                f"generation {number}: with a network the loss held out is {net.losses[-1][1]:.4f} "
                f"instead of {net.before:.4f}; {'kept' if net.helps else 'not kept'}"
            )
        write_json(folder / "losses.json", losses)
        data = weights.encode()
        write_whole(path, data)
        self.view.tell(
            f"generation {number}: fitted to {sheet.size:,} positions, "
            f"{len(sheet.regions.kept):,} regions' states, {len(data) / 1024:.0f} KiB"
        )
        return data

    def _others(self, run: Path) -> list[Path]:
        """Return the folders of another run's generations, oldest first."""
        path = run / "settings.json"
        if not path.exists():
            raise TrainingError(f"{run}: no run; name the folder with its settings.json")
        theirs = from_dict(read_json(path)["rules"])
        if learned.play_of(theirs) != learned.play_of(self.rules):
            raise TrainingError(f"{run}: a run of {theirs.name}, not of {self.rules.name}")
        return sorted(run.glob("generation-*"), key=lambda each: int(each.name.split("-")[1]))

    def _positions(self, folder: Path) -> records.Records:
        files = sorted(folder.glob("games-*.games"))
        found = b"".join(records.read(file).records for file in files)
        return np.frombuffer(found, records.record_type(self.rules))

    def _steps(self) -> Callable[[int, float, float], None]:
        """Return what tells the view of a fit's steps."""
        told = 0

        def on_step(step: int, train: float, test: float) -> None:
            nonlocal told
            self.view.advance(step - told, f"loss {train:.4f}, held out {test:.4f}")
            told = step

        return on_step

    # --- matches ---

    def _match(
        self,
        folder: Path,
        name: str,
        one: bytes,
        two: bytes | None,
        *,
        pairs: int,
        seed: int,
        test: Sprt | None = None,
        seconds: float = 0.0,
    ) -> Tally:
        """Play a match, or what is left of it, until `test` has decided."""
        tally = Tally()
        todo = []
        folder.mkdir(exist_ok=True)
        for i in range(-(-2 * pairs // _GATE_BATCH)):
            path = folder / f"{name}-{i:05}.json"
            if path.exists():
                tally.add(read_json(path)["results"])
                continue
            batch = self._batch(i, i * _GATE_BATCH, min(_GATE_BATCH, 2 * pairs - i * _GATE_BATCH))
            todo.append(
                replace(
                    batch,
                    seed=batch.seed + 500_009 + seed,
                    one=one,
                    two=two,
                    nodes=0 if seconds else batch.nodes,
                    seconds=seconds,
                    pairs=True,
                )
            )
        self.view.begin(f"{folder.name}: {name}", pairs, tally.count)
        if test is not None and tally.decided(test):
            return tally
        for batch, games in self._played(todo):
            results = list(memoryview(games.results).cast("b"))
            write_json(folder / f"{name}-{batch.number:05}.json", {"results": results})
            tally.add(results)
            self.view.advance(batch.count // 2, str(tally))
            if test is not None and tally.decided(test):
                break
        return tally

    def _trials(self, best: bytes) -> None:
        # Of what has been best before, when a run goes on, nothing counts.
        folder = self.folder / f"trial-{hashlib.sha256(best).hexdigest()[:12]}"
        for old in self.folder.glob("trial-*"):
            if old != folder:
                shutil.rmtree(old)
        for name, seconds in (("nodes", 0.0), ("time", self.settings.trial_seconds)):
            if self.settings.trials:
                tally = self._match(
                    folder, name, best, None,
                    pairs=self.settings.trials, seed=77, seconds=seconds,
                )  # fmt: skip
                each = f"{seconds:g} s" if seconds else f"{self.settings.nodes} positions"
                self.view.tell(f"the best, {each} a move: {tally} against the general evaluation")


def _begun(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that a run was begun with, with those that were added since then."""
    rules = from_dict(settings.get("rules", {}))
    return _NEWER | settings | {"rules": plain(rules.to_dict())}


def _opening_plies(rules: Rules) -> int:
    return 4 if rules.square_count <= 18 else 6 if rules.width == 8 else 8


def _games_file(folder: Path, batch: Batch) -> Path:
    return folder / f"games-{batch.number:05}.games"
