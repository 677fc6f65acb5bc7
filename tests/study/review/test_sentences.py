"""Sentences about moments are true: a replay of the lines confirms every number and square."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

import damka
from damka import Board, Game, Move, locales, rules
from damka.notation import labels
from damka.notation import text as notation
from damka.rules import other
from damka.study.review import KINDS, Moment, Review
from damka.study.review.words import Clause
from tests.study.review.games import HOUSE, NODES, weak_game

SHIPPED = rules.names()
SEEDS = (1, 2)
WORDS = "one two three four five six seven eight nine ten"
NUMBERS = {word: n for n, word in enumerate(WORDS.split(), start=1)}
NUMBER = rf"(?:{'|'.join(NUMBERS)}|\d+)"
PIECES = rf"{NUMBER}(?: (?:man|men|kings|king))?(?: and {NUMBER} kings?)?"
DOES = re.compile(
    rf"gives away ({PIECES})|gives ({PIECES})|takes ({PIECES})|wins ({PIECES})"
    r"|makes a king on (\w+)|(wins on the last row)|(wins)"
)
MOVE = r"[a-l\d]+(?:[-x:][a-l\d]+)+"
FORMS = (
    rf"(?P<who>.+) missed a shot: (?P<best>{MOVE})! (?P<line>.+)",
    rf"(?P<who>.+) missed a breakthrough: (?P<best>{MOVE}) (?P<line>.+)",
    rf"A good shot: (?P<best>{MOVE})! (?P<line>.+)",
    rf"(?P<best>{MOVE}) was better: it (?P<line>.+)",
    rf"(?P<played>{MOVE}) allows a shot: (?P<answer>{MOVE})! (?P<reply>.+)",
    rf"After (?P<played>{MOVE}), (?P<answer>{MOVE}) (?P<reply>.+)",
    rf"(?P<best>{MOVE}) was better than (?P<played>{MOVE})",
    rf"(?P<best>{MOVE}) was winning; (?P<played>{MOVE}) lets the win slip",
    rf"(?P<best>{MOVE}) wins, by the endgame tablebase",
    rf"(?P<best>{MOVE}) wins at once",
    rf"(?P<best>{MOVE}) wins in (?P<n>\d+) moves?(?P<block>: the opponent has no move left)?",
    rf"(?P<played>{MOVE}) was the losing move; (?P<best>{MOVE}) kept the balance",
    rf"(?P<played>{MOVE}) turned a won game into a lost one; (?P<best>{MOVE}) was still winning",
    rf"(?P<played>{MOVE}) loses; (?P<best>{MOVE}) would have saved the draw",
    r"(?P<who>.+) could have captured (?P<kings>the king|a king|.+ kings)",
    r"(?P<who>.+) could have huffed the (?P<huffable>man|king) on (?P<huff>\w+)",
    r"(?P<who>.+) missed a capture, and (?:your|the) (?P<lost>man|king) on (?P<at>\w+) was huffed",
    rf"(?P<who>.+) had to capture: (?P<capture>{MOVE})",
    r"No piece was (?P<unpunished>huffed)",
    rf"(?P<played>{MOVE}) ended the (?P<over>game)",
    rf"(?P<best>{MOVE}) was (?:still winning|better)",
    rf"Well played: only (?P<played>{MOVE}) (?:wins|does not lose)",
    rf"Well played: (?P<played>{MOVE}) is by far the best move",
)


@dataclass(frozen=True)
class Reviewed:
    """A game with its review."""

    game: Game
    review: Review

    def board(self, ply: int) -> Board:
        """Return the board before move `ply`, without a huff before it."""
        board = self.game.board.copy()
        while board.move_count >= ply:
            board.pop()
        return board


@cache
def reviewed(number: int, seed: int) -> Reviewed:
    """Return the review of a game by a shipped rule set, or by a house box."""
    shipped = number < len(SHIPPED)
    of = SHIPPED[number] if shipped else HOUSE[number - len(SHIPPED)]
    game = weak_game(of, seed)
    with damka.Engine(hash_mb=4) as engine:
        return Reviewed(game, damka.review(game, nodes=NODES, engine=engine))


def named(number: int) -> str:
    """Return the name of a test."""
    return SHIPPED[number] if number < len(SHIPPED) else f"house-{number - len(SHIPPED)}"


@pytest.mark.parametrize("number", range(len(SHIPPED) + len(HOUSE)), ids=named)
def test_a_replay_confirms_every_sentence(number: int) -> None:
    for seed in SEEDS:
        played = reviewed(number, seed)
        for moment in played.review.moments:
            for reader in (moment.side, other(moment.side)):
                Replay(played, moment).check(moment.sentence("en", reader))


@pytest.mark.parametrize("number", range(len(SHIPPED) + len(HOUSE)), ids=named)
def test_all_languages_name_the_same_moves_and_squares(number: int) -> None:
    for moment in reviewed(number, 1).review.moments:
        names = set(labels(moment.rules).names)
        said = {
            language: Counter(
                word
                for word in re.findall(rf"{MOVE}|\b[a-l]?\d+\b", moment.sentence(language))
                if not word.isdigit() or word in names
            )
            for language in locales.LANGUAGES
        }
        assert all(words == said["en"] for words in said.values()), said


class Replay:
    """A moment's lines, played on a board of their own."""

    def __init__(self, played: Reviewed, moment: Moment) -> None:
        self.played, self.moment = played, moment
        self.ply = played.game.history[moment.ply - 1]
        before = played.board(moment.ply)
        self.best_board = self.huffed(before, moment.huff)
        self.played_board = self.huffed(before, self.ply.huff)
        self.name = labels(moment.rules).name

    @staticmethod
    def huffed(board: Board, square: int | None) -> Board:
        """Return the board after a huff."""
        board = board.copy()
        if square is not None:
            board.huff(square)
        return board

    def check(self, sentence: str) -> None:
        """Fail if a statement of the sentence is untrue."""
        about = f"{self.moment} says: {sentence}"
        if self.moment.kind == "lost_by_rule":
            result = self.played.game.board.result
            assert result is not None, about
            assert result.winner is None, about
            text = result.sentence(self.moment.rules)
            assert text in sentence, about
            sentence = sentence.replace(f" {text}", "")
        for statement in re.split(r"\.(?: |$)", sentence):
            if not statement:
                continue
            found = next((m for form in FORMS if (m := re.fullmatch(form, statement))), None)
            assert found is not None, about
            self.check_statement({k: v for k, v in found.groupdict().items() if v}, about)

    def check_statement(self, said: dict[str, str], about: str) -> None:
        """Compare the parts of a statement with the lines."""
        moment = self.moment
        if "best" in said:
            assert said["best"] == notation.write(self.best_board, moment.best), about
            assert moment.line[0] == moment.best, about
        if "played" in said:
            assert said["played"] == notation.write(self.played_board, self.ply.move), about
        if "answer" in said:
            assert moment.reply[0] == self.ply.move, about
            after = self.played_board.copy()
            after.push_unchecked(self.ply.move)
            assert said["answer"] == notation.write(after, moment.reply[1]), about
            self.check_facts(said["reply"], after, moment.reply[1:], about)
        if "line" in said:
            self.check_facts(said["line"], self.best_board, moment.line, about)
        if "n" in said:
            after, _ = play(self.best_board, moment.line)
            assert after.result is not None, about
            assert after.result.winner == moment.side, about
            assert int(said["n"]) == (len(moment.line) + 1) // 2, about
            assert ("block" in said) <= (after.result.reason == "no_moves"), about
        if "kings" in said:
            _, (steps, *_) = play(self.best_board, moment.line[:1])
            n = 1 if said["kings"].endswith("king") else number_of(said["kings"].split()[0])
            assert steps[1] == n, about
            kings = self.best_board.pieces.count(other(moment.side))
            assert (said["kings"] == "the king") == (kings == 1), about
        if "huff" in said:
            self.check_piece(self.played.board(moment.ply), said["huffable"], said["huff"], about)
            assert moment.huff in self.played.board(moment.ply).offences, about
        if "at" in said:
            after = self.played.board(moment.ply + 1)
            self.check_piece(after, said["lost"], said["at"], about)
            huff = self.played.game.history[moment.ply].huff
            assert huff is not None, about
            assert said["at"] == self.name(huff), about
        if "capture" in said:
            texts = [notation.write(self.played_board, m) for m in self.played_board.legal_moves]
            assert said["capture"] in texts, about
            assert self.ply.offence, about
        if "unpunished" in said and moment.ply < self.played.game.ply_count:
            assert self.played.game.history[moment.ply].huff is None, about
        if "over" in said:
            assert moment.ply == self.played.game.ply_count, about

    def check_piece(self, board: Board, kind: str, label: str, about: str) -> None:
        """Fail if another piece, or none, is on the square."""
        square = labels(self.moment.rules).square(label)
        assert square is not None, about
        piece = board.piece_at(square)
        assert piece is not None, about
        assert (kind == "king") == piece.isupper(), about

    def check_facts(self, does: str, board: Board, line: tuple[Move, ...], about: str) -> None:
        """Compare what a line is said to do with what it does."""
        after, taken_by = play(board, line)
        taken, given = taken_by
        rest = DOES.sub("", does)
        assert not rest.replace(",", "").replace("and", "").strip(), about
        stated = set()
        for away, gives, takes, nets, king, last_row, wins in DOES.findall(does):
            if away or gives:
                stated.add("given")
                assert pieces_of(away or gives) == given, about
                assert bool(away) == (board.rules.objective == "losing"), about
            if takes:
                stated.add("taken")
                assert pieces_of(takes) == taken, about
            if nets:
                stated |= {"given", "taken"}
                assert given[1] == taken[1] == 0, about
                assert pieces_of(nets) == (taken[0] - given[0], 0), about
            if king:
                square = labels(board.rules).square(king)
                assert any(m.crowns and m.end == square for m in line[::2]), about
                assert after.pieces.count(board.turn) > board.pieces.count(board.turn) - given[1]
            if last_row or wins:
                assert after.result is not None, about
                assert after.result.winner == board.turn, about
                assert bool(last_row) == (after.result.reason == "breakthrough"), about
        # Nothing that happens is left out.
        assert ("given" in stated) == any(given), about
        assert ("taken" in stated) == any(taken), about


def play(board: Board, line: tuple[Move, ...]) -> tuple[Board, tuple[tuple[int, int], ...]]:
    """Play legal moves; return the board, and the men and kings that each side has captured."""
    after = board.copy()
    taken = {board.turn: [0, 0], other(board.turn): [0, 0]}
    for move in line:
        assert move in after.legal_moves, (board, line)
        side, before = after.turn, after.pieces
        after.push(move)
        for at, kind in enumerate((other(side).lower(), other(side))):
            taken[side][at] += before.count(kind) - after.pieces.count(kind)
    men, kings = taken[board.turn]
    others_men, others_kings = taken[other(board.turn)]
    return after, ((men, kings), (others_men, others_kings))


def number_of(word: str) -> int:
    """Return the number that a word or figures name."""
    return NUMBERS.get(word) or int(word)


def pieces_of(text: str) -> tuple[int, int]:
    """Return the men and kings in a text: "two men and one king"; a bare number is of men."""
    men = kings = 0
    for number, noun in re.findall(rf"({NUMBER})(?: (man|men|kings|king))?", text):
        if noun.startswith("king"):
            kings += number_of(number)
        else:
            men += number_of(number)
    return men, kings


def test_there_are_many_forms_and_none_prevails() -> None:
    forms: Counter[str] = Counter()
    for number in range(len(SHIPPED) + len(HOUSE)):
        for moment in reviewed(number, 1).review.moments:
            forms[" ".join(clause.form for clause in moment.clauses)] += 1
    assert len(forms) >= 12
    assert max(forms.values()) <= sum(forms.values()) / 3, forms


def test_most_kinds_occur() -> None:
    kinds = {
        moment.kind
        for number in range(len(SHIPPED) + len(HOUSE))
        for moment in reviewed(number, 1).review.moments
    }
    assert len(kinds) >= len(KINDS) - 2, set(KINDS) - kinds


def test_a_sentence_is_about_the_opponent_for_the_other_side() -> None:
    moment = Moment(
        *(1, "B", "mistake", Move(9, 13), Move(9, 14), 0.2, (Move(9, 14),)),
        clauses=(Clause("mistake.king"),),
        rules=rules.load("american"),
    )
    assert moment.sentence("en") == "You could have captured the king."
    assert moment.sentence("en", "B") == "You could have captured the king."
    assert moment.sentence("en", "W") == "Red could have captured the king."
    assert moment.sentence("it", "W") == "Il rosso poteva mangiare la dama."
