"""Write rulebooks as pages: `python -m damka.rulebook FOLDER [RULES ...]`.

RULES are names of rule sets or TOML files, by default all shipped rule sets. In the latter case the
table at the end of FOLDER/parameters.md is updated too, if that page exists.
"""

from __future__ import annotations

import sys
from pathlib import Path

from damka import rules
from damka.rulebook import summary
from damka.rulebook.pages import write


def main(arguments: list[str]) -> int:
    """Write the pages; return 2 with a usage line for missing arguments."""
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder, *sources = arguments
    for source in sources or rules.names():
        loaded = rules.load(source)
        files = write(loaded, Path(folder))
        print(f"{files[0]}: {len(files) - 1} pictures")
    parameters = Path(folder) / "parameters.md"
    if not sources and parameters.exists():
        summary.write(parameters, [rules.load(name) for name in rules.names()])
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
