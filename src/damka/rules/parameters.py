"""The table of parameters: the single source of all facts about a parameter.

Everything else is derived from it: the checker and the loader, the template of a box and its form,
the conditions of the rule book, the rules that identify trained weights, and the kernel's values.
The meaning of the parameters, with sources, is in docs/rules/parameters.md.

A new parameter needs an entry here, a field of `Rules`, a field of the kernel's record
(core/position/rules.hpp) if it changes play, and its implementation: in `damka.reference`,
in the kernel, in the reasons for refusals and in the rule book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

from damka.rules import values as read
from damka.rules.conditions import ALWAYS, Condition, all_of, any_of, holds, where
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
    "Objective",
    "Obligation",
    "Parameter",
    "Precedence",
    "Promotion",
    "Rematch",
    "Removal",
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
Rematch: TypeAlias = Literal["lots", "alternate"]
CaptureSign: TypeAlias = Literal["x", ":", "-"]

Decides: TypeAlias = Literal["start", "play", "draws", "match", "writing", "looks"]
Kind: TypeAlias = Literal["choice", "number", "order", "borrow", "colours", "text", "table"]
Group: TypeAlias = Literal["board", "men", "kings", "capturing", "end", "writing"]

GROUPS: Final[tuple[Group, ...]] = get_args(Group)
"""The groups of a box's form, in order."""

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
    """A field of the kernel's record, and the number of each value of the parameter.

    Without numbers the value itself is the number.
    """

    name: str
    numbers: Mapping[Any, int] | None = None


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Parameter:
    """The facts about one parameter.

    `reader` validates an external value. `values` are the choices, if they are few
    (of an "order", its keys); `bounds` are the range of a number. `decides` names the aspect that
    the parameter affects; only "start" and "play" affect which games can be played. `relevant` is
    the condition under which it has an effect, and `fits` the condition for a value, if any.
    `topic` is its paragraph in the rule book, which is omitted if the value is `silent`.
    `group` is its place in the form of a box ("" for none).
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


def _number(key: str, least: int, most: int, **rest: Any) -> Parameter:
    settings: dict[str, Any] = {
        "reader": read.integer(least, most),
        "kind": "number",
        "bounds": (least, most),
        **rest,
    }
    return Parameter(key=key, **settings)


def _appearance(key: str, reader: read.Reader, kind: Kind, default: Any = REQUIRED) -> Parameter:
    return Parameter(key=key, reader=reader, kind=kind, decides="looks", default=default)


_size = read.integer(6, 12, "6, 8, 10 or 12")

KINGS_MOVE: Final = where("objective", "normal", "losing")
"""If the first king wins, no king ever moves."""
KINGS_CAPTURE: Final = any_of(KINGS_MOVE, where("promotion", "go"))
"""A man crowned in mid-capture may continue as a king, even if the first king wins."""
KINGS_FLY: Final = all_of(where("king_range", "flying"), KINGS_CAPTURE)
CAN_RECUR: Final = any_of(KINGS_MOVE, where("move_lines", "orthogonal", "diagonal+orthogonal"))
"""Whether a position can recur: men that move diagonally only move forward."""
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
        # If captured pieces stay until the end, the piece just captured blocks the way back anyway.
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
    _number(
        "same_move",
        0,
        100,
        reader=read.occurrence,
        decides="draws",
        relevant=CAN_RECUR,
        topic="same_move",
        silent=0,
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
    {each.key: each for each in _PARAMETER_LIST}
)
"""Every parameter by its key, in the order in which a rule set lists them."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {each.key: each.default for each in _PARAMETER_LIST if not each.is_required}
)
"""Defaults of the optional parameters."""

LOOKS: Final = frozenset(each.key for each in _PARAMETER_LIST if each.decides == "looks")
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
    related = [each for each in _PARAMETER_LIST if each.topic == topic]
    return not related or any(
        holds(each.relevant, value_of)
        and (each.silent is REQUIRED or value_of(each.key) != each.silent)
        for each in related
    )


def topics_in_order(value_of: Callable[[str], Any]) -> list[str]:
    """Return the topics that apply, in the order of their numbers in the rule book, from 1."""
    return [topic for topic in TOPICS if topic_applies(topic, value_of)]


def kernel_values(value_of: Callable[[str], Any]) -> Mapping[str, int | tuple[int, ...]]:
    """Return the fields of the kernel's record: numbers, and the order of the precedence."""
    fields: dict[str, int | tuple[int, ...]] = {}
    for each in _PARAMETER_LIST:
        for kernel_field in each.kernel:
            value = value_of(each.key)
            if kernel_field.numbers is None:
                fields[kernel_field.name] = int(value)
            elif each.kind == "order":
                fields[kernel_field.name] = tuple(kernel_field.numbers[key] for key in value)
            else:
                fields[kernel_field.name] = kernel_field.numbers[value]
    return fields


def play_of(value_of: Callable[[str], Any]) -> dict[str, Any]:
    """Return the parameters that affect play, equal for rule sets that play alike.

    Draw rules, names, appearance and the side that begins are left out, as are differences that a
    search ignores.
    """
    play: dict[str, Any] = {}
    for each in _PARAMETER_LIST:
        if not each.changes_play:
            continue
        if each.plays_like:
            value = value_of(each.key)
            play |= {key: values[value] for key, values in each.plays_like.items()}
        else:
            play[each.key] = value_of(each.key)
    return play
