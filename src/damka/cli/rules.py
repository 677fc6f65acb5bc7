"""`damka rules`: list, show, write and check rule sets."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from damka.cli import rules_json
from damka.cli.help import Command, Commands
from damka.cli.options import (
    NAME_HELP,
    complete_rules,
    force_option,
    json_option,
    lang_option,
    language_of,
    load_rules,
    print_json,
    refuse_existing,
)
from damka.cli.program import program_name
from damka.cli.rules_errors import error_lines
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from rich.console import Console

    from damka import Rules

__all__ = ["app"]


def _complete(incomplete: str) -> list[tuple[str, str]]:
    """Return the completions after `damka rules`: the other commands, and rule sets."""
    commands = [
        ("new", "Write a rule file to edit"),
        ("check", "Check a rule file and explain its rules"),
    ]
    return [each for each in commands if each[0].startswith(incomplete)] + complete_rules(
        incomplete
    )


class RulesGroup(Commands):
    """A command group that shows a rule set if the word is not a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the command `show` before a word that is not a command."""
        if not self.commands.keys() & set(args) and args not in (["--help"], ["-h"]):
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="rules",
    cls=RulesGroup,
    help="List, show, write and check rule sets.\n\n"
    "Without a command, it lists the rule sets, or shows the rules of RULES: a name or a TOML "
    "file. --lang chooses the language, --json prints JSON.\n\n"
    "Example:  damka rules\n"
    "Example:  damka rules dama64 --lang bg\n"
    "Example:  damka rules new my-box.toml",
    subcommand_metavar="[RULES] | COMMAND [ARGS]...",
    rich_markup_mode=None,
    no_args_is_help=False,
)


@app.command(cls=Command)
def show(
    name: str | None = typer.Argument(
        None, metavar="RULES", help=NAME_HELP, autocompletion=_complete
    ),
    lang: str | None = lang_option(),
    as_json: bool = json_option(),
) -> None:
    """List the rule sets or show the rules of one.

    Example:  damka rules dama64 --lang bg
    """
    language = language_of(lang)
    screen = Screen()
    if as_json:
        print_json(
            rules_json.all_rules(language)
            if name is None
            else rules_json.rule_set(load_rules(name), language)
        )
    elif name is None:
        _print_list(screen, language)
    else:
        _print_rules(screen, load_rules(name), language)


@app.command(cls=Command)
def new(
    file: Path = typer.Argument(..., metavar="FILE", help="File to write, such as my-box.toml."),
    base: str = typer.Option(
        "dama64",
        "--from",
        metavar="RULES",
        help="Rule set to start from: a name or a TOML file.",
        autocompletion=complete_rules,
    ),
    force: bool = force_option(),
    lang: str | None = lang_option(),
) -> None:
    """Write a rule file to edit.

    The file has a line for every rule, with an explanation.

    Example:  damka rules new my-box.toml --from russian
    """
    from damka import box  # noqa: PLC0415

    language = language_of(lang)
    name = box.slug(file.stem)
    text = box.template(load_rules(base), language, name, str(file), program_name())
    try:
        with file.open("w" if force else "x", encoding="utf-8") as rule_file:
            rule_file.write(text)
    except FileExistsError:
        raise refuse_existing(file) from None
    except OSError as error:
        typer.echo(f"damka: cannot write {file}: {error.strerror}", err=True)
        raise typer.Exit(2) from error
    typer.echo(
        _translate(language, "box_written", file=shlex.quote(str(file)), program=program_name())
    )


@app.command(cls=Command)
def check(
    file: Path = typer.Argument(..., metavar="FILE", help="Rule file to check."),
    lang: str | None = lang_option(),
    as_json: bool = json_option(),
) -> None:
    """Check a rule file and explain its rules.

    Example:  damka rules check my-box.toml --lang sk
    """
    from damka import box  # noqa: PLC0415
    from damka.errors import RulesError  # noqa: PLC0415
    from damka.game import check_openings  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    language = language_of(lang)
    try:
        rules = load(file)
        check_openings(rules)
    except RulesError as error:
        if as_json:
            print_json({"ok": False, "errors": rules_json.errors(error, file)})
            raise typer.Exit(2) from error
        for line in error_lines(error, file, language):
            typer.echo(line, err=True)
        raise typer.Exit(2) from error
    nearest = box.nearest(rules)
    changes = box.describe_changes(rules, nearest, language)
    if as_json:
        keys = ("question", "answer", "nearest_answer")
        differences = [dict(zip(keys, each, strict=True)) for each in changes]
        result = {"ok": True, **rules_json.rule_set(rules, language), "nearest": nearest.name}
        print_json(result | {"differences": differences})
        return
    screen = Screen()
    _print_rules(screen, rules, language)
    title = nearest.title_in(language)
    if not changes:
        screen.print(_translate(language, "box_same", title=title, name=nearest.name))
        return
    screen.print(
        Text(_translate(language, "box_differs", title=title, name=nearest.name), style="bold")
    )
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for row in changes:
        table.add_row(*map(Text, row))
    screen.print(table)


def _print_list(screen: Console, language: str) -> None:
    from damka import box, locales  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for group, names in box.rule_groups():
        heading = locales.translate(language, f"box.kinds.{group}")
        if table.row_count:
            table.add_row()
        table.add_row(Text(heading, style="bold underline"))
        for name in names:
            each = load(name)
            table.add_row(
                Text(name, style="bold"),
                f"{each.width}×{each.height}",
                each.title_in(language),
                each.summary_in(language),
            )
    screen.print(table)


def _print_rules(screen: Console, rules: Rules, language: str) -> None:
    from damka import locales, rulebook  # noqa: PLC0415

    screen.print(Text(rules.title_in(language), style="bold"))
    if summary := rules.summary_in(language):
        screen.print(Text(summary, style="italic"))
    screen.print()
    for paragraph in rulebook.paragraphs(rules, language):
        line = Text(f"{paragraph.number:>2}. ", style="bold").append(
            paragraph.text, style="not bold"
        )
        screen.print(line)
        for item in paragraph.items:
            screen.print(Padding(Text(f"– {item}"), (0, 0, 0, 4)))
        screen.print()
    if rules.sources:
        screen.print(Text(locales.translate(language, "rulebook.sources"), style="bold"))
        for source in rules.sources:
            screen.print(Padding(Text(f"– {source}"), (0, 0, 0, 4)))


def _translate(language: str, key: str, **values: object) -> str:
    from damka import locales  # noqa: PLC0415

    return locales.translate(language, f"cli.{key}", **values)
