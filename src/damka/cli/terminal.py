"""A game in the terminal.

`TerminalGame.enter` handles one typed line, so that a test can play like a person.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from damka import locales
from damka.draw import Marks
from damka.errors import DamkaError, MoveError
from damka.game import Huffed, Moved
from damka.notation import labels
from damka.notation import text as notation
from damka.refusal import labelled
from damka.rules import Side, other

if TYPE_CHECKING:
    from damka import Game
    from damka.cli.screen import Screen
    from damka.engine import Engine, Player
    from damka.errors import Explanation
    from damka.game import Opening

__all__ = ["Seats", "TerminalGame"]

MAX_LINE: Final = 200


@dataclass(frozen=True, slots=True)
class Seats:
    """The players of the sides: the computer's level for each of its sides."""

    computer: Mapping[Side, int] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def two_people(cls) -> Seats:
        """Return the seats of two people at one terminal."""
        return cls()

    @classmethod
    def against_computer(cls, person: Side, level: int) -> Seats:
        """Return the seats of one person and the computer at `level`."""
        return cls(MappingProxyType({other(person): level}))


class TerminalGame:
    """One game at the terminal, from the first line to the result."""

    def __init__(
        self,
        game: Game,
        seats: Seats,
        *,
        language: str,
        screen: Screen,
        read_line: Callable[[str], str | None],
        seed: int | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.language = language
        self.screen = screen
        self.read_line = read_line
        self.over = False
        self._labels = labels(game.rules)
        self._random = random.Random(seed)
        self._engine: Engine | None = None
        self._players: dict[Side, Player] = {}
        # A person with Black sees the board from Black's side.
        self._flip = "W" in seats.computer and "B" not in seats.computer

    # Main loop

    def run(self) -> None:
        """Play until the game ends, the player quits or the input ends."""
        self.show()
        while not self.over:
            if self.game.result is not None:
                self._show_result()
                return
            if self.game.turn in self.seats.computer:
                self._play_computer()
                continue
            self._show_turn()
            line = self.read_line(f"{self._name(self.game.turn)}> ")
            if line is None:
                return
            self.enter(line)

    def enter(self, line: str) -> None:
        """Handle one typed line: a command that `help` lists, or a move."""
        word, _, argument = line[:MAX_LINE].strip().partition(" ")
        if not word:
            return
        commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "?": self._help,
            "moves": self._moves,
            "why": self._why,
            "hint": self._hint,
            "undo": self._undo,
            "draw": self._draw,
            "resign": self._resign,
            "huff": self._huff,
            "flip": self._flip_board,
            "rules": self._rules,
            "save": self._save,
            "quit": self._quit,
        }
        command = commands.get(word.lower())
        try:
            if command is None:
                self._move(line.strip())
            else:
                command(argument.strip())
        except MoveError as error:
            self._show_refusal(error.refusal, line.strip())
        except DamkaError as error:
            self._print(str(error), style="yellow")

    # Commands

    def _move(self, text: str) -> None:
        if self._is_offence(text) and not self._confirm("cli.offence_ask"):
            return
        self.game.play(self._labels.read(text))
        self.show()

    def _is_offence(self, text: str) -> bool:
        texts = {self.game.board.text(move) for move in self.game.offence_moves}
        return self._labels.read(text).replace(" ", "") in texts

    def _help(self, _: str) -> None:
        introduction, *lines = self._text("cli.help").splitlines()
        # Each text wraps in its own column, so that no command is torn.
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True)
        table.add_column()
        for line in lines:
            table.add_row(*map(Text, re.split(" {2,}", line, maxsplit=1)))
        self._print(introduction)
        self.screen.print(Padding(table, (0, 0, 0, 2), expand=False))

    def _moves(self, _: str) -> None:
        board, moves = self.game.board, self.game.legal_moves
        self._print("  ".join(notation.write(board, move, moves) for move in moves))

    def _why(self, text: str) -> None:
        if not text:
            self.say("cli.why_usage")
            return
        # The reason why the piece on a single square cannot move.
        square = self._labels.square(text)
        refusal = self.game.why_not(self._labels.read(text) if square is None else [square])
        if refusal is None:
            self.say("cli.fine")
        else:
            self._show_refusal(refusal, text)

    def _hint(self, _: str) -> None:
        with self.screen.status(self._text("cli.thinking")):
            analysis = self._get_engine().search(self.game, seconds=1.0)
        if analysis.move is not None:
            self.say("cli.hint", move=notation.write(self.game.board, analysis.move))

    def _undo(self, _: str) -> None:
        self.game.undo()
        # Against the computer a takeback includes the computer's reply and one's own move.
        while self.game.turn in self.seats.computer and self.game.events:
            self.game.undo()
        self.show()

    def _draw(self, _: str) -> None:
        side = self.game.turn
        self.game.offer_draw(side)
        self._answer_draw(other(side))

    def _answer_draw(self, side: Side) -> None:
        """Let a side, a person or the computer, answer a draw offer."""
        if side in self.seats.computer:
            accepted = self._player(side).accepts_draw(self.game, side)
        else:
            accepted = self._confirm("cli.draw_ask", side=self._side(other(side)))
        if accepted:
            self.game.accept_draw(side)
        else:
            self.game.decline_draw(side)
            self.say("cli.draw_declined")

    def _resign(self, _: str) -> None:
        if self._confirm("cli.resign_ask"):
            self.game.resign(self.game.turn)

    def _huff(self, text: str) -> None:
        square = self._labels.square(text)
        if square is not None:
            self.game.huff(square)
            self.show()
        else:
            self.say("cli.huff_usage")

    def _flip_board(self, _: str) -> None:
        self._flip = not self._flip
        self.show()

    def _rules(self, _: str) -> None:
        from damka import rulebook  # noqa: PLC0415

        for paragraph in rulebook.paragraphs(self.game.rules, self.language):
            self._print(f"{paragraph.number:>2}. {paragraph.text}")

    def _save(self, text: str) -> None:
        path = Path(text or "game.json")
        if path.exists() and not self._confirm("cli.save_ask", path=path):
            return
        try:
            self.game.save(path)
        except OSError as error:
            self.say("cli.not_saved", path=path, reason=error.strerror)
        else:
            self.say("cli.saved", path=path)

    def _quit(self, _: str) -> None:
        self.over = True

    # Computer

    def _get_engine(self) -> Engine:
        if self._engine is None:
            from damka.engine import Engine  # noqa: PLC0415
            from damka.tablebase import default_folder  # noqa: PLC0415

            self._engine = Engine(tablebases=default_folder())
        return self._engine

    def _player(self, side: Side) -> Player:
        if side not in self._players:
            from damka.engine import LevelPlayer  # noqa: PLC0415

            level = self.seats.computer[side]
            self._players[side] = LevelPlayer(level, self._get_engine(), self._random)
        return self._players[side]

    def _play_computer(self) -> None:
        side = self.game.turn
        with self.screen.status(self._text("cli.thinking")):
            decision = self._player(side).choose(self.game)
        for event in self.game.apply(decision):
            if isinstance(event, Huffed):
                self.say("cli.computer_huffs", square=self._labels.name(event.square))
            elif isinstance(event, Moved):
                before = self.game.board.copy()
                text = notation.write(before, before.pop())
                self.say("cli.computer_plays", side=self._side(side), move=text)
        self.show()
        if self.game.draw_offer == side and self.game.result is None:
            self._answer_draw(other(side))

    # Output

    def show(self) -> None:
        """Print the board, with the last move marked."""
        last = self.game.moves[-1].route if self.game.moves else ()
        self.screen.board(self.game.board, Marks(last=last), flip=self._flip)

    def say(self, key: str, **values: object) -> None:
        """Print a catalogue text; file names are not wrapped, so that they can be copied."""
        has_path = "file" in values or "path" in values
        self.screen.print(Text(self._text(key, **values)), soft_wrap=has_path)

    def say_level(self, level: int) -> None:
        """Print the name and the description of a level."""
        from damka.engine import levels  # noqa: PLC0415

        name, sentence = (text(level, self.language) for text in (levels.title, levels.describe))
        self.say("cli.level", level=level, name=name, sentence=sentence)

    def say_opening(self, opening: Opening) -> None:
        """Print the opening of the game."""
        key = "game.opening_named" if opening.name else "game.opening"
        self.say(key, n=opening.number, name=opening.name)

    def _show_turn(self) -> None:
        game = self.game
        if game.offences:
            squares = self._square_names(game.offences)
            self._print(self._text("cli.may_huff", squares=squares), style="yellow")
        captures = {move.start for move in game.legal_moves if move.is_capture}
        if captures and game.rules.obligation != "free":
            squares = self._square_names(captures)
            self.say("cli.must_capture", squares=squares)

    def _square_names(self, squares: Iterable[int]) -> str:
        return ", ".join(map(self._labels.name, sorted(squares, key=self._labels.order)))

    def _show_refusal(self, refusal: Explanation, typed: str) -> None:
        labelled_refusal = labelled(refusal, self.game.rules, typed)
        self._print(labelled_refusal.sentence(self.language, self._labels.name), style="yellow")

    def _show_result(self) -> None:
        result = self.game.result
        assert result is not None  # noqa: S101  only called when the game is over
        losing = self.game.rules.objective == "losing" and result.reason in (
            "no_pieces",
            "no_moves",
        )
        reason = self._text(f"cli.reason.{'losing.' * losing}{result.reason}")
        if result.winner is None:
            self._print(self._text("cli.drawn", reason=reason), style="bold")
        else:
            winner = self._side(result.winner)
            self._print(self._text("cli.won", winner=winner, reason=reason), style="bold")

    def _confirm(self, key: str, **values: object) -> bool:
        answer = self.read_line(f"{self._text(key, **values)} [{self._text('cli.yes')}/…] ")
        return (answer or "").strip().lower()[:1] == self._text("cli.yes")[:1]

    def _side(self, side: Side) -> str:
        """Return a side's name for the beginning of a sentence."""
        return locales.colour(
            self.language, self.game.rules.colours[0 if side == "W" else 1], "side"
        )

    def _name(self, side: Side) -> str:
        colour = self.game.rules.colours[0 if side == "W" else 1]
        try:
            return locales.translate(self.language, f"colour.{colour}").capitalize()
        except KeyError:
            return colour.capitalize()

    def _text(self, key: str, **values: object) -> str:
        return locales.translate(self.language, key, **values)

    def _print(self, text: str, style: str = "") -> None:
        self.screen.print(Text(text, style=style))
