"""The self-play games of a run, played in batches and stored in files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from damka.engine.weights import play_of
from damka.errors import TrainingError
from damka.rules import from_dict
from damka.training import records
from damka.training.files import read_json
from damka.training.selfplay import Batch, play_locally, play_on_ray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from damka.rules import Rules
    from damka.training.progress import View
    from damka.training.records import Games
    from damka.training.settings import TrainingSettings

__all__ = ["Workers", "generate", "generations_of", "positions"]

_BATCH: Final = 100  # games per file


@dataclass(frozen=True, slots=True)
class Workers:
    """Plays a run's games in `count` local processes, or on the Ray cluster at `ray`."""

    rules: Rules
    settings: TrainingSettings
    count: int = 1
    ray: str | None = None

    def batches(self, games: int, size: int) -> Iterator[Batch]:
        """Yield batches of `games` games in total, each of `size` games except the last."""
        for number, first in enumerate(range(0, games, size)):
            yield Batch(
                rules=self.rules.to_dict(),
                number=number,
                first=first,
                count=min(size, games - first),
                seed=1_000_003 * self.settings.seed,
                one=None,
                nodes=self.settings.nodes,
                opening_plies=_opening_plies(self.rules),
                pieces=self.settings.pieces,
            )

    def play(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, Games]]:
        """Play batches; yield each with its games as it finishes. Raises TrainingError."""
        if self.ray is not None:
            return play_on_ray(batches, self.ray)
        return play_locally(batches, self.count)


def generate(workers: Workers, number: int, folder: Path, best: bytes | None, view: View) -> None:
    """Play the games of a generation, with the best weights against themselves.

    Each batch has a file in `folder`; batches with a file are not played again.
    """
    settings = workers.settings
    batches = [
        replace(
            batch,
            seed=batch.seed + number,
            one=best,
            random_moves=settings.random_moves,
            record=True,
        )
        for batch in workers.batches(settings.games, _BATCH)
    ]
    remaining = [batch for batch in batches if not _file(folder, batch).exists()]
    finished = settings.games - sum(batch.count for batch in remaining)
    view.begin(f"generation {number}: self-play", settings.games, finished)
    for batch, games in workers.play(remaining):
        records.write(_file(folder, batch), games)
        view.advance(batch.count, f"{games.plies / batch.count:.0f} plies a game")


def positions(folder: Path, rules: Rules) -> records.Records:
    """Return the positions of a generation. Raises TrainingError for a damaged file."""
    files = sorted(folder.glob("games-*.games"))
    data = b"".join(records.read(file).records for file in files)
    return np.frombuffer(data, records.record_type(rules))


def generations_of(run: Path, rules: Rules) -> list[Path]:
    """Return the folders of a run's generations, oldest first.

    Raises TrainingError if the folder has no run, or one with other rules.
    """
    path = run / "settings.json"
    if not path.exists():
        raise TrainingError(f"{run}: not the folder of a run: settings.json is missing")
    run_rules = from_dict(read_json(path)["rules"])
    if play_of(run_rules) != play_of(rules):
        raise TrainingError(f"{run}: a run of {run_rules.name}, not of {rules.name}")
    return sorted(run.glob("generation-*"), key=lambda path: int(path.name.split("-")[1]))


def _opening_plies(rules: Rules) -> int:
    return 4 if rules.square_count <= 18 else 6 if rules.width == 8 else 8


def _file(folder: Path, batch: Batch) -> Path:
    return folder / f"games-{batch.number:05}.games"
