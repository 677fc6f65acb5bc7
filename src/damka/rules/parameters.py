"""The table of parameters, the only place with all facts about them.

The validation, the loader, the template and the form of house rules, the conditions of the rule
book, the rules that identify trained weights, and the kernel's values are derived from it. The page
docs/rules/parameters.md explains the parameters, with sources.

A new parameter needs an entry here, a field of `Rules`, a field of the kernel's record
(core/position/rules.hpp) if it changes play, and its implementation: in `damka.reference`, in the
kernel, in the refusals and in the rule book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from damka.rules import values as read
from damka.rules.conditions import ALWAYS, Condition, all_of, any_of, holds, unless, where
from damka.rules.side import Side
from damka.rules.topics import TOPICS

__all__ = [
    "BOARDS",
    "DEFAULTS",
    "GROUPS",
    "KINGS_MOVE",
    "LOOKS",
    "PARAMETERS",
    "CaptureLines",
    "CaptureSign",
    "DarkCorner",
    "KingLanding",
    "KingRange",
    "ManCapture",
    "MoveLines",
    "MovesBy",
    "Objective",
    "Obligation",
    "Parameter",
    "Precedence",
    "Promotion",
    "Rematch",
    "Removal",
    "RepetitionOf",
    "SameMoveIn",
    "Side",
    "Squares",
    "kernel_values",
    "play_of",
    "topic_applies",
    "topics_in_order",
]

Squares: TypeAlias = Literal["dark", "all"]
DarkCorner: TypeAlias = Literal["left", "right"]
Objective: TypeAlias = Literal["normal", "losing", "breakthrough"]
MoveLines: TypeAlias = Literal["diagonal", "orthogonal", "diagonal+orthogonal"]
CaptureLines: TypeAlias = Literal["diagonal", "orthogonal", "diagonal+orthogonal"]
ManCapture: TypeAlias = Literal["forward", "all"]
Promotion: TypeAlias = Literal["stop", "pass", "go"]
KingRange: TypeAlias = Literal["short", "flying"]
KingLanding: TypeAlias = Literal["any", "adjacent", "killer"]
Obligation: TypeAlias = Literal["forced", "huff", "free"]
Precedence: TypeAlias = Literal["count", "value", "with_king", "kings", "king_early", "points"]
Removal: TypeAlias = Literal["after", "immediate"]
RepetitionOf: TypeAlias = Literal["position", "pieces"]
SameMoveIn: TypeAlias = Literal["position", "game"]
MovesBy: TypeAlias = Literal["each", "both"]
Rematch: TypeAlias = Literal["lots", "alternate"]
CaptureSign: TypeAlias = Literal["x", ":", "-"]

Decides: TypeAlias = Literal["start", "play", "draws", "match", "writing", "looks"]
Kind: TypeAlias = Literal["choice", "number", "order", "borrow", "colours", "text", "table"]
Group: TypeAlias = Literal["board", "men", "kings", "capturing", "end", "writing"]

GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""The groups of the house rules form, in order."""

BOARDS: Final[tuple[tuple[Squares, int, int], ...]] = (
    ("dark", 6, 6),
    ("dark", 8, 8),
    ("dark", 10, 10),
    ("dark", 12, 12),
    ("dark", 10, 8),
    ("all", 8, 8),
)
"""Supported boards: playing squares, width and height."""

REQUIRED: Final = object()
MAX_SOURCES: Final = 20
MAX_SOURCE: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelField:
    """A field of the kernel's record, and its number for each value of the parameter.

    By default the number is the value itself.
    """

    name: str
    numbers: Mapping[Any, int] | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Parameter:
    """The facts about one parameter.

    `reader` validates an external value. `values` are the choices, if there are few (for an
    "order", its criteria); `bounds` is the range of a number. `decides` is the aspect that the
    parameter affects; only "start" and "play" affect which games can be played. `relevant` is the
    condition under which it has an effect, and `fits` has the condition of each value, if any.
    `topic` is its paragraph in the rule book, which is omitted for the value `silent`. `group` is
    its group in the house rules form ("" for none).
    """

    key: str
    reader: read.Reader
    kind: Kind
    decides: Decides
    default: Any = REQUIRED
    values: tuple[Any, ...] = ()
    bounds: tuple[int, int] | None = None
    relevant: Condition = ALWAYS
    fits: Mapping[Any, Condition] = field(default_factory=dict)
    topic: str = ""
    silent: Any = REQUIRED
    group: Group | Literal[""] = ""
    kernel: tuple[KernelField, ...] = ()
    plays_like: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)

    @property
    def is_required(self) -> bool:
        """Whether a rule set without a base must have it."""
        return self.default is REQUIRED

    @property
    def changes_play(self) -> bool:
        """Whether it affects which games can be played."""
        return self.decides in ("start", "play")

    def read(self, value: Any) -> Any:
        """Convert an external value to the record's type. Raises RulesError."""
        return self.reader(self.key, value)


def _numbered(name: str, values: Iterable[Any]) -> tuple[KernelField, ...]:
    """Return a field whose number is the index of the value in `values`."""
    return (KernelField(name=name, numbers={value: n for n, value in enumerate(values)}),)


def _choice(
    key: str, values: tuple[Any, ...], numbered: str = "", *, decides: Decides = "play", **rest: Any
) -> Parameter:
    if numbered:
        rest["kernel"] = _numbered(numbered, values)
    return Parameter(
        key=key,
        reader=read.one_of(*values),
        kind="choice",
        values=values,
        decides=decides,
        **rest,
    )


def _boolean(key: str, **rest: Any) -> Parameter:
    return Parameter(
        key=key,
        reader=read.boolean,
        kind="choice",
        values=(True, False),
        decides="play",
        **rest,
    )


def _number(key: str, low: int, high: int, **rest: Any) -> Parameter:
    settings: dict[str, Any] = {
        "reader": read.integer(low, high),
        "kind": "number",
        "bounds": (low, high),
        **rest,
    }
    return Parameter(key=key, **settings)


def _appearance(key: str, reader: read.Reader, kind: Kind, default: Any = REQUIRED) -> Parameter:
    return Parameter(key=key, reader=reader, kind=kind, decides="looks", default=default)


_size = read.integer(6, 12, "6, 8, 10 or 12")

KINGS_MOVE: Final = where("objective", "normal", "losing")
"""Kings never move if the first king wins."""
KINGS_CAPTURE: Final = any_of(KINGS_MOVE, where("promotion", "go"))
"""Kings may capture if they move, or if a man can continue its capture as a king."""
KINGS_FLY: Final = all_of(where("king_range", "flying"), KINGS_CAPTURE)
_MOVES_SIDEWAYS: Final = where("move_lines", "orthogonal", "diagonal+orthogonal")
CAN_RECUR: Final = any_of(KINGS_MOVE, _MOVES_SIDEWAYS)
"""Whether a position can recur: without kings it cannot if men only move forward."""
DARK: Final = where("squares", "dark")
ALL: Final = where("squares", "all")

_PARAMETER_LIST: Final = (
    _appearance("name", read.name, "text"),
    # Board
    _choice("squares", get_args(Squares), "all_squares", default="dark", topic="start"),
    Parameter(
        key="width",
        reader=_size,
        kind="number",
        decides="play",
        topic="start",
        kernel=(KernelField(name="width"),),
    ),
    Parameter(
        key="height",
        reader=_size,
        kind="number",
        decides="play",
        topic="start",
        kernel=(KernelField(name="height"),),
    ),
    _choice(
        "dark_corner",
        get_args(DarkCorner),
        decides="writing",
        relevant=DARK,
        topic="start",
        group="board",
        kernel=(KernelField(name="dark_left", numbers={"left": 1, "right": 0}),),
    ),
    _number(
        "rows",
        1,
        5,
        decides="start",
        topic="start",
        group="board",
        kernel=(KernelField(name="rows"),),
    ),
    _number(
        "rows_behind",
        0,
        4,
        decides="start",
        default=0,
        topic="start",
        group="board",
        kernel=(KernelField(name="rows_behind"),),
    ),
    _choice("first", get_args(Side), "first", decides="match", topic="first", group="board"),
    _choice("objective", get_args(Objective), "objective", topic="goal", group="board"),
    # Men
    _choice(
        "move_lines",
        get_args(MoveLines),
        "move_lines",
        default="diagonal",
        fits={"diagonal": DARK, "orthogonal": ALL, "diagonal+orthogonal": ALL},
        topic="man_move",
        group="men",
    ),
    _choice(
        "capture_lines",
        get_args(CaptureLines),
        "capture_lines",
        fits={"diagonal": DARK, "orthogonal": ALL},
        topic="man_capture",
        group="men",
    ),
    _choice(
        "man_capture", get_args(ManCapture), "men_capture_back", topic="man_capture", group="men"
    ),
    _boolean(
        "man_takes_king",
        relevant=KINGS_MOVE,
        topic="man_takes_king",
        group="men",
        kernel=(KernelField(name="men_take_kings"),),
    ),
    _choice("promotion", get_args(Promotion), "promotion", topic="promotion", group="men"),
    # Kings
    _choice(
        "king_range",
        get_args(KingRange),
        "flying_kings",
        relevant=KINGS_CAPTURE,
        topic="king_capture",
        group="kings",
    ),
    _choice(
        "king_landing",
        get_args(KingLanding),
        relevant=KINGS_FLY,
        topic="king_landing",
        group="kings",
        kernel=(
            KernelField(name="land_adjacent", numbers={"any": 0, "adjacent": 1, "killer": 0}),
            KernelField(name="land_killing", numbers={"any": 0, "adjacent": 0, "killer": 1}),
        ),
    ),
    _boolean(
        "u_turn",
        # Without immediate removal, the piece just captured blocks the way back anyway.
        relevant=all_of(KINGS_FLY, where("removal", "immediate")),
        topic="king_capture",
        group="kings",
        kernel=(KernelField(name="u_turn"),),
    ),
    _number(
        "king_streak",
        0,
        9,
        decides="play",
        default=0,
        relevant=KINGS_MOVE,
        topic="king_streak",
        silent=0,
        group="kings",
        kernel=(KernelField(name="king_streak"),),
    ),
    # Captures
    _choice(
        "obligation",
        get_args(Obligation),
        topic="obligation",
        group="capturing",
        # A search treats huffing as forced captures.
        kernel=(KernelField(name="capture_is_free", numbers={"forced": 0, "huff": 0, "free": 1}),),
        plays_like={"free": {"forced": False, "huff": False, "free": True}},
    ),
    Parameter(
        key="precedence",
        reader=read.subset_of(*get_args(Precedence)),
        kind="order",
        values=get_args(Precedence),
        decides="play",
        topic="precedence",
        group="capturing",
        kernel=_numbered("ranking", get_args(Precedence)),
    ),
    _choice("removal", get_args(Removal), "remove_at_once", topic="removal", group="capturing"),
    # End of the game
    _number(
        "repetition",
        0,
        100,
        reader=read.occurrence,
        decides="draws",
        relevant=CAN_RECUR,
        topic="repetition",
        silent=0,
        group="end",
    ),
    _choice(
        "repetition_of",
        get_args(RepetitionOf),
        decides="draws",
        default="position",
        relevant=all_of(CAN_RECUR, unless("repetition", 0)),
        group="end",
    ),
    _number(
        "same_move",
        0,
        100,
        reader=read.occurrence,
        decides="draws",
        # Another piece can make the same move in another position.
        relevant=any_of(KINGS_MOVE, _MOVES_SIDEWAYS, where("same_move_in", "game")),
        topic="same_move",
        silent=0,
        group="end",
    ),
    _choice(
        "same_move_in",
        get_args(SameMoveIn),
        decides="draws",
        default="position",
        relevant=any_of(unless("same_move", 0), where("objective", "breakthrough")),
        group="end",
    ),
    _number(
        "no_progress_moves",
        0,
        200,
        decides="draws",
        relevant=KINGS_MOVE,
        topic="no_progress",
        silent=0,
        group="end",
    ),
    _number(
        "move_limit",
        0,
        500,
        decides="draws",
        default=0,
        topic="move_limit",
        silent=0,
        group="end",
    ),
    _choice(
        "moves_by",
        get_args(MovesBy),
        decides="draws",
        default="each",
        relevant=any_of(unless("no_progress_moves", 0), unless("move_limit", 0)),
        group="end",
    ),
    Parameter(
        key="material_draws",
        reader=read.material_draws,
        kind="borrow",
        decides="draws",
        default=(),
        topic="material_draws",
        silent=(),
        group="end",
    ),
    _choice("rematch", get_args(Rematch), decides="match", topic="first", group="end"),
    # Notation
    Parameter(
        key="colours", reader=read.colours, kind="colours", decides="writing", group="writing"
    ),
    Parameter(
        key="ballots",
        reader=read.ballots,
        kind="borrow",
        decides="match",
        default=(),
        topic="ballots",
        silent=(),
        group="writing",
    ),
    Parameter(
        key="notation",
        reader=read.notation,
        kind="choice",
        values=("N0", "N1", "N2", "N3", "A0", "A1", "A2", "A3"),
        decides="writing",
        default="N2",
        topic="notation",
        group="writing",
    ),
    _choice(
        "capture_sign",
        get_args(CaptureSign),
        decides="writing",
        default="x",
        topic="notation",
        group="writing",
    ),
    # Appearance
    _number("game_type", 0, 999, decides="looks", default=0),
    _appearance("title", read.translations, "table", {}),
    _appearance("summary", read.translations, "table", {}),
    _appearance("readings", read.subset_of(*TOPICS), "order", ()),
    _appearance("sources", read.texts(MAX_SOURCES, MAX_SOURCE), "text", ()),
    _appearance("theme", read.theme, "table", read.DEFAULT_THEME),
)

PARAMETERS: Final[Mapping[str, Parameter]] = MappingProxyType(
    {parameter.key: parameter for parameter in _PARAMETER_LIST}
)
"""The parameters by key, in the order of a rules file."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {parameter.key: parameter.default for parameter in _PARAMETER_LIST if not parameter.is_required}
)
"""Defaults of the optional parameters."""

LOOKS: Final = frozenset(
    parameter.key for parameter in _PARAMETER_LIST if parameter.decides == "looks"
)
"""Parameters that affect neither play nor notation."""

_OTHER_TOPICS: Final[Mapping[str, Condition]] = MappingProxyType(
    {
        "king_move": KINGS_MOVE,
        "king_capture": KINGS_CAPTURE,
        "huffing": where("obligation", "huff"),
    }
)
"""Conditions of the topics that depend on several parameters and do not always apply."""


def topic_applies(topic: str, value_of: Callable[[str], Any]) -> bool:
    """Return whether the rule book has a paragraph on a topic.

    `value_of` returns the value of a parameter.
    """
    if topic in _OTHER_TOPICS:
        return holds(_OTHER_TOPICS[topic], value_of)
    related = [parameter for parameter in _PARAMETER_LIST if parameter.topic == topic]
    return not related or any(
        holds(parameter.relevant, value_of)
        and (parameter.silent is REQUIRED or value_of(parameter.key) != parameter.silent)
        for parameter in related
    )


def topics_in_order(value_of: Callable[[str], Any]) -> list[str]:
    """Return the topics that apply, in the order of their numbers in the rule book, from 1."""
    return [topic for topic in TOPICS if topic_applies(topic, value_of)]


def kernel_values(value_of: Callable[[str], Any]) -> Mapping[str, int | tuple[int, ...]]:
    """Return the fields of the kernel's record: numbers, and tuples of them for an "order"."""
    fields: dict[str, int | tuple[int, ...]] = {}
    for parameter in _PARAMETER_LIST:
        for kernel_field in parameter.kernel:
            value = value_of(parameter.key)
            if kernel_field.numbers is None:
                fields[kernel_field.name] = int(value)
            elif parameter.kind == "order":
                fields[kernel_field.name] = tuple(kernel_field.numbers[key] for key in value)
            else:
                fields[kernel_field.name] = kernel_field.numbers[value]
    return fields


def play_of(value_of: Callable[[str], Any]) -> dict[str, Any]:
    """Return the parameters that affect play, equal for rule sets that play alike.

    Draw rules, names, appearance and the side that begins are left out, and so are differences that
    the search ignores.
    """
    play: dict[str, Any] = {}
    for parameter in _PARAMETER_LIST:
        if not parameter.changes_play:
            continue
        if parameter.plays_like:
            value = value_of(parameter.key)
            play |= {key: values[value] for key, values in parameter.plays_like.items()}
        else:
            play[parameter.key] = value_of(parameter.key)
    return play
