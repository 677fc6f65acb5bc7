"""Help texts: plain text that fits the terminal, with commands in groups."""

from __future__ import annotations

import inspect
import os
import sys
import textwrap
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NoReturn

from typer.core import TyperCommand, TyperGroup

from damka.cli.renamed import current_command, current_options
from damka.cli.usage import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    _Rows: TypeAlias = list[tuple[str, str]]
    """Terms and their texts, in two columns."""

__all__ = ["EXAMPLE", "GROUPS", "Command", "Commands"]

EXAMPLE: Final = "Example:  "
"""Prefix of a docstring line with an example."""

GROUPS: Final = ("Play", "Analyze and draw", "Files", "Rules", "Engines", "Server")
"""The groups of `damka`'s commands, the most frequently used first."""

_CONTEXT_SETTINGS: Final = {"help_option_names": ["-h", "--help"]}
_MAX_TERM_WIDTH: Final = 28
"""Maximum width of a term whose text begins on the same line."""
_CONTINUATION_INDENT: Final = "    "


class Command(TyperCommand):
    """A command with plain help that also accepts the former names of its options."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["context_settings"] = _CONTEXT_SETTINGS | (kwargs.get("context_settings") or {})
        super().__init__(*args, **kwargs)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words after the command."""
        try:
            return super().parse_args(ctx, current_options(_path(ctx), args))
        except UsageError as error:
            if getattr(error, "ctx", None) is None:
                error.ctx = ctx  # type: ignore[attr-defined]
            raise

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the command's part of the usage line after its name."""
        del ctx
        return _usage(self)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help."""
        _write(self, ctx, formatter, ())


class Commands(TyperGroup):
    """Command group that exits quietly when the reader closes the pipe, as `head` does.

    Its help lists the commands by their `rich_help_panel`, in the order of `GROUPS`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["context_settings"] = _CONTEXT_SETTINGS | (kwargs.get("context_settings") or {})
        super().__init__(*args, **kwargs)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the group's part of the usage line after its name."""
        del ctx
        return [*_usage(self), self.subcommand_metavar]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole help."""
        groups: dict[str, _Rows] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            if not command.hidden:
                title = getattr(command, "rich_help_panel", None)
                rows = groups.setdefault(title if isinstance(title, str) else "Commands", [])
                rows.append((name, command.short_help or _split_docstring(command.help)[0][0]))
        order = [*GROUPS, *groups]
        _write(self, ctx, formatter, sorted(groups.items(), key=lambda each: order.index(each[0])))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the name of the called command, the command, and its arguments.

        The name of a command may have two words, of which the first is a command as well.
        """
        if " ".join(args[:2]) in self.commands:
            args = [" ".join(args[:2]), *args[2:]]
        name = current_command(_path(ctx), args[0])
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            ctx.fail(f"No such command: {name!r}.{did_you_mean(name, self.list_commands(ctx))}")
        return super().resolve_command(ctx, [name, *args[1:]])

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _exit_quietly()


def _write(command: Any, ctx: Any, formatter: Any, groups: Iterable[tuple[str, _Rows]]) -> None:
    """Write a summary, paragraphs, arguments, options, commands in groups, and examples.

    Line breaks within a docstring's paragraphs are ignored: paragraphs are wrapped to the width of
    the terminal. Lines that begin with "Example:" become the last section.
    """
    command.format_usage(ctx, formatter)
    paragraphs, examples = _split_docstring(command.help)
    for paragraph in paragraphs:
        formatter.write("\n")
        _fill(formatter, paragraph)
    params = [param for param in command.get_params(ctx) if not param.hidden]
    for kind, title in (("argument", "Arguments"), ("option", "Options")):
        rows = [_row(param) for param in params if param.param_type_name == kind]
        _section(formatter, title, rows)
    for title, rows in groups:
        _section(formatter, title, rows)
    if examples:
        formatter.write("\nExamples:\n" if len(examples) > 1 else "\nExample:\n")
        for example in examples:
            formatter.write(_example(example, formatter.width))
    if command.epilog:
        formatter.write("\n")
        _fill(formatter, command.epilog)


def _usage(command: Any) -> list[str]:
    """Return the options and arguments of a usage line."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    return [
        "[OPTIONS]",
        *(each.metavar if each.required else f"[{each.metavar}]" for each in arguments),
    ]


def _path(ctx: Any) -> str:
    """Return the words of a command, without the program's name."""
    return str(ctx.command_path).partition(" ")[2]


def _split_docstring(text: str | None) -> tuple[list[str], list[str]]:
    """Return the paragraphs of a docstring and its examples."""
    paragraphs: list[str] = []
    examples: list[str] = []
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        lines = paragraph.splitlines()
        if lines and lines[0].startswith(EXAMPLE):
            examples += [line.removeprefix(EXAMPLE).strip() for line in lines]
        elif lines:
            paragraphs.append(" ".join(line.strip() for line in lines))
    return paragraphs, examples


def _row(param: Any) -> tuple[str, str]:
    """Return an option or argument and its text, as two columns of the help."""
    if param.param_type_name == "argument":
        term = param.metavar
    else:
        names = sorted(param.opts, key=len)
        term = ", ".join(names) + ("" if param.is_flag else f" {param.metavar}")
    notes = []
    variable = param.envvar if isinstance(param.envvar, str) else next(iter(param.envvar or ()), "")
    if variable:
        notes.append(f"env: {variable}")
    text, _, described = param.help.partition(" Default: ")
    if param.required and param.param_type_name == "option":
        notes.append("required")
    if default := described.rstrip(".") or _default(param):
        notes.append(f"default: {default}")
    return term, " ".join([text, *(f"[{note}]" for note in notes)])


def _default(param: Any) -> str:
    """Return the text of a default, or "" if none is shown."""
    default = param.default
    if isinstance(default, Enum):
        default = default.value
    if default in (None, "", ()) or isinstance(default, bool | list) or callable(default):
        return ""
    if default is Ellipsis or param.required:
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def _fill(formatter: Any, text: str) -> None:
    text = " ".join(text.split())
    formatter.write(_wrapped(text, formatter.width, "  ", "  "))


def _section(formatter: Any, title: str, rows: _Rows) -> None:
    """Write a section of terms and their texts in two columns."""
    if not rows:
        return
    max_width = min(_MAX_TERM_WIDTH, formatter.width // 2)
    column = min(max(len(term) for term, _ in rows), max_width) + 4
    formatter.write(f"\n{title}:\n")
    for term, text in rows:
        first = f"  {term}".ljust(column)
        if len(term) > column - 4:
            formatter.write(f"  {term}\n")
            first = " " * column
        formatter.write(_wrapped(text, formatter.width, first, " " * column))


def _wrapped(text: str, width: int, first: str, later: str) -> str:
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + "\n"


def _example(command: str, width: int) -> str:
    """Return an example in lines that a shell reads as one command, with its comment before it."""
    command, _, comment = command.partition("  # ")
    note = _wrapped(comment, width, "  # ", "  # ") if comment else ""
    lines = [""]
    for word in _split_before_options(command.strip()):
        if lines[-1] and len(lines[-1]) + len(word) + 5 > width:
            lines.append(_CONTINUATION_INDENT)
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return note + " \\\n".join(f"  {line}" for line in lines) + "\n"


def _split_before_options(command: str) -> list[str]:
    """Split a command before its options, where a line may be broken."""
    parts = command.split(" -")
    return [parts[0], *(f"-{part}" for part in parts[1:])]


def _exit_quietly() -> NoReturn:
    """Exit without flushing standard output, whose reader is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(0)
