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
    games_of,
    lang_option,
    language_of,
    load_rules,
    rules_argument,
)
from damka.cli.program import program_name
from damka.cli.screen import Screen
from damka.cli.terminal import Seats, TerminalGame
from damka.rules import Rules, Side, other

if TYPE_CHECKING:
    from damka import Game

__all__ = ["play"]

Colour = Literal["lot", "first", "second"]
Obligation = Literal["forced", "huff"]


def play(
    name: str = rules_argument("dama64"),
    level: int | None = typer.Option(
        None, min=1, max=10, help="How strong the computer is: 3, or as the saved game says."
    ),
    two: bool = typer.Option(
        False, "--two", help="Let two people play here, without the computer."
    ),
    colour: Colour | None = typer.Option(
        None,
        help="Who you are: first (to move), second, or lot; by lot, or as the saved game says.",
    ),
    obligation: Obligation | None = typer.Option(
        None, help="What happens to a player who does not capture: forced or huff."
    ),
    fen: str | None = typer.Option(None, help="The position to begin from."),
    opening: int | None = typer.Option(
        None, min=1, help="The number of the opening, where they are drawn: by lot, if not given."
    ),
    file: Path | None = typer.Option(
        None,
        help="The saved game to go on with, or PDN (.pdn); the word `save` saves one.",
    ),
    number: int = typer.Option(1, "--game", min=1, help="The number of the game in a PDN file."),
    save: Path | None = typer.Option(
        None, help="Save the game here when it ends or is left; as PDN where the name ends in .pdn."
    ),
    resume: bool = typer.Option(False, "--resume", help="Go on with the game you left last."),
    lang: str | None = lang_option(),
) -> None:
    """Play in the terminal: type moves such as 22-18 or 22x15, or `help`.

    A refused move is explained. A game you leave is kept: `damka play --resume` goes on with it.

    Levels: 1 Newcomer, 2 Beginner, 3 Learner, 4 Casual player, 5 Keen player, 6 Club player,
    7 Tournament player, 8 Expert, 9 Master, 10 Grandmaster.

    Example:  damka play dama100 --level 2 --colour first
    """
    from damka import Game  # noqa: PLC0415
    from damka.engine import levels  # noqa: PLC0415

    if save is not None and save != file and save.exists():
        raise typer.BadParameter(f"{save} is there already; expected a new file, or that of --file")
    saved = last_game() if resume else file
    if saved is not None:
        if resume and not saved.exists():
            typer.echo("damka: no game was left unfinished", err=True)
            raise typer.Exit(2)
        game = Game.load(saved) if number == 1 else _numbered(saved, number)
    else:
        rules = load_rules(name)
        fen = None if fen is None else board_of(rules, fen).fen
        ballot = _ballot(rules, opening) if fen is None else None
        game = Game(rules, fen, obligation=obligation, ballot=ballot)
    seats = Seats.two_people() if two else _seats(game, saved is not None, colour, level)
    game.players = levels.seated(game.players, seats.computer)
    terminal = TerminalGame(
        game,
        seats,
        language=language_of(lang),
        screen=Screen(),
        # Input from a script gets no prompts.
        ask=_ask if sys.stdin.isatty() else _read_line,
    )
    for each in seats.computer.values():
        terminal.say_level(each)
    if game.opening is not None:
        terminal.say_opening(game.opening)
    try:
        terminal.run()
    except KeyboardInterrupt:
        # Ctrl-C leaves the game as `quit` does.
        typer.echo()
        _leave(terminal, save, resume=resume)
        raise typer.Exit(130) from None
    _leave(terminal, save, resume=resume)


def _numbered(file: Path, number: int) -> Game:
    """Return a game of a file with several; raises PdnError."""
    from damka import Game  # noqa: PLC0415

    found = next(islice(games_of(file, None), number - 1, None), None)
    if found is None:
        typer.echo(f"damka: {file}: there is no game {number}", err=True)
        raise typer.Exit(2)
    return Game.from_pdn_game(found)


def _leave(terminal: TerminalGame, save: Path | None, *, resume: bool) -> None:
    """Keep a game that is not over, and save it; forget the one that was resumed and is."""
    if save is not None:
        try:
            terminal.game.save(save)
        except OSError as error:
            terminal.say("cli.not_saved", path=save, reason=error.strerror)
        else:
            terminal.say("cli.saved", path=save)
    if terminal.game.result is None and terminal.game.moves:
        _keep(terminal, resume=resume)
    elif resume:
        last_game().unlink(missing_ok=True)


def _keep(terminal: TerminalGame, *, resume: bool) -> None:
    """Keep an unfinished game for `--resume`; where that cannot be, in a file of its own."""
    kept = last_game()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        before = None if resume else _put_aside(kept)
        terminal.game.save(kept)
    except OSError as error:
        terminal.say("cli.not_saved", path=kept, reason=error.strerror)
        # Saving replaces a file, so it needs a folder of its own.
        elsewhere = Path(tempfile.mkdtemp(prefix="damka-")) / "game.json"
        terminal.game.save(elsewhere)
        terminal.say("cli.saved", path=elsewhere)
        return
    terminal.say("cli.kept", program=program_name())
    if before is not None:
        terminal.say("cli.kept_before", program=program_name(), file=before)


def _seats(game: Game, saved: bool, colour: Colour | None, level: int | None) -> Seats:
    """Return who plays which side; a saved game knows, unless it is told otherwise."""
    from damka.engine import levels  # noqa: PLC0415

    kept = levels.computers(game.players)
    if saved and colour is None and level is None:
        return Seats(kept)
    person: Side
    if saved and colour is None:
        person = "W" if "B" in kept else "B" if "W" in kept else game.turn
    else:
        person = _side(colour or "lot", game.turn)
    return Seats.against_computer(person, level or kept.get(other(person), levels.DEFAULT))


def last_game() -> Path:
    """Return the file in which an unfinished terminal game is kept."""
    import platformdirs  # noqa: PLC0415

    return Path(platformdirs.user_data_dir("damka")) / "terminal-game.json"


def _put_aside(kept: Path) -> Path | None:
    """Make room for another game; return where the one that was kept is now, if there was any."""
    if not kept.exists():
        return None
    for number in count(1):
        aside = kept.with_name(f"{kept.stem}-{number}{kept.suffix}")
        if not aside.exists():
            break
    return kept.rename(aside)


def _side(colour: Colour, turn: Side) -> Side:
    """Return the person's side; "first" is the side that moves first from here."""
    import secrets  # noqa: PLC0415

    first = secrets.choice((True, False)) if colour == "lot" else colour == "first"
    return turn if first else other(turn)


def _ballot(rules: Rules, number: int | None) -> int | None:
    """Return the place of the opening with a number, or of one by lot; None where there is none."""
    import secrets  # noqa: PLC0415

    from damka.game import ballot_of  # noqa: PLC0415

    if number is None:
        return secrets.randbelow(len(rules.openings)) if rules.openings else None
    place = ballot_of(rules, number)
    if place is None:
        raise typer.BadParameter(f"{rules.name} has no opening {number}", param_hint="--opening")
    return place


def _ask(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None


def _read_line(prompt: str) -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\n") if line else None
