"""The `Rules` record with all parameters of a game."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from damka.rules.check import check
from damka.rules.material import MaterialDraw
from damka.rules.openings import read_list
from damka.rules.parameters import (
    DEFAULTS,
    PARAMETERS,
    CaptureLines,
    CaptureSign,
    DarkCorner,
    KingLanding,
    KingRange,
    ManCapture,
    MoveLines,
    MovesBy,
    Objective,
    Obligation,
    Precedence,
    Promotion,
    Rematch,
    Removal,
    RepetitionOf,
    SameMoveIn,
    Side,
    Squares,
    kernel_values,
)
from damka.rules.toml import format_table
from damka.rules.values import DEFAULT_THEME

__all__ = ["Rules"]

_LATER: Final = frozenset({"repetition_of", "same_move_in", "move_limit", "moves_by"})
"""Fields that pickles without names of the fields lack."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Rules:
    """The rules of one game, as plain values.

    The page docs/rules/parameters.md of the documentation explains the parameters, with sources;
    `damka rules new` writes a file with a comment on each. `damka.rules.load` loads rules by name
    or from a file, and `replace` derives other rules.

    Every instance is valid: an invalid value raises `RulesError` with the key, the value and the
    expected values. Two rule sets are equal if they have the same name and play alike; titles,
    notation and colours of the drawing do not count.

    >>> import damka
    >>> rules = damka.rules.load("dama64")
    >>> rules.king_range, rules.king_landing, rules.precedence
    ('flying', 'adjacent', ('with_king',))
    >>> rules.replace(name="mine", king_landing="any").king_landing
    'any'
    """

    name: str
    """Name: lower-case letters, digits and hyphens."""
    squares: Squares = "dark"
    """Playing squares: "dark", half of the board, or "all"."""
    width: int
    """The number of columns."""
    height: int
    """The number of rows."""
    dark_corner: DarkCorner
    """The corner nearest to each player that is a playing square: "left" or "right"."""
    rows: int
    """Rows of men of each side at the start."""
    rows_behind: int = 0
    """The empty rows behind these men."""
    first: Side
    """Side that begins: "W" or "B"."""
    objective: Objective
    """Objective: "normal", "losing" (a side without pieces or moves wins) or "breakthrough"."""
    move_lines: MoveLines = "diagonal"
    """Lines of the moves of men and kings."""
    capture_lines: CaptureLines
    """Lines of their captures."""
    man_capture: ManCapture
    """Directions of captures by men: "forward" or "all"."""
    man_takes_king: bool
    """Whether a man may capture a king."""
    promotion: Promotion
    """A man that reaches the last row in mid-capture ends there ("stop"), continues as a man
    ("pass") or continues as a king ("go")."""
    king_range: KingRange
    """Range of a king: "short", one square, or "flying"."""
    king_landing: KingLanding
    """Where a flying king lands behind a captured piece: on "any" empty square, on the "adjacent"
    one, or as in "killer" draughts: adjacent only if the last captured piece is a king."""
    u_turn: bool
    """Whether a flying king may turn by 180 degrees in mid-capture."""
    king_streak: int = 0
    """Maximum consecutive moves of one king without a capture while its side has men; 0 for no
    limit."""
    obligation: Obligation
    """Captures: "forced", enforced by a "huff", or "free" (optional)."""
    precedence: tuple[Precedence, ...]
    """Criteria that rank captures, the most important first; empty for a free choice."""
    removal: Removal
    """When captured pieces are removed: "after" the move, or "immediate"."""
    repetition: int
    """Occurrence of a position that makes a draw; 0 for no such rule."""
    repetition_of: RepetitionOf = "position"
    """The "position" with the same side to move counts, or only its "pieces"."""
    same_move: int
    """Occurrence of the same move that makes a draw; 0 for no such rule."""
    same_move_in: SameMoveIn = "position"
    """A side makes the same move in the same "position", or anywhere in the "game"."""
    no_progress_moves: int
    """Moves without a capture, a man's move or a huff that make a draw; 0 for no such rule."""
    move_limit: int = 0
    """Moves of the whole game that make a draw, whatever happens in them; 0 for no such rule."""
    moves_by: MovesBy = "each"
    """Whose moves `no_progress_moves` and `move_limit` count: those of "each" side, or of "both"
    together."""
    material_draws: tuple[MaterialDraw, ...] = ()
    """Draws by the remaining material."""
    rematch: Rematch
    """Assignment of sides in the next game: by "lots", or "alternate"."""
    colours: tuple[str, str]
    """Names of White and Black, such as ("white", "red")."""
    ballots: str | tuple[str, ...] = ()
    """Balloted openings, or the name of a shipped list."""
    notation: str = field(default="N2", compare=False)
    """Square names, as in PDN's GameType: "A" for letters or "N" for numbers, and a digit
    for the corner of the first square."""
    capture_sign: CaptureSign = field(default="x", compare=False)
    """Sign between the squares of a capture."""
    game_type: int = field(default=0, compare=False)
    """Number in PDN's GameType; 0 for none."""
    title: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Title of the game by language."""
    summary: Mapping[str, str] = field(default_factory=dict, compare=False)
    """A one-line summary of the game, by language."""
    readings: tuple[str, ...] = field(default=(), compare=False)
    """Topics that the rule sheet leaves open, for which these rules follow an interpretation."""
    sources: tuple[str, ...] = field(default=(), compare=False)
    """Sources of the rules."""
    theme: Mapping[str, Any] = field(default_factory=lambda: dict(DEFAULT_THEME), compare=False)
    """Colours of the drawing."""

    kernel: Mapping[str, int | tuple[int, ...]] = field(init=False, repr=False, compare=False)
    """Values of the kernel's record, for the bindings."""

    def __post_init__(self) -> None:
        for key, value in check({key: getattr(self, key) for key in PARAMETERS}).items():
            object.__setattr__(self, key, value)
        object.__setattr__(self, "kernel", kernel_values(self.value_of))

    def __getstate__(self) -> dict[str, Any]:
        return {key: getattr(self, key) for key in PARAMETERS}

    def __setstate__(self, state: dict[str, Any] | list[Any]) -> None:
        if isinstance(state, list):
            # A pickle of an older version has the values in the order of its fields.
            names = (each.name for each in dataclasses.fields(self))
            state = dict(zip((name for name in names if name not in _LATER), state, strict=True))
        for key in PARAMETERS:
            object.__setattr__(self, key, state[key] if key in state else DEFAULTS[key])
        object.__setattr__(self, "kernel", kernel_values(self.value_of))

    def value_of(self, key: str) -> Any:
        """Return the value of a parameter. Raises KeyError for an unknown key."""
        if key not in PARAMETERS:
            raise KeyError(key)
        return getattr(self, key)

    def replace(self, /, **changes: Any) -> Rules:
        """Return a copy with some parameters changed, which is validated.

        With a new `name`, title, summary, readings, sources and game type are reset unless
        `changes` has them, so that house rules are not displayed as another game. Without a new
        name, the changed rules have the old name in texts and files, although they are not equal.

        Other parameters are not adjusted: a larger board has the same `rows` of men and more empty
        rows between the sides, unless you also set `rows`, and possibly `notation`.

        Raises RulesError for an invalid key or value.

        >>> import damka
        >>> large = damka.rules.load("american").replace(name="large", width=10, height=10, rows=4)
        >>> print(damka.Board(large))
        ┌──────────────────────────────────────────────────┐
        │       1●        2●        3●        4●        5● │
        │  6●        7●        8●        9●       10●      │
        │      11●       12●       13●       14●       15● │
        │ 16●       17●       18●       19●       20●      │
        │      21·       22·       23·       24·       25· │
        │ 26·       27·       28·       29·       30·      │
        │      31○       32○       33○       34○       35○ │
        │ 36○       37○       38○       39○       40○      │
        │      41○       42○       43○       44○       45○ │
        │ 46○       47○       48○       49○       50○      │
        └──────────────────────────────────────────────────┘
        """
        if changes.keys() - PARAMETERS.keys():
            # This raises the error for the unknown key.
            check({**self.to_dict(), **changes})
        if changes.get("name", self.name) != self.name:
            reset = {"title": {}, "summary": {}, "readings": (), "sources": (), "game_type": 0}
            changes = reset | changes
        return dataclasses.replace(self, **changes)

    def to_toml(self, base: str = "") -> str:
        """Return the rules as TOML; `damka.rules.load` is the inverse.

        The text contains all parameters, or with `base`, the name of a shipped rule set, only the
        differences from that. Raises UnknownRulesError for an unknown base.

        >>> import damka
        >>> mine = damka.rules.load("american").replace(name="mine", king_range="flying")
        >>> print(mine.to_toml(base="american"), end="")
        base = "american"
        name = "mine"
        king_range = "flying"
        """
        values = self.to_dict()
        if not base:
            return format_table(values)
        from damka.rules.load import shipped  # noqa: PLC0415  circular import

        base_values = shipped(base).replace(name=self.name).to_dict()
        changes = {key: value for key, value in values.items() if value != base_values[key]}
        return format_table({"base": base, "name": self.name, **changes})

    def save(self, path: Path | str, base: str = "") -> None:
        """Write the rules to a TOML file, for `damka.rules.load` and every command.

        The file name should end in ".toml". Raises OSError if the file cannot be written, and the
        errors of `to_toml`.
        """
        Path(path).write_text(self.to_toml(base), "utf-8")

    def to_dict(self) -> dict[str, Any]:
        """Return the parameters as values for JSON; `damka.rules.from_dict` is the inverse."""
        plain: dict[str, Any] = {}
        for key in PARAMETERS:
            value = getattr(self, key)
            if key == "material_draws":
                value = [draw.to_dict() for draw in value]
            elif isinstance(value, tuple):
                value = list(value)
            elif isinstance(value, Mapping):
                value = {k: list(v) if isinstance(v, tuple) else v for k, v in value.items()}
            plain[key] = value
        return plain

    # Draws, in plies.

    @property
    def no_progress_plies(self) -> int:
        """The plies without progress that make a draw; 0 for no such rule."""
        return self._plies(self.no_progress_moves)

    @property
    def move_limit_plies(self) -> int:
        """The plies of the whole game that make a draw; 0 for no such rule."""
        return self._plies(self.move_limit)

    def _plies(self, moves: int) -> int:
        return moves if self.moves_by == "both" else 2 * moves

    # The board, in the library's numbers: squares from 1, row by row from White's top left.

    @property
    def square_count(self) -> int:
        """The number of playing squares: half the board, or all of it."""
        return self.height * self.row_length

    @property
    def row_length(self) -> int:
        """The number of playing squares in a row."""
        return self.width if self.squares == "all" else self.width // 2

    def cell(self, square: int) -> tuple[int, int]:
        """Return (row, column) of a playing square, both from 0 at White's top-left.

        Raises ValueError when `square` is not in 1..square_count.
        """
        if not 1 <= square <= self.square_count:
            raise ValueError(f"square {square} is not on a board of 1..{self.square_count}")
        row, index = divmod(square - 1, self.row_length)
        if self.squares == "all":
            return row, index
        return row, 2 * index + self._row_offset(row)

    def square_at(self, row: int, column: int) -> int | None:
        """Return the playing square at (row, column), or None."""
        if not (0 <= row < self.height and 0 <= column < self.width):
            return None
        if self.squares == "all":
            return row * self.width + column + 1
        if (column - self._row_offset(row)) % 2:
            return None
        return row * self.row_length + column // 2 + 1

    def crowning_row(self, side: Side) -> int:
        """Return the row (from 0 at the top) on which a man of `side` becomes a king."""
        return 0 if side == "W" else self.height - 1

    def start_squares(self, side: Side) -> range:
        """Return the squares of the men of `side` at the start."""
        men, behind = self.rows * self.row_length, self.rows_behind * self.row_length
        if side == "B":
            return range(behind + 1, behind + men + 1)
        last = self.square_count - behind
        return range(last - men + 1, last + 1)

    @property
    def planes(self) -> tuple[str, ...]:
        """Names of the planes of `Board.tensor`, in order.

        Each plane has a number from 0 to 255 for every cell of the board. The first four, and
        "huffable" (pieces that the side to move may huff), are 1 in the cells of such pieces. The
        others have the same number in all cells: "white_to_move" 1 or 0, "no_progress" the plies
        without a capture or a man's move, "repetition" the previous occurrences of the position,
        both at most 255.
        """
        return (
            "white_men",
            "white_kings",
            "black_men",
            "black_kings",
            "white_to_move",
            "no_progress",
            "repetition",
            "huffable",
        )

    @property
    def start_fen(self) -> str:
        """The start position in FEN."""
        white, black = (",".join(map(str, self.start_squares(side))) for side in ("W", "B"))
        return f"{self.first}:W{white}:B{black}"

    def _row_offset(self, row: int) -> int:
        bottom = 0 if self.dark_corner == "left" else 1
        return (bottom + self.height - 1 - row) % 2

    @property
    def openings(self) -> tuple[str, ...]:
        """The balloted openings: those in `ballots`, or those of the list that it names."""
        return read_list(self.ballots) if isinstance(self.ballots, str) else self.ballots

    def title_in(self, language: str) -> str:
        """Return the game's title in `language`, or else in English, or else its name."""
        return self.title.get(language) or self.title.get("en") or self.name

    def summary_in(self, language: str) -> str:
        """Return the summary in `language`, or else in English, or else ""."""
        return self.summary.get(language) or self.summary.get("en") or ""
