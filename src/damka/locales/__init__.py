"""The texts of the page, the command line and the rule book, in four languages.

The texts are in gettext catalogues, one per language and subject:
`locales/<language>/<subject>.po`. Their ids are dotted keys ("refusal.must_capture"), English has
catalogues like the others, and placeholders are names in braces ("{square}"). A text missing in a
language is shown in English; a key missing in every catalogue is a programming error and raises
KeyError.

Importing this module reads no files; a language is loaded with its first text.

>>> from damka import locales
>>> locales.translate("it", "colour.white")
'bianco'
>>> locales.listing("en", ["18", "22", "25"])
'18, 22 and 25'
"""

from __future__ import annotations

import functools
import io
import json
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka._former import former_names

if TYPE_CHECKING:
    import gettext
    from collections.abc import Iterable, Mapping

    import polib  # type: ignore[import-untyped]

__all__ = [
    "FALLBACK",
    "LANGUAGES",
    "catalogue",
    "colour",
    "colour_named",
    "compile_catalogues",
    "listing",
    "plural",
    "translate",
]


def __dir__() -> list[str]:
    return __all__


LANGUAGES: Final = ("bg", "en", "it", "sk")
"""Languages of the catalogues."""

FALLBACK: Final = "en"

# Plural categories of Intl.PluralRules, which the page uses, in the order of the catalogues'
# msgstr[n].
_FORMS: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {2: ("one", "other"), 3: ("one", "few", "other")}
)


def translate(language: str, key: str, /, **values: object) -> str:
    """Return the text of `key` in `language`, with its placeholders replaced by `values`.

    Raises ValueError for a language not in LANGUAGES, and KeyError for an unknown key or for a
    placeholder without a value.
    """
    text = _texts(language).get(key)
    if text is None and (text := _texts(FALLBACK).get(key)) is None:
        raise KeyError(f"no catalogue has the text {key!r}")
    return _fill_in(text, values) if "{" in text else text


def _fill_in(text: str, values: Mapping[str, object]) -> str:
    """Replace the placeholders; after a value that ends in a full stop, drop the sentence's own."""
    for name, value in values.items():
        if isinstance(value, str) and value.endswith("."):
            text = text.replace(f"{{{name}}}.", f"{{{name}}}")
    return text.format_map(values)


def plural(language: str, key: str, n: int, /, **values: object) -> str:
    """Return the plural form of `key` for the number `n`, which also replaces the placeholder {n}.

    Raises as `translate` does.
    """
    for candidate in (language, FALLBACK):
        text = _gettext(candidate).ngettext(key, "", n)
        # gettext returns the key if it has no text for it.
        if text not in (key, ""):
            return _fill_in(text, {"n": n, **values})
    raise KeyError(f"no catalogue has the text {key!r} with plural forms")


def listing(language: str, items: Iterable[str], key: str = "list.and") -> str:
    """Return "a, b and c", or "a, b or c" with the key "list.or"; "" without items."""
    *most, last = [*items] or [""]
    if not most:
        return last
    return translate(language, key, most=", ".join(most), last=last)


def catalogue(language: str, prefix: str) -> dict[str, str]:
    """Return every text whose key starts with `prefix`, by key, with its placeholders.

    A text with plural forms appears once per form as "key.one", "key.few" and "key.other", the
    categories of Intl.PluralRules. Texts missing in `language` are in English.
    """
    texts = {**_texts(FALLBACK), **_texts(language)}
    return {key: text for key, text in sorted(texts.items()) if key.startswith(prefix)}


def colour(language: str, name: str, form: str = "") -> str:
    """Return a colour of the shipped rules ("white") in `language`, any other name unchanged.

    `form` is "" for the colour ("bianco"), "label" for the player ("Il bianco", "Белите"), or
    "side" for the player at the beginning of a sentence: like "label", but a name from house rules,
    whose gender and number are unknown, is phrased so that any verb agrees.
    """
    text = _texts(language).get(f"colour.{name}.side" if form else f"colour.{name}")
    if text is not None:
        return text
    name = name[:1].upper() + name[1:] if form else name
    return translate(language, "side.own", name=name) if form == "side" else name


def colour_named(language: str, word: str) -> str:
    """Return the shipped rules' name of the colour `word` in `language`; other names unchanged."""
    texts = _texts(language)
    for key, text in texts.items():
        prefix, _, name = key.partition(".")
        if prefix == "colour" and "." not in name and text.casefold() == word.strip().casefold():
            return name
    return word


# Files of a language in a build without polib, created by `compile_catalogues`.
_TEXTS: Final = "texts.json"
_PLURALS: Final = "plurals.mo"


def compile_catalogues(language: str) -> dict[str, bytes]:
    """Return the compiled files that replace a language's catalogues, by name.

    They load without polib, in a fraction of the time. A folder has either these files or the
    catalogues.
    """
    import polib  # noqa: PLC0415  only needed when compiling

    texts = json.dumps(dict(_texts(language)), ensure_ascii=False, separators=(",", ":"))
    plurals = polib.POFile()
    plurals.metadata = _entries(language).metadata
    plurals.extend(entry for entry in _entries(language) if entry.msgid_plural)
    return {_TEXTS: texts.encode(), _PLURALS: plurals.to_binary()}


def _folder(language: str) -> Path:
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; expected {', '.join(LANGUAGES)}")
    return Path(__file__).parent / language


@functools.cache
def _entries(language: str) -> polib.POFile:
    import polib  # noqa: PLC0415  loaded with the first text

    merged = polib.POFile()
    for catalogue_file in sorted(_folder(language).glob("*.po"), key=lambda path: path.name):
        part = polib.pofile(catalogue_file.read_text("utf-8"))
        merged.metadata = part.metadata
        merged.extend(part)
    return merged


@functools.cache
def _gettext(language: str) -> gettext.GNUTranslations:
    import gettext  # noqa: PLC0415  loaded with the first text

    file = _folder(language) / _PLURALS
    data = file.read_bytes() if file.exists() else _entries(language).to_binary()
    return gettext.GNUTranslations(io.BytesIO(data))


@functools.cache
def _texts(language: str) -> Mapping[str, str]:
    file = _folder(language) / _TEXTS
    if file.exists():
        return MappingProxyType(json.loads(file.read_bytes()))
    texts: dict[str, str] = {}
    for entry in _entries(language):
        if not entry.msgid_plural:
            texts[entry.msgid] = entry.msgstr
            continue
        forms = _FORMS[len(entry.msgstr_plural)]
        for i, form in enumerate(forms):
            texts[f"{entry.msgid}.{form}"] = entry.msgstr_plural[i]
    return MappingProxyType(texts)


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"compiled": "compile_catalogues"})
