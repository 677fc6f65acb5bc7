"""`damka rules`: the rule sets there are, and what one of them says."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from damka.cli.options import NAME_HELP, language_of, load_rules

__all__ = ["rules"]


def rules(
    name: str | None = typer.Argument(None, help=NAME_HELP),
    lang: str | None = typer.Option(None, help="The language: bg, en, it or sk."),
) -> None:
    """List the rule sets, or read the rules of one.

    Example:  damka rules dama64 --lang bg
    """
    language = language_of(lang)
    console = Console(highlight=False)
    if name is None:
        _list(console, language)
    else:
        _read(console, name, language)


def _list(console: Console, language: str) -> None:
    from damka.rules import load, names  # noqa: PLC0415

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for name in names():
        each = load(name)
        size = f"{each.width}×{each.height}"
        table.add_row(
            Text(name, style="bold"), size, each.title_in(language), each.summary_in(language)
        )
    console.print(table)


def _read(console: Console, name: str, language: str) -> None:
    from damka import locales, rulebook  # noqa: PLC0415

    chosen = load_rules(name)
    console.print(Text(chosen.title_in(language), style="bold"))
    if summary := chosen.summary_in(language):
        console.print(Text(summary, style="italic"))
    console.print()
    for paragraph in rulebook.paragraphs(chosen, language):
        line = Text(f"{paragraph.number:>2}. ", style="bold").append(
            paragraph.text, style="not bold"
        )
        console.print(line)
        for item in paragraph.items:
            console.print(Padding(Text(f"– {item}"), (0, 0, 0, 4)))
        console.print()
    if chosen.sources:
        console.print(Text(locales.translate(language, "rulebook.sources"), style="bold"))
        for source in chosen.sources:
            console.print(Padding(Text(f"– {source}"), (0, 0, 0, 4)))
