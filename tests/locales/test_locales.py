"""The catalogues have the same keys, placeholders and plural forms in every language."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from importlib import resources
from pathlib import Path

import polib  # type: ignore[import-untyped]
import pytest

from damka import locales, rules

FOLDER = Path(str(resources.files("damka.locales")))
FORMS = {"bg": 2, "en": 2, "it": 2, "sk": 3}
OTHERS = [language for language in locales.LANGUAGES if language != "en"]


def entries(language: str) -> dict[tuple[str, str], polib.POEntry]:
    return {
        (path.stem, entry.msgid): entry
        for path in sorted((FOLDER / language).glob("*.po"))
        for entry in polib.pofile(str(path))
    }


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def placeholders(text: str) -> set[str]:
    names = set()
    for _, name, spec, conversion in string.Formatter().parse(text):
        if name is not None:
            assert name.isidentifier(), f"only plain names are allowed in braces: {text}"
            assert not spec, f"no format is allowed in braces: {text}"
            assert conversion is None, f"no conversion is allowed in braces: {text}"
            names.add(name)
    return names


def test_every_language_has_a_folder() -> None:
    folders = {
        path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"
    }
    assert folders == set(locales.LANGUAGES)


@pytest.mark.parametrize("language", OTHERS)
def test_the_languages_have_the_same_keys_in_the_same_catalogues(language: str) -> None:
    assert set(entries(language)) == set(entries("en"))


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_every_key_occurs_once(language: str) -> None:
    keys = [
        entry.msgid
        for path in (FOLDER / language).glob("*.po")
        for entry in polib.pofile(str(path))
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_translations_have_the_same_placeholders(language: str) -> None:
    english = entries("en")
    for key, entry in entries(language).items():
        allowed = set().union(*map(placeholders, texts(english[key])))
        used = [placeholders(text) for text in texts(entry)]
        if entry.msgid_plural:
            # A singular form such as "One man" may omit {n}, but no other placeholder.
            assert all(allowed - {"n"} <= names <= allowed | {"n"} for names in used), key
        else:
            assert used == [allowed], key


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_no_text_is_empty_or_has_stray_spaces(language: str) -> None:
    for key, entry in entries(language).items():
        for text in texts(entry):
            assert text, key
            assert text == text.strip(), key
            # Text of several lines may be a table.
            assert "\n" in text or "  " not in text, key
        assert not entry.fuzzy, key
        assert not entry.obsolete, key


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_plural_forms_are_complete(language: str) -> None:
    for path in sorted((FOLDER / language).glob("*.po")):
        po = polib.pofile(str(path))
        assert po.metadata["Plural-Forms"].startswith(f"nplurals={FORMS[language]};"), path
        assert po.metadata["Language"] == language, path
        for entry in po:
            if entry.msgid_plural:
                assert sorted(entry.msgstr_plural) == list(range(FORMS[language])), entry.msgid


@pytest.mark.parametrize("language", ["bg", "sk"])
def test_slavic_texts_use_their_own_letters(language: str) -> None:
    """Bulgarian words have no Latin letters, Slovak ones no Cyrillic letters."""
    for key, entry in entries(language).items():
        for text in texts(entry):
            bare = "".join(literal for literal, *_ in string.Formatter().parse(text))
            for word in bare.split():
                cyrillic = any("а" <= letter.lower() <= "я" for letter in word)
                latin = any("a" <= letter.lower() <= "z" for letter in word)
                assert not (cyrillic and latin), (key, word)
                assert language == "bg" or not cyrillic, (key, word)


# Pronouns, and verbs by their endings, except other words with these endings. Texts addressed to
# two players are plural.
FORMAL = {
    "bg": r"\b[Вв]ие\b|\b[Вв]аш(ият|ия|ата|ето|ите|а|е|и)?\b|\bсте\b(?! и двамата)"
    r"|\b(?!прочете|договорете|\w+овете|двете|дете)\w+(ете|йте|[ая]те)\b|\bза да (\w+ )?\w+ите\b",
    "it": r"\bLei\b|\b[Vv]ostr[aeio]\b|\b[Vv]oi\b"
    r"|\b(?!Siete d’accordo|potete (vedere questa|giocare insieme né)|giocherete più insieme"
    r"|[Pp]artite|limite|mancate|[Oo]spite|rete|ripete|classificate|inserite|[Ss]alvate|segnate|stampate"
    r"|state|usate)\w+(ate|ete|ite)\b",
    "sk": r"\b[Vv]y\b|\b[Vv]á[sm]\b|\b[Vv][aá]š\w*|\b[Ss]te\b"
    r"|(?<!{)\b(?!ešte|ceste|odvete|dohodnite|Súhlasíte obaja)\w+te\b",
}


@pytest.mark.parametrize("language", FORMAL)
def test_the_register_is_familiar(language: str) -> None:
    """All texts use the familiar register: ti, tu, ty."""
    formal = [
        (key, text)
        for key, entry in entries(language).items()
        for text in texts(entry)
        if re.search(FORMAL[language], text)
    ]
    assert formal == []


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_every_text_can_be_looked_up_by_key(language: str) -> None:
    catalogue = locales.catalogue(language, "")
    for (_, key), entry in entries(language).items():
        if entry.msgid_plural:
            assert catalogue[f"{key}.one"] == entry.msgstr_plural[0]
            assert catalogue[f"{key}.other"] == entry.msgstr_plural[max(entry.msgstr_plural)]
        else:
            values = dict.fromkeys(placeholders(entry.msgstr), "7")
            assert locales.translate(language, key, **values) == entry.msgstr.format(**values)
            assert catalogue[key] == entry.msgstr


@pytest.mark.parametrize("name", rules.names())
def test_every_rule_set_has_search_words(name: str) -> None:
    for language in locales.LANGUAGES:
        assert locales.translate(language, f"search.{name}")


def test_listings_are_joined_by_language() -> None:
    assert locales.listing("en", []) == ""
    assert locales.listing("en", ["18"]) == "18"
    assert locales.listing("sk", ["18", "22"]) == "18 a 22"
    assert locales.listing("bg", ["18", "22", "25"], "list.or") == "18, 22 или 25"


def test_colours_are_translated_and_custom_ones_quoted() -> None:
    assert locales.colour("it", "blue") == "blu"
    assert locales.colour("bg", "red", "side") == "Червените"
    assert locales.colour("sk", "tyrkysový") == "tyrkysový"
    assert locales.colour("sk", "tyrkysový", "side") == "Hráč „Tyrkysový“"
    # A custom name may be singular or plural, so no verb can agree with it.
    assert locales.colour("bg", "синьо", "side") == "Играещите с „Синьо“"
    assert locales.colour("bg", "синьо", "label") == "Синьо"
    assert locales.colour("bg", "red", "label") == "Червените"


def test_a_name_ending_with_a_full_stop_gets_no_second_one() -> None:
    text = [locales.translate("en", "event.you_are", name=name) for name in ("Ana K.", "Ana")]
    assert text == ["You are playing as Ana K.", "You are playing as Ana."]


def test_an_error_names_the_unknown_key() -> None:
    with pytest.raises(KeyError, match=r"no catalogue has the text 'refusal\.nonsense'"):
        locales.translate("sk", "refusal.nonsense")
    with pytest.raises(KeyError, match=r"'refusal\.nonsense' with plural forms"):
        locales.plural("sk", "refusal.nonsense", 2)


def test_an_error_for_an_unknown_language_lists_the_languages() -> None:
    with pytest.raises(ValueError, match="unknown language 'xx'; expected bg, en, it, sk"):
        locales.translate("xx", "list.and")


def test_a_text_missing_in_a_language_is_shown_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    real = locales._texts

    def without_colours(language: str) -> object:
        return {} if language == "sk" else real(language)

    monkeypatch.setattr(locales, "_texts", without_colours)
    assert locales.translate("sk", "colour.white") == "white"
    assert locales.catalogue("sk", "colour.white")["colour.white"] == "white"


@pytest.mark.threads
def test_importing_damka_reads_no_catalogue() -> None:
    code = (
        "import sys, damka, damka.locales\n"
        "assert 'polib' not in sys.modules\n"
        "assert damka.locales._entries.cache_info().currsize == 0\n"
        "damka.locales.translate('it', 'list.and', most='1', last='2')\n"
        "assert damka.locales._entries.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
