"""Readers and writers for the data files of the tests, and helpers to play games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from damka import Board, Move, reference
from damka.rules import Rules, Side, load, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka import Game

DATA = Path(__file__).parent / "data"

RULE_SETS: dict[str, Rules] = {name: load(name) for name in names()}


def read_fen(rules: Rules, fen: str) -> reference.Position:
    """Parse a valid plain FEN such as "W:WK12,30:B6,K8".

    Independent of the library's parser, so that bugs in the parser are detected.
    """
    turn, *groups = fen.split(":")
    pieces = {}
    for group in groups:
        for square in filter(None, group[1:].split(",")):
            rank = group[0].upper() if square.startswith("K") else group[0].lower()
            pieces[int(square.removeprefix("K"))] = rank
    sides: dict[str, Side] = {"W": "W", "B": "B"}
    return reference.place(rules, sides[turn], pieces)


def write_fen(position: reference.Position) -> str:
    """Format a position as FEN, independent of the library."""
    groups: list[str] = [position.turn]
    for man, king in ("wW", "bB"):
        squares = (
            f"{'K' if piece == king else ''}{square}"
            for square, piece in enumerate(position.pieces, start=1)
            if piece in (man, king)
        )
        groups.append(king + ",".join(squares))
    return ":".join(groups)


def hub(move: reference.Move) -> str:
    """Return a move in the notation of the position files."""
    if not move.captures:
        return f"{move.start}-{move.end}"
    return "x".join(map(str, (move.start, move.end, *move.captures)))


def published_counts() -> dict[str, list[int]]:
    counts: dict[str, list[int]] = json.loads((DATA / "perft.json").read_text("utf-8"))
    return counts


def with_published_positions() -> list[str]:
    """Return the names of the rule sets that have a file of positions."""
    return [name for name in RULE_SETS if (DATA / "positions" / f"{name}.jsonl").exists()]


def published_positions(name: str) -> Iterable[tuple[str, list[str]]]:
    """Yield (fen, legal moves in Hub notation) of a rule set's file."""
    for line in (DATA / "positions" / f"{name}.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        yield entry["fen"], entry["moves"]


def legal(rules: Rules | str, fen: str) -> set[str]:
    """Return the kernel's legal moves of a position in Hub notation."""
    return {move.hub() for move in Board(rules, fen).legal_moves}


def play(game: Game, *moves: str) -> Game:
    """Play moves and return the game. Fails if a move is illegal or the game is over."""
    for move in moves:
        game.play(move)
    return game


def outcome(game: Game) -> tuple[str | None, str] | None:
    """Return (winner, reason), or None while the game is in progress."""
    return game.result and (game.result.winner, game.result.reason)


def wander(game: Game, plies: int) -> Game:
    """Play quiet king moves that allow no capture and repeat no position."""
    path = _idle_path(game.board.copy(), plies, {game.board.fen})
    assert path is not None, f"no quiet king moves from {game.board.fen}"
    for move in path:
        game.play(move)
    return game


def _idle_path(board: Board, plies: int, visited: set[str]) -> list[Move] | None:
    if plies == 0:
        return []
    for move in board.legal_moves:
        board.push(move)
        idle = move.is_king and not any(m.is_capture for m in (move, *board.legal_moves))
        if idle and board.fen not in visited:
            rest = _idle_path(board, plies - 1, visited | {board.fen})
            if rest is not None:
                return [move, *rest]
        board.pop()
    return None


def offer_a_piece(game: Game) -> Game:
    """Play a quiet king move after which the other side must capture."""
    for move in game.legal_moves:
        after = game.board.copy()
        after.push(move)
        replies = after.legal_moves
        if move.is_king and all(reply.is_capture for reply in replies):
            after.push(replies[0])
            if after.legal_moves and not any(m.is_capture for m in after.legal_moves):
                game.play(move)
                return game
    raise AssertionError(f"no sacrifice in {game.board.fen}")
