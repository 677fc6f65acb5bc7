"""What the kernel and the executable specification say about a position, compared."""

from __future__ import annotations

from collections.abc import Iterator

from damka import Board, Move, reference
from damka.rules import Rules

__all__ = ["Disagreement", "compare", "effect", "features", "fen", "smallest"]

MANY_ROUTES = 10_000


class Disagreement(Exception):  # noqa: N818  what is found, not what went wrong
    """The kernel and the specification say different things: which, and of what."""


def fen(position: reference.Position) -> str:
    """Write a position as FEN, apart from the library's writer."""
    groups: list[str] = [position.turn]
    for man, king in ("wW", "bB"):
        squares = (
            f"{'K' if piece == king else ''}{square}"
            for square, piece in enumerate(position.pieces, start=1)
            if piece in (man, king)
        )
        groups.append(king + ",".join(squares))
    return ":".join(groups)


def effect(move: Move | reference.Move) -> tuple[int, int, tuple[int, ...], bool]:
    """Return what a move does."""
    return move.start, move.end, move.captures, move.crowns


def compare(board: Board, position: reference.Position, followed: int = 4) -> list[reference.Move]:
    """Compare everything that both can say; return the legal moves.

    The replies are compared after about `followed` of the moves. Raises Disagreement.
    """
    rules = board.rules
    _same("the position", _state(board), (position.pieces, position.turn, position.streaks))
    expected = {effect(move): move for move in reference.legal_moves(rules, position)}
    found = board.legal_moves
    _same("the legal moves", sorted(map(effect, found)), sorted(expected))
    if expected:
        quiet = sorted(map(effect, reference.quiet_moves(rules, position)))
        _same("the quiet moves", sorted(map(effect, board.quiet_moves)), quiet)
    _same("the count of moves", board.perft(1), len(expected))
    replies = 0
    for number, move in enumerate(found):
        specified = expected[effect(move)]
        _same(f"the mover of {move}", move.is_king, position.at(move.start).isupper())
        if len(specified.routes) <= MANY_ROUTES:
            ways = board.routes(move, limit=MANY_ROUTES)
            _same(f"the routes of {move}", (*sorted(ways),), specified.routes)
            _same(f"the first route of {move}", ways[0], move.route)
        after = reference.apply(rules, position, specified)
        board.push(move)
        _same(f"what {move} leads to", _state(board), (after.pieces, after.turn, after.streaks))
        if not after.streaks:
            _same(f"the key after {move}", board.key, Board(rules, fen(after)).key)
        # Leaves are counted by code of their own.
        count = board.perft(1)
        replies += count
        if number % (1 + len(found) // followed) == 0:
            _same(f"the replies to {move}", count, len(reference.legal_moves(rules, after)))
        board.pop()
        _same(f"{move} taken back", board.pieces, position.pieces)
    _same("the leaves of two plies", board.perft(2), replies)
    return list(expected.values())


def features(position: reference.Position, moves: list[reference.Move]) -> Iterator[str]:
    """Yield the features of a position, to show that the comparison covers them."""
    captures = [move for move in moves if move.captures]
    if captures:
        yield "captures"
    if any(len(move.captures) > 2 for move in captures):
        yield "long"
    if sum(piece.isupper() for piece in position.pieces) > 2:
        yield "kings"
    if any(move.crowns for move in moves):
        yield "crowning"
    if position.streaks:
        yield "streaks"


def smallest(rules: Rules, position: reference.Position) -> reference.Position:
    """Take pieces off, and crowns, as long as there is a disagreement."""
    while True:
        for square, piece in enumerate(position.pieces, start=1):
            for change in "." if piece == "." else (".", piece.lower()):
                tried = position.with_changes({square: change})
                if change != piece and _differs(rules, tried):
                    position = tried
                    break
            else:
                continue
            break
        else:
            return position


def _differs(rules: Rules, position: reference.Position) -> bool:
    for square, piece in enumerate(position.pieces, start=1):
        last = {"w": rules.crowning_row("W"), "b": rules.crowning_row("B")}.get(piece)
        if last == rules.cell(square)[0]:
            return False
    try:
        compare(Board(rules, fen(position)), position)
    except Disagreement:
        return True
    return False


def _state(board: Board) -> tuple[str, str, tuple[tuple[int, int], ...]]:
    return board.pieces, board.turn, board.streaks


def _same(what: str, kernel: object, specified: object) -> None:
    if kernel != specified:
        raise Disagreement(f"{what}: the kernel has {kernel}, the specification {specified}")
