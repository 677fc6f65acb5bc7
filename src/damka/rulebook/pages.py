"""The rulebook as Markdown pages with SVG pictures, as in `docs/rules`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka.rulebook import Paragraph, paragraphs

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["MARK", "page", "pictures", "write"]

MARK: Final = (
    "<!-- Written by `python -m damka.rulebook` below this line; the text above is preserved. -->"
)
"""The text above this line of a page is handwritten."""

_WIDTH: Final = 300
_PICTURE: Final = "!["


def write(rules: Rules, folder: Path, language: str = "en") -> list[Path]:
    """Write a rule set's page and pictures into `folder`; return their paths.

    The page is `<name>.md`, its pictures are `diagrams/<name>/<topic>.svg`; obsolete pictures are
    deleted. Raises OSError if a file cannot be written.
    """
    path = folder / f"{rules.name}.md"
    book = paragraphs(rules, language)
    picture_files = {folder / place: picture for place, picture in pictures(rules, book).items()}
    picture_folder = folder / "diagrams" / rules.name
    picture_folder.mkdir(parents=True, exist_ok=True)
    for obsolete in set(picture_folder.glob("*.svg")) - picture_files.keys():
        obsolete.unlink()
    old_page = path.read_text("utf-8") if path.exists() else ""
    files = {path: page(rules, book, old_page), **picture_files}
    for file, content in files.items():
        file.write_text(content, "utf-8")
    return list(files)


def pictures(rules: Rules, book: Iterable[Paragraph]) -> dict[str, str]:
    """Return the pictures of a rulebook by their path relative to the page."""
    return {
        _place(rules, paragraph): f"{paragraph.diagram.svg(paragraph.language, size=_WIDTH)}\n"
        for paragraph in book
        if paragraph.diagram
    }


def page(rules: Rules, book: Iterable[Paragraph], old: str = "") -> str:
    """Return the page of a rulebook; handwritten text in `old` is preserved.

    Pictures that are commented out in `old` remain commented out: the repository does not contain
    the pictures of such a page, only the site does.
    """
    book = list(book)
    hidden = f"<!-- {_PICTURE}" in old
    language = book[0].language
    handwritten = old.partition(MARK)[0].strip()
    head = handwritten or f"# {rules.title_in(language)}\n\n{rules.summary_in(language)}".strip()
    parts = [
        head,
        MARK,
        "## The rules",
        *(_paragraph(rules, paragraph, hidden) for paragraph in book),
    ]
    if readings := [paragraph for paragraph in book if paragraph.is_reading]:
        parts.append("## Our interpretation")
        parts.append(
            "\n".join(
                f"- [{paragraph.number}](#{paragraph.topic}): {paragraph.note}"
                for paragraph in readings
            )
        )
    if rules.sources:
        parts += ["## Sources", "\n".join(f"- {source}" for source in rules.sources)]
    return "\n\n".join(parts) + "\n"


def _paragraph(rules: Rules, paragraph: Paragraph, hidden: bool) -> str:
    sign = " *([our interpretation](#our-interpretation))*" if paragraph.is_reading else ""
    lines = [f'<a id="{paragraph.topic}"></a>', f"**{paragraph.number}.** {paragraph.text}{sign}"]
    if paragraph.items:
        lines.append("\n".join(f"- {item}" for item in paragraph.items))
    if paragraph.diagram:
        picture = f"{_PICTURE}{paragraph.caption}]({_place(rules, paragraph)})"
        lines += [f"<!-- {picture} -->" if hidden else picture, f"*{paragraph.caption}*"]
    return "\n\n".join(lines)


def _place(rules: Rules, paragraph: Paragraph) -> str:
    return f"diagrams/{rules.name}/{paragraph.topic}.svg"
