"""The progress display of `damka match`, and its final report."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Self, TextIO

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from damka.cli.options import print_json
from damka.match import Score

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import TracebackType

    from damka.match import MatchGame, MatchSettings, Sprt

__all__ = ["View"]

_LINE_INTERVAL = 30.0  # seconds between progress lines, if standard error is not a terminal


class View:
    """A live table on a terminal, occasional lines elsewhere, and the final report.

    The report is also printed for an interrupted match.
    """

    def __init__(
        self,
        settings: MatchSettings,
        total: int,
        sprt: Sprt | None,
        earlier: Iterable[MatchGame],
        pdn: Path | None,
        *,
        as_json: bool = False,
    ) -> None:
        self._settings = settings
        self._total = total
        self._sprt = sprt
        self._pdn = pdn
        self._json = as_json
        self._score = Score()
        for game in earlier:
            self._score.add(game)
        self._earlier_games = self._score.games
        self._started = time.monotonic()
        self._last_line = self._started
        self._file: TextIO | None = None
        console = Console(stderr=True)
        self._live = Live(console=console, transient=True, get_renderable=self._table)
        self._terminal = console.is_terminal

    def __enter__(self) -> Self:
        if self._pdn is not None:
            self._file = self._pdn.open("a", encoding="utf-8", newline="\n")
        if self._earlier_games:
            typer.echo(f"continuing after {self._earlier_games} games", err=True)
        if self._terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._terminal:
            self._live.stop()
        if self._file is not None:
            self._file.close()
        if self._json:
            print_json(self.to_dict())
        elif self._score.games:
            typer.echo(self.report())

    def show(self, game: MatchGame, score: Score) -> None:
        """Update the view with a finished game."""
        self._score = score
        if self._file is not None:
            self._file.write(game.pdn)
            self._file.flush()
        if game.termination == "forfeit":
            typer.echo(f"game {game.number + 1}: forfeited by {game.reason}", err=True)
        now = time.monotonic()
        if not self._terminal and now - self._last_line >= _LINE_INTERVAL:
            self._last_line = now
            typer.echo(f"{score.games} games: {_results(score)}, Elo {score.elo}", err=True)

    def report(self) -> str:
        """Return the result as a few lines, suitable for a results file."""
        score, settings = self._score, self._settings
        ends = ", ".join(f"{n} {kind}" for kind, n in sorted(score.ends.items()))
        first_ms, second_ms = (f"{1000 * seconds:.0f}" for seconds in score.seconds)
        lines = [
            str(settings),
            f"{score.games} games: {_results(score)}, {score.points:.1%} of the points",
            f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, score.pairs))}",
            f"Elo {score.elo}, 95% interval",
            f"ends: {ends}; {score.plies / score.games:.0f} plies per game; "
            f"{first_ms} and {second_ms} ms per move",
        ]
        if self._sprt is not None:
            lines.append(_test(self._sprt, score))
        return "\n".join(lines)

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain values; an infinite end of the interval is None."""
        score, elo = self._score, self._score.elo
        result: dict[str, object] = {
            "first": self._settings.first,
            "second": self._settings.second,
            "rules": self._settings.rules.name,
            "settings": str(self._settings),
            "games": score.games,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
            "pairs": score.pairs,
            "elo": _finite(elo.elo),
            "elo_low": _finite(elo.low),
            "elo_high": _finite(elo.high),
            "ends": score.ends,
            "plies": score.plies,
            "seconds_a_move": score.seconds,
        }
        if self._sprt is not None:
            result["sprt"] = {
                "elo0": self._sprt.elo0,
                "elo1": self._sprt.elo1,
                "accepted": self._sprt.verdict(score.pairs),
                "ratio": self._sprt.ratio(score.pairs),
                "bound": self._sprt.bound,
            }
        return result

    def _table(self) -> Group:
        score = self._score
        table = Table.grid(padding=(0, 2))
        table.add_row("match", f"{self._settings.first} – {self._settings.second}")
        table.add_row("games", f"{score.games} of {self._total}: {_results(score)}")
        table.add_row("pairs", "  ".join(map(str, score.pairs)) + "   (0, ½, 1, 1½, 2 points)")
        table.add_row("Elo", str(score.elo))
        if self._sprt is not None:
            table.add_row("test", _test(self._sprt, score))
        hours = (time.monotonic() - self._started) / 3600
        new = score.games - self._earlier_games
        if new:
            remaining = (self._total - score.games) * hours / new
            table.add_row(
                "speed", f"{new / hours / 60:.1f} games per minute, {_format_hours(remaining)} left"
            )
        return Group(table, ProgressBar(total=self._total, completed=score.games, width=60))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _results(score: Score) -> str:
    return f"+{score.wins} ={score.draws} -{score.losses}"


def _test(sprt: Sprt, score: Score) -> str:
    verdict = {None: "undecided", True: "accepted", False: "rejected"}[sprt.verdict(score.pairs)]
    return (
        f"SPRT {sprt.elo0:g} against {sprt.elo1:g} Elo: {verdict}, "
        f"log-likelihood ratio {sprt.ratio(score.pairs):+.2f} of ±{sprt.bound:.2f}"
    )


def _format_hours(hours: float) -> str:
    minutes = round(60 * hours)
    return f"{minutes // 60} h {minutes % 60:02} min" if minutes >= 60 else f"{minutes} min"
