"""The Damka kernel."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self, TypeAlias, final

import numpy
import numpy.typing

from damka.result import Reason
from damka.rules import Rules, Side

# Counts of a table for a side to move: positions, wins, draws, losses, longest win and loss.
Counts: TypeAlias = tuple[int, int, int, int, int, int]
OnProgress: TypeAlias = Callable[[int, int, int], object] | None
# Lines of a search: the score of each, and its moves.
Lines: TypeAlias = tuple[tuple[int, tuple[Move, ...]], ...]
# A game in a PDN text: tags; offsets of the game, its moves, their end and the next game; the
# damaged tags, each with a code, start and end.
Found: TypeAlias = tuple[
    dict[str, str | bytes], int, int, int, int, list[tuple[str, int, int]] | None
]
# Move, comment, NAG, start (True) or end (False) of a variation, or set-up position.
PdnEvent: TypeAlias = Move | str | bytes | int | bool | tuple[str, Side]
# A problem in a movetext: code, start and end, whether it is in a variation, the skipped rest of
# its line, the position there.
Problem: TypeAlias = tuple[str, int, int, bool, tuple[int, int] | None, tuple[str, Side] | None]
# Moves of the main line, result, problems, events.
PdnReplay: TypeAlias = tuple[int, str | bytes, list[Problem] | None, list[PdnEvent] | None]

@final
class Move:
    """
    An immutable move: start, end, captured squares, and whether it crowns.

    Boards create moves; programs rarely need to. Squares are numbered 1..n from White's top
    left. `captures` are the squares of the captured pieces, `route` all visited squares
    from start to end (default: only these two). `str(move)` has only start and end, "32-28"
    or "32x14", which may be ambiguous: `Board.text` returns an unambiguous text. Moves are
    equal, and have the same hash, if start, end, captures and crowns are equal; `route` and
    `is_king` are ignored. Moves can be pickled; copies are the same object.

    Raises ValueError for squares outside every board and for an impossible route.

    >>> from damka import Move
    >>> Move(22, 15, [18])
    Move(22, 15, captures=(18,))
    >>> Move(32, 28) == Move(32, 28, is_king=True)
    True
    >>> str(Move(22, 15, [18]))
    '22x15'
    """

    def __init__(
        self,
        start: int,
        end: int,
        captures: Iterable[int] = (),
        *,
        route: Iterable[int] | None = None,
        crowns: bool = False,
        is_king: bool = False,
    ) -> None: ...
    @property
    def start(self) -> int:
        """The start square."""

    @property
    def end(self) -> int:
        """The end square."""

    @property
    def captures(self, /) -> tuple[int, ...]:
        """The squares of the captured pieces, ascending; empty for a quiet move."""

    @property
    def route(self, /) -> tuple[int, ...]:
        """
        The visited squares: start, every landing square, end.

        If several routes capture the same pieces, this is one of them; `Board.routes` lists
        all. Raises PositionTooComplexError if finding one takes too long.
        """

    @property
    def is_capture(self) -> bool:
        """Whether the move is a capture."""

    @property
    def crowns(self) -> bool:
        """Whether the move crowns a man."""

    @property
    def is_king(self) -> bool:
        """Whether a king moves."""

    def hub(self) -> str:
        """
        Return the move in the Hub protocol's notation, which names every captured square.

        >>> from damka import Move
        >>> Move(32, 14, [19, 28]).hub()
        '32x14x19x28'
        """

    def __str__(self) -> str:
        """Start and end: "32-28", or "32x14" for a capture."""

    def __repr__(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __reduce__(self) -> tuple[object, ...]: ...

class Board:
    """
    A position with its move stack: the native base of damka.Board.

    `rules` are the rules, `pieces` a character for every square ("w", "b", "W", "B" or
    "."), and `turn` the side to move; both are None for the start position.
    """

    def __init__(self, rules: Rules, pieces: str | None, turn: Side | None) -> None: ...
    @property
    def rules(self, /) -> Rules:
        """The rules of the game."""

    @property
    def turn(self, /) -> Side:
        """The side to move: "W" or "B"."""

    @property
    def key(self) -> int:
        """
        The Zobrist key of the position: 64 bits of pieces, side to move and king streaks.

        Equal positions on the same kind of board have equal keys in every process; keys of
        different positions differ except for rare collisions. Draw counters and the right to
        huff are not included.
        """

    @property
    def pieces(self) -> str:
        """
        The pieces as text: a character for every square, from square 1 on.

        "w" and "b" are men, "W" and "B" kings, "." is an empty square.
        """

    @property
    def streaks(self, /) -> tuple[tuple[int, int], ...]:
        """
        The kings with a streak of quiet moves that the rules limit, as (square, moves).

        A king has a streak while its side also has men, moved that king last, and captured
        nothing with it. It may not move once the streak has reached `rules.king_streak`. Empty
        if the rules have no such limit.
        """

    @property
    def square_count(self) -> int:
        """The number of playing squares, which are numbered from 1."""

    @property
    def legal_moves(self, /) -> list[Move]:
        """
        The legal moves: a new list, in an order that depends only on the position.

        Captures with the same start, end and captured pieces are one move, whatever their
        routes. If a capture is compulsory, the list has only the captures that take precedence.
        It is empty if the side cannot move, or if the position ends the game: a king where the
        first king wins.

        Raises PositionTooComplexError, within a tenth of a second, for more than 20,000
        captures or more than 200,000 branches of their routes.

        >>> import damka
        >>> board = damka.Board("international", "W:W32,33:B28,29")
        >>> [move.hub() for move in board.legal_moves]
        ['32x34x28x29']
        """

    @property
    def has_legal_moves(self) -> bool:
        """
        Whether there is a legal move: faster than `legal_moves`, and never too complex.
        """

    @property
    def quiet_moves(self, /) -> list[Move]:
        """
        The quiet moves, even if a capture is compulsory.

        Under rules with huffing they can be played with `push_unchecked`.
        """

    @property
    def move_count(self) -> int:
        """The length of `stack`: the number of moves that `pop` can take back."""

    @property
    def stack(self, /) -> tuple[Move, ...]:
        """The moves made on this board, oldest first."""

    @property
    def steps(self, /) -> tuple[Move | int, ...]:
        """
        The moves and huffs made on this board, oldest first; a huff is an int, its square.
        """

    @property
    def is_over(self) -> bool:
        """
        Whether the game has ended by its rules, in a win or a draw.

        `result` is the result. Repetitions and counters cover only the moves made on this
        board, so a board set up at a position starts counting there.

        >>> import damka
        >>> board = damka.Board("american", "W:W18:B14")
        >>> board.push("18x9")
        Move(18, 9, captures=(14,))
        >>> board.is_over
        True
        """

    @property
    def _result(self, /) -> tuple[Side | None, Reason] | None:
        """(winner, reason), or None if the game is not over."""

    @property
    def _counts(self, /) -> tuple[int, int, int, int]:
        """
        (plies without progress, occurrences of the position, most plays of one move, plies).
        """

    @property
    def material_counts(self, /) -> tuple[int | None, ...]:
        """
        The counted plies of each of `rules.material_draws`, or None.

        None means that the pieces on the board do not fulfil the condition.
        """

    @property
    def offences(self, /) -> tuple[int, ...]:
        """
        The squares of the pieces that the side to move may huff, ascending.

        They belong to the opponent and failed to capture with the last move. Empty under rules
        without huffing.
        """

    @property
    def pending_huff(self, /) -> int | None:
        """The square huffed in this turn, before the move is made, or None."""

    def piece_at(self, square: int) -> str | None:
        """
        Return the piece on a square: "w" or "b" a man, "W" or "B" a king, None if empty.

        Raises ValueError for a number outside the board.
        """

    def push(self, move: Move | str) -> Move:
        """
        Make a legal move and return it.

        `move` is a Move or text that `parse` reads: "22-18", "22x15", "22x18x15", "c3-d4".
        The returned Move has its `route` and `is_king` set.

        Raises IllegalMoveError for a move that the rules forbid, InvalidMoveError and
        AmbiguousMoveError for text like `parse`, TypeError for anything else, and
        PositionTooComplexError if there are too many captures to search. The board is then
        unchanged.

        >>> import damka
        >>> board = damka.Board("international")
        >>> board.push("32-28")
        Move(32, 28)
        >>> board.push(board.legal_moves[0]) == board.stack[-1]
        True
        """

    def push_unchecked(self, move: Move | str) -> Move:
        """
        Make a move as `push` does, or a quiet move where a capture is compulsory.

        The quiet move must be one of `quiet_moves`. Under rules with huffing, `offences`
        afterwards has the pieces that should have captured. Raises as `push` does.
        """

    def pop(self) -> Move:
        """
        Take back the last move, and its huff, and return the move.

        A pending huff is also taken back. Raises IndexError if no move was made.
        """

    def huff(self, square: int) -> None:
        """
        Remove the opponent's piece from a square of `offences`, before making a move.

        The side to move does not change. Raises ValueError for another square.
        """

    def unhuff(self) -> None:
        """Take back the pending huff. Raises IndexError without one."""

    def copy(self) -> Self:
        """
        Return an independent board with the same position and stack.

        `copy.copy` and `copy.deepcopy` do the same. The time is proportional to the number of
        moves.
        """

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def with_pieces(self, pieces: str, turn: Side) -> Self:
        """
        Return a board with the same rules, other pieces and an empty stack.

        `pieces` has the format of the property; "+SQUARE:MOVES" after it adds a king's streak.
        Raises ValueError for an invalid text or side.
        """

    def remove(self, square: int) -> Self:
        """
        Return a board without the piece on a square and with an empty stack.

        Raises ValueError for an empty square.
        """

    def root(self) -> Self:
        """Return a board at the position before the first move of `stack`."""

    def _routes(self, move: Move, limit: int) -> list[tuple[int, ...]]:
        """
        Return at most `limit` routes of a move: start, every landing square, end.
        """

    def __eq__(self, other: object, /) -> bool:
        """Whether rules, pieces, side to move and king streaks are equal."""

    def __hash__(self) -> int: ...
    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0) -> int:
        """
        Return the number of sequences of `depth` legal moves from here, 0 to 60.

        `threads`, 1 to 256, share the work. A hash table of `hash_mb` megabytes, at most
        65,536, caches counts of transpositions. Draw rules are ignored. Releases the GIL;
        Ctrl-C interrupts it. Raises ValueError for numbers out of range,
        PositionTooComplexError for too many captures to count.

        >>> import damka
        >>> damka.Board("international").perft(5)
        27117
        """

    def divide(self, depth: int) -> dict[Move, int]:
        """
        Return `perft(depth - 1)` after each legal move, for a `depth` of 1 to 60.

        Raises as `perft` does.
        """

    def tensor(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Return an observation as a new array, planes × height × width, for learning.

        `Rules.planes` names and describes the planes. Row 0 is the top and column 0 the left,
        from White's view. Requires NumPy.

        >>> import damka
        >>> board = damka.Board("american")
        >>> board.tensor().shape
        (8, 8, 8)
        >>> board.tensor()[board.rules.planes.index("black_men")][0]
        array([0, 1, 0, 1, 0, 1, 0, 1], dtype=uint8)
        """

    def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Return a new array with one bool per move index: whether it is legal here.

        Raises PositionTooComplexError if there are too many moves to list.
        """

    def move_to_index(self, move: Move) -> int:
        """
        Return the index of a legal move.

        For n squares it is (start - 1) * n + end - 1. Of several captures with the same start
        and end, the first by captured squares has this index; the others of the position are
        numbered from n * n on, in the order of start, end and captured squares. There are n * n
        + 128 indices.

        Raises ValueError for a move that is not legal here.

        >>> import damka
        >>> board = damka.Board("american")
        >>> board.move_to_index(board.parse("11-15"))
        334
        """

    def index_to_move(self, index: int) -> Move:
        """
        Return the legal move with an index. Raises ValueError for an unused index.
        """

class Boards:
    """
    A batch of games: the native base of damka.Boards.

    `n` games, from 1 to 1,048,576, on 1 to 256 threads; ValueError for other numbers, and for
    a start in which the game is over.
    """

    def __init__(
        self,
        rules: Rules,
        n: int,
        threads: int,
        starts: tuple[Board, ...],
        seed: int,
        max_plies: int,
    ) -> None: ...
    @property
    def rules(self, /) -> Rules:
        """The rules of the games."""

    def __len__(self) -> int:
        """The number of games."""

    @property
    def actions(self) -> int:
        """The number of actions: n * n + 128 on a board of n squares."""

    def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Return which actions are legal: games × actions.

        The array is a view: `step` and `reset` update it.
        """

    def step(
        self,
        actions: numpy.typing.NDArray[numpy.int64],
        where: numpy.typing.NDArray[numpy.bool_] | None = None,
    ) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]:
        """
        Make a move in every game; return rewards and ended flags, two new arrays.

        The reward is 1 if the side that moved has won, -1 if it has lost, and 0 for a draw, a
        truncated game, or a game in progress. Ended games restart. With `where`, only the
        marked games make a move. Raises ValueError, and changes nothing, for an action that is
        not legal or a wrong number of them.
        """

    @property
    def reasons(self, /) -> numpy.typing.NDArray[numpy.uint8]:
        """
        The reasons why the last step ended games: a new array of indices into `REASONS`.

        0 means a game in progress; after a reset all are 0.
        """

    @property
    def plies(self, /) -> numpy.typing.NDArray[numpy.int64]:
        """The number of plies of each game: a new array."""

    def final_observations(
        self,
    ) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]:
        """
        Return the games that the last step ended, ascending, and their last observations.

        The second array has an observation for each of these games, games × planes × height ×
        width; `observations` has those of the restarted games.
        """

    def observations(self) -> numpy.typing.NDArray[numpy.uint8]:
        """Return `Board.tensor` of each game: games × planes × height × width."""

    def afterstates(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.uint8],
    ]:
        """
        Return every legal move of every game: game, action and resulting observation.

        The third array has the observations after the moves, moves × planes × height × width;
        the other side is to move in them. Moves are ordered by game, and no move is played.

        >>> import damka
        >>> games = damka.Boards("american", 2)
        >>> game, action, after = games.afterstates()
        >>> game
        array([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
        >>> after.shape
        (14, 8, 8, 8)
        """

    def _evaluate(self, evaluation: Evaluation) -> numpy.typing.NDArray[numpy.int32]:
        """
        Return each game's evaluation for its side to move, in hundredths of a man.

        Raises ValueError for an evaluation by other rules.
        """

    @property
    def threads(self) -> int:
        """The number of threads."""

    def _state(self) -> bytes:
        """Return the serialised games, including draw counters."""

    def _set_state(self, state: bytes) -> None:
        """
        Restore the result of `_state` for the same rules and number of games.

        Raises ValueError for anything else; then every game is restarted.
        """

    @property
    def white_to_move(self, /) -> numpy.typing.NDArray[numpy.bool_]:
        """Whether White is to move in each game: a new array."""

    def _position(self, game: int) -> tuple[str, Side]:
        """The pieces of a game, with the streaks of kings, and the side to move."""

    def reset(
        self, where: numpy.typing.NDArray[numpy.bool_] | None = None, seed: int | None = None
    ) -> None:
        """
        Restart every game, or those marked by `where`.

        A `seed` also restarts the random choice of start positions.
        """

class Stop:
    """
    Stops searches from any thread: at once, or after a time limit that starts now.
    """

    def __init__(self) -> None: ...
    def set(self) -> None:
        """Stop the search, now or when it starts."""

    def clear(self) -> None:
        """Clear the stop and the time limit."""

    def give(self, target: float, seconds: float) -> None:
        """
        Limit the search to about `target` and at most `seconds` seconds from now on.
        """

    @property
    def is_set(self) -> bool:
        """Whether searches are stopped."""

class Engine:
    """
    A searcher with a transposition table: the native part of damka.engine.Engine.

    `bytes` is the size of the table, 64 KiB to 64 GiB, `threads` the number of search
    threads, 1 to 256. Raises ValueError for other numbers.
    """

    def __init__(self, bytes: int, threads: int = 1) -> None: ...
    @property
    def bytes(self) -> int:
        """The size of the transposition table in bytes."""

    def clear(self) -> None:
        """Clear the transposition table."""

    def search(
        self,
        board: Board,
        *,
        choices: Iterable[Move] | None,
        depth: int,
        nodes: int,
        seconds: float,
        target: float,
        lines: int,
        handicap: Any,
        contempt: int = 0,
        tables: Tables | None,
        stop: Stop | None,
        on_depth: Callable[[tuple[int, int, float, Lines]], object] | None,
        weights: Weights | None = None,
    ) -> tuple[int, int, float, Lines]:
        """
        Search a position; return depth, nodes, seconds and the best lines.

        A line has a score in hundredths of a man, from the side to move, and its moves.
        `choices` are the root moves to consider, None for all legal ones. The search stops at
        `depth` plies, `nodes` positions, `seconds`, or `stop`, whichever is first, and does not
        start a depth that would not finish within `target` seconds; 0 means no limit. `lines`
        is the number of lines with different first moves, `handicap` a
        damka.engine.search.Handicap or None, `contempt` the cost of a draw, 0 to 20 hundredths
        of a man. `on_depth` is called after every depth with the result so far. Raises
        ValueError for numbers out of range and for invalid choices.
        """

def drawish(board: Board) -> bool:
    """
    Whether neither side can be expected to win: kings on both sides and little else.
    """

def pdn_find(data: bytes, at: int, final: bool) -> Found | bool | None:
    """
    Find the first game at or after an offset in PDN text.

    Returns False if there is no game, and None if more text is needed, which cannot happen
    if the text is `final`.
    """

def pdn_play(
    board: Board,
    data: bytes,
    begin: int,
    end: int,
    labels: bytes,
    result: bytes,
    setup: Callable[[bytes], tuple[str, Side] | None],
    offences: bool,
    tolerant: bool,
    tree: bool,
) -> PdnReplay:
    """
    Play a movetext from a board's position by its rules.

    With `tolerant`, a line ends at its first fault and reading continues after the line;
    without it, reading ends at the first fault.
    """

class Tables:
    """
    The open tables of a rule set: the native part of damka.tablebase.Tablebases.
    """

    def __init__(self, rules: Rules) -> None: ...
    def add(self, path: Path) -> tuple[tuple[str, Counts], ...]:
        """
        Open a file; return its halves, each with a name and the counts of results.

        Raises OSError for an unreadable file, ValueError for a file that is not a table of
        these rules.
        """

    @staticmethod
    def intact(rules: Rules, path: Path) -> bool:
        """Whether a file is a table of these rules with correct checksums."""

    @property
    def pieces(self) -> int:
        """The largest number of pieces in any table; 0 without tables."""

    def probe(self, board: Board) -> tuple[int, int] | None:
        """
        Return the result for the side to move (1, 0, -1) and the plies to the end.

        Returns None without a table. Raises RuntimeError for a damaged table, ValueError for a
        board with other rules.
        """

    def build(self, material: str, *, jobs: int, on_progress: OnProgress) -> bytes:
        """
        Build a table from the open tables of its successors; return the file's bytes.

        Raises ValueError if one of these is missing.
        """

    def verify(
        self, material: str, *, one_of: int, seed: int, jobs: int, on_progress: OnProgress
    ) -> tuple[Counts, int, tuple[str, tuple[int, int], tuple[int, int]] | None]:
        """
        Verify about one in `one_of` values of a table against their successors' values.

        Returns the counts, the number of wrong values, and the first wrong one: its position,
        the stored value and the correct one.
        """

    def longest(self, material: str, n: int) -> list[tuple[str, int]]:
        """Return the `n` longest wins with White to move, with their plies."""

    def stretch(self, material: str) -> int:
        """Return the longest run of plies without progress that a win needs."""

def table_fingerprint(rules: Rules) -> int:
    """Return a hash of the rules that affect the value of any endgame."""

def table_materials(rules: Rules, pieces: int) -> list[tuple[str, int]]:
    """
    Return the materials of up to `pieces` pieces and their sizes, in build order.
    """

class Weights:
    """Learned weights of an evaluation, shared by searches."""

    def __init__(
        self, rules: Rules, numbers: bytes, step: int, full_board: int, margins: Any = None
    ) -> None: ...

def weights_layout(rules: Rules) -> dict[str, Any]:
    """Return the layout of weights for a board."""

def evaluate(board: Board, weights: Weights | None) -> int:
    """
    Return the static evaluation for the side to move, in hundredths of a man.
    """

def position_features(rules: Rules, records: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """Return the features of recorded positions."""

def network_inputs(rules: Rules, records: bytes) -> bytes:
    """Return the network inputs of recorded positions."""

def evaluate_records(rules: Rules, records: bytes, weights: Weights | None) -> bytes:
    """
    Return the static evaluations for White, in hundredths of a man, as 32-bit integers.
    """

def play_games(
    rules: Rules,
    *,
    first: int,
    count: int,
    seed: int,
    one: Weights | None,
    two: Weights | None,
    nodes: int,
    seconds: float,
    pairs: bool,
    opening_plies: int,
    opening_bound: int,
    random_moves: int,
    record: bool,
    tables: Tables | None,
    stop: Stop | None,
) -> tuple[bytes, bytes, int]:
    """Play complete games; return the results, the positions and the plies."""

class Evaluation:
    """
    A static evaluation: the native part of damka.engine.Evaluation.

    `weights` are learned weights; None selects the general evaluation.
    """

    def __init__(self, rules: Rules, weights: Weights | None) -> None: ...
    def of_board(self, board: Board) -> int:
        """
        Return the evaluation for the side to move, in hundredths of a man.

        Raises ValueError for a board with other rules.
        """
