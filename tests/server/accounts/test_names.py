"""Names of members: which are allowed, and which are equivalent."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.server.accounts import names
from damka.server.accounts.names import BadNameError, fold, member_name


@pytest.mark.parametrize(
    "name",
    ["Al", "Petra", "Žofia", "Петра", "Ján_2", "O-Neill", "Νίκος", "日本", "a2345678901234567890"],
)
def test_names_in_one_script_are_allowed(name: str) -> None:
    assert member_name(name) == name
    assert member_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "short"),
        ("a", "short"),
        ("a" * 21, "long"),
        ("a" * 1_000_000, "long"),
        ("1abc", "letters"),
        ("-abc", "letters"),
        ("abc-", "letters"),
        ("a--b", "letters"),
        ("a b", "letters"),
        ("a.b", "letters"),
        ("<i>a</i>", "letters"),
        ("a&b", "letters"),
        ("a/b", "letters"),
        ("..", "letters"),
        ("ab\x00", "letters"),
        ("ab\u202e", "letters"),
        ("a\u200bb", "letters"),
        ("a\u0301\u0301\u0301b", "letters"),
        ("ab😀", "letters"),
        ("\ud800ab", "letters"),
        ("Pеtra", "script"),  # a Cyrillic е
        ("Петрa", "script"),  # a Latin a
        ("abγ", "script"),
        ("admin", "reserved"),
        ("ADMIN", "reserved"),
        ("Adm1n", "reserved"),
        ("ad-min", "reserved"),
        ("Дамка".replace("Дамка", "админ"), "reserved"),
        ("Grandmaster", "reserved"),
        ("Level3", "reserved"),
        ("Hosť", "reserved"),
    ],
)
def test_invalid_names_are_refused(name: str, code: str) -> None:
    with pytest.raises(BadNameError) as error:
        member_name(name)
    assert error.value.code == code


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Petra", "PETRA"),
        ("Оса", "Oca"),  # Cyrillic and Latin
        ("ВОВА", "BOBA"),
        ("Вова", "BOBA"),
        ("Ilia", "lIia"),
        ("Olin", "0lin"),
        ("mara", "rnara"),
        ("Ｐetra", "Petra"),
        ("Ján", "Ja\u0301n"),
    ],
)
def test_similar_names_are_equivalent(first: str, second: str) -> None:
    assert fold(first) == fold(second)


@pytest.mark.parametrize(("first", "second"), [("Petra", "Petro"), ("Ján", "Jan"), ("Жана", "Яна")])
def test_different_names_are_not_equivalent(first: str, second: str) -> None:
    assert fold(first) != fold(second)


@given(st.text(max_size=60))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    fold(text)
    try:
        name = member_name(text)
    except BadNameError:
        return
    assert names.MIN_LENGTH <= len(name) <= names.MAX_LENGTH
    assert name == unicodedata.normalize("NFKC", name)
    assert not set(name) & set("<>&\"'/\\ %?#")
    assert member_name(name) == name
    assert 0 < len(fold(name)) <= 80
    assert fold(name) not in names.reserved_names()


@given(
    st.text(alphabet="abcdefghijlmoprsuxyzABCIOPабвеорсухАВЕКМНОРСТУХ01", min_size=2, max_size=20)
)
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    "name", ["level 3", "Level 10", "LEVEL-1", "livello 2", "Úroveň 1", "uroven 5", "ниво 4"]
)
def test_a_guest_cannot_use_the_name_of_a_level(name: str) -> None:
    with pytest.raises(BadNameError) as error:
        names.guest_name(name)
    assert error.value.code == "reserved"
    assert names.guest_name("Levelle 3") == "Levelle 3"
