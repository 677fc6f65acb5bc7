"""A plot of a training run: the losses of every fit, and the Elo of every match."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.match import Estimate

__all__ = ["Bar", "Curve", "picture"]

_WIDTH, _HEIGHT = 860, 360
_LEFT, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 64, 48, 330, 240
_COLOURS = ("#3b6ea5", "#b5562d", "#4d8a50", "#8a5a9e", "#a08a2c", "#5a5a5a")


@dataclass(frozen=True, slots=True)
class Curve:
    """The losses of a fit as (training, test), in order."""

    name: str
    losses: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Bar:
    """The Elo of a match for the newer player."""

    name: str
    elo: Estimate


def picture(title: str, curves: Sequence[Curve], bars: Sequence[Bar]) -> str:
    """Return the plot as SVG."""
    height = max(_HEIGHT, _legend(len(curves) - 1) + 12)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
        _text(_WIDTH / 2, 20, title, anchor="middle", size=15),
        *_losses(curves),
        *_matches(bars),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12) -> str:
    attributes = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {attributes} font-size="{size}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#bbb") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _ticks(low: float, high: float) -> list[float]:
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    while (high - low) / step < 3:
        step /= 2
    first = math.ceil(low / step)
    return [step * i for i in range(first, math.floor(high / step) + 1)]


def _losses(curves: Sequence[Curve]) -> list[str]:
    parts = [_text(_LEFT, _TOP - 8, "loss (dashed: test positions)")]
    # The loss decreases steeply in the first steps, which are omitted.
    tails = [(curve, list(curve.losses)[len(curve.losses) // 10 :]) for curve in curves]
    values = [value for _, losses in tails for pair in losses for value in pair]
    if not values:
        return parts
    low, high = min(values), max(values)
    high = max(high, low + 1e-3)

    def y(value: float) -> float:
        return _TOP + _PLOT_HEIGHT * (high - value) / (high - low)

    for tick in _ticks(low, high):
        parts.append(_line(_LEFT, y(tick), _LEFT + _PLOT_WIDTH, y(tick)))
        parts.append(_text(_LEFT - 6, y(tick) + 4, f"{tick:.4g}", anchor="end"))
    for number, (curve, losses) in enumerate(tails):
        colour = _COLOURS[number % len(_COLOURS)]
        for which, dash in ((0, ""), (1, ' stroke-dasharray="5 3"')):
            points = " ".join(
                f"{_LEFT + _PLOT_WIDTH * i / max(1, len(losses) - 1):.1f},{y(pair[which]):.1f}"
                for i, pair in enumerate(losses)
            )
            parts.append(f'<polyline fill="none" stroke="{colour}"{dash} points="{points}"/>')
        # One legend row per generation: patterns and network.
        left = _LEFT + _PLOT_WIDTH / 2 * (number % 2)
        baseline = _legend(number)
        parts.append(_line(left, baseline - 4, left + 18, baseline - 4, colour))
        parts.append(_text(left + 24, baseline, curve.name))
    return parts


def _legend(number: int) -> int:
    """Return the vertical position of a curve's name; there are two names per row."""
    return _TOP + _PLOT_HEIGHT + 20 + 16 * (number // 2)


def _matches(bars: Sequence[Bar]) -> list[str]:
    left = _LEFT + _PLOT_WIDTH + 90
    parts = [_text(left, _TOP - 8, "Elo gain, with 95% intervals")]
    if not bars:
        return parts

    def finite(value: float) -> float:
        return max(-800.0, min(800.0, value))

    ends = [finite(end) for bar in bars for end in (bar.elo.low, bar.elo.high)]
    low, high = min(0.0, *ends), max(10.0, *ends)

    def y(value: float) -> float:
        return _TOP + _PLOT_HEIGHT * (high - finite(value)) / (high - low)

    for tick in _ticks(low, high):
        parts.append(
            _line(left, y(tick), left + _PLOT_WIDTH, y(tick), "#444" if tick == 0 else "#ddd")
        )
        parts.append(_text(left - 6, y(tick) + 4, f"{tick:.0f}", anchor="end"))
    bar_width = _PLOT_WIDTH / len(bars)
    for number, bar in enumerate(bars):
        x = left + bar_width * (number + 0.5)
        parts.append(_line(x, y(bar.elo.low), x, y(bar.elo.high), "#333"))
        parts.append(f'<circle cx="{x:.1f}" cy="{y(bar.elo.elo):.1f}" r="4" fill="{_COLOURS[0]}"/>')
        baseline = _TOP + _PLOT_HEIGHT + 20 + 14 * (number % 2)
        parts.append(_text(x, baseline, bar.name, anchor="middle", size=10))
    return parts
