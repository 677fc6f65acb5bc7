"""The terminal game, driven by typed lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from damka import Game
from damka.cli.screen import Screen
from damka.cli.terminal import Seats, TerminalGame
from damka.engine import levels
from damka.game import Decision, Result
from damka.locales import LANGUAGES, translate


class Person:
    """Types the given lines and records the output."""

    def __init__(
        self,
        game: Game,
        lines: Iterable[str],
        *,
        seats: Seats | None = None,
        lang: str = "en",
        width: int = 200,
    ) -> None:
        self.prompts: list[str] = []
        self._lines = iter(lines)
        self._output = io.StringIO()
        self.terminal = TerminalGame(
            game,
            seats or Seats.two_people(),
            language=lang,
            screen=Screen(file=self._output, width=width),
            read_line=self._answer,
            seed=1,
        )

    def _answer(self, prompt: str) -> str | None:
        self.prompts.append(prompt)
        return next(self._lines, None)

    def play(self) -> str:
        self.terminal.run()
        return self._output.getvalue()


def test_a_move_is_played_and_the_board_shown() -> None:
    game = Game("dama64")
    Person(game, ["22-18"]).play()
    assert [move.hub() for move in game.moves] == ["22-18"]


def test_the_prompt_names_the_side_in_the_players_language() -> None:
    person = Person(Game("american"), [], lang="bg")
    person.play()
    assert person.prompts == ["Червени> "] or person.prompts[0].endswith("> ")


@pytest.mark.parametrize("lang", ["bg", "en", "it", "sk"])
def test_a_refused_move_is_explained(lang: str) -> None:
    game = Game("american")
    output = Person(game, ["11-20"], lang=lang).play()
    refusal = game.why_not("11-20")
    assert refusal is not None
    assert refusal.sentence(lang) in output
    assert not game.moves


def test_why_explains_a_piece_or_a_move() -> None:
    game = Game("dama64")
    output = Person(game, ["why 29", "why 22-18"]).play()
    why = game.why_not([29])
    assert why is not None
    assert why.sentence("en") in output
    assert "That move is legal." in output


def test_pieces_that_must_capture_are_shown() -> None:
    assert (
        "You must capture with the piece on 22."
        in Person(Game("dama64", "W:W22,32:B18,1"), []).play()
    )


def test_undo_takes_a_move_back() -> None:
    game = Game("dama64")
    Person(game, ["22-18", "undo"]).play()
    assert not game.moves


def test_undo_without_moves_changes_nothing() -> None:
    output = Person(Game("dama64"), ["undo", "22-18"])
    assert output.play()
    assert len(output.terminal.game.moves) == 1


def test_undo_after_the_reply_returns_the_move_to_the_person() -> None:
    game = Game("dama64")
    seats = Seats.against_computer("W", 1)
    output = Person(game, ["22-18"], seats=seats).play()
    assert len(game.moves) == 2
    assert "(computer) plays" in output
    Person(game, ["undo"], seats=seats).play()
    assert not game.moves


def test_a_hint_is_a_legal_move() -> None:
    game = Game("dama64", "W:W22,32:B18,1")
    assert "Try 22x15." in Person(game, ["hint"]).play()


def test_a_draw_is_offered_and_accepted_between_two_people() -> None:
    game = Game("dama64")
    output = Person(game, ["draw", "yes"]).play()
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (None, "agreement")
    assert "Draw: both sides agreed." in output


def test_the_game_continues_after_a_declined_draw() -> None:
    game = Game("dama64")
    output = Person(game, ["draw", "no"]).play()
    assert game.result is None
    assert "declined" in output


def let_computer_offer_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the computer offer a draw with its first legal move."""

    def choose(_: object, game: Game, *__: object, **___: object) -> Decision:
        return Decision(move=game.legal_moves[0], score=0, offer_draw=True)

    monkeypatch.setattr(levels, "choose", choose)


def test_the_person_accepts_the_computers_draw_offer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    let_computer_offer_draw(monkeypatch)
    game = Game("dama64", "B:WK30:BK3")
    person = Person(game, ["yes"], seats=Seats.against_computer("W", 3))
    output = person.play()
    assert any("offers a draw" in prompt for prompt in person.prompts)
    assert game.result == Result(None, "agreement")
    assert "(computer) plays" in output


def test_the_person_declines_the_computers_draw_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    let_computer_offer_draw(monkeypatch)
    game = Game("dama64", "B:WK30:BK3")
    output = Person(game, ["no", "quit"], seats=Seats.against_computer("W", 3)).play()
    assert game.result is None
    assert game.draw_offer is None
    assert [event.kind for event in game.events] == ["move", "draw_offer", "draw_decline"]
    assert "declined" in output


def test_resigning_asks_for_confirmation() -> None:
    game = Game("american")
    Person(game, ["resign", "no"]).play()
    assert game.result is None


def test_a_player_who_resigns_loses() -> None:
    game = Game("american")
    output = Person(game, ["resign", "yes"]).play()
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == ("W", "resignation")
    assert "White wins" in output


OFFENCE = "W:W32,46:B27,5"


def test_a_missed_capture_needs_confirmation_and_can_be_huffed() -> None:
    game = Game("dama100", OFFENCE)
    assert game.offence_moves
    quiet = game.board.text(game.offence_moves[0])
    Person(game, [quiet, "no"]).play()
    assert not game.moves
    output = Person(game, [quiet, "yes", f"huff {32}"]).play()
    assert "to huff, or just move" in output
    assert game.history[-1].offence


def test_save_writes_the_game_and_prints_the_path(tmp_path: Path) -> None:
    game = Game("dama64")
    path = tmp_path / "game.json"
    output = Person(game, ["22-18", f"save {path}"]).play()
    assert str(path) in output
    assert Game.load(path).moves == game.moves


def test_an_existing_file_is_overwritten_only_after_confirmation(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("mine", "utf-8")
    person = Person(Game("dama64"), ["22-18", f"save {path}", "no"])
    person.play()
    assert "Overwrite it?" in person.prompts[2]
    assert path.read_text("utf-8") == "mine"
    Person(Game("dama64"), ["22-18", f"save {path}", "yes"]).play()
    assert len(Game.load(path).moves) == 1


def test_why_without_a_move_shows_its_usage() -> None:
    assert "why 22-17" in Person(Game("dama64"), ["why"]).play()


def test_an_unwritable_file_is_reported(tmp_path: Path) -> None:
    output = Person(Game("dama64"), [f"save {tmp_path / 'none' / 'game.json'}"]).play()
    assert "Could not save" in output


@pytest.mark.parametrize(
    "line", ["", "  ", "x" * 5000, "huff", "huff x", "why", "\x00", "22-", "💥", "99-1"]
)
def test_invalid_input_changes_nothing(line: str) -> None:
    game = Game("dama100")
    Person(game, [line, "32-28"]).play()
    assert len(game.moves) == 1


def test_quit_leaves_the_game_as_it_is() -> None:
    game = Game("dama64")
    Person(game, ["22-18", "quit", "9-13"]).play()
    assert len(game.moves) == 1
    assert game.result is None


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80])
def test_help_never_tears_a_command_from_its_example(lang: str, width: int) -> None:
    output = Person(Game("dama64"), ["help"], lang=lang, width=width).play()
    introduction, *lines = translate(lang, "cli.help").splitlines()
    assert " ".join(introduction.split()) in " ".join(output.split())
    for line in lines:
        command, text = re.split(" {2,}", line)
        beginning = re.compile(rf"^  {command} {{2,}}{re.escape(text.split()[0])}", re.MULTILINE)
        assert len(beginning.findall(output)) == 1, command
    assert "(why" not in output


def test_help_and_rules_are_printed() -> None:
    output = Person(Game("dama64"), ["help", "rules"], lang="it").play()
    assert "soffia" in output
    assert "1. " in output


def test_squares_have_the_federations_labels() -> None:
    """They appear on the board, in typed moves and in sentences."""
    game = Game("russian")
    output = Person(game, ["c3-d4", "why b6", "b6-c5", "moves", "g3-f4", "d4:b6"]).play()
    assert [move.hub() for move in game.moves] == ["22-18", "9-14", "18x9x14"]
    assert "d4:b6" in output
    assert "d4 can take c5" in output
    game = Game("spanish")
    Person(game, ["11-15", "22-18", "hint", "quit"]).play()
    assert [move.hub() for move in game.moves] == ["22-18", "11-15"]


def test_a_piece_is_huffed_by_its_label() -> None:
    rules = Game("dama100").rules.replace(notation="A0")
    game = Game(rules, "W:W32,33,47:B27,8,9")
    Person(game, ["f4-g5", "y", "huff d4"]).play()
    assert game.pending_huff == 32
