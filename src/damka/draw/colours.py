"""The colours of a drawing, derived from the four colours of a rule set's theme.

Numbers, rims and marks always have enough contrast, so that house rules with custom colours are as
legible as the shipped rule sets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = [
    "INK",
    "PAPER",
    "THEMES",
    "Disc",
    "Palette",
    "contrast",
    "legible",
    "mix",
    "palette",
    "visible_rim",
]

THEMES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "green-and-buff": MappingProxyType({"light": "#ead9a9", "dark": "#3d7557"}),
        "brown-and-ivory": MappingProxyType({"light": "#efe4cb", "dark": "#79533a"}),
        "red-and-cream": MappingProxyType({"light": "#f2e6d2", "dark": "#a3403a"}),
        "grey": MappingProxyType({"light": "#f2f2f0", "dark": "#7d8287"}),
    }
)
"""Board themes for any rule set, such as the green and buff of tournaments."""

INK: Final = "#16181a"
PAPER: Final = "#ffffff"

# WCAG 2.2: 4.5 for small text, 3 for shapes, with a margin for rounded colours.
_TEXT: Final = 4.5
_SHAPE: Final = 3.05
_DISC: Final = 2.2
_LAST_SHARE: Final = 0.24
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")


class Disc(NamedTuple):
    """A man's colours."""

    face: str
    rim: str


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour that a board drawing uses, as "#rrggbb"."""

    ground: str
    """Playing squares."""
    rest: str
    """The other squares."""
    last: str
    """Squares of the last move, …"""
    tick: str
    """… and the ticks in their corners."""
    number: str
    """Numbers on plain squares, …"""
    number_last: str
    """… and on squares of the last move."""
    white: Disc
    black: Disc
    must: str
    """Rings of pieces that must capture."""
    refused: str
    """Prohibition marks."""
    mark: str
    """Dots and arrows, …"""
    edge: str
    """… and their outlines."""
    border: str
    """The edge of the board."""
    line: str
    """Lines between squares of one colour."""
    frame: str
    """The frame around the board, …"""
    coordinate: str
    """… and the letters and digits in it."""
    case: str = PAPER
    """Outlines of prohibition marks."""


def palette(
    rules: Rules, theme: Mapping[str, Any] | None = None, *, paper: bool = False
) -> Palette:
    """Return the colours for `rules`; `theme` overrides some of the rule set's own.

    `paper` is for black-and-white print: it swaps the two colours of the squares, so that the
    pieces are on light squares, and draws rims and marks in ink.

    Raises ValueError for invalid keys or colours of a theme.
    """
    light, dark, white, black = _check_theme({**rules.theme, **(theme or {})})
    if paper:
        return _on_paper(light, dark, white, black)
    last = mix(dark, "#ffe08a", _LAST_SHARE)
    border = mix(dark, INK, 0.6)
    white, black = (Disc(disc.face, visible_rim(disc, dark, last)) for disc in (white, black))
    return Palette(
        ground=dark,
        rest=light,
        last=last,
        tick=_visible("#ffe9ae", last),
        number=_text_colour(dark),
        number_last=_text_colour(last),
        white=white,
        black=black,
        must="#f0b429",
        refused="#e2553a",
        mark="#ffffff",
        edge=INK,
        border=border,
        line=mix(dark, INK, 0.45),
        frame=border,
        coordinate=_text_colour(border),
    )


def _on_paper(light: str, dark: str, white: Disc, black: Disc) -> Palette:
    if contrast(white.face, black.face) < _SHAPE:
        # The two faces would look alike in grey.
        pale_first = luminance(white.face) >= luminance(black.face)
        faces = (PAPER, INK) if pale_first else (INK, PAPER)
    else:
        faces = (white.face, black.face)
    last = mix(light, INK, 0.2)
    return Palette(
        ground=light,
        rest=dark,
        last=last,
        tick=INK,
        number=_text_colour(light),
        number_last=_text_colour(last),
        white=_print_disc(faces[0]),
        black=_print_disc(faces[1]),
        must=INK,
        refused=INK,
        mark=INK,
        edge=PAPER,
        border=INK,
        line=mix(light, INK, 0.5),
        frame=PAPER,
        coordinate=INK,
    )


def _print_disc(face: str) -> Disc:
    # The rim separates the two men of a king, so it must contrast with the face.
    return Disc(face, INK if contrast(face, INK) > contrast(face, PAPER) else PAPER)


def _check_theme(theme: Mapping[str, Any]) -> tuple[str, str, Disc, Disc]:
    if unknown := sorted(theme.keys() - {"light", "dark", "white", "black"}):
        raise ValueError(f"theme: unknown key {unknown[0]!r}; expected light, dark, white or black")
    light, dark = (_colour(name, theme[name]) for name in ("light", "dark"))
    discs = []
    for name in ("white", "black"):
        pair = theme[name]
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError(
                f"theme {name}: expected two colours, the face and the rim, not {pair!r}"
            )
        discs.append(Disc(*(_colour(name, colour) for colour in pair)))
    return light, dark, discs[0], discs[1]


def _colour(name: str, value: object) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value.lower()):
        raise ValueError(f'theme {name}: expected a colour such as "#79533a", not {value!r}')
    return value.lower()


def _text_colour(ground: str) -> str:
    """Return a colour for small text on `ground`, as muted as legibility permits."""
    ink = max(PAPER, INK, key=lambda colour: contrast(colour, ground))
    for share in (0.62, 0.7, 0.78, 0.86, 0.94):
        muted = mix(ground, ink, share)
        if contrast(muted, ground) >= _TEXT:
            return muted
    # Between light and dark, only pure black is legible.
    return ink if contrast(ink, ground) >= _TEXT else "#000000"


def legible(colour: str, ground: str) -> str:
    """Return `colour`, adjusted as little as necessary for a disc that is visible on `ground`.

    A colour lighter than the ground becomes lighter, a darker one darker. A disc needs less
    contrast than a digit.
    """
    extreme = PAPER if luminance(colour) > luminance(ground) else "#000000"
    shares = (step / 20 for step in range(20))
    candidates = (mix(colour, extreme, share) for share in shares)
    return next(
        (candidate for candidate in candidates if contrast(candidate, ground) >= _DISC), extreme
    )


def visible_rim(disc: Disc, *grounds: str) -> str:
    """Return the rim of a disc, changed as little as necessary to outline it on every ground.

    The rim contrasts with the face, since it separates the two men of a king; and with a ground on
    which the face alone would be hard to see. The page does the same (`rimOn` in `pieces.js`).
    """
    hidden = [each for each in grounds if contrast(disc.face, each) < _SHAPE]
    return _visible(disc.rim, disc.face, *hidden)


def _visible(colour: str, *grounds: str) -> str:
    """Return `colour`, made darker or lighter as little as necessary for a shape on the grounds."""

    def least(candidate: str) -> float:
        return min(contrast(candidate, ground) for ground in grounds)

    if least(colour) >= _SHAPE:
        return colour
    candidates = [
        mix(colour, extreme, step / 20) for step in range(1, 21) for extreme in ("#000000", PAPER)
    ]
    visible = next((each for each in candidates if least(each) >= _SHAPE), None)
    return max((colour, *candidates), key=least) if visible is None else visible


def mix(ground: str, over: str, share: float) -> str:
    """Return the colour seen when `over` covers `ground` with the opacity `share` (0 to 1)."""
    channels = (a + (b - a) * share for a, b in zip(_rgb(ground), _rgb(over), strict=True))
    return "#" + "".join(f"{round(255 * part):02x}" for part in channels)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it: 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it: 0 to 1."""
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _rgb(colour))
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rgb(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue
