"""Rules in a link: the differences from a shipped rule set, compressed and encoded.

The text is the base64url of a deflated JSON table with the structure of a TOML file with a base. A
long list that equals a shipped rule set's is omitted, and the table `as` names that rule set. Links
are untrusted: sizes are limited before parsing, and the rules are validated like a file's.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any, Final

from damka import rules as rule_sets
from damka._nesting import is_too_deep
from damka.box.changes import changes, nearest
from damka.errors import RulesError
from damka.rules import Rules

__all__ = ["MAX_LINK", "base_of", "check_link", "decode", "encode", "table"]

MAX_LINK: Final = 24 * 1024
"""Maximum length of the text: some hundred openings fit, and a server accepts the request line."""
MAX_JSON: Final = 96 * 1024
"""Maximum size of the decompressed JSON."""

_LISTS: Final = ("ballots", "material_draws")


def table(box: Rules, base: Rules | None = None) -> dict[str, Any]:
    """Return `box` as the table of a file: base, name, title and differences.

    The default base is the nearest shipped rule set.
    """
    base = base or nearest(box)
    title = {"title": dict(box.title)} if box.title else {}
    return {"base": base.name, "name": box.name, **title, **changes(box, base)}


def encode(box: Rules, base: Rules | None = None) -> str:
    """Return the rules as the text of a link; `decode` is the inverse.

    It contains the differences from `base`, by default the nearest shipped rule set.
    """
    values = table(box, base)
    borrowed: dict[str, str] = {}
    for key in _LISTS:
        value = getattr(box, key)
        for name in rule_sets.names() if key in values and value else ():
            if getattr(rule_sets.load(name), key) == value:
                borrowed[key] = name
                del values[key]
                break
    if borrowed:
        values["as"] = borrowed
    packed = zlib.compress(
        json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode(), level=9, wbits=-15
    )
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def check_link(box: Rules) -> None:
    """Raise RulesError if the lists of the rules are too long for a link."""
    if len(encode(box)) > MAX_LINK:
        expected = f"fewer openings: a link has at most {MAX_LINK} characters"
        raise RulesError("ballots", None, expected)


def decode(text: str) -> Rules:
    """Return the rules of a link. Raises RulesError for an invalid text."""
    values = _unpack(text)
    borrowed = values.pop("as", {})
    if not isinstance(borrowed, dict):
        raise RulesError("as", borrowed, "a table")
    for key, name in borrowed.items():
        if key not in _LISTS or not isinstance(name, str) or name not in rule_sets.names():
            raise RulesError("as", name, "the name of a rule set")
        values[key] = getattr(rule_sets.load(name), key)
    if "base" not in values:
        raise RulesError("base", None, "the name of a rule set")
    return rule_sets.from_dict(values)


def base_of(text: str) -> Rules:
    """Return the base of a link, a shipped rule set. Raises RulesError as `decode` does."""
    base = _unpack(text).get("base")
    if base not in rule_sets.names():
        raise RulesError("base", base, "the name of a rule set")
    return rule_sets.load(base)


def _unpack(text: str) -> dict[str, Any]:
    invalid = RulesError("", text[:60], "a complete link of a rule set")
    if len(text) > MAX_LINK or not text.isascii():
        raise invalid
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        decompressor = zlib.decompressobj(wbits=-15)
        data = decompressor.decompress(packed, MAX_JSON)
        if not decompressor.eof or decompressor.unconsumed_tail or is_too_deep(data):
            raise invalid
        values = json.loads(data.decode("utf-8"))
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise invalid from error
    if not isinstance(values, dict):
        raise invalid
    return values
