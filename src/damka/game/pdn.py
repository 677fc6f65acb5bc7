"""Conversion of games to and from Portable Draughts Notation: the main line and the result.

A huff is written as a comment, `{[%huff 23]}`, followed by the position without the piece, which
every program can read. The reason for the result is in the Termination tag. The Ballot tag has the
number of a balloted opening in its list, followed by "returned" in the second game with it; the
Opening tag has its name, if any. Draw offers are not written.
"""

from __future__ import annotations

import contextlib
import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from damka import pdn
from damka.errors import DamkaError, MoveError, PdnError, RulesError
from damka.game.opening import ballot_of
from damka.notation import fen as fens
from damka.notation import labels
from damka.pdn import own_rules
from damka.result import Reason, Result
from damka.rules import Side
from damka.rules.openings import MAX_OPENING, entry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from damka.game.game import Game
    from damka.pdn import Node, PdnGame
    from damka.rules import Rules

__all__ = ["game_of", "load", "record", "text"]

_HUFF: Final = re.compile(r"\[%huff ([a-l]?[0-9]{1,3})\]")
_BALLOT: Final = re.compile(r"([0-9]{1,5})( returned)?")
_PLAYERS: Final[Mapping[Side, str]] = {"W": "White", "B": "Black"}
_INTERNATIONAL: Final = (20, 27, 40)
"""Game types in which a win has two points."""
_SCORES: Final[Mapping[str, Side | None]] = {
    "2-0": "W",
    "1-0": "W",
    "0-2": "B",
    "0-1": "B",
    "1-1": None,
    "1/2-1/2": None,
    "1/2": None,
    "½-½": None,
}
_WON_BY: Final[Mapping[str, Reason]] = {"time": "time", "abandonment": "abandonment"}
_DRAWN_BY: Final[Mapping[str, Reason]] = {
    "time_draw": "time_draw",
    "abandonment_draw": "abandonment_draw",
}
"""Terminations that do not follow from the moves. Any other means resignation or agreement."""
MAX_NAME: Final = 80


class _Score(NamedTuple):
    white: str
    black: str
    draw: str


def text(game: Game, headers: Mapping[str, str] | None = None) -> str:
    """Return a game as text; `headers` are tags to add or replace."""
    return pdn.format(record(game, headers))


def record(game: Game, headers: Mapping[str, str] | None = None) -> PdnGame:
    """Convert a game to a `PdnGame` with only a main line."""
    rules = _record_rules(game)
    tags = {name: game.players[side] for side, name in _PLAYERS.items() if side in game.players}
    tags["Result"] = _score(game)
    if game.result is not None:
        tags["Termination"] = game.result.reason
    if game.opening is not None:
        tags["Ballot"] = f"{game.opening.number}{' returned' if game.returned else ''}"
        if game.opening.name:
            tags["Opening"] = game.opening.name
    # The caller's tags come first, in their order: the standard begins with Event.
    own_tags = dict(headers or {})
    tags = own_tags | tags | own_tags
    fen = None if game.start_fen == rules.start_fen else game.start_fen
    tree = pdn.PdnGame(rules, fen, headers=tags)
    node: Node = tree
    board = tree.start()
    for ply in game.history:
        setup = None
        if ply.huff is not None:
            board = board.remove(ply.huff)
            setup = board.fen
            node.comment = _with_huff(node.comment, labels(rules).name(ply.huff))
        node = node.append(ply.move, setup=setup)
        board.push_unchecked(ply.move)
    if game.pending_huff is not None:
        node.comment = _with_huff(node.comment, labels(rules).name(game.pending_huff))
    return tree


def _record_rules(game: Game) -> Rules:
    """Return the rules for a record, with only the balloted opening if all are too long."""
    rules = game.rules
    if not rules.ballots or isinstance(rules.ballots, str):
        return rules
    if len(own_rules.write(rules)) <= own_rules.MAX_LENGTH:
        return rules
    if game.ballot is None:
        return rules.replace(ballots=[])
    opening = str(entry(rules.ballots[game.ballot], game.ballot + 1))
    return rules.replace(ballots=[opening] if len(opening) <= MAX_OPENING else [])


def load(kind: type[Game], source: str | Path, rules: Rules | str | None = None) -> Game:
    """Return the first game in PDN text or a file, as type `kind`.

    Raises PdnError, also if part of its main line is unreadable.
    """
    tree = next(pdn.read(source, rules), None)
    if tree is None:
        raise PdnError("the text contains no game", line=1, column=1, code="none")
    return game_of(kind, tree)


def game_of(kind: type[Game], tree: PdnGame) -> Game:
    """Return the game of a tree's main line, of type `kind`.

    Raises PdnError: the tree's `main_line_error`, if any; with the code "move" for a refused move,
    such as one after the end of the game; with "setup_inside" for a position set up in mid-game
    that is not a huff.
    """
    if (error := tree.main_line_error) is not None:
        raise error
    rules = tree.rules
    if (obligation := tree.headers.get("Obligation")) in ("huff", "free"):
        rules = rules.replace(obligation=obligation)
    players = {
        side: name for side, tag in _PLAYERS.items() if (name := _name(tree.headers.get(tag, "")))
    }
    game = _begin(kind, tree, rules, players)
    opening_plies = len(game.history)
    node: Node = tree
    for number, following in enumerate(tree.mainline(), start=1):
        if number > opening_plies:
            _play_node(game, node, following, tree.number)
        node = following
    if node.next is None and (square := _huff_in(node.comment, game)) is not None:
        with contextlib.suppress(MoveError):  # not a valid huff
            game.huff(square)
    _finish(game, tree)
    return game


def _begin(kind: type[Game], tree: PdnGame, rules: Rules, players: Mapping[Side, str]) -> Game:
    """Return the game at its start, after the moves of a balloted opening."""
    tag = _BALLOT.fullmatch(tree.headers.get("Ballot", ""))
    ballot = None if tag is None else ballot_of(rules, int(tag[1]))
    if tag is not None and ballot is not None:
        with contextlib.suppress(RulesError):
            game = kind(rules, players=players, ballot=ballot, returned=bool(tag[2]))
            opening_nodes = islice(tree.mainline(), len(game.history))
            same = tuple(node.move for node in opening_nodes) == game.moves
            if same and game.start_fen == (tree.fen or rules.start_fen):
                return game
    return kind(rules, tree.fen, players=players)


def _play_node(game: Game, parent: Node, node: Node, number: int) -> None:
    """Play a move of the main line, and the huff before it."""
    try:
        if node.setup is not None:
            _huff_setup(game, parent, node.setup)
        game.play(node.move or "")
    except PdnError:
        raise
    except DamkaError as error:
        ply = len(game.history) + 1
        text = labels(game.rules).shown(str(node.move))
        raise PdnError(
            f"ply {ply}, {text}: {error}",
            game=number,
            code="move",
            text=text,
            refusal=getattr(error, "refusal", None),
            show=labels(game.rules).name,
        ) from error


def _score(game: Game) -> str:
    if game.result is None or game.result.reason == "aborted":
        return "*"
    return score(game.rules, game.result.winner)


def score(rules: Rules, winner: Side | None) -> str:
    """Return the Result tag of a game by these rules; `winner` is None for a draw."""
    points = _Score("1-0", "0-1", "1/2-1/2")
    if rules.game_type in _INTERNATIONAL:
        points = _Score("2-0", "0-2", "1-1")
    return {"W": points.white, "B": points.black, None: points.draw}[winner]


def _with_huff(comment: str, square: str) -> str:
    return f"{comment} [%huff {square}]".strip()


def _huff_in(comment: str, game: Game) -> int | None:
    match = _HUFF.search(comment)
    return labels(game.rules).square(match[1]) if match else None


def _huff_setup(game: Game, parent: Node, fen: str) -> None:
    """Huff a piece before a move; any other change of the position is invalid in a game."""
    square = _huff_in(parent.comment, game)
    if square is None:
        message = "a position is set up in mid-game: only a PdnGame can store it"
        raise PdnError(message, code="setup_inside")
    game.huff(square)
    if fens.parse(game.rules, fen) != (game.board.pieces, game.board.turn):
        message = f"the position set up differs from the one after huffing {square}"
        raise PdnError(message, code="setup_inside")


def _name(name: str) -> str:
    printable = "".join(sign for sign in name if sign.isprintable()).strip()
    return "" if printable == "?" else printable[:MAX_NAME]


def _finish(game: Game, tree: PdnGame) -> None:
    """End a game by its tags, unless it is over by the rules."""
    if game.result is not None:
        return
    termination = tree.headers.get("Termination", "")
    if tree.result not in _SCORES:
        if termination == "aborted":
            game.abort(game.turn)
        return
    winner = _SCORES[tree.result]
    reason = (_WON_BY if winner else _DRAWN_BY).get(termination)
    game.end(Result(winner, reason or ("resignation" if winner else "agreement")))
