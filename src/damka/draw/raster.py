"""Raster images: PNG, and animated GIF or WebP, from the SVG of `damka.draw.svg`.

This needs the `pictures` extra: `pip install "damka[pictures]"` (resvg renders, Pillow writes GIF
and WebP; both have wheels without system dependencies). Digits and letters use Aileron, a font
included in Pillow and free of copyright (CC0), so a picture is the same on every machine. Letters
that it lacks, such as Cyrillic, come from the system's fonts, if any.
"""

from __future__ import annotations

import io
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from damka.errors import PictureError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from PIL.Image import Image

__all__ = ["MAX_WIDTH", "gif", "png", "webp"]


def __dir__() -> list[str]:
    return __all__


MAX_WIDTH: Final = 4_000
MAX_PIXELS: Final = 250_000_000
"""Limit for all pictures of an animation together."""

_END: Final = 3.0
_COLOURS: Final = 128
_SAMPLES: Final = 4
_FAMILY: Final = "Aileron"


def png(picture: str, width: int = 800) -> bytes:
    """Convert an SVG of `damka.draw.svg` to a PNG file, `width` pixels wide.

    Raises PictureError without the libraries, ValueError for a width outside 1 to 4000, or an
    invalid SVG.

    >>> import damka
    >>> from damka.draw.raster import png
    >>> from damka.draw import svg
    >>> board = damka.Board("american")
    >>> png(svg.board(board), width=100)[:4]
    b'\\x89PNG'
    """
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"width: 1 to {MAX_WIDTH} pixels, not {width}")
    resvg, font = _libraries()
    try:
        data = resvg.svg_to_bytes(
            svg_string=picture,
            width=width,
            skip_system_fonts=picture.isascii(),
            font_files=[font],
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
        )
    except ValueError as error:
        raise ValueError(f"not a valid SVG: {error}") from error
    return bytes(data)


def gif(pictures: Iterable[str], width: int = 400, seconds: float = 1.0) -> bytes:
    """Convert pictures, such as those of `damka.draw.svg.frames`, to a looping GIF file.

    Each is shown for `seconds` (0.02 to 60) and the last one three times as long. Raises ValueError
    without pictures, for more than 250 million pixels in total, or seconds out of range, and as
    `png` does.

    >>> import damka
    >>> from damka.draw.raster import gif
    >>> from damka.draw import svg
    >>> game = damka.Game("american")
    >>> move = game.play("11-15")
    >>> gif(svg.frames(game), width=100)[:6]
    b'GIF89a'
    """
    return _animation(pictures, width, seconds, "GIF", palette=True)


def webp(pictures: Iterable[str], width: int = 400, seconds: float = 1.0) -> bytes:
    """Convert pictures to a looping WebP file: smaller than a GIF, and in full colour.

    Raises as `gif` does.
    """
    return _animation(pictures, width, seconds, "WEBP", lossless=True, method=3)


def _animation(
    pictures: Iterable[str],
    width: int,
    seconds: float,
    kind: str,
    *,
    palette: bool = False,
    **options: Any,
) -> bytes:
    if not 0.02 <= seconds <= 60:
        raise ValueError(f"seconds: 0.02 to 60, not {seconds}")
    _libraries()
    frames = _check_size(_render(pictures, width))
    images = list(_quantize(frames) if palette else frames)
    if not images:
        raise ValueError("an animation needs at least one picture")
    milliseconds = round(1000 * seconds)
    durations = [*[milliseconds] * (len(images) - 1), round(_END * milliseconds)]
    output = io.BytesIO()
    images[0].save(
        output,
        kind,
        save_all=True,
        append_images=images[1:],
        duration=durations if len(images) > 1 else milliseconds,
        loop=0,
        **options,
    )
    return output.getvalue()


def _render(pictures: Iterable[str], width: int) -> Iterator[Image]:
    from PIL import Image  # noqa: PLC0415

    for picture in pictures:
        with Image.open(io.BytesIO(png(picture, width))) as image:
            yield image.convert("RGB")


def _check_size(images: Iterable[Image]) -> Iterator[Image]:
    pixels = 0
    for image in images:
        pixels += image.width * image.height
        if pixels > MAX_PIXELS:
            raise ValueError(f"the animation has more than {MAX_PIXELS} pixels in total")
        yield image


def _quantize(images: Iterator[Image]) -> Iterator[Image]:
    """Yield images with a common palette, taken from the first ones."""
    from PIL import Image  # noqa: PLC0415

    first = list(islice(images, _SAMPLES))
    if not first:
        return
    width, height = first[0].size
    sample = Image.new("RGB", (width * len(first), height))
    for number, image in enumerate(first):
        sample.paste(image, (number * width, 0))
    palette = sample.quantize(_COLOURS, dither=Image.Dither.NONE)
    for image in chain(first, images):
        yield image.quantize(palette=palette, dither=Image.Dither.NONE)


@cache
def _libraries() -> tuple[Any, str]:
    """Return resvg and the font file; raises PictureError if they are not installed."""
    import atexit  # noqa: PLC0415
    import tempfile  # noqa: PLC0415

    try:
        import resvg_py  # noqa: PLC0415
        from PIL import ImageFont  # noqa: PLC0415
    except ImportError as error:
        raise PictureError(
            f"pictures in pixels need: pip install 'damka[pictures]' ({error})"
        ) from error
    font: Any = ImageFont.load_default(10)
    folder = tempfile.TemporaryDirectory(prefix="damka-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "aileron.ttf"
    file.write_bytes(font.font_bytes)
    return resvg_py, str(file)
