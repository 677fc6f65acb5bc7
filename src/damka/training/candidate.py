"""The candidate of a generation: weights fitted to its games and earlier ones."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from damka.engine.weights import Margins, WeightsFile
from damka.errors import TrainingError
from damka.training import fit as fitting
from damka.training.dataset import dataset_of, quiet_positions
from damka.training.files import write_atomically, write_json
from damka.training.net import fit_net, net_numbers, net_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from damka.rules import Rules
    from damka.training.dataset import Dataset
    from damka.training.fit import FittedWeights
    from damka.training.progress import View
    from damka.training.records import Records
    from damka.training.settings import Options, TrainingSettings

__all__ = ["fit_candidate"]


def fit_candidate(
    rules: Rules,
    settings: TrainingSettings,
    folder: Path,
    generations: Sequence[Records],
    best: bytes | None,
    view: View,
) -> bytes:
    """Fit weights to the positions of these generations and store them in `folder`.

    `best` are the best weights so far, None for the general evaluation. Returns the file's bytes.
    Raises TrainingError without positions.
    """
    title = folder.name.replace("-", " ")
    options = settings.fit
    old = None if best is None else WeightsFile.decode(best)
    evaluation = None if old is None else old.native(rules)
    quiet = [quiet_positions(rules, each, evaluation, options.quiet_margin) for each in generations]
    dataset = dataset_of(rules, quiet, options)
    if not dataset.size:
        raise TrainingError(f"{folder}: no positions to learn from")
    view.begin(f"{title}: fit", fitting.fit_steps(dataset.size, options), 0)
    fit = fitting.fit(dataset, options, _steps(view))
    numbers, step = fitting.weight_numbers(rules, dataset, fit)
    if old is not None and settings.keep:
        numbers = fitting.mix(numbers, old, settings.keep)
    # The margins depend on the scale of the scores, which a new fit hardly changes.
    margins = Margins() if old is None else old.margins
    weights = WeightsFile.of(
        rules, numbers, step=step, full_board=dataset.full_board, margins=margins
    )
    losses = {"positions": dataset.size, "losses": fit.losses}
    if steps := net_steps(dataset.size, options):
        view.begin(f"{title}: network", steps, 0)
        weights, network = _with_network(rules, options, dataset, fit, weights, view)
        losses |= network
        helps = "kept" if len(weights.numbers) > len(numbers) else "not kept"
        view.log(
            f"{title}: with a network the test loss is {network['net'][-1][1]:.4f} "
            f"instead of {network['without_net']:.4f}; {helps}"
        )
    write_json(folder / "losses.json", losses)
    data = weights.encode()
    write_atomically(folder / "candidate.weights", data)
    view.log(
        f"{title}: fitted to {dataset.size:,} positions, "
        f"{len(dataset.regions.kept):,} regions' states, {len(data) / 1024:.0f} KiB"
    )
    return data


def _with_network(
    rules: Rules,
    options: Options,
    dataset: Dataset,
    fit: FittedWeights,
    weights: WeightsFile,
    view: View,
) -> tuple[WeightsFile, dict[str, Any]]:
    """Return the weights with a network, if it helps, and its losses."""
    native = weights.native(rules)
    net = fit_net(rules, dataset, native, fit.man, options, _steps(view))
    if net.helps:
        network = net_numbers(rules, net, dataset.full_board)
        weights = replace(weights, numbers=weights.numbers + network)
    return weights, {"without_net": net.before, "net": net.losses}


def _steps(view: View) -> Callable[[int, float, float], None]:
    """Return the callback that shows a fit's steps in the view."""
    reported = 0

    def on_step(step: int, train: float, test: float) -> None:
        nonlocal reported
        view.advance(step - reported, f"loss {train:.4f}, held out {test:.4f}")
        reported = step

    return on_step
