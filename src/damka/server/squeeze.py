"""JavaScript without the spaces that only people need.

Lines keep their numbers, so nothing depends on where a statement ends. Texts, templates and regular
expressions are left as they are.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["squeezed"]

_TOKEN: Final = re.compile(
    r"""
    (?P<text> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
    | (?P<remark> //[^\n]* | /\*.*?\*/ )
    | (?P<word> [\w$\#\\]+ )
    | (?P<space> [ \t]+ )
    | (?P<sign> . | \n )
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE: Final = re.compile(r"(?:\\.|\$(?!\{)|[^\\`$])*(?:`|\$\{)", re.DOTALL)
_REGEX: Final = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_BEFORE_REGEX: Final = frozenset("(,=:[!&|?{};~+-*%<>\n")
_WORDS_BEFORE_REGEX: Final = frozenset({"return", "typeof", "case", "of", "in"})


def squeezed(script: str) -> str:
    """Return a script with the same tokens on the same lines."""
    out: list[str] = []
    # For each template that is open, the braces that are open in its present placeholder.
    braces: list[int] = []
    at, last, spaced = 0, "\n", False
    while at < len(script):
        found = _next(script, at, last, braces)
        kind, token = found
        at += len(token)
        if kind == "space":
            spaced = True
            continue
        if kind == "remark":
            out.append("\n" * token.count("\n"))
            spaced = True
            continue
        if spaced and _apart(last, token):
            out.append(" ")
        spaced = False
        out.append(token)
        last = token
    return "".join(out)


def _next(script: str, at: int, last: str, braces: list[int]) -> tuple[str, str]:
    """Return the kind and the text of the token at a place."""
    sign = script[at]
    in_template = sign == "`" or (sign == "}" and bool(braces) and braces[-1] == 0)
    if in_template:
        chunk = _TEMPLATE.match(script, at + 1)
        if chunk is None:
            raise ValueError("a template is not closed")
        if sign == "}":
            braces.pop()
        if chunk[0].endswith("${"):
            braces.append(0)
        return "template", sign + chunk[0]
    if braces and sign in "{}":
        braces[-1] += 1 if sign == "{" else -1
    if sign == "/" and script[at + 1 : at + 2] not in {"/", "*"}:
        regex = _REGEX.match(script, at)
        if regex is not None and (last[-1] in _BEFORE_REGEX or last in _WORDS_BEFORE_REGEX):
            return "regex", regex[0]
    token = _TOKEN.match(script, at)
    if token is None or token.lastgroup is None:
        raise ValueError(f"no token at {at}")
    return token.lastgroup, token[0]


def _apart(last: str, token: str) -> bool:
    """Tell whether two tokens would be others without a space between them."""
    before, after = last[-1], token[0]
    if before == "\n" or after == "\n":
        return False
    if _is_word(before) and _is_word(after):
        return True
    return (before == after and before in "+-/") or "/" in (before, after)


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign in "_$#\\"
