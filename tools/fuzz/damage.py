"""Mutation of one token of a file of games, and a check of the result of reading it.

`SAMPLES` are randomly generated files of games, each a list of tokens. `damaged` changes one token,
and `check` reads the result: no move may be lost without an error, and the moves before the damage
and the other games must equal the original's.
"""

from __future__ import annotations

import functools
import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from damka import Board, pdn, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from damka import Move

__all__ = ["Damage", "Sample", "check", "damage_token", "samples"]

_NAMES: Final = ("international", "american", "russian", "frisian", "italian", "spanish", "thai")
_SIGNS: Final = "-x:=*/+.,;!?~_#%&'\"$"
_BRACKETS: Final = "()[]{}<>"
_DIGITS: Final = "0123456789"
_LETTERS: Final = "abcdhklxoOzKW\u0436\u00e9"
_MOVE: Final = re.compile(r"(?:\d{1,2}|[a-j]\d{1,2})[-x:](?:\d{1,2}|[a-j]\d{1,2})")


@dataclass(frozen=True)
class Token:
    """A token of the text, with its game and the preceding number of main-line moves."""

    text: str
    game: int
    after: int
    kind: str
    """tag, number, move, side (a move in a variation), sign, comment, bracket or result."""


@dataclass
class Sample:
    """A file of games."""

    tokens: list[Token] = field(default_factory=list)
    moves: list[list[Move]] = field(default_factory=list)
    total: int = 0
    """Moves of all games, including variations."""
    tagged: bool = True
    """Whether each game has tags."""
    rules: str = ""


@dataclass(frozen=True)
class Damage:
    """Text with a damaged token."""

    sample: Sample
    token: Token
    text: str


@functools.cache
def samples(count: int = 40) -> tuple[Sample, ...]:
    """Return randomly generated files, from a fixed seed."""
    return tuple(_sample(random.Random(number)) for number in range(count))


def _sample(rng: random.Random) -> Sample:
    sample = Sample(rules=rng.choice(_NAMES), tagged=rng.random() < 0.75)
    for game in range(rng.randint(1, 3)):
        _add_game(sample, game, rng)
    return sample


def _add_game(sample: Sample, game: int, rng: random.Random) -> None:
    kind = rules.load(sample.rules)
    board = Board(kind)
    written = pdn.PdnGame(kind)
    node: pdn.Node = written
    for _ in range(rng.randint(2, 24)):
        if not board.legal_moves:
            break
        if len(board.legal_moves) > 1 and rng.random() < 0.15:
            other = node.append(rng.choice(board.legal_moves))
            after = other.board()
            if after.legal_moves and rng.random() < 0.5:
                other.append(rng.choice(after.legal_moves))
        move = rng.choice(board.legal_moves)
        if any(move == each.move for each in node.variations):
            node.variations.clear()
        node.append(move)
        node.variations.insert(0, node.variations.pop())
        node = node.variations[0]
        board.push(move)
        if rng.random() < 0.1:
            node.comment = rng.choice(("good", "[%clk 0:01:30]", "he thinks", "after the break"))
        if rng.random() < 0.1:
            node.nags = {rng.randint(1, 20)}
    head, _, body = pdn.format(written).partition("\n\n")
    if sample.tagged:
        result = rng.choice(("1-0", "0-1", "1/2-1/2", "*", "1-1"))
        head = f'[White "Player {game}"]\n[Black "Other"]\n' + head.replace("*", result)
        sample.tokens += [Token(line + "\n", game, 0, "tag") for line in head.splitlines()]
        body = body.rstrip().removesuffix("*") + result
    main_moves = depth = 0
    for word in re.findall(r"\{[^}]*\}|\(|\)|[^\s()]+", body):
        kind_of = _kind(word, depth)
        sample.tokens.append(Token(word, game, main_moves, kind_of))
        depth += (word == "(") - (word == ")")
        main_moves += kind_of == "move"
        sample.total += kind_of in ("move", "side")
    sample.moves.append([each.move for each in written.mainline() if each.move])
    assert main_moves == len(sample.moves[-1]), body


def _kind(word: str, depth: int) -> str:
    if word[0] == "{":
        return "comment"
    if word in "()":
        return "bracket"
    if word[0] == "$":
        return "sign"
    if word[-1] == ".":
        return "number"
    if word in ("*", "1-0", "0-1", "1/2-1/2", "1-1"):
        return "result"
    return "side" if depth else "move"


def damage_token(sample: Sample, choose: Callable[[int], int]) -> Damage:
    """Damage a token; `choose` returns a number from 0 below its argument."""
    at = choose(len(sample.tokens))
    token = sample.tokens[at]
    words = [each.text for each in sample.tokens]
    spaces = [_space(first, second) for first, second in zip(words, [*words[1:], ""], strict=True)]
    word = words[at].rstrip("\n")
    kind_of_damage = choose(6)
    place = choose(len(word) + 1)
    if kind_of_damage == 5:  # a lost blank, or one that splits the token
        if spaces[at] == " " and choose(2):
            spaces[at] = ""
        else:
            word = f"{word[:place]} {word[place:]}"
    elif kind_of_damage == 4:
        place = min(place, len(word) - 1)
        word = word[:place] + word[place + 1 :]
    else:
        signs = (_SIGNS, _BRACKETS, _DIGITS, _LETTERS)[kind_of_damage]
        sign = signs[choose(len(signs))]
        replaces = choose(2)
        word = word[:place] + sign + word[place + replaces :]
    words[at] = word + ("\n" if words[at].endswith("\n") else "")
    return Damage(sample, token, "".join(map("".join, zip(words, spaces, strict=True))))


def _space(word: str, following: str) -> str:
    if word.endswith("\n"):
        return "" if following.startswith("[") else "\n"
    if following.startswith("["):
        return "\n\n"
    return "" if word == "(" or following == ")" else " "


def check(damage: Damage) -> None:
    """Read a damaged text; raise AssertionError if reading loses a move silently."""
    sample, token, text = damage.sample, damage.token, damage.text
    rules_given = None if sample.tagged else sample.rules
    games = list(pdn.read(text, rules_given))
    read = [[node.move for node in game.mainline()] for game in games]
    for game, moves in zip(games, read, strict=True):
        assert len(moves) == game.move_count, text
    # Games before the damage, and moves before it
    number = token.game
    assert read[:number] == sample.moves[:number], text
    moves_read = read[number] if number < len(read) else []
    # A variation follows the move that it replaces.
    moves_before = token.after - (token.kind == "side")
    if token.kind != "tag":
        assert moves_read[:moves_before] == sample.moves[number][:moves_before], text
    if sample.tagged:
        following = sample.moves[number + 1 :]
        assert read[len(read) - len(following) :] == following, text
    errors = [error for game in games for error in game.errors]
    count = sum(len(list(_nodes(game))) for game in games)
    if not errors:
        # A result may have become a legal move.
        more = token.kind == "result" and count == sample.total + 1
        assert count == sample.total or more, text
        return
    # Everything unread is in an error, except the damaged token and its neighbour.
    parts = [f"{error.text} {error.rest or ''}" for error in errors]
    for game in games:
        nodes = [game, *_nodes(game)]
        parts += [f"{node.starting_comment} {node.comment}" for node in nodes]
    reported = " ".join(parts)
    assert count + len(_MOVE.findall(reported)) >= sample.total - 2, text
    for error in errors:
        assert error.line, (text, error)
        assert error.column, (text, error)
        assert error.expected, (text, error)


def _nodes(game: pdn.PdnGame) -> Iterator[pdn.Node]:
    todo: list[pdn.Node] = [*game.variations]
    while todo:
        node = todo.pop()
        todo += node.variations
        yield node
