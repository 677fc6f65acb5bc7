"""Games with variations and comments as JSON values, and back to PDN.

A tree is flat: `nodes[0]` is the start, and the `children` of a node are indices of later nodes.
The key of a move is that of `damka.live.lines`. Marks and huffs of a comment are values; its other
commands, such as clocks, are unchanged in `commands`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from damka import pdn
from damka.board import Board
from damka.draw import svg
from damka.errors import DamkaError, FenError, PdnError, PositionTooComplexError
from damka.live import lines, requests
from damka.live.pasted import ReadOptions, fen_in
from damka.live.positions import PositionProblem
from damka.live.problems import Problem
from damka.notation import fen as fens
from damka.notation import labels, text
from damka.pdn import annotations as notes
from damka.rules import other

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.notation import Labels
    from damka.rules import Rules

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "Tree",
    "TreeNode",
    "TreeText",
    "file_name",
    "pdn_of",
    "read",
    "replay",
    "rules_of",
    "text_of",
    "tree_json",
]

MAX_NODES: Final = 20_000
MAX_DEPTH: Final = lines.MAX_LINE
MAX_COMMENT: Final = 4000
MAX_BYTES: Final = 1024 * 1024
"""Maximum size of a tree as JSON."""
MAX_MOVES_TEXT: Final = 6000
"""Maximum length of a line in an address."""
_MAX_TAGS: Final = 100
_PICTURE_SIZE: Final = 800

Comment = Annotated[str, Meta(max_length=MAX_COMMENT)]
Colour = Annotated[str, Meta(pattern="^[A-Z]$", max_length=1)]
_OWN: Final = re.compile(r"\[\s*%\s*(?:csl|cal|huff)\b", re.IGNORECASE)
"""Commands that are values of a node."""
_HUFF: Final = re.compile(r"\[%huff ([a-l]?[0-9]{1,3})\]")


class TreeNode(msgspec.Struct, frozen=True):
    """A move of a tree with its annotations, as a page sends it; the first node has no move.

    `before` precedes the first move of a variation, `comment` follows a move. `nags` are numeric
    annotation glyphs, `marks` coloured squares and arrows: colour letter, start and end.
    """

    key: Annotated[str, Meta(max_length=lines.MAX_KEY)] = ""
    before: Comment = ""
    comment: Comment = ""
    nags: Annotated[list[Annotated[int, Meta(ge=0, le=999)]], Meta(max_length=20)] = []
    marks: Annotated[list[tuple[Colour, lines.Square, lines.Square]], Meta(max_length=200)] = []
    commands: Comment = ""
    children: Annotated[list[int], Meta(max_length=500)] = []


class Tree(msgspec.Struct, frozen=True):
    """A game with variations and comments, as a page sends it.

    `fen` is its start position, with the library's numbers; None is the start of the game.
    """

    nodes: Annotated[list[TreeNode], Meta(min_length=1, max_length=MAX_NODES)]
    fen: Annotated[str, Meta(max_length=fens.MAX_LENGTH)] | None = None
    tags: Annotated[
        dict[
            # In Python $ also matches before a last line break; JSON Schema has no \Z.
            Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,60}$(?!\n)")],
            Annotated[str, Meta(max_length=1000)],
        ],
        Meta(max_length=_MAX_TAGS),
    ] = {}


class TreeText(msgspec.Struct, frozen=True):
    """Contents of a text: a game, or JSON values as of `damka.live.requests.contents`."""

    game: pdn.PdnGame | None
    lists: dict[str, Any] | None = None


def read(
    data: bytes, chosen: Rules, options: ReadOptions, language: str, *, is_pdn: bool
) -> TreeText:
    """Return the game in a pasted text: FEN, PDN or a game file.

    A text that names no rules is read by the `chosen` ones. Raises Problem when it has no game.
    """
    position, fault = fen_in(data, chosen, options, is_pdn=is_pdn)
    if position is not None:
        return TreeText(pdn.PdnGame(chosen, position))
    load = requests.LoadOptions(
        game=options.game, read_as=options.read_as, partial=options.partial, after=options.after
    )
    try:
        contents = requests.read_file(
            data, load, language, is_pdn=is_pdn, chosen=chosen, as_tree=True
        )
    except Problem as problem:
        if fault is None or not isinstance(problem.pdn, PdnError):
            raise
        raise PositionProblem("body", fault) from problem
    if contents.tree is not None:
        return TreeText(contents.tree)
    if contents.game is not None:
        from damka.game.pdn import record  # noqa: PLC0415  few texts are game files

        return TreeText(record(contents.game))
    lists = requests.contents(contents, language)
    if fault is not None and "choice" in lists:
        lists["choice"] = {**lists["choice"], "error": fault.sentence(language)}
    return TreeText(None, lists)


def rules_of(game: pdn.PdnGame) -> Rules:
    """Return the rules of a game, with the obligation in its tags."""
    obligation = game.headers.get("Obligation")
    if obligation in ("huff", "free") and obligation != game.rules.obligation:
        return game.rules.replace(obligation=obligation)
    return game.rules


def tree_json(game: pdn.PdnGame, of: Rules | None = None) -> dict[str, Any]:
    """Return a game as JSON values: `fen`, `tags`, `nodes`, and the number of `dropped` lines.

    A node has the fields of `TreeNode`, and `text`, `pieces`, `turn`, `route`, `captures`,
    `crowns`, `offence`, `clock` (seconds) and `eval` where they apply. A line is dropped where a
    position is set up in mid-game that is not a huff, where a side has won before, or at an error
    of its text. Raises
    Problem for a tree that is too large.
    """
    of = rules_of(game) if of is None else of
    start = Board(of, game.fen)
    on = labels(of)
    root = {**_annotations(game, start, on), "pieces": start.pieces, "turn": start.turn}
    nodes: list[dict[str, Any]] = [root]
    stack = [(child, start.copy(), 0, 1) for child in reversed(game.variations)]
    _add_last_huff(game, start, 0, nodes, on)
    dropped = sum(error.rest is not None for error in game.errors)
    while stack:
        node, board, parent, depth = stack.pop()
        entry = _enter(node, board, on)
        if entry is None:
            dropped += 1
            continue
        if len(nodes) >= MAX_NODES or depth > MAX_DEPTH:
            raise Problem(422, "tree_too_large", where="body")
        index = len(nodes)
        nodes.append(entry)
        nodes[parent].setdefault("children", []).append(index)
        others = [(each, board.copy(), index, depth + 1) for each in node.variations[1:]]
        stack += reversed(others)
        if node.next is not None:
            stack.append((node.next, board, index, depth + 1))
        else:
            _add_last_huff(node, board, index, nodes, on)
    tags = {name: value[:1000] for name, value in [*game.headers.items()][:_MAX_TAGS]}
    return {"fen": start.fen, "tags": tags, "nodes": nodes, "dropped": dropped}


def pdn_of(of: Rules, tree: Tree) -> pdn.PdnGame:
    """Return a tree as a game to write. Raises Problem for impossible moves and faulty trees."""
    start = lines.board_at(of, tree.fen)
    on = labels(of)
    fen = None if start.fen == Board(of).fen else start.fen
    game = pdn.PdnGame(of, fen, headers=tree.tags)
    _annotate(game, tree.nodes[0], on)
    seen = 1
    stack: list[tuple[TreeNode, pdn.Node, Board, int, int]] = [(tree.nodes[0], game, start, 0, 1)]
    while stack:
        entry, parent, board, index, depth = stack.pop()
        if depth > MAX_DEPTH + 1:
            raise Problem(422, "tree_too_large", where="nodes")
        for place, child in enumerate(entry.children):
            # Indices that grow, each used once, make a tree.
            seen += 1
            if not index < child < len(tree.nodes) or seen > len(tree.nodes):
                raise Problem(422, "bad_field", where="nodes")
            before = board.fen
            after = board if place == len(entry.children) - 1 else board.copy()
            huff, move, _ = lines.turn_of(after, tree.nodes[child].key)
            if huff is not None and place == 0:
                parent.comment = f"[%huff {on.name(huff)}] {parent.comment}".strip()
            if move is None:
                continue
            # A variation begins after the huff of the main line: this restores the piece.
            after_huff = bool(parent.variations and parent.variations[0].setup)
            setup = after.fen if huff is not None else before if after_huff else None
            node = parent.append(move, setup=setup)
            after.push_unchecked(move)
            _annotate(node, tree.nodes[child], on)
            stack.append((tree.nodes[child], node, after, child, depth + 1))
    return game


def text_of(of: Rules, tree: Tree) -> str:
    """Return a tree as PDN text. Raises Problem as `pdn_of`."""
    try:
        return pdn.format(pdn_of(of, tree))
    except PdnError as error:
        raise Problem(422, "tree_too_large", where="nodes", detail=str(error)[:300]) from error


def file_name(of: Rules) -> str:
    """Return the name of a PDN file of a game by these rules."""
    letters = [c for c in of.name if c.isascii() and (c.isalnum() or c in "-_")]
    return f"{''.join(letters)[:40] or 'game'}.pdn"


def replay(of: Rules, fen: str | None, moves: str, *, flip: bool = False) -> str:
    """Return a line as an animated picture; `moves` are its keys, separated by commas.

    Raises Problem as `pdn_of`.
    """
    keys = [key for key in moves.split(",") if key]
    if len(moves) > MAX_MOVES_TEXT or len(keys) > MAX_DEPTH:
        raise Problem(422, "bad_field", where="moves")
    nodes = [
        TreeNode(key=key, children=[i + 1] if i < len(keys) else [])
        for i, key in enumerate(["", *keys])
    ]
    game = pdn_of(of, Tree(nodes, fen or None))
    return svg.replay(game, svg.Style(flip=flip, size=_PICTURE_SIZE))


def _enter(node: pdn.Node, board: Board, on: Labels) -> dict[str, Any] | None:
    """Play a node's move on a board and return its values; None if that is not possible."""
    move, huff = node.move, None
    result = board.result
    if move is None or (result is not None and result.winner is not None):
        return None
    if node.setup is not None:
        huff = _huff_of(board, node.setup)
        if huff is None:
            return None
        if huff:
            board.huff(huff)
    try:
        # The key of a move without promotion does not depend on the others.
        allowed = lines.playable(board) if move.crowns else ([], [])
        key = lines.key_of(move, (*allowed[0], *allowed[1]))
        words = text.write(board, move)
        board.push_unchecked(move)
    except PositionTooComplexError as error:
        raise Problem(422, "too_complex", where="body") from error
    except DamkaError:
        return None
    if huff:
        key, words = lines.key_with_huff(key, huff), f"({on.name(huff)}) {words}"
    entry = {
        "key": key,
        "text": words,
        "pieces": board.pieces,
        "turn": board.turn,
        "route": move.route,
        **_annotations(node, board, on),
    }
    if move.captures:
        entry["captures"] = move.captures
    if move.crowns:
        entry["crowns"] = True
    if board.offences:
        entry["offence"] = True
    return entry


def _huff_of(board: Board, setup: str) -> int | None:
    """Return the square of the huff that leads to a position set up in mid-game.

    0 if the position is the same, None if it is another one.
    """
    try:
        pieces, turn = fens.parse(board.rules, setup)
    except FenError:
        return None
    pairs = enumerate(zip(board.pieces, pieces, strict=True), start=1)
    changed = [square for square, (old, new) in pairs if old != new]
    if turn == board.turn and not changed:
        return 0
    if turn != board.turn or len(changed) != 1 or changed[0] not in board.offences:
        return None
    return changed[0] if pieces[changed[0] - 1] == "." else None


def _add_last_huff(
    node: pdn.Node, board: Board, parent: int, nodes: list[dict[str, Any]], on: Labels
) -> None:
    """Add the huff without a move that a comment at the end of a line names."""
    match = None if node.variations else _HUFF.search(node.comment)
    square = None if match is None else on.square(match[1])
    if square is None or square not in board.offences or len(nodes) >= MAX_NODES:
        return
    board.huff(square)
    nodes[parent].setdefault("children", []).append(len(nodes))
    name = f"({on.name(square)})"
    nodes.append({"key": f"({square})", "text": name, "pieces": board.pieces, "turn": board.turn})


def _annotations(node: pdn.Node, board: Board, on: Labels) -> dict[str, Any]:
    """Return the annotations of a node whose move was played; those without a value are omitted."""
    words, commands = notes.split(node.comment)
    values: dict[str, Any] = {
        "before": notes.split(node.starting_comment)[0][:MAX_COMMENT],
        "comment": words[:MAX_COMMENT],
        "nags": sorted(node.nags)[:20],
        "marks": [*dict.fromkeys(notes.marks(node.comment, on))][:200],
        "commands": " ".join(each for each in commands if not _OWN.match(each))[:MAX_COMMENT],
    }
    values["clock"] = notes.clock(node.comment)
    if values["clock"] is None:
        values["clock"] = notes.clocks(node.comment).get(other(board.turn))
    evaluation = notes.evaluation(node.comment)
    if evaluation is not None:
        values["eval"] = evaluation._asdict()
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _annotate(node: pdn.Node, entry: TreeNode, on: Labels) -> None:
    if any(max(a, b) > len(on.names) for _, a, b in entry.marks):
        raise Problem(422, "bad_field", where="nodes")
    node.starting_comment = entry.before.strip()
    squares = [f"{colour}{on.name(a)}" for colour, a, b in entry.marks if a == b]
    arrows = [f"{colour}{on.name(a)}-{on.name(b)}" for colour, a, b in entry.marks if a != b]
    parts = (_command("csl", squares), _command("cal", arrows), entry.commands, entry.comment)
    node.comment = " ".join(part.strip() for part in parts if part.strip())
    node.nags = set(entry.nags)


def _command(name: str, values: Iterable[str]) -> str:
    joined = ",".join(values)
    return f"[%{name} {joined}]" if joined else ""
