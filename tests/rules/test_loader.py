"""Loading rule sets from names, files, texts and tables, and errors in them."""

from __future__ import annotations

import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damka
from damka.errors import RulesError, UnknownRulesError
from damka.locales import LANGUAGES
from damka.rules import DEFAULTS, PARAMETERS, Rules, from_dict, load, names

BOXES = ("dama64", "american", "dama100")
REQUIRED = [key for key in PARAMETERS if key not in DEFAULTS]


def dama64(**changes: Any) -> dict[str, Any]:
    """Return the Bulgarian box as a table, with some keys changed."""
    return {**load("dama64").to_dict(), **changes}


def refusal_of(raw: object) -> RulesError:
    with pytest.raises(RulesError) as caught:
        from_dict(raw)
    return caught.value


# Shipped rule sets


def test_the_boxes_are_listed_first() -> None:
    assert names()[:3] == BOXES
    assert list(names()[3:]) == sorted(names()[3:])


@pytest.mark.parametrize("name", names())
def test_a_shipped_rule_set_is_loaded_by_name(name: str) -> None:
    assert load(name).name == name


@pytest.mark.parametrize("name", names())
def test_a_shipped_rule_set_has_a_title_and_summary_in_every_language(name: str) -> None:
    rules = load(name)
    assert set(rules.title) == set(rules.summary) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "dama64",
            {
                "width": 8,
                "height": 8,
                "rows": 3,
                "dark_corner": "left",
                "first": "W",
                "colours": ("white", "black"),
                "man_capture": "forward",
                "man_takes_king": True,
                "king_range": "flying",
                "king_landing": "adjacent",
                "capture_lines": "diagonal",
                "removal": "after",
                "u_turn": True,
                "promotion": "stop",
                "precedence": ("with_king",),
                "obligation": "forced",
                "repetition": 3,
                "same_move": 0,
                "no_progress_moves": 15,
                "objective": "normal",
                "rematch": "lots",
            },
        ),
        (
            "american",
            {
                "width": 8,
                "height": 8,
                "rows": 3,
                "dark_corner": "left",
                "first": "B",
                "colours": ("white", "red"),
                "man_capture": "forward",
                "man_takes_king": True,
                "king_range": "short",
                "king_landing": "any",
                "capture_lines": "diagonal",
                "removal": "after",
                "u_turn": True,
                "promotion": "stop",
                "precedence": (),
                "obligation": "forced",
                "repetition": 3,
                "same_move": 0,
                "no_progress_moves": 40,
                "objective": "normal",
                "rematch": "alternate",
            },
        ),
        (
            "dama100",
            {
                "width": 10,
                "height": 10,
                "rows": 4,
                "dark_corner": "left",
                "first": "W",
                "colours": ("blue", "green"),
                "man_capture": "all",
                "man_takes_king": True,
                "king_range": "flying",
                "king_landing": "any",
                "capture_lines": "diagonal",
                "removal": "after",
                "u_turn": True,
                "promotion": "pass",
                "precedence": ("count",),
                "obligation": "huff",
                "repetition": 0,
                "same_move": 3,
                "no_progress_moves": 20,
                "objective": "normal",
                "rematch": "lots",
            },
        ),
    ],
)
def test_the_boxes_have_the_parameters_of_the_table(name: str, expected: dict[str, Any]) -> None:
    rules = load(name)
    assert {key: getattr(rules, key) for key in REQUIRED if key != "name"} == expected


# Ways to load


def shipped_text(name: str) -> str:
    folder = Path(damka.rules.__file__).parent / "sets"
    return (folder / f"{name}.toml").read_text("utf-8")


@pytest.mark.parametrize("name", names())
def test_the_same_rules_by_name_path_text_and_table(name: str, tmp_path: Path) -> None:
    text = shipped_text(name)
    path = tmp_path / "box.toml"
    path.write_text(text, "utf-8")
    rules = load(name)
    assert load(path) == load(str(path)) == load(text) == from_dict(tomllib.loads(text)) == rules


def test_a_file_may_start_from_a_shipped_rule_set() -> None:
    rules = load('base = "american"\nname = "kitchen"\nking_range = "flying"')
    assert rules == load("american").replace(name="kitchen", king_range="flying")


def test_a_file_that_starts_from_a_rule_set_may_change_one_colour_of_its_theme() -> None:
    rules = load('base = "american"\n[theme]\ndark = "#123456"')
    assert rules.theme == {**load("american").theme, "dark": "#123456"}


def test_a_byte_order_mark_and_windows_line_endings_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(b"\xef\xbb\xbf" + shipped_text("russian").replace("\n", "\r\n").encode())
    assert load(path) == load("russian")


def test_a_line_of_toml_is_not_a_name() -> None:
    assert load('base = "czech"') == load("czech")


@pytest.mark.parametrize("name", names())
def test_to_dict_and_from_dict_round_trip(name: str) -> None:
    rules = load(name)
    again = from_dict(rules.to_dict())
    assert again == rules
    assert (again.title, again.summary, again.theme) == (rules.title, rules.summary, rules.theme)


def test_rules_are_values() -> None:
    rules = load("dama64")
    assert from_dict(rules.to_dict()) == rules
    assert hash(from_dict(rules.to_dict())) == hash(rules)
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301
    with pytest.raises(AttributeError):
        rules.rows = 2  # type: ignore[misc]


def test_rules_that_differ_only_in_looks_and_texts_are_equal() -> None:
    rules = load("dama64")
    assert rules.replace(theme={"light": "#ffffff"}, summary={"en": "Mine"}) == rules


# Nested values, and other boards


@pytest.mark.parametrize(
    ("key", "value", "where", "expected"),
    [
        ("ballots", [22], "ballots[0]", "text of"),
        ("sources", [""], "sources[0]", "text of"),
        ("material_draws", [{}], "material_draws[0].moves", "the key is missing"),
        ("material_draws", [{"moves": 201}], "material_draws[0].moves", "from 0 to 200"),
        (
            "material_draws",
            [{"moves": 5}, {"moves": 5, "weak": {"queens": 1}}],
            "material_draws[1].weak.queens",
            "one of men, kings, pieces",
        ),
        (
            "material_draws",
            [{"moves": 5, "strong": {"kings": [2, 1]}}],
            "material_draws[0].strong.kings",
            "a pair [minimum, maximum]",
        ),
        (
            "material_draws",
            [{"moves": 5, "main_road": 1}],
            "material_draws[0].main_road",
            "true or false",
        ),
        ("material_draws", [5], "material_draws[0]", "a table with moves, strong, weak"),
    ],
)
def test_an_invalid_nested_value_is_reported_with_its_place(
    key: str, value: object, where: str, expected: str
) -> None:
    error = refusal_of(dama64(**{key: value}))
    assert error.key == where
    assert expected in error.expected


def test_omitted_keys_have_their_former_defaults() -> None:
    old = {key: value for key, value in dama64().items() if key not in DEFAULTS}
    rules = from_dict(old)
    assert rules == load("dama64")
    assert (rules.squares, rules.king_streak, rules.material_draws) == ("dark", 0, ())


def test_a_condition_has_the_weaker_side() -> None:
    three, two = load("international").material_draws
    assert three.weak_sides((0, 1), (2, 1)) == ("W",)
    assert three.weak_sides((1, 2), (0, 1)) == ("B",)
    assert three.weak_sides((3, 0), (0, 1)) == ()
    assert two.weak_sides((0, 1), (0, 1)) == ("W", "B")
    assert two.weak_sides((1, 0), (0, 1)) == ()


@pytest.mark.parametrize(
    ("changes", "count", "cells"),
    [
        ({"width": 12, "height": 12, "rows": 5}, 72, {1: (0, 1), 72: (11, 10)}),
        ({"width": 10}, 40, {1: (0, 1), 5: (0, 9), 6: (1, 0), 40: (7, 8)}),
        ({"width": 6, "height": 6, "rows": 2}, 18, {1: (0, 1), 4: (1, 0), 18: (5, 4)}),
        (
            {
                "squares": "all",
                "rows": 2,
                "rows_behind": 1,
                "move_lines": "orthogonal",
                "capture_lines": "orthogonal",
            },
            64,
            {1: (0, 0), 8: (0, 7), 9: (1, 0), 64: (7, 7)},
        ),
    ],
)
def test_squares_of_every_board(
    changes: dict[str, Any], count: int, cells: dict[int, tuple[int, int]]
) -> None:
    rules = load("dama64").replace(**changes)
    assert rules.square_count == count
    assert {square: rules.cell(square) for square in cells} == cells
    assert [rules.square_at(*rules.cell(s)) for s in range(1, count + 1)] == [*range(1, count + 1)]
    assert rules.square_at(0, rules.width) is None


def test_men_may_start_with_rows_behind_them() -> None:
    rules = load("dama64").replace(rows=2, rows_behind=1)
    assert (rules.start_squares("B"), rules.start_squares("W")) == (range(5, 13), range(21, 29))


# Changing some parameters


def test_replace_changes_only_the_given_fields() -> None:
    rules = load("dama64")
    mine = rules.replace(name="mine", king_landing="any", precedence=["count"])
    assert mine.precedence == ("count",)
    changed = {"name": "mine", "king_landing": "any", "precedence": ["count"]}
    dropped: dict[str, object] = {"title": {}, "summary": {}, "readings": []}
    assert mine.to_dict() == {**rules.to_dict(), **changed, **dropped}
    assert rules == load("dama64")


def test_a_new_name_drops_the_old_title_unless_it_brings_its_own() -> None:
    rules = load("dama64")
    assert rules.replace(name="mine").title_in("en") == "mine"
    assert rules.replace(name="mine", title={"en": "Mine"}).title_in("sk") == "Mine"
    assert rules.replace(rows=2).title_in("en") == rules.title_in("en")


@pytest.mark.parametrize("changes", [{"king_range": "far"}, {"kings": 3}, {"self": 1}])
def test_replace_validates_like_a_file(changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as caught:
        load("dama64").replace(**changes)
    assert caught.value.key in changes


# Invalid files: the key, the value and the expected values


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("name", "", "lower-case letters"),
        ("name", "My box", "lower-case letters"),
        pytest.param("name", "x" * 41, "1 to 40", id="name-long"),
        ("name", "box\n", "lower-case letters"),
        ("name", 64, "lower-case letters"),
        ("width", 14, "6, 8, 10 or 12"),
        ("width", 9, "6, 8, 10 or 12"),
        ("width", 8.0, "6, 8, 10 or 12"),
        ("width", True, "6, 8, 10 or 12"),
        ("height", 10, "8 where width is 8"),
        ("squares", "light", "dark"),
        ("move_lines", "orthogonal", '"diagonal" where squares = "dark"'),
        ("capture_lines", "orthogonal", '"diagonal" or "diagonal+orthogonal" where squares'),
        ("rows_behind", 1, "at most 0, so that a row stays empty"),
        ("king_streak", 10, "from 0 to 9"),
        ("precedence", ["king_early", "value"], "king_early only without value"),
        ("ballots", "22-18", "or a list of openings"),
        ("notation", "N4", "the digit 0, 1, 2 or 3"),
        ("capture_sign", "*", "one of"),
        ("game_type", 1000, "from 0 to 999"),
        ("material_draws", {}, "a list of at most 12 tables"),
        ("rows", 0, "from 1 to 5"),
        ("rows", 4, "at most 3"),
        pytest.param("rows", 10**5000, "from 1 to 5", id="rows-huge"),
        ("dark_corner", "top", '"left", "right"'),
        ("first", "w", '"W", "B"'),
        ("colours", ["white"], "two names"),
        ("colours", "wb", "two names"),
        ("colours", ["white", "white"], "two different names"),
        ("man_capture", "back", '"forward", "all"'),
        ("man_takes_king", 1, "true or false"),
        ("man_takes_king", "true", "true or false"),
        ("king_range", None, '"short", "flying"'),
        ("king_landing", ["any"], '"any", "adjacent"'),
        ("capture_lines", "all", '"diagonal"'),
        ("removal", "", '"after", "immediate"'),
        ("u_turn", 0, "true or false"),
        ("promotion", "passes", '"stop", "pass", "go"'),
        ("precedence", "count", "a list"),
        ("precedence", ["count", "count"], "every key at most once"),
        ("obligation", "maybe", '"forced", "huff"'),
        ("repetition", 1, "0 (off) or a whole number from 2 to 100"),
        ("same_move", -3, "0 to 100"),
        ("no_progress_moves", 201, "0 to 200"),
        ("objective", "win", '"normal"'),
        ("rematch", "same", '"lots", "alternate"'),
        ("title", "Box", "a table of language = text"),
        ("readings", "promotion", 'a list, such as ["goal", "start"], or []'),
        ("readings", ["promotion", "promotion"], "every key at most once"),
        ("theme", "dark", "a table with light, dark, white and black"),
    ],
)
def test_an_invalid_value_is_reported_with_its_key_and_the_expected_value(
    key: str, value: object, expected: str
) -> None:
    error = refusal_of(dama64(**{key: value}))
    assert error.key == key
    assert error.value == value
    assert expected in error.expected
    assert str(error).startswith(key if value is None else f"{key} = ")
    assert str(error).endswith(f": expected {error.expected}")
    assert len(str(error)) < 400


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("precedence", ["count", "most"], "precedence[1]"),
        ("precedence", [["count"]], "precedence[0]"),
        ("colours", ["white", 3], "colours[1]"),
        ("colours", ["white", " "], "colours[1]"),
        ("title", {"fr": "Boîte"}, "title.fr"),
        ("title", {"en": ""}, "title.en"),
        ("summary", {"en": "two\nlines"}, "summary.en"),
        pytest.param("summary", {"en": "x" * 161}, "summary.en", id="summary-long"),
        ("readings", ["promotion", "weather"], "readings[1]"),
        ("theme", {"red": "#ff0000"}, "theme.red"),
        ("theme", {"light": "red"}, "theme.light"),
        ("theme", {"white": "#ffffff"}, "theme.white"),
        ("theme", {"black": ["#ffffff", "#fff"]}, "theme.black[1]"),
    ],
)
def test_an_invalid_value_in_a_table_or_list_is_reported_by_its_place(
    key: str, value: object, where: str
) -> None:
    assert refusal_of(dama64(**{key: value})).key == where


@pytest.mark.parametrize("key", REQUIRED)
def test_a_missing_key_is_reported_with_its_expected_value(key: str) -> None:
    raw = dama64()
    del raw[key]
    error = refusal_of(raw)
    assert error.key == key
    assert error.expected.endswith("; the key is missing")


def test_an_unknown_key_is_reported_with_similar_keys() -> None:
    error = refusal_of(dama64(king_rangs=3))
    assert (error.key, error.value) == ("king_rangs", 3)
    assert error.expected.startswith("a known key, such as king_range or ")
    assert error.expected.endswith("damka.rules.PARAMETERS lists them")
    assert "such as" not in refusal_of(dama64(weather=3)).expected


def test_an_unknown_base_is_reported_with_similar_names() -> None:
    error = refusal_of({"base": "frysian"})
    assert (error.key, error.value) == ("base", "frysian")
    assert error.expected.startswith("the name of a rule set, such as frisian or ")


def test_all_errors_are_reported_at_once() -> None:
    error = refusal_of({"base": "chess", "rows": 9, "king_rang": "short", "first": "B"})
    assert [each.key for each in error.all] == ["base", "rows", "king_rang"]
    assert str(error).endswith(" (and 2 more)")
    error = refusal_of(dama64(rows=5, move_lines="orthogonal"))
    assert [each.key for each in error.all] == ["rows", "move_lines"]
    error = refusal_of(dama64(**{f"key{n}": n for n in range(99)}))
    assert len(error.all) == RulesError.MOST


def test_all_invalid_toml_lines_are_reported_at_once() -> None:
    text = 'base = "dama64"\nfirst = B\nrows = 9\ncolours = "a", "b"\nwidth = 8\nwidth = 10\n'
    with pytest.raises(RulesError) as caught:
        load(text)
    assert [each.line for each in caught.value.all] == [2, 4, 6, None]
    assert caught.value.all[-1].key == "rows"
    # An unclosed list causes one error, not one per later line.
    with pytest.raises(RulesError) as caught:
        load('base = "dama64"\nprecedence = ["count",\nrows = 3\nfirst = "W"\n')
    assert [each.line for each in caught.value.all] == [3]


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('base = "dama64"\nrows = 7\n', "utf-8")
    with pytest.raises(RulesError) as caught:
        load(path)
    assert caught.value.source == str(path)
    assert str(caught.value) == f"{path}: rows = 7: expected a whole number from 1 to 5"


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        *(("dama", "dama64"), ("Dama64", "dama64"), ("dama64 ", "dama64"), ("../dama64", "dama64")),
        *(("", None), ("base", None), pytest.param("x" * 5000, None, id="long")),
    ],
)
def test_an_unknown_name_gets_a_suggestion(name: str, suggested: str | None) -> None:
    with pytest.raises(UnknownRulesError) as caught:
        load(name)
    assert caught.value.known == names()
    summary = f"expected one of {len(names())} names, such as dama64, american, dama100"
    assert (f"did you mean {suggested}" if suggested else summary) in str(caught.value)
    assert len(str(caught.value)) < 600


def test_the_most_similar_names_are_suggested() -> None:
    with pytest.raises(UnknownRulesError, match="did you mean frisian"):
        load("frysian")


@pytest.mark.parametrize("path", ["absent", "", "a\0b", "\ud800", "x" * 5000], ids=list("abcde"))
def test_an_unreadable_file_is_a_rules_error(path: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="a readable file"):
        load(tmp_path / path)


def test_a_file_that_is_not_text_is_a_rules_error(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(b'name = "\xff\xfe"\n')
    with pytest.raises(RulesError, match="UTF-8"):
        load(path)


@pytest.mark.parametrize(
    "text",
    [
        "=",
        "name = ",
        "[theme\n",
        "a = 1\na = 2",
        "a = " + "[" * 2000 + "]" * 2000,
        "rows = " + "9" * 5000,
        "rows = 0x" + "f" * 5000,
        "rows = 2024-13-45",
        "\n",
        "a.b.c = 1",
        'base = "dama64"\nself = 1',
        'base = ["dama64"]',
    ],
    ids=range(12),
)
def test_an_invalid_text_is_a_rules_error(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(text)
    assert len(str(caught.value)) < 700


def test_a_text_or_file_beyond_128_kib_is_refused(tmp_path: Path) -> None:
    padded = shipped_text("dama64") + "#" * 128 * 1024
    path = tmp_path / "box.toml"
    path.write_text(padded, "utf-8")
    for source in (padded, path):
        with pytest.raises(RulesError, match="at most 131072 bytes"):
            load(source)


@pytest.mark.parametrize("raw", [None, 3, "dama64", ["name"], [("name", "x")], {1: 2}, {None: "x"}])
def test_an_invalid_table_is_a_rules_error(raw: object) -> None:
    assert refusal_of(raw).key == ""


# Random input of every kind: a rule set or a RulesError

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=40)
    | st.dates()
    | st.sampled_from(["left", "W", "all", "flying", "count", "kings", "huff", "stop", "#aabbcc"])
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(max_size=10) | st.sampled_from(["en", "light"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def assert_accepted_or_refused(make: Callable[[], Rules]) -> None:
    try:
        rules = make()
    except (RulesError, UnknownRulesError) as error:
        message = str(error)
    else:
        assert from_dict(rules.to_dict()) == rules
        return
    assert message.isprintable()
    assert len(message) < 1000


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_accepted_or_refused(text: str) -> None:
    assert_accepted_or_refused(lambda: load(text))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='abcxyz019_."=[]{},# \n\\u-+:T', max_size=120))
def test_any_text_like_toml_is_accepted_or_refused(text: str) -> None:
    assert_accepted_or_refused(lambda: load(text + "\n"))


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_in_a_file_are_accepted_or_refused(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "garbage.toml"
    path.write_bytes(data)
    assert_accepted_or_refused(lambda: load(path))


@settings(max_examples=300, deadline=None)
@given(key=st.sampled_from(sorted(PARAMETERS)) | st.text(max_size=12), value=values)
def test_any_value_at_any_key_is_accepted_or_refused(key: str, value: object) -> None:
    assert_accepted_or_refused(lambda: from_dict(dama64(**{key: value})))


@settings(max_examples=200, deadline=None)
@given(
    base=st.sampled_from(names()),
    changes=st.dictionaries(st.sampled_from(sorted(PARAMETERS)), values, max_size=3),
)
def test_any_change_is_accepted_or_refused(base: str, changes: dict[str, object]) -> None:
    assert_accepted_or_refused(lambda: load(base).replace(**changes))


@settings(max_examples=100, deadline=None)
@given(values)
def test_any_table_is_accepted_or_refused(raw: object) -> None:
    assert_accepted_or_refused(lambda: from_dict(raw))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(names()))
def test_a_damaged_file_is_accepted_or_refused(data: st.DataObject, name: str) -> None:
    text = shipped_text(name)
    at = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(at, min(len(text), at + 20)))
    damaged = text[:at] + data.draw(st.text(max_size=5)) + text[end:]
    assert_accepted_or_refused(lambda: load(damaged))


# The board's geometry


@pytest.mark.parametrize("name", names())
def test_squares_are_numbered_row_by_row_from_whites_top_left(name: str) -> None:
    rules = load(name)
    cells = [rules.cell(square) for square in range(1, rules.square_count + 1)]
    assert cells == sorted(cells)
    whole = rules.width * rules.height
    assert len(set(cells)) == (whole if rules.squares == "all" else whole // 2)
    assert [rules.square_at(*cell) for cell in cells] == list(range(1, rules.square_count + 1))


@pytest.mark.parametrize("name", names())
def test_only_playing_squares_have_a_number(name: str) -> None:
    rules = load(name)
    playing = {rules.cell(square) for square in range(1, rules.square_count + 1)}
    around = [(r, c) for r in range(-1, rules.height + 1) for c in range(-1, rules.width + 1)]
    assert [cell for cell in around if rules.square_at(*cell)] == sorted(playing)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("beyond", [0, -1, 1])
def test_a_square_outside_has_no_cell(name: str, beyond: int) -> None:
    rules = load(name)
    square = rules.square_count + 1 if beyond > 0 else beyond
    with pytest.raises(ValueError, match="is not on a board"):
        rules.cell(square)


@pytest.mark.parametrize("corner", ["left", "right"])
@pytest.mark.parametrize("width", [8, 10])
def test_the_dark_corner_is_where_the_rules_say_for_each_player(corner: str, width: int) -> None:
    rules = load("dama64").replace(name="mine", width=width, height=width, dark_corner=corner)
    last = width - 1
    # White is at the bottom, so its left is column 0; Black's left is the last column.
    left, right = (last, 0), (last, last)
    assert bool(rules.square_at(*left)) == (corner == "left") == bool(rules.square_at(0, last))
    assert bool(rules.square_at(*right)) == (corner == "right") == bool(rules.square_at(0, 0))


def test_titles_fall_back_to_english_and_then_to_the_name() -> None:
    rules = load("dama64").replace(title={"en": "Box", "it": "Scatola"}, summary={})
    assert [rules.title_in(language) for language in ("it", "sk")] == ["Scatola", "Box"]
    assert rules.summary_in("en") == ""


@pytest.mark.parametrize("name", names())
def test_saved_rules_round_trip(name: str, tmp_path: Path) -> None:
    shipped = load(name)
    mine = shipped.replace(name="mine", rows=1, title={"en": 'My "box"'})
    for base in ("", name, "dama64"):
        path = tmp_path / "mine.toml"
        mine.save(path, base)
        assert load(path) == mine
        assert load(path).to_dict() == mine.to_dict()
        assert load(shipped.to_toml(base)).to_dict() == shipped.to_dict()


def test_only_differences_from_a_base_are_saved() -> None:
    mine = load("american").replace(name="mine", king_range="flying")
    expected = 'base = "american"\nname = "mine"\nking_range = "flying"\n'
    assert mine.to_toml("american") == expected
    with pytest.raises(UnknownRulesError):
        mine.to_toml("mine")


def test_an_invalid_name_is_refused() -> None:
    for wrong in (None, 3, b"american"):
        with pytest.raises(TypeError, match=r'its name, such as "american".*not'):
            load(wrong)  # type: ignore[arg-type]


def test_replace_keeps_all_other_fields() -> None:
    """A larger board keeps its rows and its name, as the documentation says."""
    large = load("american").replace(width=10, height=10)
    assert (large.rows, large.name) == (3, "american")
    assert large != load("american")
