"""What several commands share: naming a rule set, choosing a language, answering in JSON."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from damka.errors import RulesError
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
    "file_of",
    "games_of",
    "json_option",
    "labelled_fen",
    "lang_option",
    "language_of",
    "load_rules",
    "print_json",
    "rules_argument",
    "rules_option",
]

NAME_HELP = "A rule set: a name (see `damka rules`) or the path of a TOML file."
_LANG_HELP = f"The language: {', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}."
CONTEMPT_HELP = (
    "What it gives for every piece kept on the board, in hundredths of a man, for more"
    " winning chances against weaker players. 0 for none."
)


def load_rules(name: str) -> Rules:
    """Return the rule set a command line names; a text with a slash is always a path.

    TOML text itself is not taken from the command line, so a stray `=` is an unknown name. The
    openings of a file are played through. Raises RulesError and UnknownRulesError.
    """
    if "/" in name or name.endswith(".toml") or "=" in name or "\n" in name:
        rules = load(Path(name))
        if rules.ballots:
            from damka.game import check_openings  # noqa: PLC0415

            try:
                check_openings(rules)
            except RulesError as error:
                raise RulesError.of(error.all, name) from error
        return rules
    return load(name)


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Return the names of rule sets that the shell may complete a word to, with their titles."""
    return [(name, load(name).title_in("en")) for name in names() if name.startswith(incomplete)]


def rules_argument(default: Any = ...) -> Any:
    """Return the argument RULES; without a default it must be given."""
    return typer.Argument(default, metavar="RULES", help=NAME_HELP, autocompletion=complete_rules)


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


def json_option(
    said: str = "Answer in JSON, for programs; the guides have the keys.",
) -> Any:
    """Return the option --json; `print_json` answers."""
    return typer.Option(False, "--json", help=said)


def print_json(answer: object) -> None:
    """Print an answer for a program as one line, at once."""
    typer.echo(msgspec.json.encode(answer).decode())
    sys.stdout.flush()


def _complete_language(incomplete: str) -> list[str]:
    return [language for language in LANGUAGES if language.startswith(incomplete)]


def board_of(rules: Rules, fen: str | None) -> Board:
    """Return the board of a position typed with the labels that the federation prints.

    Without one the board is at the start. Raises FenError, which speaks in labels too.
    """
    from damka import Board  # noqa: PLC0415
    from damka.notation import fen as notation  # noqa: PLC0415

    if fen is None:
        return Board(rules)
    return Board(rules, notation.format(rules, *notation.parse(rules, fen, labels=True)))


def file_of(what: str) -> Path | None:
    """Return the file of games that a command line names; None where it names a position."""
    # A position has a colon, and no file is called "start".
    named = what != "start" and ":" not in what
    if what.endswith((".json", ".pdn")) or (named and Path(what).is_file()):
        return Path(what)
    return None


def games_of(file: Path, rules: str | None) -> Iterator[PdnGame]:
    """Yield the games of a file: those of a PDN file, or the one of a game file (.json).

    `rules` is the rule set of games that do not say theirs. Raises GameFileError and PdnError.
    """
    from damka import Game, pdn  # noqa: PLC0415

    if file.suffix == ".json":
        return pdn.read(Game.load(file).pdn())
    return pdn.read(file, None if rules is None else load_rules(rules))


def labelled_fen(board: Board) -> str:
    """Return the position of a board with the federation's labels; `board_of` reads it."""
    from damka.notation import fen  # noqa: PLC0415

    return fen.format(board.rules, board.pieces, board.turn, labels=True)


def language_of(chosen: str | None) -> str:
    """Return the language asked for, else the terminal's, else English.

    Raises typer.BadParameter for a language asked for that Damka does not speak.
    """
    if chosen is not None:
        if chosen not in LANGUAGES:
            raise typer.BadParameter(f"{chosen!r} is none of {', '.join(LANGUAGES)}")
        return chosen
    # The order in which POSIX reads them.
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return value[:2].lower() if value[:2].lower() in LANGUAGES else "en"
    return "en"
