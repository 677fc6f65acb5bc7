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
"""The text above this line of a page is handwritten and preserved."""

_WIDTH: Final = 300
_PICTURE: Final = "!["


def write(rules: Rules, folder: Path, language: str = "en") -> list[Path]:
    """Write a rule set's page and pictures into `folder`, and return the files written.

    The page is `<name>.md`, its pictures are `diagrams/<name>/<topic>.svg`; obsolete pictures are
    removed. Raises OSError if a file cannot be written.
    """
    path = folder / f"{rules.name}.md"
    book = paragraphs(rules, language)
    drawn = {folder / place: picture for place, picture in pictures(rules, book).items()}
    home = folder / "diagrams" / rules.name
    home.mkdir(parents=True, exist_ok=True)
    for old in set(home.glob("*.svg")) - drawn.keys():
        old.unlink()
    old_page = path.read_text("utf-8") if path.exists() else ""
    files = {path: page(rules, book, old_page), **drawn}
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

    Pictures that are commented out in `old` stay so: the repository omits the pictures of such a
    page, and the site shows them.
    """
    book = list(book)
    hidden = f"<!-- {_PICTURE}" in old
    language = book[0].language
    by_hand = old.partition(MARK)[0].strip()
    head = by_hand or f"# {rules.title_in(language)}\n\n{rules.summary_in(language)}".strip()
    parts = [head, MARK, "## The rules", *(_paragraph(rules, each, hidden) for each in book)]
    if readings := [each for each in book if each.is_reading]:
        parts.append("## Our interpretation")
        parts.append(
            "\n".join(f"- [{each.number}](#{each.topic}): {each.note}" for each in readings)
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
