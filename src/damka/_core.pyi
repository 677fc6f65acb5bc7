"""The Damka kernel."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self, TypeAlias, final

import numpy
import numpy.typing

from damka.result import Reason
from damka.rules import Rules, Side

# Results of a table for a side to move: positions, wins, draws, losses, longest win, longest
# loss.
Counts: TypeAlias = tuple[int, int, int, int, int, int]
OnProgress: TypeAlias = Callable[[int, int, int], object] | None
# Lines of a search: the score of each, and its moves.
Lines: TypeAlias = tuple[tuple[int, tuple[Move, ...]], ...]
# A game in a text of PDN: tags; where the game, its moves, their end and the next game are; the
# damaged tags, each with a code, from where to where.
Found: TypeAlias = tuple[
    dict[str, str | bytes], int, int, int, int, list[tuple[str, int, int]] | None
]
# A move, a comment, a NAG, a variation that opens (True) or closes (False), a position.
PdnEvent: TypeAlias = Move | str | bytes | int | bool | tuple[str, Side]
# What is wrong in a movetext: a code, from where to where, whether it stands in a variation, the
# rest of the line that it ends, the position there.
Problem: TypeAlias = tuple[str, int, int, bool, tuple[int, int] | None, tuple[str, Side] | None]
# Moves of the main line, the result after them, what is wrong.
Played: TypeAlias = tuple[int, str | bytes, list[Problem] | None, list[PdnEvent] | None]

@final
class Move:
    """
    An immutable move: where it starts and ends, what it captures, whether it crowns.

    A board lists moves; a program seldom makes one. Squares are numbered 1..n from White's
    top left. `captures` are the squares of the captured pieces, `route` the squares that it
    touches, from start to end (without it, those two). `str(move)` has the ends alone,
    "32-28" or "32x14", which may be those of another move, too: `Board.text` returns a text
    that means this move. Two moves are equal, and have the same hash, when start, end, captures and
    crowns are: the route does not count, nor whether a king makes the move. Moves can be
    pickled; copies are the same object.

    Raises ValueError for squares that no board has and for a route that cannot be.

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
        """The square that it begins on."""

    @property
    def end(self) -> int:
        """The square that it ends on."""

    @property
    def captures(self, /) -> tuple[int, ...]:
        """The squares of the captured pieces, ascending; empty for a quiet move."""

    @property
    def route(self, /) -> tuple[int, ...]:
        """
        The squares that it touches: start, every landing square, end.

        Where several routes capture the same pieces it is one of them; `Board.routes` lists
        all. Raises PositionTooComplexError where it cannot be found.
        """

    @property
    def is_capture(self) -> bool:
        """Whether it captures anything."""

    @property
    def crowns(self) -> bool:
        """Whether a man becomes a king by it."""

    @property
    def is_king(self) -> bool:
        """Whether a king makes it."""

    def hub(self) -> str:
        """
        Return the move in the Hub protocol's notation, which names every captured square.

        >>> from damka import Move
        >>> Move(32, 14, [19, 28]).hub()
        '32x14x19x28'
        """

    def __str__(self) -> str:
        """The move's ends: "32-28", or "32x14" for a capture."""

    def __repr__(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __reduce__(self) -> tuple[object, ...]: ...

class Board:
    """
    A position with the moves played on it: what is native of damka.Board.

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

        Equal positions of the same kind of board have equal keys, in every process; those of
        different positions are different but for chance. Draw counters and the right to huff
        are not part of it.
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
        The kings whose quiet moves are counted by the rules: (square, moves) of each.

        A king is there while its side also has men, has moved that king last, and took nothing
        by it. It must rest once its moves have reached `rules.king_streak`. Empty where the
        rules have no such limit.
        """

    @property
    def square_count(self) -> int:
        """
        The number of squares that are played on; they have the numbers from 1 to it.
        """

    @property
    def legal_moves(self, /) -> list[Move]:
        """
        The legal moves: a new list, in an order that only depends on the position.

        Captures with the same ends and the same captured pieces are one move, whatever their
        routes. Where the rules demand a capture, the list has captures only, and of these those
        that take precedence. It is empty for a side that cannot move, and where the position
        itself is the end: a king where the first king wins.

        Raises PositionTooComplexError where there are more than 20,000 captures, or their routes
        branch more than 200,000 times: within a tenth of a second.

        >>> import damka
        >>> board = damka.Board("international", "W:W32,33:B28,29")
        >>> [move.hub() for move in board.legal_moves]
        ['32x34x28x29']
        """

    @property
    def has_legal_moves(self) -> bool:
        """
        Whether there is a legal move: quicker than `legal_moves`, and never too complex.
        """

    @property
    def quiet_moves(self, /) -> list[Move]:
        """
        The moves that take nothing, also where a capture is compulsory.

        Where a failure to capture is huffed, these can be made as well; `push_unchecked` makes
        them.
        """

    @property
    def move_count(self) -> int:
        """The number of moves on `stack`: how often `pop` can be called."""

    @property
    def stack(self, /) -> tuple[Move, ...]:
        """The moves made on this board, the first one first."""

    @property
    def steps(self, /) -> tuple[Move | int, ...]:
        """
        The moves and huffs made on this board, the first one first; a huff is its square.
        """

    @property
    def is_over(self) -> bool:
        """
        Whether the game has ended by its rules: somebody has won, or it is drawn.

        `result` says how. Repetitions and counters are those of the moves made on this board,
        so a board that was set up with a position begins to count there.

        >>> import damka
        >>> board = damka.Board("american", "W:W18:B14")
        >>> board.push("18x9")
        Move(18, 9, captures=(14,))
        >>> board.is_over
        True
        """

    @property
    def _result(self, /) -> tuple[Side | None, Reason] | None:
        """(winner, reason), or None while the game is on."""

    @property
    def _counts(self, /) -> tuple[int, int, int]:
        """
        (plies without progress, occurrences of the situation, times of its commonest move).
        """

    @property
    def material_counts(self, /) -> tuple[int | None, ...]:
        """
        For each of `rules.material_draws` the plies counted by it, or None.

        None stands where the pieces on the board do not fulfil its condition.
        """

    @property
    def offences(self, /) -> tuple[int, ...]:
        """
        The squares of the pieces that the side to move may huff, ascending.

        They are the opponent's, which could have captured with the last move and did not. Empty
        where the rules do not huff.
        """

    @property
    def pending_huff(self, /) -> int | None:
        """
        The square huffed just now, while the huff waits for its move, or None.
        """

    def piece_at(self, square: int) -> str | None:
        """
        Return the piece on a square: "w" or "b" a man, "W" or "B" a king, None for none.

        Raises ValueError for a number that no square has.
        """

    def push(self, move: Move | str) -> Move:
        """
        Make a legal move and return it.

        `move` is a Move or a text that `parse` reads: "22-18", "22x15", "22x18x15", "c3-d4".
        The Move that comes back is the one of this position: with its route, and saying whether
        a king made it.

        Raises IllegalMoveError for a move that the rules forbid, InvalidMoveError and
        AmbiguousMoveError for a text like `parse`, TypeError for anything else, and
        PositionTooComplexError where the captures are too many to search. The board is then as
        before.

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

        The quiet move must be one of `quiet_moves`. Where the rules huff, the pieces that
        should have captured are in `offences` afterwards. Raises as `push` does.
        """

    def pop(self) -> Move:
        """
        Take the last move back and return it, with the huff that went with it.

        A huff that waits for its move is taken back too. Raises IndexError where no move was
        made.
        """

    def huff(self, square: int) -> None:
        """
        Take the opponent's piece from a square of `offences`, before a move is made.

        The same side is still to move. Raises ValueError for another square.
        """

    def unhuff(self) -> None:
        """
        Take back the huff that waits for its move. Raises IndexError where there is none.
        """

    def copy(self) -> Self:
        """
        Return a board with the same position and the same moves to take back.

        `copy.copy` and `copy.deepcopy` do the same. It takes time in proportion to the moves
        made.
        """

    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def with_pieces(self, pieces: str, turn: Side) -> Self:
        """
        Return a board by the same rules with other pieces, without moves to take back.

        `pieces` is as `pieces` tells them; after them "+SQUARE:MOVES" is the streak of a king. Raises ValueError for another text and another side.
        """

    def remove(self, square: int) -> Self:
        """
        Return a board without the piece on a square, and without the moves that led here.

        Raises ValueError where no piece stands.
        """

    def root(self) -> Self:
        """Return a board at the position before the first move on `stack`."""

    def _routes(self, move: Move, limit: int) -> list[tuple[int, ...]]:
        """At most `limit` ways to play a move: start, every landing square, end."""

    def __eq__(self, other: object, /) -> bool:
        """Whether rules, pieces, side to move and king streaks are the same."""

    def __hash__(self) -> int: ...
    def perft(self, depth: int, threads: int = 1, hash_mb: int = 0) -> int:
        """
        Return how many sequences of `depth` legal moves there are from here, 0 to 60.

        `threads`, 1 to 256, share the work. `hash_mb` megabytes, at most 65,536, keep counts of
        positions that come up again. Draw rules are not heeded. Other threads of Python run
        meanwhile; Ctrl-C ends it. Raises ValueError for numbers out of range,
        PositionTooComplexError where captures are too many to count.

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
        Return the situation as a new array of planes × height × width, for programs that learn.

        `Rules.planes` names the planes and says what they have. Row 0 is at the top, as White
        sees the board, and column 0 at the left. NumPy is needed.

        >>> import damka
        >>> board = damka.Board("american")
        >>> board.tensor().shape
        (8, 8, 8)
        >>> board.tensor()[board.rules.planes.index("black_men")][0]
        array([0, 1, 0, 1, 0, 1, 0, 1], dtype=uint8)
        """

    def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Return which indices of moves are legal here: a new array, one bool for each there is.

        Raises PositionTooComplexError where the moves are too many to list.
        """

    def move_to_index(self, move: Move) -> int:
        """
        Return the index of a legal move.

        For n squares it is (start - 1) * n + end - 1. Where several captures have the same
        start and end, the first by captured squares has it; the others of the position are
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
        Return the legal move that has an index. Raises ValueError where none has it.
        """

class Boards:
    """
    Many games at once: what is native of damka.Boards.

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
        """
        The number of actions that there are: n * n + 128 on a board of n squares.
        """

    def legal_mask(self) -> numpy.typing.NDArray[numpy.bool_]:
        """
        Return which actions are legal: games × actions.

        It is no copy: `step` and `reset` change it.
        """

    def step(
        self,
        actions: numpy.typing.NDArray[numpy.int64],
        where: numpy.typing.NDArray[numpy.bool_] | None = None,
    ) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]:
        """
        Make a move in every game; return the rewards and which games ended, two new arrays.

        A reward is 1 where the side that moved has won by it, -1 where it has lost, and 0 for a
        draw, a truncated game, or while the game is on. An ended game has begun anew. With
        `where` only the games that it marks make a move. Raises ValueError, and changes nothing,
        for an action that is not legal or a wrong number of them.
        """

    @property
    def reasons(self, /) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Why the last step ended games: a new array of indices into `REASONS`.

        0 stands for a game that is on, and everywhere after a reset.
        """

    @property
    def plies(self, /) -> numpy.typing.NDArray[numpy.int64]:
        """The plies that each game has had: a new array."""

    def final_observations(
        self,
    ) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint8]]:
        """
        Return the games that the last step ended, ascending, and how they stood at the end.

        The second array has an observation for each of these games, games × planes × height ×
        width; `observations` has those of the games that have begun in their place.
        """

    def observations(self) -> numpy.typing.NDArray[numpy.uint8]:
        """
        Return what `Board.tensor` returns, of each game: games × planes × height × width.
        """

    def afterstates(
        self,
    ) -> tuple[
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.int64],
        numpy.typing.NDArray[numpy.uint8],
    ]:
        """
        Return every legal move of every game: its game, its action, and what it leads to.

        The third array has observations, moves × planes × height × width, of the situations
        after the moves, in which the other side is to move. Moves come game by game, and
        nothing is played.

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
        Return what each game's position is worth to its side to move, in hundredths of a man.

        Raises ValueError for an evaluation by other rules.
        """

    @property
    def threads(self) -> int:
        """The number of threads that share the work."""

    def _state(self) -> bytes:
        """Return where the games stand and what counts for draws in them."""

    def _set_state(self, state: bytes) -> None:
        """
        Go on from what `_state` returned for as many games by the same rules.

        Raises ValueError for anything else; every game has then begun anew.
        """

    @property
    def white_to_move(self, /) -> numpy.typing.NDArray[numpy.bool_]:
        """In which games White is to move: a new array, one bool for each."""

    def _position(self, game: int) -> tuple[str, Side]:
        """The pieces of a game, with the streaks of kings, and the side to move."""

    def reset(
        self, where: numpy.typing.NDArray[numpy.bool_] | None = None, seed: int | None = None
    ) -> None:
        """
        Begin every game anew, or those that `where` marks.

        With `seed` the lot that draws start positions begins anew as well.
        """

class Stop:
    """
    What ends searches from any thread: now, or after a time that begins when it is given.
    """

    def __init__(self) -> None: ...
    def set(self) -> None:
        """End the search, now or when it begins."""

    def clear(self) -> None:
        """Let searches run again, without a time."""

    def give(self, target: float, seconds: float) -> None:
        """
        From now on, let the search take about `target` seconds and never more than `seconds`.
        """

    @property
    def is_set(self) -> bool:
        """Whether it ends searches now."""

class Engine:
    """
    Searches over one transposition table: what is native of damka.engine.Engine.

    `bytes` are those of the table, 64 KiB to 64 GiB, `threads` those of a search, 1 to 256;
    ValueError for other numbers.
    """

    def __init__(self, bytes: int, threads: int = 1) -> None: ...
    @property
    def bytes(self) -> int:
        """The bytes of the transposition table."""

    def clear(self) -> None:
        """Forget what earlier searches have found."""

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

        A line is its score in hundredths of a man, as the side to move sees it, and its moves.
        `choices` are the moves among which to choose, all legal ones without it. The search
        ends with the first of `depth` plies, `nodes` positions, `seconds`, and `stop`; it
        begins no depth that would not end within `target` seconds; 0 is no limit. `lines` of
        different first moves are searched, `handicap` is a damka.engine.search.Handicap or
        None, `contempt` what a draw costs, 0 to 20 hundredths of a man. `on_depth` is called
        after every depth with what would be returned. Raises ValueError for numbers out of
        range and for choices that are no moves.
        """

def drawish(board: Board) -> bool:
    """
    Whether the pieces promise neither side a win: kings on both sides and little else.
    """

def pdn_find(data: bytes, at: int, final: bool) -> Found | bool | None:
    """
    Find the game that begins at a place of a text, or after it.

    False where there is none. None where the text must go on, which it cannot if it is
    `final`.
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
) -> Played:
    """
    Play a movetext by the rules of a board, from there.

    With `tolerant` a line ends at its first fault and reading goes on after it; without, the first
    line that is wrong is the last problem.
    """

class Tables:
    """
    The open tables of a rule set: what is native of damka.tablebase.Tablebases.
    """

    def __init__(self, rules: Rules) -> None: ...
    def add(self, path: Path) -> tuple[tuple[str, Counts], ...]:
        """
        Open a file; return its halves, each a name and the results of its positions.

        Raises OSError for a file that cannot be read, ValueError for one that is no table of
        these rules.
        """

    @staticmethod
    def intact(rules: Rules, path: Path) -> bool:
        """
        Whether a file is a table of these rules, and every block of it has its checksum.
        """

    @property
    def pieces(self) -> int:
        """The largest number of pieces with a table; 0 without tables."""

    def probe(self, board: Board) -> tuple[int, int] | None:
        """
        Return who wins, as the side to move sees it (1, 0, -1), and the plies to the end.

        None where there is no table for it. Raises RuntimeError for a damaged table, ValueError
        for a board by other rules.
        """

    def build(self, material: str, *, jobs: int, on_progress: OnProgress) -> bytes:
        """
        Return the file of a table, from the open tables that its captures lead to.

        Raises ValueError where one of these is missing.
        """

    def verify(
        self, material: str, *, one_of: int, seed: int, jobs: int, on_progress: OnProgress
    ) -> tuple[Counts, int, tuple[str, tuple[int, int], tuple[int, int]] | None]:
        """
        Compare values of a table with those after every move: one of `one_of` positions.

        Returns the counts, how many were compared, and the first that is wrong: its position,
        what the table says and what follows from the moves.
        """

    def longest(self, material: str, n: int) -> list[tuple[str, int]]:
        """
        The `n` won positions furthest from the end, with their plies, White to move.
        """

    def stretch(self, material: str) -> int:
        """The most plies without progress that a winner needs."""

def table_fingerprint(rules: Rules) -> int:
    """A hash of the rules: different where some endgame's value may be."""

def table_materials(rules: Rules, pieces: int) -> list[tuple[str, int]]:
    """
    The materials of up to this many pieces with their positions, in the order of building.
    """

class Weights:
    """What an evaluation has learned, for the searches to share."""

    def __init__(
        self, rules: Rules, numbers: bytes, step: int, full_board: int, margins: Any = None
    ) -> None: ...

def weights_layout(rules: Rules) -> dict[str, Any]:
    """How weights for a board are laid out."""

def evaluate(board: Board, weights: Weights | None) -> int:
    """The static worth to the side to move, in hundredths of a man."""

def position_features(rules: Rules, records: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """What the weights see of recorded positions."""

def network_inputs(rules: Rules, records: bytes) -> bytes:
    """What a network sees of recorded positions."""

def evaluate_records(rules: Rules, records: bytes, weights: Weights | None) -> bytes:
    """
    The static worth of recorded positions to White, in hundredths of a man: 32-bit integers.
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
    """Play whole games; the results, the positions, the plies."""

class Evaluation:
    """
    Says what positions are worth: what is native of damka.engine.Evaluation.

    `weights` are learned ones, or None for the general evaluation.
    """

    def __init__(self, rules: Rules, weights: Weights | None) -> None: ...
    def of_board(self, board: Board) -> int:
        """
        Return what a position is worth to the side to move, in hundredths of a man.

        Raises ValueError for a board by other rules.
        """
