"""Refusal of a move: a code with arguments, and a message in each language."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka import locales

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from damka.notation import Labels

__all__ = ["CODES", "Refusal", "argument_words", "in_label_order"]

# All codes, in the order of checking: the first that applies is returned. Each has the rulebook
# topic for the player; {piece} is the moving piece, man or king.
_TOPICS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "game_over": "goal",
        "not_your_turn": "your_turn",
        # Squares and texts.
        "no_piece": "how_to_move",
        "opponents_piece": "your_turn",
        "not_a_square": "how_to_move",
        "not_understood": "how_to_move",
        "ambiguous": "how_to_move",
        # Moves of pieces.
        "target_occupied": "{piece}_move",
        "man_one_square": "man_move",
        "man_backwards": "man_move",
        "king_one_square": "king_move",
        "not_diagonal": "{piece}_move",
        "not_on_a_line": "{piece}_move",
        "line_not_moved_on": "{piece}_move",
        "line_not_captured_on": "{piece}_capture",
        "way_blocked": "{piece}_move",
        "own_piece_jumped": "{piece}_capture",
        "two_in_a_row": "{piece}_capture",
        "jumped_twice": "removal",
        "man_captures_backwards": "man_capture",
        "man_takes_king": "man_takes_king",
        "king_landing": "king_landing",
        "king_turn": "king_capture",
        "crowning_ends": "promotion",
        "land_to_go_on": "king_landing",
        # Compulsory moves.
        "king_rests": "king_streak",
        "must_capture": "obligation",
        "must_use_king": "precedence",
        "must_take_most": "precedence",
        "must_take_value": "precedence",
        "must_take_points": "precedence",
        "must_take_kings": "precedence",
        "must_take_king_early": "precedence",
        "must_continue": "chain",
        # Huffing.
        "must_huff": "huffing",
        "nothing_to_huff": "huffing",
        "not_offending": "huffing",
        "too_late_to_huff": "huffing",
        # Other actions in a game.
        "draw_already_offered": "agreement",
        "no_draw_offer": "agreement",
        "nothing_to_undo": "how_to_move",
    }
)

CODES: Final = tuple(_TOPICS)
"""All codes, in the order of checking."""

# Arguments that select the plural form {n}.
_COUNTS: Final = MappingProxyType({"must_take_most": "best", "king_rests": "limit"})

# Arguments that are squares, shown as labels; arguments that are moves, in the library's numbers;
# and lists joined with "and".
_SQUARES: Final = frozenset(
    {"start", "end", "square", "over", "squares", "takes", "where", "pieces"}
)
_MOVES: Final = frozenset({"moves", "route"})
_NUMBER: Final = re.compile(r"\d+")
_ALL_OF_THEM: Final = frozenset({"squares", "takes"})


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Refusal:
    """Reason for refusing a move, a huff or another action.

    `code` is one of CODES. `args` are plain values (square numbers, counts, strings, tuples of
    them) for the message and for marking squares on a page:

    - `start`, `end`: the attempted move; `piece`: "man" or "king", the piece on `start`;
    - `over`: the square of the jumped piece; `squares`: squares that block the way;
    - `where`: legal targets; `pieces`: pieces that must move; `takes`: pieces they can capture;
    - `best` and `taken`: possible and actual number of captured pieces; `limit`: the maximum
      number of consecutive moves with one king;
    - `text`, `moves`: move texts; `colour`: a colour name of the rule set;
    - `kind`: the variant of the sentence.

    `labels` are the square names for the sentence, if the move was not written in the library's
    numbers. Comparisons ignore them.
    """

    code: str
    args: Mapping[str, object] = field(default_factory=dict)
    labels: Labels | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.code not in _TOPICS:
            raise ValueError(f"unknown refusal code {self.code!r}")
        object.__setattr__(self, "args", MappingProxyType(dict(self.args)))

    def __hash__(self) -> int:
        return hash((self.code, tuple(sorted(self.args.items(), key=lambda item: item[0]))))

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, dict[str, object], Labels | None]]:
        # A mapping proxy cannot be pickled, and errors are sent between processes.
        return Refusal, (self.code, dict(self.args), self.labels)

    @property
    def topic(self) -> str:
        """The id of the related rulebook paragraph."""
        return _TOPICS[self.code].format(piece=self.args.get("piece", "man"))

    def sentence(self, language: str = "en", show: Callable[[int], str] | None = None) -> str:
        """Return one or two sentences for the player, in one of `damka.locales.LANGUAGES`.

        Squares are named as in the move: with letters, with the federation's labels if it was
        parsed with `labels`, otherwise with the library's numbers. `show` overrides the names.

        >>> from damka.refusal import Refusal
        >>> Refusal("no_piece", {"start": 22}).sentence("it")
        'Sulla casella 22 non c’è nessun pezzo.'
        >>> import damka
        >>> damka.Board("russian").why_not("c5-d6").sentence("it")
        'Sulla casella c5 non c’è nessun pezzo.'
        """
        args = self.args
        if show is None:
            show = str
            if self.labels is not None:
                show, args = self.labels.name, in_label_order(args, self.labels)
        key = f"refusal.{self.code}"
        if kind := self.args.get("kind"):
            key += f".{kind}"
        values = argument_words(language, args, show)
        if colour := values.get("colour"):
            values["side"] = locales.colour(language, colour, "side")
            values["colour"] = locales.colour(language, colour)
        if count := _COUNTS.get(self.code):
            return locales.plural(language, key, int(str(self.args[count])), **values)
        return locales.translate(language, key, **values)


def in_label_order(args: Mapping[str, object], labels: Labels) -> dict[str, object]:
    """Return arguments with squares in the order of the labels, and moves with their sign."""
    ordered = dict(args)
    if isinstance(route := ordered.get("route"), str):
        ordered["route"] = route.replace("x", labels.sign)
    if isinstance(moves := ordered.get("moves"), tuple):
        ordered["moves"] = tuple(str(move).replace("x", labels.sign) for move in moves)
    for name in ("pieces", "where", "takes", "squares"):
        if isinstance(squares := ordered.get(name), tuple):
            ordered[name] = tuple(sorted(squares, key=labels.order))
    return ordered


def argument_words(
    language: str, args: Mapping[str, object], show: Callable[[int], str]
) -> dict[str, str]:
    """Return the arguments of a sentence as words; `show` names squares."""
    return {name: _words(language, name, value, show) for name, value in args.items()}


def _words(language: str, name: str, value: object, show: Callable[[int], str]) -> str:
    if isinstance(value, tuple):
        items = [_words(language, name, item, show) for item in value]
        return locales.listing(language, items, "list.and" if name in _ALL_OF_THEM else "list.or")
    if isinstance(value, int) and name in _SQUARES:
        return show(value)
    if name in _MOVES:
        return _NUMBER.sub(lambda match: show(int(match[0])), str(value))
    return "".join(letter if letter.isprintable() else "·" for letter in str(value))
