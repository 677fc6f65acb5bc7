"""Put the weights of a training run into the package.

    python -m tools.ship_weights training/international --serves killer

The run's best weights replace those of its rule set. This updates `index.toml`, and SOURCE.md with
their provenance: the command, the positions, the results.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from damka.engine import weights
from damka.training import TrainingSettings

FOLDER = Path(__file__).parents[1] / "src" / "damka" / "engine" / "weights"
DEFAULTS = TrainingSettings()
OPTIONS = (
    *("games", "generations", "nodes", "window", "pairs", "trials", "start", "seed"),
    *("pieces", "keep"),
)


def main() -> None:
    """Ship the runs named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("runs", nargs="+", type=Path, help="folders written by damka train")
    parser.add_argument(
        "--serves", nargs="*", default=None, help="similar rule sets that use the same weights"
    )
    options = parser.parse_args()
    for run in options.runs:
        if not (run / "best.weights").exists():
            parser.error(
                f"{run}: no best.weights: the run does not exist, or no generation passed its gate"
            )
        print(ship(run, options.serves))


def ship(run: Path, serves: list[str] | None) -> str:
    """Ship a run; return the file's name."""
    file = weights.read(run / "best.weights")
    entries = {served[0]: (name, served[1:]) for name, served in weights.index()}
    old = entries.get(file.rules, ("", ()))
    if old[0]:
        (FOLDER / old[0]).unlink(missing_ok=True)
    name = weights.write(FOLDER, file).name
    entries[file.rules] = (name, old[1] if serves is None else tuple(serves))
    head = (FOLDER / "index.toml").read_text("utf-8").split("\n\n")[0].rstrip("\n")
    parts = [
        f'[[weights]]\nfile = "{entry}"\nrules = "{rules}"\nserves = {json.dumps(list(others))}\n'
        for rules, (entry, others) in sorted(entries.items())
    ]
    (FOLDER / "index.toml").write_text("\n\n".join([head, *(p.rstrip("\n") for p in parts)]) + "\n")
    source = FOLDER / "SOURCE.md"
    text = re.sub(rf"\n## {file.rules}\n.*?(?=\n## |\Z)", "", source.read_text("utf-8"), flags=re.S)
    source.write_text(text.rstrip("\n") + "\n\n" + section(run, name, file.rules), "utf-8")
    return name


def section(run: Path, name: str, rules: str) -> str:
    """Return the section of SOURCE.md about a run."""
    settings = json.loads((run / "settings.json").read_text())
    report = json.loads((run / "report.json").read_text())
    options = [
        f"--{key} {settings[key]}" for key in OPTIONS if settings[key] != getattr(DEFAULTS, key)
    ]
    options += [
        f"--also {Path(each).parent.name}/{Path(each).name}" for each in settings.get("also", [])
    ]
    lines = [
        f"## {rules}",
        "",
        f"`{name}`, {(FOLDER / name).stat().st_size / 1024:.0f} KiB:",
        f"`damka train {rules} {' '.join(options)}`".replace(" `", "`"),
        *margins(name),
        "",
        "| stage | result |",
        "|---|---|",
        *(f"| {each['stage']} | {outcome(each)} |" for each in report),
    ]
    return "\n".join(lines) + "\n"


def margins(name: str) -> list[str]:
    """Return the lines about a file's search margins, none for the defaults."""
    current = weights.read(FOLDER / name).margins
    if current == weights.Margins():
        return []
    return [
        "",
        f"Search margins: ProbCut {current.probcut} + {current.probcut_per_ply} per ply, late-move "
        f"reductions {current.lmr_base} + {current.lmr_scale}.",
    ]


def outcome(stage: dict[str, Any]) -> str:
    """Return a stage's figures as text."""
    if "positions" in stage:
        return f"fitted to {stage['positions']:,} positions"
    return (
        f"+{stage['wins']} ={stage['draws']} −{stage['losses']}, {stage['share']:.1%}, "
        f"Elo {stage['elo']:+d} ({stage['low']:+d} to {stage['high']:+d})"
    )


if __name__ == "__main__":
    main()
