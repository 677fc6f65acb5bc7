"""A game as a tree of moves with variations and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from damka import _core
from damka._former import warn_former
from damka.board import Board
from damka.draw import Style, svg
from damka.errors import MoveError, PdnError
from damka.notation import labels
from damka.pdn import annotations as notes
from damka.pdn import naming, results
from damka.rules import Rules, load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from damka._core import PdnEvent
    from damka.move import Move
    from damka.notation import Labels
    from damka.pdn.annotations import Evaluation, Mark
    from damka.pdn.naming import Kind
    from damka.pdn.playback import Playback
    from damka.pdn.setting import Moves, Setting
    from damka.rules import Side

__all__ = ["Node", "PdnGame"]

_NOTEBOOK: Final = Style(size=440)


class Node:
    """A move of a game, with its possible continuations.

    `move` is None for the root of the tree, which is the game. `starting_comment` precedes the
    first move of a variation, `comment` follows a move. `nags` are numeric annotation glyphs: 1 for
    "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!", 7 a forced move, and others as in chess. `setup` is
    the FEN of a position that is set up before the move, or None.

    `variations` are the continuations; the first is the main line. Methods accept a continuation as
    a node, a move, the text of a move, or an index.
    """

    __slots__ = (
        "__weakref__",
        "_comment",
        "_nags",
        "_variations",
        "move",
        "parent",
        "setup",
        "starting_comment",
    )

    def __init__(self, parent: Node | None, move: Move | None) -> None:
        self.parent: Final = parent
        self.move: Final = move
        self.starting_comment = ""
        self.setup: str | None = None
        self._comment = ""
        self._nags: set[int] = set()
        self._variations: list[Node] = []

    def _build_tree(self) -> None:
        """Build the children on first access."""

    @property
    def comment(self) -> str:
        """The comment after the move, or before the first one of a game."""
        self._build_tree()
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._build_tree()
        self._comment = text

    @property
    def nags(self) -> set[int]:
        """The numeric annotation glyphs of the move."""
        self._build_tree()
        return self._nags

    @nags.setter
    def nags(self, numbers: set[int]) -> None:
        self._build_tree()
        self._nags = numbers

    @property
    def variations(self) -> list[Node]:
        """The continuations, the main line first."""
        self._build_tree()
        return self._variations

    @property
    def next(self) -> Node | None:
        """The next move of the line, or None at its end."""
        variations = self.variations
        return variations[0] if variations else None

    def add_variation(
        self, move: Move | str, *, comment: str = "", nags: Iterable[int] = ()
    ) -> Node:
        """Append a continuation and return its node.

        Raises MoveError for an illegal move.
        """
        node = Node(self, self.board().push(move))
        node.comment = comment
        node.nags = set(nags)
        self.variations.append(node)
        return node

    def add_main_variation(
        self, move: Move | str, *, comment: str = "", nags: Iterable[int] = ()
    ) -> Node:
        """Insert a continuation as the main line and return its node.

        Raises MoveError for an illegal move.
        """
        node = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def add_line(
        self,
        moves: Iterable[Move | str],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> Node:
        """Append a line of moves as a continuation and return its last node.

        `starting_comment` precedes its first move, `comment` and `nags` follow its last. Raises
        MoveError for an illegal move, and ValueError without moves; the tree is then unchanged.

        >>> from damka import pdn
        >>> game = pdn.PdnGame("american")
        >>> last = game.add_line(["11-15", "23-19", "8-11"], comment="Old Fourteenth")
        >>> [str(move) for move in game.mainline_moves()], last.comment
        (['11-15', '23-19', '8-11'], 'Old Fourteenth')
        """
        board = self.board()
        first: Node | None = None
        last = self
        for move in moves:
            node = Node(last, board.push(move))
            if first is None:
                first = node
            else:
                last._variations.append(node)
            last = node
        if first is None:
            raise ValueError("the line has no moves")
        first.starting_comment = starting_comment
        last._comment, last._nags = comment, set(nags)
        self.variations.append(first)
        return last

    def variation(self, choice: Node | Move | str | int) -> Node:
        """Return one of the continuations.

        Raises KeyError if none matches.
        """
        variations = self.variations
        if isinstance(choice, int):
            if not 0 <= choice < len(variations):
                raise KeyError(choice)
            return variations[choice]
        if isinstance(choice, Node):
            matches = (node for node in variations if node is choice)
        else:
            move = choice
            if isinstance(choice, str):
                try:
                    move = self.board().parse(choice)
                except MoveError:
                    raise KeyError(choice) from None
            matches = (node for node in variations if node.move == move)
        node = next(matches, None)
        if node is None:
            raise KeyError(choice)
        return node

    def has_variation(self, choice: Node | Move | str | int) -> bool:
        """Whether one of the continuations matches."""
        try:
            self.variation(choice)
        except KeyError:
            return False
        return True

    def promote(self, choice: Node | Move | str | int) -> None:
        """Move a variation one place up. Raises KeyError as `variation` does.

        >>> from damka import pdn
        >>> [game] = pdn.read("1. 11-15 (1. 9-14) (1. 10-15) *", rules="american")
        >>> game.promote("10-15")
        >>> game.demote("11-15")
        >>> [str(node.move) for node in game.variations]
        ['10-15', '11-15', '9-14']
        >>> game.promote_to_main("9-14")
        >>> [str(node.move) for node in game.variations]
        ['9-14', '10-15', '11-15']
        """
        self._shift(choice, -1)

    def demote(self, choice: Node | Move | str | int) -> None:
        """Move a variation one place down. Raises KeyError as `variation` does."""
        self._shift(choice, 1)

    def promote_to_main(self, choice: Node | Move | str | int) -> None:
        """Make a variation the main line; the others keep their order.

        Raises KeyError as `variation` does.
        """
        node = self.variation(choice)
        self.variations.insert(0, self.variations.pop(self._place(node)))

    def remove_variation(self, choice: Node | Move | str | int) -> None:
        """Remove a variation with its continuations. Raises KeyError as `variation` does."""
        del self.variations[self._place(self.variation(choice))]

    def _shift(self, choice: Node | Move | str | int, by: int) -> None:
        variations = self.variations
        place = self._place(self.variation(choice))
        other = place + by
        if 0 <= other < len(variations):
            variations[place], variations[other] = variations[other], variations[place]

    def _place(self, node: Node) -> int:
        return next(i for i, each in enumerate(self.variations) if each is node)

    def append(self, move: Move, *, setup: str | None = None) -> Node:
        """Append a continuation without validation and return its node.

        `setup` is a FEN that is set up before it.
        """
        node = Node(self, move)
        node.setup = setup
        self.variations.append(node)
        return node

    def mainline(self) -> Iterator[Node]:
        """Yield the following nodes of the line."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def mainline_moves(self) -> Iterator[Move]:
        """Yield the following moves of the line."""
        return (node.move for node in self.mainline() if node.move is not None)

    def end(self) -> Node:
        """Return the last node of the line, which may be this one."""
        node = self
        while (following := node.next) is not None:
            node = following
        return node

    @property
    def is_main_variation(self) -> bool:
        """Whether it is the first variation of its parent, or a game itself."""
        return self.parent is None or self.parent.variations[0] is self

    @property
    def is_mainline(self) -> bool:
        """Whether it is in the main line of its game."""
        return all(node.is_main_variation for node in self.line())

    def line(self) -> list[Node]:
        """Return the nodes from the first move up to this one."""
        nodes = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def game(self) -> PdnGame:
        """The game of this node."""
        node = self
        while node.parent is not None:
            node = node.parent
        return cast("PdnGame", node)

    def board(self) -> Board:
        """Return a board after this move, with the earlier moves."""
        board = self.game.start()
        for node in self.line():
            board = node.enter(board)
        return board

    def enter(self, board: Board) -> Board:
        """Play this node's move on `board`, which is before it, and return the board.

        If a position is set up before the move, a new board is returned.
        """
        if self.setup is not None:
            board = Board(board.rules, self.setup)
        if self.move is not None:
            board.push_unchecked(self.move)
        return board

    # Commands in comments

    @property
    def text(self) -> str:
        """The comment without commands."""
        return notes.plain(self.comment)

    @property
    def clock(self) -> float | None:
        """The seconds left to the moved side, from `[%clk 0:01:59]` or `[%clock …]`, or None."""
        seconds = notes.clock(self.comment)
        if seconds is None and self.move is not None and (both := self.clocks):
            side = "W" if self.board().turn == "B" else "B"
            return both.get(cast("Side", side))
        return seconds

    @property
    def clocks(self) -> dict[Side, float]:
        """The seconds left to both sides, from `[%clk w0:01:59 B0:01:59]`, empty if missing."""
        return notes.clocks(self.comment)

    @property
    def elapsed(self) -> float | None:
        """The seconds used for the move, from `[%emt 0:00:05]`, or None."""
        return notes.elapsed(self.comment, "emt")

    @property
    def elapsed_game(self) -> float | None:
        """The seconds used for the game so far, from `[%egt 0:20:00]`, or None."""
        return notes.elapsed(self.comment, "egt")

    @property
    def mechanical_clock(self) -> float | None:
        """The time on a mechanical clock, from `[%mct 17:10:42]`, in seconds, or None."""
        return notes.elapsed(self.comment, "mct")

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluation of `[%eval 0.5]`, or None."""
        return notes.evaluation(self.comment)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The coloured squares and arrows of `[%csl …]` and `[%cal …]`."""
        return notes.marks(self.comment, self.game.labels)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.move}, {len(self.variations)} variations>"


class PdnGame(Node):
    """A game, the root of a tree of its moves.

    `rules` is a rule set or an argument of `damka.rules.load`, `fen` the start position, None for
    the rules' own; `headers` are the tags, in order. `line_number` is the game's first line in the
    file and `number` its number in the file, both from 1.

    In a game read from a file, all moves have been validated, including variations; its tree is
    built on first use. `errors` are the errors of its text, in order, each a PdnError with its
    place; a game without errors was read completely. `warnings` are contradictions that do not
    affect the reading: a result after the moves that is not the one of the Result tag.

    Raises FenError, UnknownRulesError and RulesError as `damka.Board` does.

    >>> from damka import pdn
    >>> game = pdn.PdnGame("american", headers={"White": "Ana"})
    >>> node = game.add_variation("11-15").add_variation("23-19")
    >>> node.nags.add(1)
    >>> print(game, end="")
    [White "Ana"]
    [Result "*"]
    [GameType "21,B,8,8,N1,0"]
    <BLANKLINE>
    1. 11-15 23-19 $1 *
    """

    __slots__ = (
        *("_fen", "_moves", "_setting"),
        *("errors", "headers", "line_number", "number", "rules", "warnings"),
    )

    def __init__(
        self,
        rules: Rules | str | Path,
        fen: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(None, None)
        self.rules: Rules = rules if isinstance(rules, Rules) else load(rules)
        self.headers: dict[str, str] = dict(headers or {})
        self.number = 1
        self.line_number = 1
        self.errors: list[PdnError] = []
        self.warnings: list[PdnError] = []
        self._fen = None if fen is None else Board(self.rules, fen).fen
        self._moves: Moves | None = None
        self._setting: Setting | None = None

    @classmethod
    def _read(
        cls, setting: Setting, headers: dict[str, str], moves: Moves, number: int, line: int
    ) -> PdnGame:
        """Create a game from validated movetext."""
        game = cls.__new__(cls)
        Node.__init__(game, None, None)
        game.rules = setting.rules
        game.headers = headers
        game.number = number
        game.line_number = line
        game.errors = []
        game.warnings = []
        game._fen = None
        game._moves = moves
        game._setting = setting
        return game

    @property
    def result(self) -> str:
        """The result: the tag's text, or the end of the movetext, or "*".

        Points are in the usual spelling: "1 : 0" and "½–½" are "1-0" and "1/2-1/2".
        """
        text = self.headers.get("Result", "").strip()
        return results.normalize(text or (self._moves.result if self._moves else "")) or "*"

    @property
    def main_line_error(self) -> PdnError | None:
        """The first error that truncates or changes the main line, or None.

        Errors in variations, and skipped signs, do not affect it.
        """
        for error in self.errors:
            truncates = error.rest is not None and not error.variation
            if truncates or error.code in ("fen", "rules", "too_long"):
                return error
        return None

    @property
    def move_count(self) -> int:
        """The number of moves in the main line."""
        if self._moves is not None and self._moves.text is not None:
            return self._moves.count
        return sum(1 for _ in self.mainline())

    @property
    def fen(self) -> str | None:
        """The start position, None for the rules' own."""
        self._build_tree()
        if self._fen is None and self._moves is not None and self._moves.start is not None:
            self._fen = self._moves.start.fen
        return self._fen

    @property
    def labels(self) -> Labels:
        """The square labels of the game."""
        return labels(self.rules)

    def start(self) -> Board:
        """Return a board at the start of the game."""
        return Board(self.rules, self.fen)

    def playback(self) -> Playback:
        """Convert the main line for the functions of `damka.draw.svg`, which call this method.

        Raises PdnError for a position set up in mid-game that is not a huff.
        """
        from damka.pdn.playback import Playback  # noqa: PLC0415  circular import

        return Playback(self)

    def drawn(self) -> Playback:
        """Deprecated: use `playback`."""
        warn_former("PdnGame.drawn", "playback")
        return self.playback()

    def relabel(self, kind: Kind) -> None:
        """Label the squares with numbers, with letters, or as the rule set's federation does.

        Commands in comments are relabelled too; afterwards `rules.notation` is the new notation.

        >>> from damka import pdn
        >>> [game] = pdn.read("1. 11-15 23-19 {[%cal G26-23]} *", rules="american")
        >>> game.relabel("algebraic")
        >>> print(game, end="")
        [Result "*"]
        [GameType "21,B,8,8,A3,0"]
        <BLANKLINE>
        1. f6-e5 e3-f4 {[%cal Gd2-e3]} *
        """
        self._build_tree()
        fen = self.fen
        rules = self.rules.replace(notation=naming.notation(self.rules, kind))
        old, new = self.labels, labels(rules)
        self._fen, self.rules = fen, rules
        todo: list[Node] = [self]
        while todo:
            node = todo.pop()
            node._comment = notes.relabel(node._comment, old, new)
            node.starting_comment = notes.relabel(node.starting_comment, old, new)
            todo += node._variations

    def __reduce__(self) -> tuple[object, ...]:
        # A tree is too deep for recursive pickling.
        place = self.number, self.line_number
        return _unpickle, (str(self), self.rules, *place, self.errors, self.warnings)

    def __str__(self) -> str:
        from damka.pdn.writer import format  # noqa: A004, PLC0415  circular import

        return format(self)

    def _repr_svg_(self) -> str | None:
        try:
            return svg.replay(self, _NOTEBOOK)
        except PdnError:
            return None  # With a position set up in mid-game there is no single game to replay.

    def _build_tree(self) -> None:
        """Build the tree of a movetext."""
        moves = self._moves
        if moves is None or moves.text is None or self._setting is None:
            return
        events = moves.events(self._setting)
        moves.text = None
        _Builder(self, moves.decoder.read).build(events)


def _unpickle(
    text: str,
    rules: Rules,
    number: int,
    line: int,
    errors: Sequence[PdnError] = (),
    warnings: Sequence[PdnError] = (),
) -> PdnGame:
    """Rebuild a pickled game."""
    from damka.pdn.reader import read  # noqa: PLC0415  circular import

    game = next(read(text, rules))
    game.number, game.line_number = number, line
    game.errors = list(errors)
    game.warnings = list(warnings)
    return game


class _Builder:
    """Builds a tree from the events of a movetext."""

    def __init__(self, game: PdnGame, decode: _Decode) -> None:
        self._game = game
        self._node: Node = game
        self._decode = decode
        self._moved = False
        self._stack: list[tuple[Node, bool, str | None]] = []
        self._comment = ""
        self._nags: set[int] = set()
        self._setup: str | None = None
        self._leading_variations: list[Node] = []  # first nodes of variations before the main line

    def build(self, events: list[PdnEvent]) -> None:
        for event in events:
            if isinstance(event, _core.Move):
                self._move(event)
            elif isinstance(event, str | bytes):
                self._add_comment(self._decode(event).strip())
            elif event is True:
                self._open()
            elif event is False:
                self._close()
            elif isinstance(event, int):
                (self._nags if self._in_empty_variation else self._node._nags).add(event)
            else:
                self._set_up(*event)
        while self._stack:
            self._close()
        for node in self._leading_variations:
            parent = node.parent
            if parent is not None and parent._variations[0] is node:
                # Without another line, the comment belongs to the last move before the variation.
                parent._comment = _join(parent._comment, node.starting_comment)
                node.starting_comment = ""

    @property
    def _in_empty_variation(self) -> bool:
        """Whether a variation has begun but has no move yet."""
        return bool(self._stack) and not self._moved

    def _reset_pending(self) -> None:
        self._comment, self._nags, self._setup = "", set(), None

    def _move(self, move: Move) -> None:
        node = Node(self._node, move)
        node.starting_comment, node._nags, node.setup = self._comment, self._nags, self._setup
        self._reset_pending()
        siblings = self._node._variations
        # A variation may precede the first move.
        if self._stack and not siblings:
            self._leading_variations.append(node)
        siblings.insert(0 if not self._stack and not self._moved else len(siblings), node)
        self._node, self._moved = node, True

    def _add_comment(self, comment: str) -> None:
        if self._in_empty_variation:
            self._comment = _join(self._comment, comment)
        else:
            self._node._comment = _join(self._node._comment, comment)

    def _open(self) -> None:
        setup = self._setup
        self._stack.append((self._node, self._moved, setup))
        if self._moved and self._node.parent is not None:
            setup = self._node.setup
            self._node = self._node.parent
        self._moved = False
        self._reset_pending()
        self._setup = setup

    def _close(self) -> None:
        # A variation without moves is dropped, but its comments are not.
        comment = "" if self._moved else self._comment
        self._node, self._moved, setup = self._stack.pop()
        self._reset_pending()
        self._setup = setup
        if comment:
            self._add_comment(comment)

    def _set_up(self, pieces: str, turn: Side) -> None:
        board = Board(self._game.rules).with_pieces(pieces, turn)
        if self._node is self._game and not self._stack and not self._game._variations:
            self._game._fen = board.fen
        else:
            self._setup = board.fen
            self._moved = False


def _join(first: str, second: str) -> str:
    return f"{first} {second}" if first and second else first or second


if TYPE_CHECKING:
    from collections.abc import Callable

    _Decode = Callable[[str | bytes], str]
