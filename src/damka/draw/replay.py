"""A game as an animated SVG, and as a sequence of pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Final

from damka.draw import drawable, shapes
from damka.draw.colours import Palette, palette
from damka.draw.marks import Marks, Style
from damka.draw.pieces import Discs
from damka.draw.position import board, document, empty_board
from damka.draw.shapes import SQUARE, Point, element, group
from damka.draw.tracks import Track, tracks
from damka.notation import numbered

if TYPE_CHECKING:
    from damka.draw.drawable import DrawableGame, HasPlayback, Turn
    from damka.draw.layout import Layout

__all__ = ["MAX_STEPS", "frames", "replay"]

MAX_STEPS: Final = 200
"""The maximum number of steps of a replay; longer games combine plies."""

_DEFAULT: Final = Style()
_MOTION: Final = 0.4  # of a step
_PAUSE: Final = 3  # steps at the end
_STRIP: Final = 52
_TEXT: Final = 30
_BAR: Final = 6
_ORIGIN: Final = Point(0, 0)


def replay(
    game: DrawableGame | HasPlayback,
    style: Style = _DEFAULT,
    *,
    seconds: float = 1.0,
    library_numbers: bool = False,
) -> str:
    """Return a game as an SVG document that plays in a loop, one ply per `seconds`.

    `game` is a `damka.Game` or a `damka.pdn.PdnGame`, whose main line is played. The picture needs
    no script, style sheet or server, so it plays in every browser; without animation (print, a
    converter) it shows the last position. Below the board are the move and the progress. A game
    longer than `MAX_STEPS` plies is shown in steps of several plies. `library_numbers` labels
    squares and moves with the library's numbers, 1, 2, … from White's top left, instead of the
    federation's. The style's `around` has no effect.

    Raises ValueError unless `seconds` is above 0 and finite, PdnError for a position set up during
    the game, and as `board` does.

    >>> import damka
    >>> from damka.draw import svg
    >>> game = damka.Game("american")
    >>> for move in ("11-15", "22-18", "15x22", "25x18"):
    ...     _ = game.play(move)
    >>> svg.replay(game).count("<animateTransform ")
    6
    """
    game = drawable.to_drawable(game)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"seconds: a finite number above 0, not {seconds}")
    rules = numbered(game.rules) if library_numbers else game.rules
    ink = palette(rules, style.theme, paper=style.print_style)
    board_style = Style(
        flip=style.flip,
        numbers=style.numbers,
        number_size=style.number_size,
        print_style=style.print_style,
    )
    layout, squares, labels, edges = empty_board(rules, ink, board_style)
    turns = list(drawable.turns(game, library=library_numbers))
    plies_per_step = max(1, ceil(len(turns) / MAX_STEPS))
    steps = turns[plies_per_step - 1 :: plies_per_step]
    if len(turns) % plies_per_step:
        steps.append(turns[-1])
    timeline = _Timeline(len(steps), seconds)
    discs = Discs(lambda _: _ORIGIN, ink, shadow=not style.print_style, crown=style.crown)
    piece_tracks = tracks(drawable.start_of(game), turns, plies_per_step, _MOTION)
    last = _last_move(layout, ink, steps, timeline)
    pieces = (_piece(layout, discs, timeline, track) for track in piece_tracks)
    left, top, width, height = layout.frame()
    captions = ["", *(turn.numbered for turn in steps)]
    if result := drawable.result_text(game):
        captions[-1] = f"{captions[-1]}: {result}" if captions[-1] else result
    strip = _strip(ink, timeline, captions, (left, top + height, width))
    title = f"A game of {rules.title_in('en')}, {len(turns)} plies" + f", {result}" * bool(result)
    parts = (squares, last, labels, *pieces, edges, strip)
    return document((left, top, width, height + _STRIP), parts, style.size, title)


def frames(
    game: DrawableGame | HasPlayback, style: Style = _DEFAULT, *, most: int = MAX_STEPS
) -> Iterator[str]:
    """Yield a game as pictures: the start position, then one after each ply.

    `game` is a `damka.Game` or a `damka.pdn.PdnGame`, whose main line is drawn. The squares of the
    last move are tinted. For more than `most` plies, only every second, third … ply is included,
    and the last one. Raises as `replay` does.

    >>> import damka
    >>> from damka.draw import svg
    >>> game = damka.Game("american")
    >>> move = game.play("11-15")
    >>> len(list(svg.frames(game)))
    2
    """
    game = drawable.to_drawable(game)
    turns = list(drawable.turns(game))
    plies_per_step = max(1, ceil(len(turns) / most))
    yield board(game.rules, drawable.start_of(game), style=style)
    for number, turn in enumerate(turns, start=1):
        if number % plies_per_step and number < len(turns):
            continue
        route = turn.ply.move.route
        marks = Marks(last=(route[0], route[-1]))
        yield board(game.rules, turn.ply.pieces, marks, style, title=turn.numbered)


class _Timeline:
    """The timeline of an animation: steps, and a pause at the end."""

    def __init__(self, steps: int, seconds: float) -> None:
        self.steps = steps
        self.total = steps + _PAUSE
        self._duration = f"{self.total * seconds:.2f}".rstrip("0").rstrip(".") + "s"

    def animate(
        self,
        name: str,
        frames: Sequence[tuple[float, str]],
        *,
        discrete: bool = False,
        transform: str | None = None,
    ) -> str:
        """Return the animation of an attribute with these values at their times."""
        if frames[-1][0] < self.total and not discrete:
            frames = [*frames, (self.total, frames[-1][1])]
        return element(
            "animateTransform" if transform else "animate",
            attributeName=name,
            type=transform,
            calcMode="discrete" if discrete else None,
            dur=self._duration,
            repeatCount="indefinite",
            keyTimes=";".join(self._key_time(time) for time, _ in frames),
            values=";".join(value for _, value in frames),
        )

    def _key_time(self, time: float) -> str:
        return f"{min(max(time / self.total, 0), 1):.4f}".rstrip("0").rstrip(".") or "0"


def _piece(layout: Layout, discs: Discs, timeline: _Timeline, track: Track) -> str:
    """Return a piece with its animation."""
    drawing = discs.draw({0: track.piece})
    if track.crowned is not None:
        king = discs.draw({0: track.piece.upper()})
        opacities = ((0.0, "1"), (track.crowned, "0")), ((0.0, "0"), (track.crowned, "1"))
        hide_man, show_king = (
            timeline.animate("opacity", keyframes, discrete=True) for keyframes in opacities
        )
        drawing = group((hide_man, drawing), opacity=0) + group((show_king, king))
    animations = []
    if track.stops:
        at = _place(layout.centre(track.start))
        places = [(0.0, at)]
        for stop in track.stops:
            if stop.departure > places[-1][0]:
                places.append((stop.departure, at))
            at = _place(layout.centre(stop.square))
            places.append((stop.arrival, at))
        animations.append(timeline.animate("transform", places, transform="translate"))
    if track.fade is not None:
        fade_start, fade_end = track.fade
        fade = ((0.0, "1"), (max(fade_start, 0), "1"), (fade_end, "0"))
        animations.append(timeline.animate("opacity", fade))
    # Without animation, the last position is shown.
    return group(
        (*animations, drawing),
        transform=f"translate({_place(layout.centre(track.end))})",
        opacity=None if track.fade is None else 0,
    )


def _last_move(layout: Layout, ink: Palette, steps: Sequence[Turn], timeline: _Timeline) -> str:
    """Return the two squares of the last move, tinted and ticked."""
    if not steps:
        return ""
    squares = []
    for end in (0, -1):
        corners = [layout.corner(turn.ply.move.route[end]) for turn in steps]
        outside = Point(layout.frame()[0] - 2 * SQUARE, 0)
        corner_by_step = enumerate((outside, *corners))
        # The square is tinted when the piece starts to move.
        places = [(max(step - _MOTION, 0), _place(at)) for step, at in corner_by_step]
        x, y = corners[-1]
        square = (
            timeline.animate("transform", places, discrete=True, transform="translate"),
            element("rect", width=SQUARE, height=SQUARE, fill=ink.last),
            shapes.last_corners((Point(0, 0),), ink.tick),
        )
        squares.append(group(square, transform=f"translate({_place(Point(x, y))})"))
    return "".join(squares)


def _strip(
    ink: Palette, timeline: _Timeline, captions: Sequence[str], place: tuple[float, float, float]
) -> str:
    """Return the strip below the board: the move, and a progress bar.

    The moves are lines of text that scroll up one by one, in an element as high as one line that
    clips the others.
    """
    left, top, width = place
    # A slight overlap hides the seam.
    back = element("rect", x=left, y=top - 1, width=width, height=_STRIP + 1, fill=ink.frame)
    middle = (_STRIP - _BAR) / 2 + round(0.36 * _TEXT)
    texts = group(
        (
            *_scroll(timeline, captions),
            *(
                element("text", word, x=width / 2, y=middle + line * _STRIP)
                for line, word in enumerate(captions)
                if word
            ),
        ),
        transform=f"translate(0 {-(len(captions) - 1) * _STRIP})",
        fill=ink.coordinate,
        font_family=shapes.FONT,
        font_size=_TEXT,
        text_anchor="middle",
    )
    window = element("svg", texts, x=left, y=top, width=width, height=_STRIP, overflow="hidden")
    bar_top = top + _STRIP - _BAR
    growth = (
        timeline.animate("width", ((0.0, "0"), (timeline.steps, f"{width:g}")))
        if timeline.steps
        else ""
    )
    bar = element("rect", growth, x=left, y=bar_top, width=width, height=_BAR, fill=ink.must)
    return back + window + bar


def _scroll(timeline: _Timeline, captions: Sequence[str]) -> Iterable[str]:
    if len(captions) < 2:
        return
    places = [(max(n - _MOTION, 0), f"0 {-n * _STRIP}") for n, _ in enumerate(captions)]
    assert all(a < b for (a, _), (b, _) in pairwise(places))  # noqa: S101
    yield timeline.animate("transform", places, discrete=True, transform="translate")


def _place(point: Point) -> str:
    return f"{shapes.number(point.x)} {shapes.number(point.y)}"
