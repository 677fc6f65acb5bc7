"""Usage errors in a uniform format: the error, the usage line, and the help command."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, Final

import typer

__all__ = ["UsageError", "UsageProblem", "did_you_mean", "usage_error_lines"]

UsageError: Final[type[typer.TyperException]] = typer.BadParameter.__bases__[0]
"""The base class of the parser's errors; Typer does not export it."""

_CHOICE: Final = re.compile(r"('.*?') is not one of (.*)", re.DOTALL)
_EXPECTED: Final = {
    r"valid integer": "a whole number",
    r"valid (?:number|float)": "a number",
    r"less than or equal to (\S+)": "at most {}",
    r"greater than or equal to (\S+)": "at least {}",
}
"""The parser's messages about invalid values, and the expected values."""


class UsageProblem(typer.BadParameter):
    """A usage error with its own message."""

    def format_message(self) -> str:
        """Return the message of the error."""
        return self.message


def did_you_mean(name: str, known: list[str] | tuple[str, ...]) -> str:
    """Return " Did you mean …?" for an unknown name, or "" if none is similar.

    >>> did_you_mean("amercan", ["american", "russian"])
    " Did you mean 'american'?"
    """
    similar = get_close_matches(name[:100].lower(), known, n=2)
    return f" Did you mean {' or '.join(map(repr, similar))}?" if similar else ""


def usage_error_lines(error: Any) -> list[str]:
    """Return the lines of a usage error."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return [error.format_message()]
    lines = [f"damka: {_message(error)}"]
    context = getattr(error, "ctx", None)
    if context is not None:
        lines += [context.get_usage(), f"Try `{context.command_path} --help`."]
    return lines


def _message(error: Any) -> str:
    """Return an error's message, with a suggestion for a misspelt name."""
    option = getattr(error, "option_name", None)
    context = getattr(error, "ctx", None)
    param = getattr(error, "param", None)
    if isinstance(error, UsageProblem):
        text = error.message
    elif param is not None and error.message:
        text = _value_message(_name(param), error.message)
    elif param is not None:
        text = f"missing {param.param_type_name} {_name(param)}."
    elif option is not None and context is not None and "No such option" in error.message:
        params = context.command.get_params(context)
        known = [name for each in params for name in each.opts if name.startswith("--")]
        text = f"no such option: {option}.{did_you_mean(option, known)}"
    else:
        text = error.format_message()
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _name(param: Any) -> str:
    """Return the name of an option or argument in a usage line."""
    return str(param.metavar if param.param_type_name == "argument" else max(param.opts, key=len))


def _value_message(name: str, message: str) -> str:
    """Return the message about an invalid value of an option or argument."""
    if match := _CHOICE.search(message):
        choices = re.findall(r"'([^']*)'", match[2])
        similar = did_you_mean(match[1].strip("'"), choices)
        return f"{name} must be one of {', '.join(choices)}, not {match[1]}.{similar}"
    for pattern, expected in _EXPECTED.items():
        if match := re.search(pattern, message):
            return f"{name} must be {expected.format(*match.groups())}."
    return f"{name}: {message}"
