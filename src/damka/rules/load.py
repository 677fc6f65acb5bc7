"""Rule sets from outside: by name, from a TOML file, or from TOML text."""

from __future__ import annotations

import errno
import functools
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from damka.errors import RulesError, UnknownRulesError
from damka.rules.check import check, faults
from damka.rules.openings import is_file, read_file
from damka.rules.parameters import DEFAULTS, PARAMETERS
from damka.rules.record import Rules

__all__ = ["from_dict", "load", "names", "required", "shipped"]

S = TypeVar("S")
P = ParamSpec("P")

MAX_BYTES: Final = 128 * 1024
"""The size of a rule file, which may hold all openings of a list."""
_PLACE: Final = re.compile(r"\(at line (\d{1,6}),")
_SLIPS: Final = {
    "Invalid value": 'a value: a text in quotes, such as "W", a number, true, false or a list [ ]',
    "Cannot overwrite": "every key once",
    "Expected newline": "nothing more on the line after a value",
    "Unclosed array": "the end of a list, ], before this line",
}
"""The commonest slips, as `tomllib` begins to tell of them, and what may stand there."""
_UNCLOSED: Final = "Unclosed array: "
_NEEDED: Final = (
    'expected a rule set: its name, such as "american", "international" or "russian" '
    "(damka.rules.names() lists them all), its file, or a Rules"
)
_SETS = Path(__file__).parent / "sets"

# The boxes of the rule sheets come first wherever rule sets are listed.
_BOXES = ("dama64", "american", "dama100")


@functools.cache
def names() -> tuple[str, ...]:
    """Return the names of the rule sets shipped, the three boxes first."""
    shipped = sorted(
        p.name.removesuffix(".toml") for p in _SETS.iterdir() if p.name[-5:] == ".toml"
    )
    return _BOXES + tuple(name for name in shipped if name not in _BOXES)


def load(source: str | Path) -> Rules:
    """Return the rule set that `source` names, points to or spells out.

    `source` is the name of a shipped rule set ("dama64"), a path to a TOML file (a `Path`, or a
    text ending in ".toml"), or TOML text (anything with a line break or an equals sign). A file
    may start from a shipped rule set with `base = "american"` and give only what differs, and its
    `ballots` may be the name of a file of openings beside it, `"openings.txt"`.

    Raises UnknownRulesError for a name that is not shipped, RulesError for a file or text that
    cannot be used (too large, not TOML, a wrong key or value), naming the key, the value and what
    was expected; TypeError for what is no text and no path.
    """
    if isinstance(source, Path):
        return _load_file(source)
    if not isinstance(source, str):
        raise TypeError(f"{_NEEDED}, not {type(source).__name__}")
    if "\n" in source or "=" in source:
        return _parse(source, "")
    if source.endswith(".toml"):
        return _load_file(Path(source))
    return shipped(source)


def required(init: Callable[Concatenate[S, P], None]) -> Callable[Concatenate[S, P], None]:
    """Let a constructor whose first argument is `rules` say what is expected where it is left out.

    The TypeError names some rule sets.
    """

    @functools.wraps(init)
    def checked(self: S, /, *args: P.args, **named: P.kwargs) -> None:
        if not args and "rules" not in named:
            raise TypeError(_NEEDED)
        init(self, *args, **named)

    return checked


def from_dict(raw: object) -> Rules:
    """Return the rule set that `Rules.to_dict` gave, checked again.

    Raises RulesError for anything else: `raw` may come from a file.
    """
    if not isinstance(raw, Mapping):
        raise RulesError("", raw, "a table of parameters")
    for key in raw:
        if not isinstance(key, str):
            raise RulesError("", key, "the name of a parameter")
    return _build(dict(raw), "")


@functools.cache
def shipped(name: str) -> Rules:
    """Return a rule set shipped with Damka. Raises UnknownRulesError for another name."""
    if name not in names():
        raise UnknownRulesError(name, names())
    return _parse((_SETS / f"{name}.toml").read_text("utf-8"), name)


def _load_file(path: Path) -> Rules:
    try:
        # A device or a pipe may have no end.
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is no regular file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        reason = getattr(error, "strerror", None) or error
        raise RulesError("", str(path), f"a readable file ({reason})") from error
    if len(data) > MAX_BYTES:
        raise _too_large(str(path))
    try:
        text = data.decode("utf-8-sig")  # some editors put a byte order mark first
    except UnicodeDecodeError as error:
        raise RulesError("", None, "UTF-8 text", source=str(path)) from error
    return _parse(text, str(path), path.parent)


def _parse(text: str, source: str, folder: Path | None = None) -> Rules:
    """Return the rule set of a TOML text; files that it names are in `folder`, if there is one."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise _too_large(source)
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _slips(text, error, source) from error
    except (ValueError, RecursionError) as error:  # ValueError: a number of too many digits
        raise RulesError("", text, f"TOML ({error})", source=source) from error
    if folder is not None and is_file(raw.get("ballots")):
        raw["ballots"] = [*read_file(folder / raw["ballots"]).values()]
    return _build(raw, source)


def _slips(text: str, error: tomllib.TOMLDecodeError, source: str) -> RulesError:
    """Return one error for all lines that are no TOML, and for what is wrong in the others.

    Each such line is left out in its turn, as long as it is wrong by itself: what is wrong because
    of another line, such as one that opens a list, would be told of every line after it.
    """
    lines = text.rstrip("\n").split("\n")
    found: list[RulesError] = []
    while len(found) < RulesError.MOST:
        slip = _slip("\n".join(lines), str(error), source)
        if not slip.line or not _is_wrong_alone(slip):
            # A line that can stand alone is no value where a list goes on.
            among_values = slip.expected == _SLIPS["Invalid value"]
            found.append(
                _slip("\n".join(lines), _UNCLOSED + str(error), source) if among_values else slip
            )
            break
        found.append(slip)
        lines[slip.line - 1] = ""
        try:
            raw = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError as another:
            error = another
        except (ValueError, RecursionError):
            break
        else:
            found += _faults(raw.pop("base", None), raw)
            break
    return RulesError.of(found, source)


def _is_wrong_alone(slip: RulesError) -> bool:
    if slip.expected == _SLIPS["Cannot overwrite"]:
        return True
    try:
        tomllib.loads(str(slip.value))
    except (ValueError, RecursionError):
        return bool(slip.value)
    return False


def _too_large(source: str) -> RulesError:
    return RulesError("", None, f"at most {MAX_BYTES} bytes", source=source)


def _slip(text: str, message: str, source: str) -> RulesError:
    """Return the error for a text that is no TOML: the line, and what may stand there."""
    lines = text.rstrip("\n").split("\n")
    found = _PLACE.search(message)
    number = min(int(found[1]) if found else len(lines), len(lines))
    known = (_SLIPS[start] for start in _SLIPS if message.startswith(start))
    expected = next(known, f"TOML ({message.partition(' (at ')[0]})")
    return RulesError("", lines[number - 1].strip(), expected, source=source, line=number)


def _build(raw: dict[str, Any], source: str) -> Rules:
    try:
        base = raw.pop("base", None)
        if base is not None:
            if not isinstance(base, str) or base not in names():
                raise RulesError.of(_faults(base, raw))
            start = shipped(base)
            if isinstance(raw.get("theme"), Mapping):
                raw["theme"] = {**start.theme, **raw["theme"]}
            return start.replace(**raw)
        missing = [key for key in PARAMETERS if key not in raw and key not in DEFAULTS]
        # Who leaves out one key has forgotten it; who leaves out more, what they should be as in.
        if len(missing) > 1 and not raw.keys() - PARAMETERS.keys():
            expected = 'the rule set to start from, such as base = "dama64", or all keys; missing: '
            raise RulesError("base", None, expected + ", ".join(missing))
        return Rules(**check(raw))
    except RulesError as error:
        if source and not error.source:
            raise RulesError.of(error.all, source) from error
        raise


def _faults(base: object, raw: Mapping[str, Any]) -> list[RulesError]:
    """Return what is wrong with the name of the base, if there is one, and with each key."""
    if base is None or (isinstance(base, str) and base in names()):
        return faults(raw)
    return [RulesError("base", base, f"the name of a rule set{_near(base)}"), *faults(raw)]


def _near(base: object) -> str:
    """Return the names of rule sets that were probably meant, and where all of them are."""
    from difflib import get_close_matches  # noqa: PLC0415  only errors need it

    near = get_close_matches(str(base).lower()[:60], names(), n=2)
    meant = f", such as {' or '.join(near)}" if near else ""
    return f"{meant}; `damka rules` lists them"
