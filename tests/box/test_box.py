"""House rules: files, forms, and links that contain the rules."""

from __future__ import annotations

import base64
import re
import tomllib
import zlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from damka import box
from damka.box.link import MAX_JSON, MAX_LINK
from damka.box.questions import CHOICES, GROUPS, KEYS, NUMBERS
from damka.errors import RulesError
from damka.game import check_openings
from damka.locales import LANGUAGES
from damka.rules import PARAMETERS, Rules, load, names
from tests.strategies import rule_sets


def same_play(one: Rules, other: Rules) -> bool:
    return not box.changes(one, other)


# Questions


def test_choices_are_the_allowed_values() -> None:
    for key, values in CHOICES.items():
        for value in values:
            PARAMETERS[key].read([value] if key == "precedence" else value)
        with pytest.raises(RulesError) as refused:
            PARAMETERS[key].read(["no such thing"] if key == "precedence" else "no such thing")
        for quoted in refused.value.expected.split('"')[1::2]:
            assert quoted in values or key == "notation", (key, quoted)


@pytest.mark.parametrize("key", NUMBERS)
def test_number_ranges_are_the_allowed_values(key: str) -> None:
    least, most = NUMBERS[key]
    for number in (least, most):
        assert PARAMETERS[key].read(number) == number
    for number in (least - 1, most + 1):
        with pytest.raises(RulesError):
            PARAMETERS[key].read(number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_parameter_has_a_question(language: str) -> None:
    for key in (*PARAMETERS, *KEYS):
        assert box.prompt(language, key)
    for key, values in CHOICES.items():
        texts = [box.short_answer(language, key, [v] if key == "precedence" else v) for v in values]
        assert len(set(texts)) == len(values), key


# Files


@pytest.mark.parametrize("name", names())
def test_a_template_plays_like_its_source(name: str) -> None:
    for language in LANGUAGES:
        text = box.template(load(name), language, "mine", "mine.toml")
        rules = load(text)
        assert rules.name == "mine"
        assert same_play(rules, load(name))
        assert not rules.sources
        assert tomllib.loads(text).keys() >= PARAMETERS.keys()
        assert all(len(line) <= 100 for line in text.splitlines() if line.startswith("#"))


@pytest.mark.parametrize("name", names())
def test_the_example_opening_in_a_template_can_be_played(name: str) -> None:
    for language in LANGUAGES:
        text = box.template(load(name), language, "mine", "mine.toml")
        block = text.split("\nballots = ")[0].rpartition("\n\n")[2]
        comment = " ".join(line.removeprefix("# ") for line in block.splitlines())
        opening = re.search(r"\d+[-x]\d+(x\d+)*( \d+[-x]\d+(x\d+)*){2}", comment)
        assert opening, comment
        check_openings(load(name).replace(ballots=[opening[0]]))


@settings(deadline=None)
@given(rule_sets())
def test_values_round_trip_through_toml(drawn: Rules) -> None:
    table = box.table(drawn.replace(title={"en": 'A "box" \\ ☺'}))
    assert tomllib.loads(box.format_table(table)) == table
    assert same_play(load(box.format_table(table)), drawn)


# Forms


@pytest.mark.parametrize("name", names())
def test_answers_round_trip_a_rule_set(name: str) -> None:
    rules = load(name)
    answers = box.answers(rules)
    assert answers.keys() == KEYS
    assert same_play(box.read(rules, answers), rules)
    # This works from any other base too, except for borrowed values.
    again = box.read(load("dama64"), answers)
    assert set(box.changes(again, rules)) <= {"material_draws", "ballots"}


def test_a_partial_form_keeps_other_values_and_names_the_rules() -> None:
    rules = box.read(load("russian"), {"king_range": ["short"]}, "Kuchyňa & stôl")
    assert rules.king_range == "short"
    assert rules.name == "kuchyna-stol"
    assert rules.title_in("sk") == "Kuchyňa & stôl"
    assert box.read(load("russian"), {}, "Russian").name == "my-box"


def test_draws_and_openings_can_be_borrowed() -> None:
    rules = box.read(load("dama64"), {"material_draws": ["russian"]})
    assert rules.material_draws == load("russian").material_draws
    assert box.read(rules, {"material_draws": ["own"]}).material_draws == rules.material_draws
    assert box.read(rules, {"material_draws": ["none"]}).material_draws == ()


answer_texts = st.one_of(
    st.text(max_size=12),
    st.sampled_from([str(v) for values in CHOICES.values() for v in values]),
    st.integers(-3, 300).map(str),
    st.sampled_from(("none", "own", "russian", "dark-12-12", "all-8-8")),
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(KEYS)), st.lists(answer_texts, max_size=5)))
def test_any_form_yields_rules_or_raises_rules_error(form: dict[str, list[str]]) -> None:
    try:
        rules = box.read(load("dama64"), form, "x")
    except RulesError as error:
        for language in LANGUAGES:
            key, message = box.explain_error(error, language)
            assert key in KEYS
            assert message.endswith(".")
    else:
        assert same_play(box.decode(box.encode(rules)), rules)


@pytest.mark.parametrize(
    ("form", "key", "message"),
    [
        ({"rows": ["4"]}, "rows", "too many rows of men"),
        ({"board": ["all-8-8"]}, "move_lines", "not possible on this board"),
        ({"rows": ["x"]}, "rows", "from 1 to 5"),
        ({"repetition": ["1"]}, "repetition", "Enter 0, or a number from 2"),
        ({"precedence": ["count", "count"]}, "precedence", "twice"),
        ({"precedence": ["king_early", "value"]}, "precedence", "works only with"),
        ({"colours": ["red", "red"]}, "colours", "two different names"),
        ({"king_range": ["long"]}, "king_range", "Choose one of the options"),
    ],
)
def test_invalid_or_contradictory_answers_are_reported(
    form: dict[str, list[str]], key: str, message: str
) -> None:
    with pytest.raises(RulesError) as refused:
        box.read(load("dama64"), form)
    assert box.explain_error(refused.value, "en")[0] == key
    assert message in box.explain_error(refused.value, "en")[1]


# Links


@pytest.mark.parametrize("name", names())
def test_a_link_contains_the_rules(name: str) -> None:
    mine = load(name).replace(name="mine", title={"en": "Кухня"}, repetition=7)
    link = box.encode(mine)
    assert box.decode(link).to_dict() == mine.to_dict()
    assert len(link) < 200


@settings(deadline=None)
@given(rule_sets())
def test_a_link_contains_any_rules(drawn: Rules) -> None:
    assert box.decode(box.encode(drawn)) == drawn


def link_of(data: bytes) -> str:
    packed = zlib.compress(data, level=9, wbits=-15)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


@settings(deadline=None)
@given(
    st.one_of(
        st.text(max_size=50),
        st.binary(max_size=80).map(lambda b: base64.urlsafe_b64encode(b).decode()),
        st.binary(max_size=80).map(link_of),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(("base", "as", "rows", "ballots")), inner)
            ),
        ).map(lambda value: link_of(repr(value).replace("'", '"').encode("utf-8", "replace"))),
    )
)
@example(link_of(b"[" * 10_000))
@example(link_of(b'{"base": "dama64", "as": {"ballots": []}}'))
@example(link_of(b'{"base": ["dama64"]}'))
@example(link_of(b'{"base": "dama64", "rows": ' + b"9" * 5000 + b"}"))
@example(link_of(b" " * 10_000_000))
@example("A" * (MAX_LINK + 1))
def test_any_link_yields_rules_or_raises_rules_error(link: str) -> None:
    with suppress(RulesError):
        assert isinstance(box.decode(link), Rules)


def test_the_unpacked_size_of_a_link_is_limited() -> None:
    bomb = link_of(b'{"base": "dama64"' + b" " * MAX_JSON + b"}")
    assert len(bomb) < 200
    with pytest.raises(RulesError, match="complete link"):
        box.decode(bomb)


# Suggestions


@pytest.mark.parametrize(
    ("text", "line", "suggestion"),
    [
        ('base = "dama64"\nrowz = 3\n', 2, "rows"),
        ('base = "dama64"\n\nking_range = "fliing"\n', 3, "flying"),
        ('base = "dama46"\n', 1, "dama64"),
        ('base = "dama64"\n[theme]\nlight = "red"\n', 3, ""),
        ('base = "dama64"\nrows = 9\n', 2, ""),
    ],
)
def test_a_misspelt_word_gets_a_suggestion(text: str, line: int, suggestion: str) -> None:
    with pytest.raises(RulesError) as refused:
        load(text)
    assert box.line_of(refused.value.key, text) == line
    assert box.suggestion(refused.value) == suggestion


def test_the_nearest_rule_set_is_the_one_with_the_fewest_changes() -> None:
    mine: dict[str, Any] = {"name": "mine", "king_landing": "any"}
    assert box.nearest(load("dama64").replace(**mine)).name == "dama64"
    assert box.changes(load("dama64").replace(**mine), load("dama64")) == {"king_landing": "any"}


def test_a_board_of_another_size_is_described() -> None:
    mini, mine = load("russian").replace(width=6, height=6, rows=2), load("russian")
    assert box.describe_changes(mini, mine, "en") == [
        ("Which board?", "6 × 6, dark squares", "8 × 8, dark squares"),
        ("How many rows of men does each side have?", "2", "3"),
    ]
    assert box.describe_changes(mine, mine, "sk") == []


def test_every_rule_set_is_in_exactly_one_group() -> None:
    listed = [name for _, members in box.rule_groups() for name in members]
    assert sorted(listed) == sorted(names())
    assert len(GROUPS) == 6
