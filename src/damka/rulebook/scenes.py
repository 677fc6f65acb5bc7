"""The scenes of every topic: for each, one or more that could explain it, the best first.

Which one is shown, `damka.rulebook.scene.stage` decides: the first whose claims are all true under
the rules at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.board import Board
from damka.rulebook.scene import Diagram, Scene, stage
from damka.rulebook.words import precedence

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["diagram"]


def diagram(rules: Rules, topic: str) -> Diagram | None:
    """Return the picture for a topic under these rules, None if it has no true one."""
    if topic not in _SCENES:
        return None
    staged = (stage(rules, scene) for scene in _SCENES[topic](rules))
    return next((picture for picture in staged if picture is not None), None)


def _goal(rules: Rules) -> Iterator[Scene]:
    if rules.objective == "losing":
        # From the side, where it can be: the arrows cross then and do not lie on each other.
        for stands, given, end in (
            ("c5", "d4", "e3"),
            ("b4", "c4", "d4"),
            ("e5", "d4", "c3"),
            ("c5", "c4", "c3"),
        ):
            yield Scene(
                pieces=f"wc3 b{stands}",
                caption="goal.losing",
                words={"move": f"c3-{given}", "reply": f"{stands}x{end}"},
                plays=(f"c3-{given}",),
                reply=f"{stands}-{end}",
                loses=True,
            )
        return
    if rules.objective == "breakthrough":
        for move in ("c7-d8", "c7-c8"):
            yield Scene(
                pieces="wc7 bb4",
                caption="goal.breakthrough",
                words={"move": move},
                placed="top",
                plays=(move,),
                crowns=True,
            )
        return
    taken, end = _ahead_of_c3(rules)
    yield Scene(
        pieces=f"wc3 b{taken}",
        caption="goal.normal",
        words={"move": f"c3x{end}"},
        plays=(f"c3-{end}",),
        wins=True,
    )


def _start(rules: Rules) -> Iterator[Scene]:
    yield Scene(pieces="start", caption="start", turn=rules.first)


def _first(rules: Rules) -> Iterator[Scene]:
    move = _central(rules, Board(rules))
    played = f"{move.start}-{move.end}"
    yield Scene(
        pieces="start",
        caption="first",
        words={"move": played},
        turn=rules.first,
        plays=(played,),
    )


def _your_turn(rules: Rules) -> Iterator[Scene]:
    board = Board(rules)
    first = _central(rules, board)
    board.push(first)
    answer = _central(rules, board)
    played = f"{first.start}-{first.end}"
    route = board.routes(answer)[0]
    yield Scene(
        pieces="start",
        caption="your_turn",
        words={"first": played, "move": ("x" if answer.is_capture else "-").join(map(str, route))},
        turn=rules.first,
        played=played,
        plays=("-".join(map(str, route)),),
    )


def _man_move(_: Rules) -> Iterator[Scene]:
    for ends, back in (
        ("c5|e5", "c3 e3"),
        ("c4|d5|e4", "d3"),
        ("c4|c5|d5|e4|e5", "c3 d3 e3"),
    ):
        yield Scene(
            pieces="wd4",
            caption="man_move",
            words={"man": "d4", "ends": ends},
            targets="d4",
            crosses=back,
        )


def _man_capture(rules: Rules) -> Iterator[Scene]:
    # Along rows and columns first, where they are captured on: that is what is special then.
    if rules.capture_lines == "diagonal":
        ahead, back = ("e5", "f6"), ("c3", "b2")
    elif rules.squares == "all":
        ahead, back = ("d5", "d6"), ("d3", "d2")
    else:
        ahead, back = ("d6", "d8"), ("c3", "b2")
    yield from _ahead_and_back(ahead, back)
    # Where there is no room for that.
    yield from _ahead_and_back(("e5", "f6"), ("c3", "b2"))


def _ahead_and_back(ahead: tuple[str, str], back: tuple[str, str]) -> Iterator[Scene]:
    both = f"wd4 b{ahead[0]} b{back[0]}"
    yield Scene(
        pieces=both,
        caption="man_capture.all",
        words={"man": "d4", "taken": f"{back[0]}|{ahead[0]}"},
        plays=(f"d4-{ahead[1]}", f"d4-{back[1]}"),
    )
    yield Scene(
        pieces=both,
        caption="man_capture.forward",
        words={"move": f"d4x{ahead[1]}", "barred": f"d4x{back[1]}"},
        plays=(f"d4-{ahead[1]}",),
        forbids=(f"d4-{back[1]}",),
    )


def _chain(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 bc4 bd5",
        caption="chain",
        words={"move": "c3xc5xe5", "taken": "c4 d5"},
        plays=("c3-c5-e5",),
        never=("c3-c5",),
    )
    yield Scene(
        pieces="wc3 bd4 bf4",
        caption="chain",
        words={"move": "c3xe5xg3", "taken": "d4 f4"},
        plays=("c3-e5-g3",),
        never=("c3-e5",),
    )
    yield Scene(
        pieces="wc3 bd4 bd6",
        caption="chain",
        words={"move": "c3xe5xc7", "taken": "d4 d6"},
        plays=("c3-e5-c7",),
        never=("c3-e5",),
    )


def _removal(rules: Rules) -> Iterator[Scene]:
    # The capturer comes round to where it began and stands before the first piece that it took.
    ring, outside = "Wc3 bd4 bf4 bf2 bd2", " bf6"
    taken = "d2 d4 f2 f4"
    if rules.king_range == "flying":
        yield Scene(
            pieces=ring + outside,
            caption="removal.crossed",
            words={"move": "c3xe5xg3xe1xc3xg7", "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3-g7",),
        )
        yield Scene(
            pieces=ring + outside,
            caption="removal.blocked",
            words={"taken": taken, "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3",),
            forbids=("c3-e5-g3-e1-c3-g7",),
            faded=taken,
        )
        yield Scene(
            pieces="Wa4 bc4 be6 bd7 bc2",
            caption="removal.crossed",
            words={"move": "a4xe4xe7xc7xc1", "gone": "c4", "other": "c2"},
            plays=("a4-e4-e7-c7-c1",),
        )
    for around, route in ((ring, "c3-e5-g3-e1-c3"), ("Wc3 bc4 bd5 be4 bd3", "c3-c5-e5-e3-c3")):
        taken = " ".join(sorted(piece[1:] for piece in around.split()[1:]))
        yield Scene(
            pieces=around,
            caption="removal.ring",
            words={"move": route.replace("-", "x"), "taken": taken},
            plays=(route,),
            never=(f"{route}-{route[3:5]}",),
            faded=taken if rules.removal == "after" else "",
        )


def _promotion(_: Rules) -> Iterator[Scene]:
    yield from _promotion_on_diagonals()
    yield from _promotion_on_columns()


def _promotion_on_columns() -> Iterator[Scene]:
    yield Scene(
        pieces="wd6 bd7 bf8",
        caption="promotion.go",
        words={"move": "d6xd8xg8", "end": "d8"},
        placed="top",
        plays=("d6-d8-g8",),
        crowns=True,
    )
    for kept, crowns in (("go", True), ("pass", False)):
        yield Scene(
            pieces="wd6 bd7 be8 bf7",
            caption=f"promotion.{kept}",
            words={"move": "d6xd8xf8xf6", "end": "d8" if crowns else "d8 f8"},
            placed="top",
            plays=("d6-d8-f8-f6",),
            crowns=crowns,
        )
    beside = "wd6 bd7 be8"
    yield Scene(
        pieces=beside,
        caption="promotion.pass_ends",
        words={"move": "d6xd8xf8", "other": "e8", "end": "f8"},
        placed="top",
        plays=("d6-d8-f8",),
        crowns=True,
    )
    yield Scene(
        pieces=beside,
        caption="promotion.stop",
        words={"move": "d6xd8", "other": "e8"},
        placed="top",
        plays=("d6-d8",),
        crowns=True,
        forbids=("d6-d8-f8",),
    )


def _promotion_on_diagonals() -> Iterator[Scene]:
    caught = "wd6 be7 bg7"
    for kept, crowns in (("go", True), ("pass", False)):
        yield Scene(
            pieces=caught,
            caption=f"promotion.{kept}",
            words={"move": "d6xf8xh6", "end": "f8"},
            placed="top",
            plays=("d6-f8-h6",),
            crowns=crowns,
        )
    yield Scene(
        pieces=caught,
        caption="promotion.stop",
        words={"move": "d6xf8", "other": "g7"},
        placed="top",
        plays=("d6-f8",),
        crowns=True,
        forbids=("d6-f8-h6",),
    )


def _king_move(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="Wd4", caption="king_move", words={"king": "d4"}, targets="d4")


def _king_capture(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wb2 be5 bc5",
        caption="king_capture.flying",
        words={"move": "b2xf6", "taken": "e5", "via": "d4", "other": "c5"},
        plays=("b2-f6",),
        forbids=("b2-d4-b6",),
    )
    yield Scene(
        pieces="Wb2 be2 bd5",
        caption="king_capture.flying",
        words={"move": "b2xf2", "taken": "e2", "via": "d2", "other": "d5"},
        plays=("b2-f2",),
        forbids=("b2-d2-d6",),
    )
    for taken, ends in (("e5 c3", ("f6", "b2")), ("d5 c4", ("d6", "b4"))):
        yield Scene(
            pieces="Wd4 " + " ".join(f"b{each}" for each in taken.split()),
            caption="king_capture.short",
            words={"king": "d4", "taken": taken.replace(" ", "|")},
            plays=tuple(f"d4-{end}" for end in ends),
        )


def _king_landing(rules: Rules) -> Iterator[Scene]:
    taken, end = ("b4", "b5") if rules.capture_lines == "orthogonal" else ("d4", "e5")
    if rules.king_landing == "any":
        yield Scene(
            pieces=f"Wb2 b{taken}",
            caption="king_landing.any",
            words={"king": "b2", "taken": taken},
            targets="b2",
            takes=taken,
        )
        return
    yield Scene(
        pieces=f"Wb2 {'B' if rules.king_landing == 'killer' else 'b'}{taken}",
        caption=f"king_landing.{rules.king_landing}",
        words={"king": "b2", "taken": taken, "end": end},
        targets="b2",
        takes=taken,
        beyond=f"{taken} {end}",
    )


def _man_takes_king(rules: Rules) -> Iterator[Scene]:
    taken, end = _ahead_of_c3(rules)
    yield Scene(
        pieces=f"wc3 B{taken}",
        caption="man_takes_king.true",
        words={"move": f"c3x{end}", "taken": taken},
        plays=(f"c3-{end}",),
    )
    yield Scene(
        pieces=f"wc3 B{taken}",
        caption="man_takes_king.false",
        words={"move": f"c3x{end}", "taken": taken},
        forbids=(f"c3-{end}",),
    )


def _ahead_of_c3(rules: Rules) -> tuple[str, str]:
    """Return where a piece stands that c3 can take, and where it lands behind it."""
    return ("c4", "c5") if rules.capture_lines == "orthogonal" else ("d4", "e5")


def _precedence(rules: Rules) -> Iterator[Scene]:
    keys = precedence(rules)
    if not keys:
        yield Scene(
            pieces="wc3 bb4 bd4 bd6",
            caption="precedence.free",
            words={"moves": "c3xa5 c3xe5xc7"},
            plays=("c3-e5-c7", "c3-a5"),
        )
        yield Scene(
            pieces="wc3 bb3 bc4 bd5",
            caption="precedence.free",
            words={"moves": "c3xa3 c3xc5xe5"},
            plays=("c3-c5-e5", "c3-a3"),
        )
        return
    if keys[0] == "count" and rules.man_takes_king:
        yield _MEN_OR_KINGS
    yield from _FIRST_KEY[keys[0]]
    yield from _FIRST_KEY_STRAIGHT.get(keys[0], ())


# One man may take three men or two kings.
_MEN_OR_KINGS: Final = Scene(
    pieces="we1 bd2 bb4 bb6 Bf2 Bf4",
    caption="precedence.men_or_kings",
    words={"move": "e1xc3xa5xc7", "barred": "e1xg3xe5"},
    plays=("e1-c3-a5-c7",),
    forbids=("e1-g3-e5",),
)

_COUNT: Final = (
    Scene(
        pieces="wc3 bb4 bd4 bd6",
        caption="precedence.must",
        words={"move": "c3xe5xc7", "barred": "c3xa5"},
        plays=("c3-e5-c7",),
        forbids=("c3-a5",),
    ),
)

_WITH_KING: Final = (
    Scene(
        pieces="wc3 bb4 Wf2 bg3",
        caption="precedence.must",
        words={"move": "f2xh4", "barred": "c3xa5"},
        plays=("f2-h4",),
        forbids=("c3-a5",),
    ),
    # With one square to land on, from where no row or column leads on.
    Scene(
        pieces="wd4 be5 Wa3 bb2",
        caption="precedence.must",
        words={"move": "a3xc1", "barred": "d4xf6"},
        placed="bottom",
        plays=("a3-c1",),
        forbids=("d4-f6",),
    ),
)

_KINGS: Final = tuple(
    Scene(
        pieces=f"{capturer}c3 Bb4 bd4",
        caption="precedence.must",
        words={"move": "c3xa5", "barred": "c3xe5"},
        plays=("c3-a5",),
        forbids=("c3-e5",),
    )
    for capturer in "wW"
)

_KING_EARLY: Final = tuple(
    Scene(
        pieces=f"{capturer}e1 Bd2 bb4 bf2 Bf4",
        caption="precedence.must",
        words={"move": "e1xc3xa5", "barred": "e1xg3xe5"},
        plays=("e1-c3-a5",),
        forbids=("e1-g3-e5",),
    )
    for capturer in "wW"
)

_VALUE: Final = tuple(
    Scene(
        pieces=f"{capturer}c3 Bb4 bd4 bd6",
        caption="precedence.value",
        words={"move": "c3xe5xc7", "barred": "c3xa5"},
        plays=("c3-e5-c7",),
        forbids=("c3-a5",),
    )
    for capturer in "wW"
)

_FIRST_KEY: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {
        "count": _COUNT,
        "value": _VALUE,
        "with_king": _WITH_KING,
        "kings": _KINGS,
        "king_early": _KING_EARLY,
    }
)


def _straight(pieces: str, move: str, barred: str, caption: str = "must") -> Scene:
    return Scene(
        pieces=pieces,
        caption=f"precedence.{caption}",
        words={"move": move.replace("-", "x"), "barred": barred.replace("-", "x")},
        plays=(move,),
        forbids=(barred,),
    )


_FIRST_KEY_STRAIGHT: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {
        "count": (_straight("wc3 bb3 bc4 bd5", "c3-c5-e5", "c3-a3"),),
        "value": tuple(
            _straight(f"{capturer}c3 Bb3 bc4 bd5", "c3-c5-e5", "c3-a3", "value")
            for capturer in "wW"
        ),
        "with_king": (_straight("wc3 bb3 Wf2 bf3", "f2-f4", "c3-a3"),),
        "kings": tuple(_straight(f"{capturer}c3 Bb3 bc4", "c3-a3", "c3-c5") for capturer in "wW"),
    }
)
"""The same along rows and columns."""


def _obligation(rules: Rules) -> Iterator[Scene]:
    taken, end = _ahead_of_c3(rules)
    pieces, capture, other = f"wc3 b{taken} wg3", f"c3-{end}", _beside_c3(rules)
    words = {"move": f"c3x{end}", "other": other}
    if rules.obligation == "free":
        yield Scene(pieces=pieces, caption="obligation.free", words=words, plays=(capture, other))
    elif rules.obligation == "huff":
        # Another move can be played there: that is what the next picture is about.
        yield Scene(
            pieces=pieces, caption="obligation.huff", words=words, plays=(capture,), must=True
        )
    else:
        yield Scene(
            pieces=pieces,
            caption="precedence.must",
            words={"move": words["move"], "barred": other},
            plays=(capture,),
            forbids=(other,),
            must=True,
        )


def _huffing(rules: Rules) -> Iterator[Scene]:
    taken, end = _ahead_of_c3(rules)
    played = _beside_c3(rules)
    yield Scene(
        pieces=f"wc3 b{taken} wg3",
        caption="huffing",
        words={"played": played, "missed": f"c3x{end}", "man": "c3"},
        played=played,
        huffable="c3",
    )


def _beside_c3(rules: Rules) -> str:
    """Return a move of another man, which takes nothing."""
    return "g3-g4" if rules.move_lines == "orthogonal" else "g3-h4"


def _no_moves(rules: Rules) -> Iterator[Scene]:
    caption = "no_moves.losing" if rules.objective == "losing" else "no_moves.normal"
    for wall in ("bb4 bc5", "ba4 bb3 ba5 bc3", "ba4 bb4 bb3 ba5 bc5 bc3"):
        yield Scene(pieces=f"wa3 {wall}", caption=caption, placed="bottom", stuck=True)


def _agreement(rules: Rules) -> Iterator[Scene]:
    # Where rows and columns are captured on, or losing wins, one king can force its way.
    if rules.objective == "normal" and rules.capture_lines == "diagonal":
        yield Scene(pieces="Wg1 Bb8", caption="agreement", placed="edges")


def _repetition(_: Rules) -> Iterator[Scene]:
    for there, answer in _TO_AND_FRO:
        back = (f"{there[3:]}-{there[:2]}", f"{answer[3:]}-{answer[:2]}")
        yield Scene(
            pieces="Wg1 Bb8",
            caption="repetition",
            words={"there": f"{there} {answer}", "back": " ".join(back)},
            placed="edges",
            plays=(there,),
            reply=answer,
            repeats=True,
        )


def _same_move(_: Rules) -> Iterator[Scene]:
    for move, _answer in _TO_AND_FRO:
        yield Scene(
            pieces="Wg1 Bb8",
            caption="same_move",
            words={"move": move},
            placed="edges",
            plays=(move,),
        )


def _no_progress(_: Rules) -> Iterator[Scene]:
    for move, answer in (("c1-b2", "b8-a7"), ("c1-d1", "b8-a8")):
        yield Scene(
            pieces="Wc1 Wg1 Bb8",
            caption="no_progress",
            placed="edges",
            plays=(move,),
            reply=answer,
            repeats=True,
        )


_TO_AND_FRO: Final = (("g1-h2", "b8-a7"), ("g1-h1", "b8-a8"))


def _material_draws(rules: Rules) -> Iterator[Scene]:
    """An ending of the fewest pieces for which the first condition can hold."""
    numbers = sorted(product(range(3), range(5), range(3), range(5)), key=sum)
    for condition in rules.material_draws:
        for men, kings, their_men, their_kings in numbers:
            fits = condition.weak_sides((men, kings), (their_men, their_kings))
            if "B" in fits and men + kings and their_men + their_kings and not condition.main_road:
                ours = [*map("w{}".format, _MEN[:men]), *map("W{}".format, _KINGS_AT[:kings])]
                theirs = zip("b" * their_men + "B" * their_kings, _THEIRS, strict=False)
                pieces = " ".join((*ours, *map("".join, theirs)))
                yield Scene(pieces=pieces, caption="material_draws", placed="edges")
                return


_MEN: Final = ("a3", "h2")
_KINGS_AT: Final = ("g1", "c1", "e1", "f2")
_THEIRS: Final = ("b8", "d8", "f8", "h8", "c7", "e7", "g7")


def _notation(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="", caption="notation")


def _how_to_move(_: Rules) -> Iterator[Scene]:
    for ends in ("b4|d4", "b3|c4|d3", "b3|b4|c4|d3|d4"):
        yield Scene(
            pieces="wc3 we3 bd6 bf6",
            caption="how_to_move",
            words={"man": "c3", "ends": ends},
            targets="c3",
        )


def _central(rules: Rules, board: Board) -> Move:
    """Return the legal move that ends nearest to the middle."""

    def far(move: Move) -> int:
        row, column = rules.cell(move.end)
        return abs(2 * row - rules.height + 1) + abs(2 * column - rules.width + 1)

    return min(board.legal_moves, key=far)


_SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "goal": _goal,
        "start": _start,
        "first": _first,
        "your_turn": _your_turn,
        "man_move": _man_move,
        "man_capture": _man_capture,
        "chain": _chain,
        "removal": _removal,
        "promotion": _promotion,
        "king_move": _king_move,
        "king_capture": _king_capture,
        "king_landing": _king_landing,
        "man_takes_king": _man_takes_king,
        "precedence": _precedence,
        "obligation": _obligation,
        "huffing": _huffing,
        "no_moves": _no_moves,
        "agreement": _agreement,
        "repetition": _repetition,
        "same_move": _same_move,
        "no_progress": _no_progress,
        "material_draws": _material_draws,
        "notation": _notation,
        "how_to_move": _how_to_move,
    }
)
