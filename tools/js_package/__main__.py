"""Write the JavaScript package `damka`: python -m tools.js_package FOLDER."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.js_package import build, sizes


def main() -> None:
    """Write the package and print its size; fail if a page would load too much."""
    parser = argparse.ArgumentParser(prog="python -m tools.js_package", description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder; its contents are replaced")
    folder = parser.parse_args().folder
    build.write(folder)
    table, largest = sizes.report(folder)
    print(table)
    if largest > sizes.MOST:
        sys.exit(f"a page loads {largest:,} bytes, more than {sizes.MOST:,}")
    print(f"the package: {folder.resolve()}")


if __name__ == "__main__":
    main()
