"""The rulebook: texts in four languages, and correct pictures.
The pictures are verified with the executable specification, which the rulebook itself
does not use.
"""

from __future__ import annotations

import re
from itertools import permutations, product
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import reference, rulebook
from damka.locales import LANGUAGES
from damka.rulebook import TOPICS, Diagram, Paragraph, pages
from damka.rules import Rules, load, names
from tests.strategies import rule_sets

if TYPE_CHECKING:
    from damka.rules import Side

BOXES = ("dama64", "american", "dama100")


_ABOUT_KINGS = {"removal", "king_capture", "king_landing", "repetition", "same_move"}


def may_lack_picture(rules: Rules, topic: str) -> bool:
    """Return whether a topic may lack a picture, because no position can show it."""
    return (
        topic in {"ballots", "king_streak"}
        or (
            topic == "agreement"
            and (rules.objective, rules.capture_lines) != ("normal", "diagonal")
        )
        or (topic == "king_landing" and rules.obligation == "free")
        or (topic == "goal" and (rules.objective, rules.obligation) == ("losing", "free"))
        or (topic == "precedence" and rules.precedence[:1] == ("king_early",) and rules.width == 6)
        or (topic in _ABOUT_KINGS and rules.objective == "breakthrough")
    )


def book(rules: Rules, language: str = "en") -> dict[str, Paragraph]:
    return {paragraph.topic: paragraph for paragraph in rulebook.paragraphs(rules, language)}


def text(rules: Rules, topic: str, language: str = "en") -> str:
    return book(rules, language)[topic].text


def picture(rules: Rules, topic: str) -> Diagram:
    diagram = book(rules)[topic].diagram
    assert diagram is not None
    return diagram


def position(diagram: Diagram) -> reference.Position:
    return reference.Position(diagram.pieces, diagram.turn)


# Paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_rule_set_has_a_rulebook_in_every_language(name: str, language: str) -> None:
    paragraphs = rulebook.paragraphs(load(name), language)
    assert [p.number for p in paragraphs] == list(range(1, len(paragraphs) + 1))
    for paragraph in paragraphs:
        assert paragraph.language == language
        assert paragraph.diagram_svg or may_lack_picture(load(name), paragraph.topic)
        for sentence in (paragraph.text, paragraph.caption, *paragraph.items):
            assert re.fullmatch(r"\S.*[.!?]", sentence) or not paragraph.diagram, sentence
            assert "{" not in sentence
            assert "  " not in sentence
        assert len(paragraph.text) < 600


@pytest.mark.parametrize("name", names())
def test_every_language_has_its_own_text(name: str) -> None:
    books = [book(load(name), language) for language in LANGUAGES]
    for topic in books[0]:
        assert len({each[topic].text for each in books}) == len(LANGUAGES)


def test_topics_that_do_not_apply_have_no_paragraph() -> None:
    american = load("american")
    assert rulebook.number(american, "king_landing") is None
    assert rulebook.number(american, "huffing") is None
    assert rulebook.number(load("dama100"), "repetition") is None
    assert rulebook.number(load("dama100").replace(obligation="forced"), "huffing") is None


@pytest.mark.parametrize("name", names())
def test_number_returns_the_paragraphs_number(name: str) -> None:
    rules = load(name)
    paragraphs = rulebook.paragraphs(rules, "en")
    for paragraph in paragraphs:
        assert rulebook.number(rules, paragraph.topic) == paragraph.number
    absent = set(TOPICS) - {paragraph.topic for paragraph in paragraphs}
    assert all(rulebook.number(rules, topic) is None for topic in absent)


def test_an_unknown_topic_or_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown topic 'weather'"):
        rulebook.number(load("dama64"), "weather")
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        rulebook.paragraphs(load("dama64"), "xx")


# Contents


def test_the_rulebook_of_the_bulgarian_box() -> None:
    rules = load("dama64")
    assert "12 men" in text(rules, "start")
    assert "3 rows" in text(rules, "start")
    assert "on the left" in text(rules, "start")
    assert text(rules, "first").startswith("White moves first.")
    assert "by lot, and again for every rematch" in text(rules, "first")
    assert "does not capture backwards" in text(rules, "man_capture")
    assert "only forwards; a king may turn any way" in text(rules, "chain")
    assert "neither jumped a second time nor crossed" in text(rules, "removal")
    assert "Its move ends there" in text(rules, "promotion")
    assert "right behind it" in text(rules, "king_landing")
    assert "may not first slide and then turn" in text(rules, "king_capture")
    assert "the king must be used" in text(rules, "precedence")
    assert "15 moves" in text(rules, "no_progress")
    assert "3 times" in text(rules, "repetition")


def test_the_rulebook_of_the_american_box() -> None:
    rules = load("american")
    assert text(rules, "first", "it").startswith("Il rosso muove per primo.")
    assert text(rules, "first", "sk").startswith("Červený začína.")
    assert "the players swap colours after every game" in text(rules, "first")
    assert "one square diagonally, forwards or backwards" in text(rules, "king_move")
    assert "choose any of them, even if another takes more" in text(rules, "precedence")
    assert "none may be jumped twice" in text(rules, "removal")
    assert "Men may capture kings" in text(rules, "man_takes_king")
    assert "40 moves" in text(rules, "no_progress")


def test_the_rulebook_of_the_italian_box() -> None:
    rules = load("dama100")
    assert "20 men" in text(rules, "start")
    assert text(rules, "first").startswith("Blue moves first.")
    assert "in front or behind" in text(rules, "man_capture")
    assert "still as a man" in text(rules, "promotion")
    assert "any empty square behind" in text(rules, "king_landing")
    assert "the most pieces" in text(rules, "precedence")
    assert "A king counts as one piece" in text(rules, "precedence")
    assert "«chi non mangia è fuori»" in text(rules, "huffing", "it")
    assert "the same move in the same position 3 times" in text(rules, "same_move")
    assert "20 moves" in text(rules, "no_progress")


def test_the_italian_boxs_example_of_three_men_before_two_kings() -> None:
    rules = load("dama100")
    diagram = picture(rules, "precedence")
    (move,) = reference.legal_moves(rules, position(diagram))
    assert [diagram.pieces[square - 1] for square in move.captures] == ["b", "b", "b"]
    (refused,) = barred(diagram)
    assert diagram.pieces.count("B") == 2 == len(refused) - 1


def test_every_order_of_precedence_is_described_key_by_key() -> None:
    keys = ("count", "with_king", "kings", "king_early")
    base = load("italian")
    orders = [order for n in range(5) for order in permutations(keys, n)]
    descriptions = {text(base.replace(precedence=order), "precedence") for order in orders}
    assert len(descriptions) == len(orders)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_parameter_has_its_own_sentence(language: str) -> None:
    base = load("dama64")
    changes: list[tuple[str, dict[str, Any]]] = [
        ("start", {"dark_corner": "right"}),
        ("start", {"rows": 1}),
        ("first", {"first": "B"}),
        ("first", {"rematch": "alternate"}),
        ("man_capture", {"man_capture": "all"}),
        ("chain", {"man_capture": "all"}),
        ("removal", {"removal": "immediate"}),
        ("removal", {"king_range": "short"}),
        ("promotion", {"promotion": "go"}),
        ("promotion", {"promotion": "pass", "man_capture": "all"}),
        ("king_move", {"king_range": "short"}),
        ("king_capture", {"king_range": "short"}),
        ("king_capture", {"removal": "immediate", "u_turn": False}),
        ("king_landing", {"king_landing": "any"}),
        ("man_takes_king", {"man_takes_king": False}),
        ("precedence", {"precedence": []}),
        ("obligation", {"obligation": "huff"}),
        ("repetition", {"repetition": 5}),
        ("no_progress", {"no_progress_moves": 1}),
    ]
    square = {"squares": "all", "rows": 2, "rows_behind": 1}
    straight = square | {"move_lines": "orthogonal", "capture_lines": "orthogonal"}
    both = "diagonal+orthogonal"
    changes += [
        ("goal", {"objective": "losing"}),
        ("goal", {"objective": "breakthrough"}),
        ("no_moves", {"objective": "losing"}),
        ("promotion", {"objective": "breakthrough"}),
        ("start", straight),
        ("man_move", straight),
        ("man_move", straight | {"move_lines": both}),
        ("man_capture", straight),
        ("man_capture", straight | {"capture_lines": both}),
        ("man_capture", {"capture_lines": both}),
        ("king_move", straight),
        ("king_capture", straight),
        ("king_capture", {"capture_lines": both}),
        ("king_landing", {"king_landing": "killer"}),
        ("precedence", {"precedence": ["value"]}),
        ("obligation", {"obligation": "free"}),
        ("how_to_move", {"obligation": "free"}),
        ("notation", {"notation": "A0"}),
        ("notation", {"notation": "N1"}),
        ("notation", {"capture_sign": ":"}),
    ]
    for topic, change in changes:
        assert text(base, topic, language) != text(base.replace(**change), topic, language), change


def test_house_rules_have_a_rulebook_without_interpretations() -> None:
    mine = load("dama64").replace(name="mine", colours=["tan", "teal"], king_landing="any")
    paragraphs = book(mine)
    assert paragraphs["first"].text.startswith("Tan moves first.")
    assert not any(paragraph.is_reading for paragraph in paragraphs.values())
    assert "<title>" in (paragraphs["king_landing"].diagram_svg or "")


def test_the_rulebook_states_the_streak_limit() -> None:
    frisian = load("international").replace(king_streak=3)
    assert "at most 3 moves in a row" in text(frisian, "king_streak")
    assert "only 1 move in a row" in text(frisian.replace(king_streak=1), "king_streak")
    assert rulebook.number(load("international"), "king_streak") is None


def endings(*draws: dict[str, Any], language: str = "en") -> tuple[str, ...]:
    rules = load("dama64").replace(material_draws=draws)
    return book(rules, language)["material_draws"].items


def test_endings_are_described_plainly() -> None:
    one = {"men": 0, "kings": 1}
    assert endings({"moves": 15, "strong": {"men": 0, "kings": [3, 12]}, "weak": one}) == (
        "At least 3 kings against one king: a draw after 15 moves by each side.",
    )
    assert endings(
        {"moves": 5, "strong": {"pieces": 3, "kings": [1, 3]}, "weak": one, "main_road": True},
        {"moves": 1, "pieces": [4, 5], "strong": {"kings": [1, 12]}, "weak": {"kings": [1, 12]}},
        {"moves": 0, "strong": {"pieces": 1}, "weak": {"pieces": 1}},
        {"moves": 9, "pieces": [0, 4], "unchanged": True},
        {"moves": 2, "strong": {"men": [1, 3], "kings": 0}, "weak": {"men": [0, 2], "kings": 1}},
    ) == (
        "3 pieces (including at least one king) against one king on the main road, "
        "the long diagonal: a draw after 5 moves by each side.",
        "At least one king on each side, with 4 or 5 pieces on the board in total: "
        "a draw after 1 move by each side.",
        "One piece on each side: a draw at once, unless the side to move can capture.",
        "At most 4 pieces on the board in total: a draw after 9 moves by each side. "
        "Here the count also restarts when a man becomes a king.",
        "1 to 3 men against one king and at most 2 men: a draw after 2 moves by each side.",
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", names())
def test_every_shipped_ending_has_its_own_description(name: str, language: str) -> None:
    descriptions = (
        endings(*load(name).to_dict()["material_draws"], language=language)
        if (load(name).material_draws)
        else ()
    )
    assert len(set(descriptions)) == len(load(name).material_draws)
    assert all(re.fullmatch(r"[A-ZА-Я0-9].*\.", each) for each in descriptions)


def test_sources_are_named_on_the_page() -> None:
    rules = load("international").replace(sources=["FMJD, Annex 1"])
    assert "## Sources\n\n- FMJD, Annex 1" in pages.page(rules, rulebook.paragraphs(rules, "en"))


# Interpretations


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOXES)
def test_interpretations_of_a_sheet_are_marked_and_explained(name: str, language: str) -> None:
    rules = load(name)
    paragraphs = book(rules, language)
    marked = {topic for topic, paragraph in paragraphs.items() if paragraph.is_reading}
    assert marked == set(rules.readings)
    for paragraph in paragraphs.values():
        assert bool(paragraph.note) == paragraph.is_reading
    notes = [paragraphs[topic].note for topic in marked]
    assert len(set(notes)) == len(notes), "each note is specific"


def test_interpretations_of_the_boxes() -> None:
    draws = {"agreement", "repetition", "no_progress"}
    assert set(load("american").readings) == draws
    open_in_64 = {"start", "first", "chain", "removal", "promotion"}
    assert set(load("dama64").readings) == draws | open_in_64
    open_in_100 = {"start", "first", "removal", "promotion", "king_landing", "huffing"}
    assert set(load("dama100").readings) == {
        *open_in_100,
        "agreement",
        "same_move",
        "no_progress",
    }


def test_federation_rules_have_no_interpretations() -> None:
    for name in set(names()) - set(BOXES):
        assert not load(name).readings


def test_an_interpretation_without_a_specific_note_has_a_general_one() -> None:
    rules = load("dama64").replace(readings=["king_move"])
    assert book(rules)["king_move"].note == "The rule sheet does not say this."


# Correctness of the pictures


def routes(rules: Rules, at: reference.Position) -> set[tuple[int, ...]]:
    return {route for move in reference.legal_moves(rules, at) for route in move.routes}


def play(rules: Rules, at: reference.Position, route: tuple[int, ...]) -> reference.Position:
    for move in reference.legal_moves(rules, at):
        if route in move.routes:
            return reference.apply(rules, at, move)
    raise AssertionError(f"{route} is not legal in {at}")


def arrows(diagram: Diagram) -> list[tuple[int, ...]]:
    return [arrow.route for arrow in diagram.marks.arrows if not arrow.forbidden]


def barred(diagram: Diagram) -> list[tuple[int, ...]]:
    return [arrow.route for arrow in diagram.marks.arrows if arrow.forbidden]


def check_forbidden_moves(rules: Rules, diagram: Diagram) -> None:
    """Moves drawn as forbidden are illegal."""
    at = position(diagram)
    legal = routes(rules, at)
    assert not legal & set(barred(diagram))
    assert not {route[-1] for route in legal} & set(diagram.marks.crosses)


def check_arrows(rules: Rules, diagram: Diagram) -> None:
    """Every arrow is a legal move, or the other side's legal reply to the first arrow."""
    at = position(diagram)
    for i, route in enumerate(arrows(diagram)):
        if at.at(route[0]) in reference.PIECES[diagram.turn]:
            assert route in routes(rules, at), (i, route)
        else:
            first = arrows(diagram)[0]
            assert route in routes(rules, play(rules, at, first)), (i, route)


def check_marks(rules: Rules, diagram: Diagram) -> None:
    """Dots are all targets of the chosen piece, rings all pieces that must capture."""
    at = position(diagram)
    if chosen := diagram.marks.chosen:
        ends = {move.end for move in reference.legal_moves(rules, at) if move.start == chosen}
        assert set(diagram.marks.targets) == ends
        assert ends
    if must := diagram.marks.must:
        assert set(must) == reference.must_capture(rules, at)


def check_last_move(rules: Rules, diagram: Diagram) -> None:
    """The last move was legal, or an offence of the piece that may be huffed."""
    if not diagram.marks.last:
        return
    start, end = diagram.marks.last
    now = position(diagram)
    before = reference.Position(
        now.with_changes({start: now.at(end), end: "."}).pieces, reference.OTHER[now.turn]
    )
    quiet = {(move.start, move.end) for move in reference.quiet_moves(rules, before)}
    assert (start, end) in quiet
    huffable = set(diagram.marks.huffable)
    if huffable:
        assert huffable <= reference.must_capture(rules, before)
    else:
        assert (start, end) in routes(rules, before)


def check_caption(rules: Rules, diagram: Diagram) -> None:
    """Moves in the caption have "x" exactly if they capture."""
    at = position(diagram)
    for written in re.findall(r"\d+(?:[x-]\d+)+", diagram.caption("en")):
        route = tuple(map(int, re.findall(r"\d+", written)))
        for move in reference.legal_moves(rules, at):
            if route in move.routes:
                assert ("x" in written) == bool(move.captures)


CHECKS = (check_forbidden_moves, check_arrows, check_marks, check_last_move, check_caption)


@pytest.mark.parametrize("name", names())
def test_every_picture_of_every_rule_set_is_correct(name: str) -> None:
    rules = load(name)
    for paragraph in rulebook.paragraphs(rules, "en"):
        if paragraph.diagram is None:
            assert may_lack_picture(rules, paragraph.topic), paragraph.topic
            continue
        for check in CHECKS:
            check(rules, paragraph.diagram)


@settings(deadline=None, max_examples=120)
@given(rule_sets(), st.sampled_from(("forced", "huff")))
def test_every_picture_of_any_rules_is_correct(drawn: Rules, obligation: str) -> None:
    rules = drawn.replace(obligation=obligation)
    for paragraph in rulebook.paragraphs(rules, "en"):
        if paragraph.diagram is None:
            assert may_lack_picture(rules, paragraph.topic), paragraph.topic
            continue
        for check in CHECKS:
            check(rules, paragraph.diagram)


@pytest.mark.parametrize("name", names())
def test_the_moves_of_the_goal_picture_reach_the_goal(name: str) -> None:
    rules = load(name)
    diagram = picture(rules, "goal")
    after = position(diagram)
    for route in arrows(diagram):
        after = play(rules, after, route)
    if rules.objective == "losing":
        assert set(after.pieces) <= {".", "b"}
    elif rules.objective == "breakthrough":
        assert "W" in after.pieces
    else:
        assert set(after.pieces) <= {".", "w"}


@pytest.mark.parametrize("name", names())
def test_the_blocked_side_has_a_piece_and_no_move(name: str) -> None:
    rules = load(name)
    diagram = picture(rules, "no_moves")
    assert "w" in diagram.pieces
    assert not reference.legal_moves(rules, position(diagram))


@pytest.mark.parametrize("name", names())
def test_the_chain_is_a_multiple_capture_that_must_be_completed(name: str) -> None:
    rules = load(name)
    diagram = picture(rules, "chain")
    (route,) = arrows(diagram)
    assert len(route) >= 3
    assert route[:2] not in routes(rules, position(diagram))


@pytest.mark.parametrize(
    ("name", "ends_on_far_row", "is_king"),
    [("dama64", True, True), ("dama100", False, False), ("russian", False, True)],
)
def test_the_promotion_picture_follows_the_rules(
    name: str, ends_on_far_row: bool, is_king: bool
) -> None:
    rules = load(name)
    diagram = picture(rules, "promotion")
    route = arrows(diagram)[0]
    assert (rules.cell(route[-1])[0] == 0) == ends_on_far_row
    assert any(rules.cell(square)[0] == 0 for square in route)
    after = play(rules, position(diagram), route)
    assert after.at(route[-1]) == ("W" if is_king else "w")


@pytest.mark.parametrize(("landing", "squares"), [("adjacent", 1), ("any", 4)])
def test_the_landing_picture_marks_all_allowed_squares(landing: str, squares: int) -> None:
    rules = load("dama64").replace(king_landing=landing)
    marks = picture(rules, "king_landing").marks
    assert len(marks.targets) == squares
    assert len(marks.targets) + len(marks.crosses) == 4


@pytest.mark.parametrize("removal", ["after", "immediate"])
def test_the_removal_picture_depends_on_the_rule(removal: str) -> None:
    """Under the other rule the same position has other captures."""
    rules = load("dama64").replace(removal=removal)
    other = rules.replace(removal="immediate" if removal == "after" else "after")
    at = position(picture(rules, "removal"))
    most = [
        max(len(move.captures) for move in reference.captures(each, at)) for each in (rules, other)
    ]
    assert sorted(most) == [4, 5]
    assert (most[0] == 5) == (removal == "immediate")


def decided(rules: Rules) -> set[reference.Position]:
    """Return the won and lost positions with one king each, by retrograde analysis."""
    squares = range(1, rules.square_count + 1)
    sides: tuple[Side, Side] = ("W", "B")
    after: dict[reference.Position, set[reference.Position]] = {}
    for white, black, turn in product(squares, squares, sides):
        if white != black:
            at = reference.place(rules, turn, {white: "W", black: "B"})
            moves = reference.legal_moves(rules, at)
            after[at] = {reference.apply(rules, at, move) for move in moves}
    # The other positions are those in which the side to move has lost its king.
    lost = {end for ends in after.values() for end in ends if end not in after}
    won: set[reference.Position] = set()
    while True:
        more_won = {at for at, ends in after.items() if at not in won and ends & lost}
        won |= more_won
        more_lost = {at for at, ends in after.items() if at not in lost and ends <= won}
        lost |= more_lost
        if not more_won | more_lost:
            return (won | lost) & after.keys()


@pytest.mark.parametrize("name", ["dama64", "american", "italian"])
def test_the_picture_of_a_draw_by_agreement_is_drawn(name: str) -> None:
    """With one king each, neither side can force a win, though it can in other positions."""
    rules = load(name)
    wins = decided(rules)
    assert wins
    pieces = picture(rules, "agreement").pieces
    assert sorted(pieces.replace(".", "")) == ["B", "W"]
    assert not wins & {reference.Position(pieces, "W"), reference.Position(pieces, "B")}


@pytest.mark.parametrize("name", [n for n in names() if load(n).objective != "breakthrough"])
def test_the_repetition_diagram_repeats_the_position(name: str) -> None:
    rules = load(name).replace(repetition=3)
    diagram = picture(rules, "repetition")
    at = position(diagram)
    for route in (*arrows(diagram), *(route[::-1] for route in arrows(diagram))):
        at = play(rules, at, route)
    assert at == position(diagram)


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_name_only_numbered_squares(language: str) -> None:
    for name in names():
        for paragraph in rulebook.paragraphs(load(name), language):
            if not paragraph.diagram:
                continue
            root = ET.fromstring(paragraph.diagram_svg or "")  # noqa: S314  our own output
            shown = {t.text for t in root.iter("{http://www.w3.org/2000/svg}text")}
            for square in re.findall(r"[a-l]?\d+", paragraph.caption):
                # The label is in the square, or around the board as a letter and digits.
                assert square in shown or {square[0], square[1:]} <= shown
            assert root[0].text == paragraph.caption


def test_a_picture_can_be_drawn_in_other_ways_and_as_text() -> None:
    rules = load("dama64")
    diagram = picture(rules, "king_landing")
    assert rules.theme["light"] in diagram.svg(print_style=True, numbers=False, flip=True)
    assert "+15·" in diagram.text()
    assert "18b" in diagram.text(plain=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_about_openings_mentions_positions(language: str) -> None:
    american = load("american")
    moves, positions, one = (
        book(american.replace(ballots=lines), language)["ballots"].text
        for lines in (
            ["9-13", "10-15"],
            ["9-13", "7. Two against two: W:W21,K30:B5,9"],
            ['[FEN "W:W21,K30:B5,9"]'],
        )
    )
    assert len({moves, positions, one}) == 3
    assert "2" in moves
    assert "2" in positions
    if language == "en":
        assert "a position, moves, or both" in positions
        assert one.startswith("Every game begins with the same opening, which is already")
