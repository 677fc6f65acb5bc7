"""Studies: named collections of chapters, each an annotated game in PDN with its own rules.

A study belongs to an account, or to a browser, whose pages store it themselves. The text of a
chapter is PDN as `damka.pdn.format` writes it, so that its export is exact. In a file each chapter
has two more tags: the titles of the study and of the chapter.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from damka import pdn
from damka.errors import PdnError, PositionTooComplexError
from damka.live import own_games, pdn_files, trees
from damka.live.problems import Problem

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = [
    "MAX_CHAPTERS",
    "MAX_CHAPTER_BYTES",
    "MAX_TITLE",
    "AddedChapters",
    "Chapter",
    "ChapterChange",
    "ChapterOptions",
    "CheckedChapter",
    "ListedStudy",
    "NewChapter",
    "NewStudy",
    "ReadChapters",
    "ReadOptions",
    "ReadText",
    "Sharing",
    "Study",
    "StudyChange",
    "chapter_title",
    "checked",
    "file_name",
    "file_text",
    "is_id",
    "new_chapter_id",
    "new_id",
    "read_chapters",
    "study_title",
]

MAX_CHAPTERS: Final = 64
"""Maximum number of chapters of a study."""
MAX_CHAPTER_BYTES: Final = 400_000
"""Maximum size of a chapter's PDN."""
MAX_TITLE: Final = 100
_MAX_RAW_TITLE: Final = 4 * MAX_TITLE
_STUDY_TAG: Final = "StudyName"
_CHAPTER_TAG: Final = "ChapterName"
_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_CHAPTER_ID: Final = re.compile(r"[A-Za-z0-9_-]{8}")

Title = Annotated[str, Meta(max_length=_MAX_RAW_TITLE)]
ChapterText = Annotated[str, Meta(max_length=MAX_CHAPTER_BYTES)]
ChapterId = Annotated[str, Meta(pattern=f"^{_CHAPTER_ID.pattern}$", max_length=8)]


class NewChapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter to add: `pdn` has one game, which names its rules."""

    pdn: ChapterText
    title: Title = ""
    """At most 100 characters; "" for none."""


class NewStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a new study."""

    title: Title
    chapters: Annotated[tuple[NewChapter, ...], Meta(min_length=1, max_length=MAX_CHAPTERS)]


class AddedChapters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request to add chapters at the end of a study, or before the chapter with number `at`."""

    chapters: Annotated[tuple[NewChapter, ...], Meta(min_length=1, max_length=MAX_CHAPTERS)]
    at: Annotated[int, Meta(ge=0, le=MAX_CHAPTERS)] | None = None


class StudyChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change of a study: its title, the order of its chapters, or whether it was removed."""

    title: Title | msgspec.UnsetType = msgspec.UNSET
    order: Annotated[tuple[ChapterId, ...], Meta(max_length=MAX_CHAPTERS)] | msgspec.UnsetType = (
        msgspec.UNSET
    )
    """The ids of all chapters in their new order."""
    removed: bool | msgspec.UnsetType = msgspec.UNSET
    """A removed study can be restored for a day."""


class ChapterChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Change of a chapter: its title, its text, or its removal."""

    title: Title | msgspec.UnsetType = msgspec.UNSET
    pdn: ChapterText | msgspec.UnsetType = msgspec.UNSET
    revision: Annotated[int, Meta(ge=0)] | None = None
    """Revision that the new text replaces, required with `pdn`."""
    removed: Literal[True] | msgspec.UnsetType = msgspec.UNSET


class Sharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether everyone with its link can read a study."""

    shared: bool


class ChapterOptions(msgspec.Struct, frozen=True):
    """Selection of a chapter; "" for all."""

    chapter: Annotated[str, Meta(max_length=16)] = ""


class ReadOptions(msgspec.Struct, frozen=True):
    """Rules of games that name none: the name of a rule set, or `r` of a link of house rules."""

    base: Annotated[str, Meta(max_length=64)] = ""
    r: str = ""


class Chapter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A chapter of a study; `pdn` is omitted in lists."""

    id: str
    title: str = ""
    query: str
    """Its rules, as parameters of a page's address: "base=american"."""
    game: str
    """English title of its rules."""
    revision: int = 0
    """Number of changes of its text."""
    pdn: str | msgspec.UnsetType = msgspec.UNSET


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A study with its chapters."""

    id: str
    """For readers of a shared study, the id of its link."""
    title: str
    own: bool
    """Whether the reader may change it."""
    share: str | None
    """Id of the link for readers; only the owner sees it."""
    updated: datetime
    chapters: tuple[Chapter, ...]


class ListedStudy(msgspec.Struct, frozen=True, kw_only=True):
    """A study in the list of its owner."""

    id: str
    title: str
    shared: bool
    updated: datetime
    chapters: int
    games: tuple[str, ...]
    """The rules of its chapters, as `query` of a chapter."""


class ReadChapters(msgspec.Struct, frozen=True, kw_only=True):
    """Chapters read from a text."""

    title: str
    """Title of the study in the text, or ""."""
    chapters: tuple[Chapter, ...]
    faulty: int
    """Number of games that were read up to an error, or not at all."""
    more: bool
    """Whether the text has more games than a study has chapters."""


class CheckedChapter(NamedTuple):
    """A validated chapter."""

    title: str
    pdn: str
    rules: Rules


class ReadText(NamedTuple):
    """Chapters of a text, as in `ReadChapters`."""

    title: str
    chapters: Sequence[CheckedChapter]
    faulty: int
    more: bool


def new_id() -> str:
    """Return the id of a new study or link: 128 random bits."""
    return secrets.token_urlsafe(16)


def new_chapter_id() -> str:
    """Return the id of a new chapter."""
    return secrets.token_urlsafe(6)


def is_id(text: str) -> bool:
    """Whether `text` has the form of the id of a study or a link."""
    return _ID.fullmatch(text) is not None


def study_title(text: str) -> str:
    """Normalise the title of a study. Raises Problem for an empty or a long one."""
    title = chapter_title(text)
    if not title:
        raise Problem(422, "study_untitled", where="title")
    return title


def chapter_title(text: str) -> str:
    """Normalise the title of a chapter; "" for none. Raises Problem for a long one.

    >>> chapter_title("  A   shot\\u202e ")
    'A shot'
    """
    title = own_games.visible_line(text)
    if len(title) > MAX_TITLE:
        raise Problem(422, "title_long", where="title", values={"n": MAX_TITLE})
    return title


def checked(chapter: NewChapter) -> CheckedChapter:
    """Validate a chapter. Raises Problem unless its text is one game without errors."""
    title = chapter_title(chapter.title)
    _require_size(chapter.pdn)
    text = chapter.pdn.replace("\0", "")  # PostgreSQL cannot store it
    games = [*pdn_files.games(text.encode("utf-8", "replace"), None)]
    if len(games) != 1 or games[0].errors:
        raise Problem(422, "bad_chapter", where="pdn")
    return CheckedChapter(title, text, games[0].rules)


def read_chapters(data: bytes, rules: Rules) -> ReadText:
    """Read the games of a text as chapters: PDN, or a FEN; a blank text is a game without moves.

    `rules` are those of games that name none. Raises Problem when there is no readable game.
    """
    if not data.strip():
        empty = CheckedChapter("", pdn.format(pdn.PdnGame(rules)), rules)
        return ReadText("", [empty], 0, False)
    study, chapters, faulty, fault = "", list[CheckedChapter](), 0, None
    try:
        for game in pdn_files.games(data, rules):
            if len(chapters) == MAX_CHAPTERS:
                return ReadText(study, chapters, faulty, True)
            if game.errors:
                faulty += 1
                fault = fault or game.errors[0]
                if not game.move_count and game.fen is None:
                    continue
            of_study = _titled(game.headers.pop(_STUDY_TAG, ""))
            study = study or of_study
            title = _titled(game.headers.pop(_CHAPTER_TAG, "")) or _players(game)
            game.rules = trees.rules_of(game)
            try:
                text = pdn.format(game)
                _require_size(text)
            except (Problem, PdnError, PositionTooComplexError):
                faulty += not game.errors
                continue
            chapters.append(CheckedChapter(title, text, game.rules))
    except PdnError as error:
        raise Problem(422, "bad_file", pdn=error) from error
    if not chapters:
        if fault is not None:
            raise Problem(422, "bad_file", pdn=fault)
        raise Problem(422, "bad_file", pdn=pdn_files.no_game())
    return ReadText(study, chapters, faulty, False)


def file_text(title: str, chapters: Iterable[tuple[str, str]]) -> str:
    r"""Return chapters, each a title and a text, as a PDN file.

    >>> print(file_text("Shots", [('A "B"', '[Result "*"]\n\n*\n')]), end="")
    [StudyName "Shots"]
    [ChapterName "A \"B\""]
    [Result "*"]
    <BLANKLINE>
    *
    """
    texts = []
    for chapter, text in chapters:
        tags = {_STUDY_TAG: title, _CHAPTER_TAG: chapter}
        lines = [f'[{name} "{_escape(value)}"]\n' for name, value in tags.items() if value]
        texts.append("".join(lines) + text)
    return "\n".join(texts)


def file_name(title: str) -> str:
    """Return the name of a study's PDN file.

    >>> file_name("Shots: à b"), file_name("Шашки")
    ('shots-a-b.pdn', 'study.pdn')
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60]
    return f"{name or 'study'}.pdn"


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _require_size(text: str) -> None:
    if len(text.encode("utf-8", "replace")) > MAX_CHAPTER_BYTES:
        raise Problem(413, "chapter_large", where="pdn")


def _titled(text: str) -> str:
    """Return a title from a file, cut to its maximum length."""
    return own_games.visible_line(text)[:MAX_TITLE].strip()


def _players(game: pdn.PdnGame) -> str:
    """Return a title made from the tags of a game, or ""."""
    white, black, event = (game.headers.get(tag, "") for tag in ("White", "Black", "Event"))
    names = [each if each.strip("?. ") else "?" for each in (white, black)]
    players = f"{names[0]} – {names[1]}" if names != ["?", "?"] else ""
    return _titled(players or (event if event.strip("?. ") else ""))
