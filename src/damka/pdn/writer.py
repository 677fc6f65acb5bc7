"""Writing games as PDN 3.0, and as plain values for JSON."""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from damka.board import Board
from damka.errors import PdnError, PositionTooComplexError
from damka.notation import fen as fens
from damka.notation import labels, pdn_game_type
from damka.notation import text as texts
from damka.pdn import own_rules
from damka.pdn.game_type import rules_of
from damka.pdn.naming import other_notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from damka.move import Move
    from damka.pdn.tree import Node, PdnGame
    from damka.rules import Rules

__all__ = ["MAX_NESTING", "Squares", "format", "to_dict", "write"]

Squares: TypeAlias = Literal["numeric", "algebraic"]
"""Square labels of positions in tags."""

MAX_NESTING: Final = 64
"""Maximum nesting of variations."""
LINE: Final = 80

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_RESULT: Final = re.compile(r"1/2-1/2|[0-9]{1,3}-[0-9]{1,3}|\*", re.ASCII)
# A tag must be on one line.
_BREAKS: Final = re.compile("[\r\n\t\v\f\x1c-\x1e\x85\u2028\u2029]+")
_TAG_LINE: Final = re.compile(r"([\r\n])(?=\[[ \t]*[A-Za-z])")


class _Style(NamedTuple):
    """Formatting options."""

    listed: bool = False
    fen: Squares | None = None


def format(  # noqa: A001  the pair of read
    game: PdnGame, *, listed: bool = False, fen: Squares | None = None, star: bool = False
) -> str:
    """Return a game as text: its tags, its moves, and the result.

    Captures are written with their ends, or with every landing square if another capture has the
    same ends. With `listed`, these captures list the captured squares instead, `47x36 <14, 29>`,
    for newer programs. Squares and the capture sign are the federation's. Braces in comments become
    parentheses. Tags without a value are omitted, and Result, GameType and FEN are added where
    necessary. `fen` is the notation of positions, "numeric" or "algebraic", by default that of the
    moves. With `star` the moves end in `*`, as PDN 3.0 requires, and the result is only in its tag;
    otherwise they end in the result, where older programs expect it.

    Raises PdnError for variations that are nested more than MAX_NESTING deep, and MoveError for
    illegal moves.

    >>> from damka import pdn
    >>> text = '[White "A "B""] 1. c3-d4 ( 1.a3b4! ) 1... f6 - e5 2.d4-f6'
    >>> [game] = pdn.read(text, rules="russian")
    >>> print(pdn.format(game), end="")
    [White "A \\"B\\""]
    [Result "*"]
    [GameType "25,W,8,8,A0,0"]
    <BLANKLINE>
    1. c3-d4 (1. a3-b4 $1) 1... f6-e5 2. d4:f6 *
    """
    style = _Style(listed, fen)
    headers = _headers(game, style)
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    result = headers["Result"]
    # A result that is not a result in PDN is only written in the tag.
    last = result if _RESULT.fullmatch(result) and not star else "*"
    words = [*_moves(game, style), last]
    return "\n".join([*lines, "", *_wrap(words), ""])


def write(
    games: Iterable[PdnGame],
    file: IO[str],
    *,
    listed: bool = False,
    fen: Squares | None = None,
    star: bool = False,
) -> int:
    """Write games to an open text file, separated by an empty line; return their number.

    `listed`, `fen` and `star`, and the errors, are as in `format`.
    """
    count = 0
    for game in games:
        text = format(game, listed=listed, fen=fen, star=star)
        file.write("\n" if count else "")
        file.write(text)
        count += 1
    return count


def to_dict(
    game: PdnGame, *, listed: bool = False, fen: Squares | None = None
) -> dict[str, object]:
    """Return the main line of a game as plain values, for JSON.

    `game` and `line` are its number and its first line in the file, `rules` the name of its rule
    set, `notation` its square notation, `headers` the tags as `format` writes them, `fen` the start
    position (None for the rules' own), `moves` the texts of the moves, `result` the text of the
    result. Comments and variations are omitted. `listed` and `fen` are as in `format`.

    Raises PdnError as `format` does.

    >>> from damka.pdn import to_dict
    >>> from damka import pdn
    >>> [game] = pdn.read('[White "Ana"] 1. c3-d4 f6-g5 1-0', rules="russian")
    >>> to_dict(game)["moves"], to_dict(game)["result"]
    (['c3-d4', 'f6-g5'], '1-0')
    """
    style = _Style(listed, fen)
    headers = _headers(game, style)
    start_fen = headers.pop("FEN", None)
    moves = []
    board = game.start()
    for node in game.mainline():
        if node.setup is not None:
            board = Board(board.rules, node.setup)
        text, board = _push(node, board, style)
        moves.append(text)
    return {
        "game": game.number,
        "line": game.line_number,
        "rules": game.rules.name,
        "notation": game.rules.notation,
        "headers": headers,
        "fen": start_fen,
        "moves": moves,
        "result": headers["Result"],
    }


def _headers(game: PdnGame, style: _Style) -> dict[str, str]:
    headers = {name: value for name, value in game.headers.items() if value.strip()}
    for name in headers:
        if not _NAME.fullmatch(name):
            raise PdnError(
                f"{name[:40]!r} is not a tag name: expected letters, digits and underscores"
            )
    headers["Result"] = headers.get("Result", "").strip() or game.result
    tag_rules = rules_of(headers.get("GameType", ""), headers.get("Variant", ""))
    rules = game.rules
    if tag_rules is None or tag_rules != rules or tag_rules.notation != rules.notation:
        headers["GameType"] = pdn_game_type(rules)
        headers.pop("Variant", None)
        if rules_of(headers["GameType"]) != rules:
            headers["Variant"] = rules.name
    _set_rules_tag(headers, rules)
    headers.pop("FEN", None)
    if game.fen is not None:
        headers["FEN"] = _fen(game.start(), style)
    return headers


def _set_rules_tag(headers: dict[str, str], rules: Rules) -> None:
    """Add the Rules tag for house rules; remove it otherwise."""
    if own_rules.is_own_format(headers.get("Rules", "")):
        del headers["Rules"]
    if rules_of(headers["GameType"], headers.get("Variant", "")) != rules:
        headers["Rules"] = own_rules.write(rules)


def _fen(board: Board, style: _Style) -> str:
    rules = board.rules
    if style.fen is not None and (style.fen == "numeric") is not (rules.notation[0] == "N"):
        rules = rules.replace(notation=other_notation(rules))
    return fens.format(rules, board.pieces, board.turn, streaks=board.streaks, labels=True)


def _escape(value: str) -> str:
    return _BREAKS.sub(" ", value).replace("\\", "\\\\").replace('"', '\\"')


def _in_braces(comment: str) -> str:
    text = comment.strip().replace("{", "(").replace("}", ")")
    return "{" + _TAG_LINE.sub(r"\1 ", text) + "}"


def _wrap(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= LINE:
            line += f" {word}"
        else:
            yield line
            line = word
    yield line


def _moves(game: PdnGame, style: _Style) -> Iterator[str]:
    if game.comment:
        yield _in_braces(game.comment)
    for nag in sorted(game.nags):
        yield f"${nag}"
    if game.next is not None:
        board = game.start()
        ply = int(board.turn != game.rules.first)
        yield from _line(game.next, board, ply, 0, style)


def _line(node: Node | None, board: Board, ply: int, depth: int, style: _Style) -> Iterator[str]:
    """Yield the words of a line from `node`; `ply` is even if the player who begins is to move."""
    if depth > MAX_NESTING:
        raise PdnError(f"variations are nested more than {MAX_NESTING} deep")
    numbered = True
    while node is not None:
        if node.starting_comment:
            yield _in_braces(node.starting_comment)
            numbered = True
        before = board.copy()
        if node.setup is not None:
            board = Board(board.rules, node.setup)
            yield f'/FEN "{_fen(board, style)}"/'
            numbered = True
        if ply % 2 == 0 or numbered:
            yield f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        text, board = _push(node, board, style)
        yield text
        yield from (f"${nag}" for nag in sorted(node.nags))
        if node.comment:
            yield _in_braces(node.comment)
        others = _variations_to_write(node)
        for other in others:
            words = list(_line(other, before.copy(), ply, depth + 1, style))
            words[0] = f"({words[0]}"
            words[-1] += ")"
            yield from words
        numbered = bool(node.comment or others)
        node = node.next
        ply += 1


def _variations_to_write(node: Node) -> list[Node]:
    """Return the variations to write after a node: its siblings, if it is the first one."""
    parent = node.parent
    if parent is None or parent.variations[0] is not node:
        return []
    return parent.variations[1:]


def _push(node: Node, board: Board, style: _Style) -> tuple[str, Board]:
    """Return the text of a node's move, and the board after it."""
    if node.move is None:
        raise PdnError("a node has no move: only the root of a game may have none")
    try:
        text = texts.write(board, node.move)
    except PositionTooComplexError as error:
        raise PdnError(str(error)) from error
    if style.listed and node.move.is_capture:
        text = _list_captures(board.rules, node.move, text)
    board.push_unchecked(node.move)
    return text, board


def _list_captures(rules: Rules, move: Move, text: str) -> str:
    """Return a capture with its captured squares, if its ends are ambiguous."""
    square_labels = labels(rules)
    ends = square_labels.sign.join(map(square_labels.name, (move.start, move.end)))
    captures = ", ".join(map(square_labels.name, move.captures))
    return text if text == ends else f"{ends} <{captures}>"
