"""Loading rule sets: by name, from a TOML file, or from TOML text."""

from __future__ import annotations

import errno
import functools
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from damka.errors import RulesError, UnknownRulesError
from damka.rules.check import check, value_errors
from damka.rules.openings import is_file, read_file
from damka.rules.parameters import DEFAULTS, PARAMETERS
from damka.rules.record import Rules

__all__ = ["from_dict", "load", "names", "required", "shipped"]

S = TypeVar("S")
P = ParamSpec("P")

MAX_BYTES: Final = 128 * 1024
"""Maximum bytes of a rule file, which may contain all openings of a list."""
_LINE_NUMBER: Final = re.compile(r"\(at line (\d{1,6}),")
_TOML_ERRORS: Final = {
    "Invalid value": 'a value: text in quotes, such as "W", a number, true, false or a list [ ]',
    "Cannot overwrite": "every key once",
    "Expected newline": "nothing more on the line after a value",
    "Unclosed array": "the end of a list, ], before this line",
}
"""Valid input at common syntax errors, by the prefix of `tomllib`'s message."""
_UNCLOSED: Final = "Unclosed array: "
_EXPECTED: Final = (
    'expected a rule set: its name, such as "american", "international" or "russian" '
    "(damka.rules.names() lists them all), its file, or a Rules"
)
_SETS = Path(__file__).parent / "sets"

# The three toy boxes are first in every list of rule sets.
_BOXES = ("dama64", "american", "dama100")


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of the shipped rule sets, with the three toy boxes first."""
    shipped = sorted(
        p.name.removesuffix(".toml") for p in _SETS.iterdir() if p.name[-5:] == ".toml"
    )
    return _BOXES + tuple(name for name in shipped if name not in _BOXES)


def load(source: str | Path) -> Rules:
    """Load a rule set by name, from a file, or from text.

    `source` is the name of a shipped rule set ("dama64"), a path to a TOML file (a `Path`, or a
    text ending in ".toml"), or TOML text (any text with a line break or an equals sign). A file may
    extend a shipped rule set with `base = "american"` and contain only the differences. Its
    `ballots` may be the name of a file of openings in the same folder, `"openings.txt"`.

    Raises UnknownRulesError for an unknown name; RulesError for an invalid file or text (too large,
    not TOML, an invalid key or value), with the key, the value and the expected values; TypeError
    if `source` is neither a str nor a path.
    """
    if isinstance(source, Path):
        return _load_file(source)
    if not isinstance(source, str):
        raise TypeError(f"{_EXPECTED}, not {type(source).__name__}")
    if "\n" in source or "=" in source:
        return _parse(source, "")
    if source.endswith(".toml"):
        return _load_file(Path(source))
    return shipped(source)


def required(init: Callable[Concatenate[S, P], None]) -> Callable[Concatenate[S, P], None]:
    """Decorate a constructor to raise a helpful TypeError if its argument `rules` is missing."""

    @functools.wraps(init)
    def checked(self: S, /, *args: P.args, **kwargs: P.kwargs) -> None:
        if not args and "rules" not in kwargs:
            raise TypeError(_EXPECTED)
        init(self, *args, **kwargs)

    return checked


def from_dict(raw: object) -> Rules:
    """Return the rule set for the output of `Rules.to_dict`.

    `raw` may come from a file: any value is validated. Raises RulesError.
    """
    if not isinstance(raw, Mapping):
        raise RulesError("", raw, "a table of parameters")
    for key in raw:
        if not isinstance(key, str):
            raise RulesError("", key, "the name of a parameter")
    return _build(dict(raw), "")


@functools.cache
def shipped(name: str) -> Rules:
    """Return a shipped rule set. Raises UnknownRulesError for an unknown name."""
    if name not in names():
        raise UnknownRulesError(name, names())
    return _parse((_SETS / f"{name}.toml").read_text("utf-8"), name)


def _load_file(path: Path) -> Rules:
    try:
        # A device or a pipe may be endless.
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "not a regular file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: an impossible path
        reason = getattr(error, "strerror", None) or error
        raise RulesError("", str(path), f"a readable file ({reason})") from error
    if len(data) > MAX_BYTES:
        raise _too_large(str(path))
    try:
        text = data.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as error:
        raise RulesError("", None, "UTF-8 text", source=str(path)) from error
    return _parse(text, str(path), path.parent)


def _parse(text: str, source: str, folder: Path | None = None) -> Rules:
    """Parse TOML text as a rule set; it may refer to files in `folder`, if any."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise _too_large(source)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_errors(text, error, source) from error
    except (ValueError, RecursionError) as error:  # ValueError: a number with too many digits
        raise RulesError("", text, f"TOML ({error})", source=source) from error
    if folder is not None and is_file(raw.get("ballots")):
        raw["ballots"] = [*read_file(folder / raw["ballots"]).values()]
    return _build(raw, source)


def _toml_errors(text: str, error: tomllib.TOMLDecodeError, source: str) -> RulesError:
    """Return one error for all lines with syntax errors, and for all errors in the other lines.

    Each invalid line is blanked and the text is parsed again, unless the error depends on another
    line, such as one that opens a list: then every following line would be reported.
    """
    lines = text.rstrip("\n").split("\n")
    errors: list[RulesError] = []
    while len(errors) < RulesError.MOST:
        line_error = _toml_error("\n".join(lines), str(error), source)
        if not line_error.line or not _is_invalid_by_itself(line_error):
            # A valid line where a value is expected follows an unclosed list.
            in_unclosed_list = line_error.expected == _TOML_ERRORS["Invalid value"]
            errors.append(
                _toml_error("\n".join(lines), _UNCLOSED + str(error), source)
                if in_unclosed_list
                else line_error
            )
            break
        errors.append(line_error)
        lines[line_error.line - 1] = ""
        try:
            raw = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError as next_error:
            error = next_error
        except (ValueError, RecursionError):
            break
        else:
            errors += _value_errors(raw.pop("base", None), raw)
            break
    return RulesError.of(errors, source)


def _is_invalid_by_itself(line_error: RulesError) -> bool:
    if line_error.expected == _TOML_ERRORS["Cannot overwrite"]:
        return True
    try:
        tomllib.loads(str(line_error.value))
    except (ValueError, RecursionError):
        return bool(line_error.value)
    return False


def _too_large(source: str) -> RulesError:
    return RulesError("", None, f"at most {MAX_BYTES} bytes", source=source)


def _toml_error(text: str, message: str, source: str) -> RulesError:
    """Return the error for invalid TOML, with its line."""
    lines = text.rstrip("\n").split("\n")
    place = _LINE_NUMBER.search(message)
    number = min(int(place[1]) if place else len(lines), len(lines))
    expectations = (_TOML_ERRORS[start] for start in _TOML_ERRORS if message.startswith(start))
    expected = next(expectations, f"TOML ({message.partition(' (at ')[0]})")
    return RulesError("", lines[number - 1].strip(), expected, source=source, line=number)


def _build(raw: dict[str, Any], source: str) -> Rules:
    try:
        base = raw.pop("base", None)
        if base is not None:
            if not isinstance(base, str) or base not in names():
                raise RulesError.of(_value_errors(base, raw))
            base_rules = shipped(base)
            if isinstance(raw.get("theme"), Mapping):
                raw["theme"] = {**base_rules.theme, **raw["theme"]}
            return base_rules.replace(**raw)
        missing = [key for key in PARAMETERS if key not in raw and key not in DEFAULTS]
        # If several keys are missing, the base was probably forgotten.
        if len(missing) > 1 and not raw.keys() - PARAMETERS.keys():
            expected = 'a base, such as base = "dama64", or all keys; missing: '
            raise RulesError("base", None, expected + ", ".join(missing))
        return Rules(**check(raw))
    except RulesError as error:
        if source and not error.source:
            raise RulesError.of(error.all, source) from error
        raise


def _value_errors(base: object, raw: Mapping[str, Any]) -> list[RulesError]:
    """Return the errors of the base's name, if any, and of each key."""
    if base is None or (isinstance(base, str) and base in names()):
        return value_errors(raw)
    return [
        RulesError("base", base, f"the name of a rule set{_suggestions(base)}"),
        *value_errors(raw),
    ]


def _suggestions(base: object) -> str:
    """Return a hint for an unknown rule set: similar names, and how to list all names."""
    from difflib import get_close_matches  # noqa: PLC0415  only errors need it

    similar = get_close_matches(str(base).lower()[:60], names(), n=2)
    such_as = f", such as {' or '.join(similar)}" if similar else ""
    return f"{such_as}; `damka rules` lists them"
