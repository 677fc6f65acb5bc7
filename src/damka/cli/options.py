"""Options shared by several commands."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from damka.cli.usage import UsageProblem, did_you_mean
from damka.errors import RulesError, UnknownRulesError
from damka.locales import LANGUAGES
from damka.rules import Rules, load, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka import Board
    from damka.pdn import PdnGame

__all__ = [
    "CONTEMPT_HELP",
    "NAME_HELP",
    "board_of",
    "complete_rules",
    "database_option",
    "depth_option",
    "fen_option",
    "file_of",
    "folder_option",
    "force_option",
    "games_of",
    "hash_option",
    "jobs_option",
    "json_option",
    "labelled_fen",
    "lang_option",
    "language_of",
    "load_rules",
    "nodes_option",
    "output_option",
    "print_json",
    "refuse_existing",
    "report_errors",
    "rules_argument",
    "rules_option",
    "seed_option",
    "time_option",
]

NAME_HELP = "Rule set: a name (see `damka rules`) or a TOML file."
_LANG_HELP = f"Language: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}."
CONTEMPT_HELP = (
    "Value of each piece kept on the board, in hundredths of a man (0 to 20), for more winning"
    " chances against weaker players."
)


def load_rules(name: str) -> Rules:
    """Return the rule set given on a command line; a name with a slash is always a path.

    Names are case-insensitive. The command line does not accept TOML text, so a stray `=` is an
    unknown name. The openings of a file are validated. Raises RulesError, and UsageProblem for an
    unknown name.
    """
    if _is_path(name):
        rules = load(Path(name))
        if rules.ballots:
            from damka.game import check_openings  # noqa: PLC0415

            try:
                check_openings(rules)
            except RulesError as error:
                raise RulesError.of(error.all, name) from error
        return rules
    try:
        return load(name.lower())
    except UnknownRulesError as error:
        near = did_you_mean(name, error.known)
        raise UsageProblem(f"unknown rule set {name[:60]!r}.{near} See `damka rules`.") from error


def _is_path(name: str) -> bool:
    return "/" in name or name.endswith(".toml") or "=" in name or "\n" in name


def _check_name(name: str | None) -> str | None:
    """Reject an unknown name before a missing argument is reported."""
    if name is not None and not _is_path(name):
        load_rules(name)
    return name


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Return the shell completions of a rule set name, with titles."""
    return [(name, load(name).title_in("en")) for name in names() if name.startswith(incomplete)]


def rules_argument(default: Any = ...) -> Any:
    """Return the argument RULES, required without a default."""
    return typer.Argument(
        default,
        metavar="RULES",
        help=NAME_HELP,
        autocompletion=complete_rules,
        callback=_check_name,
    )


def rules_option(default: str | None, more: str = "") -> Any:
    """Return the option --rules; `more` is added to its help."""
    return typer.Option(
        default,
        "--rules",
        "-r",
        metavar="RULES",
        help=f"{NAME_HELP} {more}".rstrip(),
        autocompletion=complete_rules,
    )


def lang_option() -> Any:
    """Return the option --lang; `language_of` reads it."""
    return typer.Option(None, metavar="LANG", help=_LANG_HELP, autocompletion=_complete_language)


def json_option(text: str = "Print JSON.") -> Any:
    """Return the option --json; use `print_json` for the output."""
    return typer.Option(False, "--json", help=f'{text} See "JSON output" in the docs.')


def output_option(text: str) -> Any:
    """Return the option --output."""
    return typer.Option(None, "--output", "-o", metavar="FILE", help=text)


def force_option(text: str = "Overwrite an existing file.") -> Any:
    """Return the option --force."""
    return typer.Option(False, "--force", "-f", help=text)


def refuse_existing(path: Path) -> UsageProblem:
    """Return the error about a file that would be overwritten."""
    return UsageProblem(f"{path} already exists (use --force to overwrite).")


def jobs_option(default: int | None = 1, text: str = "Search threads (1 to 256).") -> Any:
    """Return the option --jobs, for all parallel work."""
    return typer.Option(default, "--jobs", "-j", min=1, max=256, metavar="N", help=text)


def hash_option(
    default: int = 64, text: str = "Search memory in MiB (1 to 65536).", least: int = 1
) -> Any:
    """Return the option --hash."""
    return typer.Option(default, "--hash", min=least, max=65536, metavar="MIB", help=text)


def database_option() -> Any:
    """Return the option --database."""
    return typer.Option(
        None,
        "--database",
        metavar="URL",
        help="Database URL (SQLAlchemy). Default: an SQLite file in your data folder.",
        envvar=["DAMKA_DATABASE_URL", "DAMKA_DATABASE"],
    )


def time_option(default: float | None, text: str, *short: str, most: float = 3600) -> Any:
    """Return the option --time, for the time of a move or a position."""
    return typer.Option(
        default, "--time", *short, min=0.001, max=most, metavar="SECONDS", help=text
    )


def depth_option(*short: str) -> Any:
    """Return the option --depth."""
    return typer.Option(
        None,
        "--depth",
        *short,
        min=1,
        max=100,
        metavar="N",
        help="Search depth in plies (1 to 100).",
    )


def nodes_option(text: str = "Positions to search per move.") -> Any:
    """Return the option --nodes."""
    return typer.Option(None, "--nodes", min=1, metavar="N", help=text)


def fen_option(text: str) -> Any:
    """Return the option --fen, for a position."""
    return typer.Option(None, "--fen", metavar="FEN", help=text)


def folder_option(text: str, default: Path | None = None) -> Any:
    """Return the option --folder."""
    return typer.Option(default, "--folder", metavar="FOLDER", help=text)


def seed_option(text: str = "Random seed.") -> Any:
    """Return the option --seed."""
    return typer.Option(0, "--seed", metavar="N", help=text)


def print_json(value: object) -> None:
    """Print a value as one line of JSON and flush it."""
    typer.echo(msgspec.json.encode(value).decode())
    sys.stdout.flush()


def _complete_language(incomplete: str) -> list[str]:
    return [language for language in LANGUAGES if language.startswith(incomplete)]


def board_of(rules: Rules, fen: str | None) -> Board:
    """Return the board of a position in the federation's labels, by default the start position.

    Raises FenError, whose message also uses the labels.
    """
    from damka import Board  # noqa: PLC0415

    if fen is None:
        return Board(rules)
    return Board(rules, fen, labels=True)


def file_of(what: str) -> Path | None:
    """Return the file of games in an argument, or None if it is a position."""
    # A position has a colon, and no file is called "start".
    named = what != "start" and ":" not in what
    if what.endswith((".json", ".pdn")) or (named and Path(what).is_file()):
        return Path(what)
    return None


def games_of(file: Path, rules: str | None) -> Iterator[PdnGame]:
    """Yield the games of a file: those of a PDN file, or the one in a game file (.json).

    `rules` is the rule set for games that do not name one. A game with errors is yielded up to the
    first error; `report_errors` prints the errors. Raises GameFileError and PdnError.
    """
    from damka import Game, pdn  # noqa: PLC0415

    if file.suffix == ".json":
        return pdn.read(Game.load(file).pdn())
    return pdn.read(file, None if rules is None else load_rules(rules))


def report_errors(game: PdnGame) -> bool:
    """Print the errors of a game on standard error; return whether there are any."""
    for error in game.errors:
        typer.echo(f"damka: {error}", err=True)
    return bool(game.errors)


def labelled_fen(board: Board) -> str:
    """Return the position of a board with the federation's labels; `board_of` reads it."""
    return board.fen_with(labels=True)


def language_of(chosen: str | None) -> str:
    """Return the chosen language, by default the terminal's or English.

    Raises UsageProblem for a language without translations.
    """
    if chosen is not None:
        if chosen not in LANGUAGES:
            raise UsageProblem(
                f"--lang must be one of {', '.join(sorted(LANGUAGES))}, not {chosen[:60]!r}."
            )
        return chosen
    # The order of precedence in POSIX.
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
