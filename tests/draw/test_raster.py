"""Raster images: contents, and invalid arguments."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops, ImageColor

from damka import Board, Game
from damka.draw import Style, raster, svg
from damka.rules import load


def picture() -> str:
    board = Board("american")
    return svg.board(board.rules, board.pieces)


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_a_png_has_the_given_size_and_the_themes_colours() -> None:
    drawn = image(raster.png(picture(), 320)).convert("RGB")
    assert drawn.size == (320, 320)
    theme = load("american").theme
    assert drawn.getpixel((2, 2)) == ImageColor.getrgb(theme["light"])
    # The man on 1, and the non-playing square below it.
    assert drawn.getpixel((60, 20)) == ImageColor.getrgb(theme["black"][0])


@pytest.mark.parametrize("name", ["american", "russian"])
def test_labels_do_not_need_system_fonts(name: str) -> None:
    board = Board(name)
    bare = svg.board(board.rules, "." * 32, style=Style(numbers=False))
    labelled = svg.board(board.rules, "." * 32)
    if name == "american":
        one, other = (image(raster.png(each, 800)).convert("RGB") for each in (bare, labelled))
        box = ImageChops.difference(one, other).crop((100, 0, 200, 100)).getbbox()
        # The 1 in the corner of its square.
        assert box is not None
        assert box[0] < 20
        assert box[3] < 25
    else:
        frame = image(raster.png(labelled, 872)).convert("L").crop((36, 838, 836, 870))
        assert len(frame.getcolors(256) or []) > 10


def test_letters_missing_in_the_font_are_not_an_error() -> None:
    game = Game("american")
    assert image(raster.png(svg.game(game, title="Иван – Ана"), 300)).width == 300


def test_animations_have_a_frame_per_ply_and_a_final_pause() -> None:
    game = Game("american")
    for text in ("11-15", "22-18", "15x22", "25x18"):
        game.play(text)
    for make in (raster.gif, raster.webp):
        moving = image(make(svg.frames(game), 100, 0.5))
        assert moving.n_frames == 5  # type: ignore[attr-defined]
        durations = []
        for number in range(5):
            moving.seek(number)
            moving.load()
            durations.append(moving.info["duration"])
        assert durations == [500, 500, 500, 500, 1500]
        # The last frame is the last position.
        still = image(raster.png(list(svg.frames(game))[-1], 100)).convert("RGB")
        off = ImageChops.difference(moving.convert("RGB"), still).convert("L")
        assert sum(off.histogram()[40:]) == 0


@pytest.mark.parametrize("width", [0, -1, 4001])
def test_a_width_out_of_range_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="1 to 4000 pixels"):
        raster.png(picture(), width)


def test_an_invalid_animation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="at least one picture"):
        raster.gif([])
    with pytest.raises(ValueError, match=r"seconds: 0\.02 to 60"):
        raster.webp([picture()], seconds=61)
    monkeypatch.setattr(raster, "MAX_PIXELS", 30_000)
    with pytest.raises(ValueError, match="30000 pixels in total"):
        raster.gif([picture()] * 4, width=100)


def test_an_invalid_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="not a valid SVG"):
        raster.png("no picture")
