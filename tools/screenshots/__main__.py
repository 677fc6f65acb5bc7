"""Take screenshots of every state of the page, and check their layout.

The pictures go to build/screenshots/STATE/LANGUAGE-SIZE-THEME.png, with a contact sheet for each
state and language in build/screenshots/sheets, and an index page with filters:
build/screenshots/index.html. The server, its visitors and their games are created for the run.

In every picture these are faults:

    overflow     the page is wider than the window, or something begins left of it
    overlap      two controls or texts lie on one another
    cut          a text does not fit where it is, or a word is broken
    out of view  the main button, the status or the result cannot be seen without scrolling
    error        the page reported an error, or the state could not be reached

The exit status is 1 if there are any. A page that does not exist yet is skipped, with a message.

    python -m tools.screenshots                                  everything: several minutes
    python -m tools.screenshots --language en                    a quarter of that
    python -m tools.screenshots --state home --size 320x568      states whose names begin with home
    python -m tools.screenshots --state game-huff --language bg sk --theme dark
    python -m tools.screenshots --list                           the names of all states
    python -m tools.screenshots --readme                         the picture in README
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from tests.chromium import chromium

from damka.locales import LANGUAGES
from tools.screenshots.camera import Camera
from tools.screenshots.checks import Finding, report
from tools.screenshots.looks import SIZES, THEMES, Look, Looks
from tools.screenshots.scene import Scene
from tools.screenshots.sheets import write_index, write_sheets
from tools.screenshots.states import STATES, State

ROOT: Final = Path(__file__).parents[2]
README: Final = ("game-refused", Look("1280x800", "en", "light"))
README_PICTURE: Final = ROOT / "docs" / "screenshots" / "refusal-light-desktop.png"


def main() -> int:
    """Return the exit status: 0 without faults."""
    options = _options()
    if options.list:
        width = max(len(state.name) for state in STATES)
        print("\n".join(f"{state.name:{width}}  {state.about}" for state in STATES))
        return 0
    if options.readme:
        name, look = README
        options.state, options.size = [name], [look.size]
        options.language, options.theme = [look.language], [look.theme]
    states = _chosen(options.state)
    looks = Looks(options.size, options.language, options.theme)
    folder: Path = options.folder
    for state in states:
        shutil.rmtree(folder / state.name, ignore_errors=True)
    console = Console()
    findings, missing = _take(states, looks, folder, console)
    there = [state for state in states if state.name not in missing]
    if options.readme:
        shutil.copy(folder / README[0] / f"{README[1]}.png", README_PICTURE)
    for state in there:
        write_sheets(folder, state, looks)
    index = write_index(folder, there, looks, findings)
    for name, reason in missing.items():
        print(f"{name}: not there: {reason}")
    if findings:
        print(report(findings))
    count = len(there) * len(looks)
    print(f"{count} pictures, {len(findings)} faults: {index}")
    return 1 if findings else 0


def _take(
    states: list[State], looks: Looks, folder: Path, console: Console
) -> tuple[list[Finding], dict[str, str]]:
    missing: dict[str, str] = {}
    columns = (
        TextColumn("{task.description:16}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress, chromium() as browser, Scene() as scene:
        task = progress.add_task("starting", total=len(states) * len(looks))

        def taken(state: State, look: Look) -> None:
            progress.update(task, advance=1, description=f"{state.name} {look.language}")

        def absent(state: State, reason: str) -> None:
            missing[state.name] = reason
            progress.update(task, total=(len(states) - len(missing)) * len(looks))

        camera = Camera(browser, scene, folder, looks)
        return list(camera.take(states, taken, absent)), missing


def _chosen(names: list[str]) -> list[State]:
    """Return the states whose names begin with one of these. Exits if there are none."""
    unknown = [name for name in names if not any(each.name.startswith(name) for each in STATES)]
    if unknown:
        sys.exit(f"no state is called {', '.join(unknown)}: --list shows all names")
    return [state for state in STATES if not names or state.name.startswith(tuple(names))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tools.screenshots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, values in (("size", SIZES), ("language", LANGUAGES), ("theme", THEMES)):
        parser.add_argument(
            f"--{name}", nargs="+", choices=values, default=values, metavar=name.upper(),
            help=f"only these: {', '.join(values)}",
        )  # fmt: skip
    parser.add_argument(
        "--state", nargs="+", default=[], metavar="STATE", help="only states that begin like this"
    )
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "screenshots", help="output folder"
    )
    parser.add_argument("--list", action="store_true", help="list the states, and stop")
    parser.add_argument("--readme", action="store_true", help="renew the picture in README")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
