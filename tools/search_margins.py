"""Write a copy of weights with other search margins, to test in matches or to ship.

    python -m tools.search_margins american --probcut 20 --probcut-per-ply 0 --folder /tmp/tried
    damka match engine:weights=/tmp/tried/american-….weights engine --rules american --nodes 20000
    python -m tools.search_margins american --probcut 20 --probcut-per-ply 0 --ship

Other margins do not change. With `--ship` the file replaces the shipped one, and `index.toml` and
SOURCE.md are updated.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import msgspec

from damka.engine import weights
from damka.rules import load

FOLDER = weights.folder()


def main() -> None:
    """Write the file and print its name."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("rules", help="rule set with weights in the package")
    for each in msgspec.structs.fields(weights.Margins):
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=int, metavar="0-500")
    parser.add_argument("--folder", type=Path, default=Path(), help="output folder")
    parser.add_argument("--ship", action="store_true", help="replace the shipped file")
    options = parser.parse_args()
    shipped = weights.shipped_file(load(options.rules))
    if shipped is None:
        parser.error(f"{options.rules}: there are no shipped weights for these rules")
    given = {
        each.name: getattr(options, each.name)
        for each in msgspec.structs.fields(weights.Margins)
        if getattr(options, each.name) is not None
    }
    file = weights.read(shipped)
    file = replace(file, margins=msgspec.structs.replace(file.margins, **given))
    print(ship(shipped, file) if options.ship else weights.write(options.folder, file))


def ship(old: Path, file: weights.WeightsFile) -> Path:
    """Replace the shipped file at `old` with `file`; return its new path."""
    new = weights.write(FOLDER, file)
    if new == old:
        return new
    old.unlink()
    for name in ("index.toml", "SOURCE.md"):
        path = FOLDER / name
        path.write_text(path.read_text("utf-8").replace(old.name, new.name), "utf-8")
    return new


if __name__ == "__main__":
    main()
