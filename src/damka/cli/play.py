"""`damka play`: a game in the terminal."""

from __future__ import annotations

import sys
import tempfile
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from damka.cli.options import (
    board_of,
    fen_option,
    force_option,
    games_of,
    lang_option,
    language_of,
    load_rules,
    output_option,
    refuse_existing,
    report_errors,
    rules_argument,
)
from damka.cli.program import program_name
from damka.cli.screen import Screen
from damka.cli.terminal import Seats, TerminalGame
from damka.cli.usage import UsageProblem
from damka.rules import Rules, Side, other

if TYPE_CHECKING:
    from damka import Game

__all__ = ["play"]

Turn = Literal["first", "second", "random"]
Obligation = Literal["forced", "huff"]


def play(
    name: str = rules_argument("dama64"),
    level: int | None = typer.Option(
        None,
        "--level",
        min=1,
        max=10,
        metavar="N",
        help="Level of the computer (1 to 10). Default: 3, or the saved game's.",
    ),
    two: bool = typer.Option(False, "--two", help="Play with two people, without the computer."),
    side: Turn | None = typer.Option(
        None,
        "--side",
        metavar="first|second|random",
        help="Your side: the first or second to move. Default: random, or the saved game's.",
    ),
    obligation: Obligation | None = typer.Option(
        None,
        "--obligation",
        metavar="forced|huff",
        help="Missed captures: not allowed, or huffed. Default: the rule set's.",
    ),
    fen: str | None = fen_option("Start position."),
    opening: int | None = typer.Option(
        None,
        "--opening",
        min=1,
        metavar="N",
        help="Number of the opening, in games whose opening is drawn by lot. Default: random.",
    ),
    file: Path | None = typer.Option(
        None, "--file", metavar="FILE", help="Saved game or PDN file to continue."
    ),
    number: int = typer.Option(
        1, "--game", min=1, metavar="N", help="Number of the game in a PDN file."
    ),
    save: Path | None = output_option(
        "File to save the game to when you quit; PDN if the name ends in .pdn."
    ),
    force: bool = force_option(),
    resume: bool = typer.Option(False, "--resume", help="Continue your last unfinished game."),
    lang: str | None = lang_option(),
) -> None:
    """Play a game in the terminal.

    Type moves such as 22-18 or 22x15, or `help` for a list of commands. If a move is illegal, Damka
    explains why. `damka play --resume` continues an unfinished game.

    Levels: 1 Newcomer, 2 Beginner, 3 Learner, 4 Casual player, 5 Keen player, 6 Club player,
    7 Tournament player, 8 Expert, 9 Master, 10 Grandmaster.

    Example:  damka play dama100 --level 2 --side first
    """
    from damka import Game  # noqa: PLC0415
    from damka.engine import levels  # noqa: PLC0415

    if save is not None and save != file and save.exists() and not force:
        raise refuse_existing(save)
    saved = last_game_file() if resume else file
    if saved is not None:
        if resume and not saved.exists():
            typer.echo("damka: there is no game to resume", err=True)
            raise typer.Exit(2)
        game = Game.load(saved) if number == 1 else _load_numbered(saved, number)
    else:
        rules = load_rules(name)
        fen = None if fen is None else board_of(rules, fen).fen
        ballot = _ballot(rules, opening) if fen is None else None
        game = Game(rules, fen, obligation=obligation, ballot=ballot)
    seats = Seats.two_people() if two else _seats(game, saved is not None, side, level)
    game.players = levels.player_names(game.players, seats.computer)
    terminal = TerminalGame(
        game,
        seats,
        language=language_of(lang),
        screen=Screen(),
        # No prompts if the input is a script.
        read_line=_prompt if sys.stdin.isatty() else _read_line,
    )
    for each in seats.computer.values():
        terminal.say_level(each)
    if game.opening is not None:
        terminal.say_opening(game.opening)
    try:
        terminal.run()
    except KeyboardInterrupt:
        # Ctrl-C leaves the game like `quit`.
        typer.echo()
        _leave(terminal, save, resume=resume)
        raise typer.Exit(130) from None
    _leave(terminal, save, resume=resume)


def _load_numbered(file: Path, number: int) -> Game:
    """Return a game of a file with several; raises PdnError."""
    from damka import Game  # noqa: PLC0415

    game = next(islice(games_of(file, None), number - 1, None), None)
    if game is None:
        typer.echo(f"damka: {file}: there is no game {number}", err=True)
        raise typer.Exit(2)
    report_errors(game)
    return Game.from_pdn_game(game)


def _leave(terminal: TerminalGame, save: Path | None, *, resume: bool) -> None:
    """Store an unfinished game and save it; delete a finished game that was resumed."""
    if save is not None:
        try:
            terminal.game.save(save)
        except OSError as error:
            terminal.say("cli.not_saved", path=save, reason=error.strerror)
        else:
            terminal.say("cli.saved", path=save)
    if terminal.game.result is None and terminal.game.moves:
        _store(terminal, resume=resume)
    elif resume:
        last_game_file().unlink(missing_ok=True)


def _store(terminal: TerminalGame, *, resume: bool) -> None:
    """Store an unfinished game for `--resume`; if that fails, in a temporary folder."""
    path = last_game_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        backup = None if resume else _back_up(path)
        terminal.game.save(path)
    except OSError as error:
        terminal.say("cli.not_saved", path=path, reason=error.strerror)
        # A new folder, because saving writes a temporary file beside the game.
        fallback = Path(tempfile.mkdtemp(prefix="damka-")) / "game.json"
        terminal.game.save(fallback)
        terminal.say("cli.saved", path=fallback)
        return
    terminal.say("cli.kept", program=program_name())
    if backup is not None:
        terminal.say("cli.kept_before", program=program_name(), file=backup)


def _seats(game: Game, is_saved: bool, turn: Turn | None, level: int | None) -> Seats:
    """Return the seats, by default those of the saved game."""
    from damka.engine import levels  # noqa: PLC0415

    saved_levels = levels.computer_levels(game.players)
    if is_saved and turn is None and level is None:
        return Seats(saved_levels)
    person: Side
    if is_saved and turn is None:
        person = "W" if "B" in saved_levels else "B" if "W" in saved_levels else game.turn
    else:
        person = _side(turn or "random", game.turn)
    return Seats.against_computer(person, level or saved_levels.get(other(person), levels.DEFAULT))


def last_game_file() -> Path:
    """Return the file that stores an unfinished terminal game."""
    import platformdirs  # noqa: PLC0415

    return Path(platformdirs.user_data_dir("damka")) / "terminal-game.json"


def _back_up(path: Path) -> Path | None:
    """Rename the stored game, if any, to make room for another one; return its new path."""
    if not path.exists():
        return None
    for number in count(1):
        backup_path = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if not backup_path.exists():
            break
    return path.rename(backup_path)


def _side(chosen: Turn, turn: Side) -> Side:
    """Return the person's side; "first" is the side to move now."""
    import secrets  # noqa: PLC0415

    first = secrets.choice((True, False)) if chosen == "random" else chosen == "first"
    return turn if first else other(turn)


def _ballot(rules: Rules, number: int | None) -> int | None:
    """Return the index of the opening with a number, or of a random one, or None."""
    import secrets  # noqa: PLC0415

    from damka.game import ballot_of  # noqa: PLC0415

    if number is None:
        return secrets.randbelow(len(rules.openings)) if rules.openings else None
    index = ballot_of(rules, number)
    if index is None:
        raise UsageProblem(f"--opening: {rules.name} has no opening {number}.")
    return index


def _prompt(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None


def _read_line(prompt: str) -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None
