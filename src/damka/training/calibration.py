"""A calibration: games of several rule sets, in a folder each, and the curves fitted to them.

An interrupted calibration can be resumed:

    RULES/settings.json   the settings
    RULES/games.jsonl     a line for each game (see `PlayedGame`)
    RULES/scores.jsonl    a line with the positions of each game (see `ScoredGame`)
"""

from __future__ import annotations

import contextlib
import json
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from damka.engine import chances
from damka.engine.search import BEYOND
from damka.errors import TrainingError
from damka.match.processes import in_processes
from damka.training.curve import CurveFit, Errors, Positions, errors, fit
from damka.training.equal_games import Batch, PlayedGame, ScoredGame, play, score
from damka.training.files import plain, read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from damka.rules import Rules
    from damka.training.progress import View

__all__ = ["RULES", "Calibration", "CalibrationSettings", "Result"]

RULES: Final = (
    "dama64",
    "dama100",
    "american",
    "international",
    "russian",
    "brazilian",
    "italian",
    "frisian",
    "turkish",
    "russian-giveaway",
    "breakthrough",
)
"""The rule sets with curves of their own."""

_BATCH: Final = 20  # games


@dataclass(frozen=True, slots=True, weakref_slot=True)
class CalibrationSettings:
    """Settings of a calibration.

    Both players search `nodes` positions per move. `positions` positions of each of the `games`
    games are then searched with `score_nodes` positions. Every second game is used for the fit, the
    others measure its error. `games` may be raised when a calibration is resumed.
    """

    games: int = 8_000
    nodes: int = 1_500
    positions: int = 10
    score_nodes: int = 8_000
    seed: int = 0


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Result:
    """A fitted curve: the fit and the measurement, each with the number of games."""

    curve: CurveFit
    fitted: Positions
    fitted_games: int
    unseen: Positions
    unseen_games: int
    errors: Errors


@dataclass
class Calibration:
    """The calibration of one rule set in a folder.

    Raises TrainingError if the folder has games with other rules or settings.
    """

    rules: Rules
    folder: Path
    settings: CalibrationSettings
    view: View
    workers: int = 1

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "settings.json"
        requested = {"rules": plain(self.rules.to_dict()), **plain(asdict(self.settings))}
        existing = read_json(path) if path.exists() else requested
        for key, value in requested.items():
            if key != "games" and existing.get(key) != value:
                raise TrainingError(
                    f"{path}: the games in this folder have {key} = {existing.get(key)!r}, not "
                    f"{value!r}; choose another folder, or delete this one"
                )
        write_json(path, requested)

    def forget_scores(self) -> None:
        """Delete the scores, for example because the evaluation has changed."""
        self._scores.unlink(missing_ok=True)

    def run(self) -> Result:
        """Play the missing games, search the missing positions, and fit the curve."""
        return _result(self.rules, self._scored_games())

    def measure(self) -> tuple[int, Errors]:
        """Return the number of positions, and the errors of the curve that comes with Damka."""
        line = chances.curve(self.rules)
        curve = CurveFit(
            tuple(line["pieces"]), tuple(line["a"]), tuple(line["b"]), tuple(line["c"])
        )
        positions = _positions(self._scored_games())
        return len(positions), errors(curve, positions)

    def _scored_games(self) -> list[tuple[PlayedGame, ScoredGame]]:
        numbers = range(self.settings.games)
        played = _read(self._games)
        missing = [number for number in numbers if number not in played]
        self._complete("games", self._games, played, _play_batches(self, missing), play)
        scored = _read(self._scores)
        games = [played[number] for number in numbers if number not in scored]
        self._complete("scores", self._scores, scored, _score_batches(self, games), score)
        return [(played[number], scored[number]) for number in numbers]

    @property
    def _games(self) -> Path:
        return self.folder / "games.jsonl"

    @property
    def _scores(self) -> Path:
        return self.folder / "scores.jsonl"

    def _complete(
        self,
        stage: str,
        path: Path,
        lines: dict[int, dict[str, Any]],
        batches: Iterator[Batch],
        work: Callable[[Batch], list[dict[str, Any]]],
    ) -> None:
        """Append the missing lines to a file, and add them to `lines`."""
        self.view.begin(f"{self.rules.name}: {stage}", self.settings.games, len(lines))
        with path.open("a", encoding="utf-8", newline="\n") as file:
            for batch in _work(work, batches, self.workers):
                file.writelines(f"{json.dumps(line, separators=(',', ':'))}\n" for line in batch)
                file.flush()
                lines |= {line["number"]: line for line in batch}
                self.view.advance(len(batch), "")


def _work(
    work: Callable[[Batch], list[dict[str, Any]]], batches: Iterator[Batch], workers: int
) -> Iterator[list[dict[str, Any]]]:
    if workers == 1:
        yield from map(work, batches)
        return
    running = in_processes(work, batches, workers)
    try:
        with contextlib.closing(running):
            for _, lines in running:
                yield lines
    except BrokenProcessPool as error:
        raise TrainingError("a worker process died") from error


def _play_batches(run: Calibration, missing: list[int]) -> Iterator[Batch]:
    settings = run.settings
    for at in range(0, len(missing), _BATCH):
        yield Batch(
            run.rules.to_dict(), settings.seed, settings.nodes, tuple(missing[at : at + _BATCH])
        )


def _score_batches(run: Calibration, games: list[PlayedGame]) -> Iterator[Batch]:
    settings = run.settings
    for at in range(0, len(games), _BATCH):
        yield Batch(
            run.rules.to_dict(),
            settings.seed,
            settings.score_nodes,
            games=tuple(games[at : at + _BATCH]),
            positions=settings.positions,
        )


def _read(path: Path) -> dict[int, dict[str, Any]]:
    """Return the lines of a file by their numbers; drop a last line that was cut off."""
    if not path.exists():
        return {}
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        path.write_bytes(whole)
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        return {line["number"]: line for line in lines}
    except (ValueError, KeyError, TypeError) as error:
        raise TrainingError(f"{path}: damaged: {error}; delete it to create it again") from error


def _result(rules: Rules, games: list[tuple[PlayedGame, ScoredGame]]) -> Result:
    halves = games[::2], games[1::2]
    fitted, unseen = (_positions(half) for half in halves)
    if not len(fitted) or not len(unseen):
        raise TrainingError(f"{rules.name}: too few games for a fit")
    curve = fit(fitted, 2 * rules.rows * rules.row_length)
    return Result(curve, fitted, len(halves[0]), unseen, len(halves[1]), errors(curve, unseen))


def _positions(games: list[tuple[PlayedGame, ScoredGame]]) -> Positions:
    """Return the positions of games without those whose result is proved."""
    rows = [
        (value, pieces, game["result"])
        for game, scores in games
        for _, pieces, value in scores["positions"]
        if abs(value) <= BEYOND
    ]
    table = np.array(rows, float).reshape(-1, 3)
    return Positions(table[:, 0], table[:, 1], table[:, 2])
