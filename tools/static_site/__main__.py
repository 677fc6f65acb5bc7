"""Write the static site: python -m tools.static_site FOLDER [--boxes FOLDER]."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from damka.box import check_link
from damka.errors import RulesError
from damka.game import check_openings
from damka.rules import Rules, load
from tools.static_site import build, sizes


def boxes_in(folder: Path) -> tuple[Rules, ...]:
    """Return the house boxes in a folder, by name. Exits with the errors of invalid ones."""
    if not folder.is_dir():
        sys.exit(f"{folder} is not a folder")
    boxes, errors = [], []
    for file in sorted(folder.glob("*.toml")):
        try:
            boxes.append(load(file))
            check_openings(boxes[-1])
            check_link(boxes[-1])
        except RulesError as error:
            errors.append(f"{file}: {error}")
    if errors:
        sys.exit("\n".join(errors))
    return tuple(boxes)


def main() -> None:
    """Write the site and print its size."""
    parser = argparse.ArgumentParser(prog="python -m tools.static_site", description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder; its contents are replaced")
    parser.add_argument("--boxes", type=Path, help="a folder of house boxes to offer (TOML files)")
    options = parser.parse_args()
    boxes = boxes_in(options.boxes) if options.boxes else ()
    build.write(options.folder, boxes)
    print(f"The site is in {options.folder}: serve that folder.")
    print(sizes.report(options.folder))
    if sizes.compressed(options.folder) > sizes.MOST:
        sys.exit(f"The compressed site exceeds {sizes.MOST >> 20} MiB.")


if __name__ == "__main__":
    main()
