"""`damka pdn split`: split a file of games into several."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from damka.cli.options import force_option, load_rules
from damka.cli.pdn.reading import Errors, Reading, errors_option, file_argument, read_as_option
from damka.cli.usage import UsageProblem
from damka.errors import PdnError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.pdn import PdnGame

__all__ = ["split"]

_MAX_NAME: Final = 80
_SEPARATORS: Final = re.compile(r"[^\w.]+")
# Device names on Windows.
_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


class By(StrEnum):
    """Grouping of games into files."""

    RULES = "rules"
    PLAYER = "player"
    EVENT = "event"


def split(
    file: str = file_argument(),
    folder: Path = typer.Option(
        ..., "--output", "-o", metavar="FOLDER", help="Folder to write the files to."
    ),
    every: int | None = typer.Option(
        None, "--every", min=1, metavar="N", help="Number of games per file."
    ),
    by: By | None = typer.Option(
        None,
        "--by",
        metavar="rules|player|event",
        help="Write a file for each rule set, player or event. A game goes to both players' files.",
    ),
    force: bool = force_option("Overwrite existing files in the folder."),
    name: str | None = read_as_option(),
    errors: Errors = errors_option(),
) -> None:
    """Split a PDN file by count, rule set, player or event.

    The files are named 00001.pdn, 00002.pdn and so on, or after the rule set, player or event; they
    are standard PDN. Games without a player or an event go to unknown.pdn.

    Example:  damka pdn split games.pdn --by player -o players
    """
    from damka import pdn  # noqa: PLC0415

    if (every is None) is (by is None):
        raise UsageProblem("give either --every or --by.")
    rules = None if name is None else load_rules(name)
    if not force and folder.is_dir() and any(folder.glob("*.pdn")):
        raise UsageProblem(f"{folder} already contains PDN files (use --force to overwrite them).")
    files = _Files(folder, file, force=force)
    with Reading(rules, errors) as reading:
        count = 0
        for game in reading.games(file):
            try:
                text = pdn.format(game)
            except PdnError as error:
                reading.skip(game, error)
                continue
            if by is None:
                files.write(f"{count // (every or 1) + 1:05}", text)
            else:
                for key in _keys(game, by):
                    files.write(key, text)
            count += 1
        written = "1 file" if len(files) == 1 else f"{len(files):,} files"
        typer.echo(f"{folder}: {written}, {count:,} {'game' if count == 1 else 'games'}")


def _keys(game: PdnGame, by: By) -> Iterable[str]:
    if by is By.RULES:
        return [game.rules.name]
    tags = ("White", "Black") if by is By.PLAYER else ("Event",)
    # Once per player: a player may have played against themselves.
    return dict.fromkeys(" ".join(game.headers.get(tag, "").split()) for tag in tags)


class _Files:
    """The output files, each open only during a write, because there may be many."""

    def __init__(self, folder: Path, source: str, *, force: bool) -> None:
        self._folder = folder
        self._source = None if source == "-" else Path(source)
        self._force = force
        self._paths: dict[str, Path] = {}
        self._names: set[str] = set()

    def __len__(self) -> int:
        return len(self._paths)

    def write(self, key: str, text: str) -> None:
        """Write a game to the file of a key."""
        path = self._paths.get(key)
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
            return
        path = self._folder / f"{self._name(key)}.pdn"
        if self._source is not None and path.exists() and path.samefile(self._source):
            raise UsageProblem(f"--output: {path} is the input file; choose another folder.")
        self._folder.mkdir(parents=True, exist_ok=True)
        with path.open("w" if self._force else "x", encoding="utf-8") as file:
            file.write(text)
        self._paths[key] = path

    def _name(self, key: str) -> str:
        """Return a unique file name for a key, valid on every system."""
        plain = unicodedata.normalize("NFC", key)
        name = _SEPARATORS.sub("-", plain).strip("-._")[:_MAX_NAME]
        name = name or "unknown"
        if _DEVICES.fullmatch(name):
            name += "-"
        number, unique = 1, name
        while unique.casefold() in self._names:
            number += 1
            unique = f"{name}-{number}"
        self._names.add(unique.casefold())
        return unique
