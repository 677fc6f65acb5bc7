"""Writing `chances.toml`, the curves of `damka.engine.winning_chances`."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, Final

from damka.engine import chances
from damka.rules import load
from damka.training.curve import Positions, fit
from damka.training.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from damka.training.calibration import Result
    from damka.training.curve import CurveFit

__all__ = ["write_curves"]

_HEAD: Final = """\
# Curves from the engine's score to the result of a game, written by `damka train calibrate`: see
# damka/engine/chances.py.
#
# `a`, `b` and `c` are in hundredths of a man, for each number of `pieces` on the board. `games` and
# `positions` are those of the fit, and `errors` the calibration errors for win, draw and loss in as
# many games that the fit has not seen.
"""


def write_curves(path: Path, results: Mapping[str, Result]) -> None:
    """Write the curves of rule sets, and of the families to which they belong.

    A family's curve is fitted to the games of all these rule sets. Other curves in an existing file
    stay; a new file begins with those of Damka.
    """
    tables = tomllib.loads((path if path.exists() else chances.DATA).read_text("utf-8"))
    rules, families = tables["rules"], tables["families"]
    members: dict[str, list[str]] = {}
    for name, result in results.items():
        members.setdefault(chances.family(load(name)), []).append(name)
        rules[name] = _table(result.curve) | {
            "games": result.fitted_games,
            "positions": len(result.fitted),
            "errors": [round(each, 4) for each in result.errors],
        }
    for family, names in members.items():
        positions = Positions.joined([results[name].fitted for name in names])
        most = max(results[name].curve.pieces[-1] for name in names)
        families[family] = _table(fit(positions, most)) | {"from": names}
    parts = [
        _toml(f"{kind}.{name}", table)
        for kind, group in (("families", families), ("rules", rules))
        for name, table in group.items()
    ]
    write_atomically(path, "\n".join([_HEAD, *parts]).encode())


def _table(curve: CurveFit) -> dict[str, Any]:
    return {"pieces": list(curve.pieces)} | {
        name: [round(value, 1) for value in numbers]
        for name, numbers in zip("abc", curve[1:], strict=True)
    }


def _toml(name: str, table: dict[str, Any]) -> str:
    lines = [f"{key} = {value!r}".replace("'", '"') for key, value in table.items()]
    return "\n".join([f"[{name}]", *lines, ""])
