"""The candidate of a generation: weights fitted to its games and to earlier ones."""

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
    """Fit weights to the positions of some generations and store them in `folder`.

    `best` is the file with the best weights so far, None for the general evaluation. Returns the
    new file's bytes. Raises TrainingError without positions.
    """
    title = folder.name.replace("-", " ")
    options = settings.fit
    best_weights = None if best is None else WeightsFile.decode(best)
    evaluation = None if best_weights is None else best_weights.native(rules)
    quiet = [
        quiet_positions(rules, generation, evaluation, options.quiet_margin)
        for generation in generations
    ]
    dataset = dataset_of(rules, quiet, options)
    if not dataset.size:
        raise TrainingError(f"{folder}: no positions to learn from")
    view.begin(f"{title}: fit", fitting.fit_steps(dataset.size, options), 0)
    fit = fitting.fit(dataset, options, _steps(view))
    numbers, step = fitting.weight_numbers(rules, dataset, fit)
    if best_weights is not None and settings.keep:
        numbers = fitting.mix(numbers, best_weights, settings.keep)
    # The margins depend on the scale of the scores, which a new fit hardly changes.
    margins = Margins() if best_weights is None else best_weights.margins
    weights = WeightsFile.of(
        rules, numbers, step=step, full_board=dataset.full_board, margins=margins
    )
    losses = {"positions": dataset.size, "losses": fit.losses}
    if steps := net_steps(dataset.size, options):
        view.begin(f"{title}: network", steps, 0)
        weights, net_losses = _add_network(rules, options, dataset, fit, weights, view)
        losses |= net_losses
        accepted = "accepted" if len(weights.numbers) > len(numbers) else "rejected"
        view.log(
            f"{title}: with a network the test loss is {net_losses['net'][-1][1]:.4f} "
            f"instead of {net_losses['without_net']:.4f}; {accepted}"
        )
    write_json(folder / "losses.json", losses)
    data = weights.encode()
    write_atomically(folder / "candidate.weights", data)
    view.log(
        f"{title}: fitted to {dataset.size:,} positions, "
        f"{len(dataset.regions.kept):,} states of regions, {len(data) / 1024:.0f} KiB"
    )
    return data


def _add_network(
    rules: Rules,
    options: Options,
    dataset: Dataset,
    fit: FittedWeights,
    weights: WeightsFile,
    view: View,
) -> tuple[WeightsFile, dict[str, Any]]:
    """Return the weights, with a network if that lowers the test loss, and the losses."""
    native = weights.native(rules)
    net = fit_net(rules, dataset, native, fit.man, options, _steps(view))
    if net.helps:
        network = net_numbers(rules, net, dataset.full_board)
        weights = replace(weights, numbers=weights.numbers + network)
    return weights, {"without_net": net.before, "net": net.losses}


def _steps(view: View) -> Callable[[int, float, float], None]:
    """Return a callback that shows the progress of a fit in the view."""
    reported = 0

    def on_step(step: int, train: float, test: float) -> None:
        nonlocal reported
        view.advance(step - reported, f"loss {train:.4f}, test loss {test:.4f}")
        reported = step

    return on_step
