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
        sys.exit(f"{folder} is no folder")
    found, wrong = [], []
    for file in sorted(folder.glob("*.toml")):
        try:
            found.append(load(file))
            check_openings(found[-1])
            check_link(found[-1])
        except RulesError as error:
            wrong.append(f"{file}: {error}")
    if wrong:
        sys.exit("\n".join(wrong))
    return tuple(found)


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
        sys.exit(f"that is more than {sizes.MOST >> 20} MiB compressed")


if __name__ == "__main__":
    main()
