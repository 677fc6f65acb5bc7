"""Decoding a file's bytes in any encoding.

UTF-16 and UTF-32, recognized by their byte order mark or their zero bytes, are converted to UTF-8.
Other bytes are parsed directly, because PDN's syntax is ASCII; names and comments are then decoded
as UTF-8 or, if invalid, in the code page that their letters suggest.
"""

from __future__ import annotations

import codecs
from typing import IO, TYPE_CHECKING, Final

from damka.pdn import code_page

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TextDecoder", "byte_reader"]

SAMPLE: Final = 4096
"""Bytes examined to detect UTF-16 without a mark."""
CODE_PAGE_SAMPLE: Final = 1 << 16
"""Bytes examined to detect a code page."""

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class TextDecoder:
    """Decodes text that is not UTF-8, in its likely code page."""

    def __init__(self) -> None:
        self._sample = b""
        self._scores: tuple[float, ...] = ()

    def set_sample(self, text: bytes) -> None:
        """Set a part of the file whose letters help to detect the code page of the next text."""
        self._sample = text[:CODE_PAGE_SAMPLE]

    def read(self, text: str | bytes) -> str:
        """Decode bytes; return a str unchanged.

        >>> TextDecoder().read("Чижов".encode("cp1251"))
        'Чижов'
        """
        if isinstance(text, str):
            return text
        if self._sample or not self._scores:
            words = code_page.words_of(self._sample)
            if words or not self._scores:
                self._scores = code_page.scores(words)
            self._sample = b""
        return code_page.best_page(text, self._scores).decode(text)


def byte_reader(file: IO[bytes] | IO[str]) -> Callable[[int], bytes]:
    """Return a function that reads about `size` bytes from a file, empty at its end."""
    sample = file.read(SAMPLE)
    if isinstance(sample, str):
        return _TextReader(file, sample)
    encoding = _wide_encoding(sample)
    if encoding is None:
        return _ByteReader(file, sample)
    return _WideReader(file, sample, encoding)


class _ByteReader:
    def __init__(self, file: IO[bytes] | IO[str], sample: bytes) -> None:
        self._file, self._sample = file, sample

    def __call__(self, size: int) -> bytes:
        sample, self._sample = self._sample, b""
        more = self._file.read(size)
        if isinstance(more, str):
            raise TypeError("the file returns both bytes and text")
        return sample + more


class _TextReader:
    def __init__(self, file: IO[bytes] | IO[str], sample: str) -> None:
        self._file, self._sample = file, sample

    def __call__(self, size: int) -> bytes:
        sample, self._sample = self._sample, ""
        more = self._file.read(size)
        if not isinstance(more, str):
            raise TypeError("the file returns both bytes and text")
        return _to_utf8(sample + more)


class _WideReader:
    def __init__(self, file: IO[bytes] | IO[str], sample: bytes, encoding: str) -> None:
        self._read = _ByteReader(file, sample)
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def __call__(self, size: int) -> bytes:
        while data := self._read(size):
            if text := self._decoder.decode(data):
                return _to_utf8(text)
        return _to_utf8(self._decoder.decode(b"", final=True))


def _to_utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _wide_encoding(sample: bytes) -> str | None:
    """Return the encoding with two or four bytes per character, or None."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if sample.startswith(mark):
            return encoding
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if 3 * odd > len(sample[1::2]) and not even:
        return "utf-16-le"
    if 3 * even > len(sample[::2]) and not odd:
        return "utf-16-be"
    return None
