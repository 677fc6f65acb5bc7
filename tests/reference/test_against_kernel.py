"""The kernel agrees with the executable specification on every position, by any rules."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from damka import Board, reference
from damka.rules import Rules, load, names
from tests.reference.agreement import assert_positions_agree, effect
from tests.strategies import endings, examples, positions, rule_sets, situations
from tests.support import published_counts, read_fen, write_fen

EACH = 30
"""Positions of each shipped rule set."""

ANY = 800
"""Positions of random rule sets."""


def assert_agreement(rules: Rules, position: reference.Position) -> list[reference.Move]:
    return assert_positions_agree(Board(rules, write_fen(position)), position)


class Coverage:
    """Counts of interesting features among the tested positions."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def record(self, position: reference.Position, moves: list[reference.Move]) -> None:
        captures = [move for move in moves if move.captures]
        by_kings = [move for move in captures if position.at(move.start).isupper()]
        ends = Counter((move.start, move.captures) for move in by_kings)
        features = {
            "position": True,
            "capture": bool(captures),
            "choice of captures": len(captures) > 1,
            "two captured": any(len(move.captures) > 1 for move in captures),
            "three captured": any(len(move.captures) > 2 for move in captures),
            "king's capture": bool(by_kings),
            "several landings": any(count > 1 for count in ends.values()),
            "several routes": any(len(move.routes) > 1 for move in captures),
            "crowned in a capture": any(move.crowns for move in captures),
            "crowned by the second": any(
                move.crowns and len(move.captures) > 1 for move in captures
            ),
            "back to its square": any(move.start == move.end for move in captures),
        }
        self.counts.update(feature for feature, there in features.items() if there)

    def share(self, feature: str) -> float:
        return self.counts[feature] / self.counts["position"]


@pytest.mark.parametrize("name", names())
def test_they_agree_on_the_shipped_rule_sets(name: str) -> None:
    rules = load(name)
    coverage = Coverage()

    @examples(EACH)
    @given(positions(rules))
    def agree(position: reference.Position) -> None:
        coverage.record(position, assert_agreement(rules, position))

    agree()
    assert coverage.counts["position"] >= EACH
    assert coverage.share("capture") > 0.1


# Cases too rare in random games: a circular capture in either direction, with and without a
# precedence; a man crowned by its second capture, in passing or at the end.
FREE = load("russian").replace(name="free")
RARE = [
    (FREE, "W:WK22:B9,10,17,K18"),
    (FREE.replace(precedence=["king_early"], king_landing="adjacent"), "W:WK22:B9,10,17,K18"),
    (FREE, "W:W18:B14,6,K7,12"),
    (FREE.replace(promotion="pass"), "W:W18:B14,6,K7,12"),
    (FREE.replace(promotion="stop"), "W:W18:B14,6,K7,12"),
]

# Thousands of routes, for which the kernel caches visited states.
LARGE = load("international").replace(name="large", removal="immediate")
CROWDED = [
    (LARGE, "W:WK28:B11,12,K13,K14,21,K22,24,31,K32,34,K41,42,43,44"),
    (
        LARGE.replace(precedence=["kings", "king_early"]),
        "W:WK5:B7,K8,9,10,17,18,20,K27,29,30,37,38,K39,40",
    ),
]


def test_they_agree_on_rare_positions() -> None:
    coverage = Coverage()
    for rules, text in RARE:
        position = read_fen(rules, text)
        coverage.record(position, assert_agreement(rules, position))
    rare = {"back to its square", "several routes", "crowned in a capture", "crowned by the second"}
    assert rare <= coverage.counts.keys()


@pytest.mark.parametrize(("rules", "fen"), CROWDED, ids=["count", "king_early"])
def test_they_agree_on_thousands_of_routes(rules: Rules, fen: str) -> None:
    assert len(assert_agreement(rules, read_fen(rules, fen))) > 40


def test_they_agree_on_any_combination_of_parameters() -> None:
    coverage = Coverage()

    @examples(ANY)
    @given(situations())
    def agree(situation: tuple[Rules, reference.Position]) -> None:
        coverage.record(situation[1], assert_agreement(*situation))

    agree()
    assert coverage.counts["position"] >= ANY
    # About half of the usual shares.
    required = {
        "capture": 0.3,
        "choice of captures": 0.1,
        "two captured": 0.15,
        "three captured": 0.07,
        "king's capture": 0.2,
        "several landings": 0.05,
    }
    assert {
        feature for feature, least in required.items() if coverage.share(feature) < least
    } == set()


def play_with_streaks(rules: Rules, position: reference.Position, choices: list[int]) -> int:
    """Play moves, mostly of the last king; return how often a king was at its streak limit."""
    at_limit = 0
    board = Board(rules, write_fen(position))
    for choice in choices:
        moves = assert_positions_agree(board, position)
        at_limit += any(count == rules.king_streak for _, count in position.streaks)
        if not moves:
            break
        # The king that moved last moves again, most of the time.
        again = [m for m in moves if choice % 4 and (m.start, m.captures) in streaks(position)]
        chosen = (again or moves)[choice % len(again or moves)]
        position = reference.apply(rules, position, chosen)
        board.push(next(move for move in board.legal_moves if effect(move) == effect(chosen)))
    return at_limit


def test_they_agree_on_king_streaks() -> None:
    """FENs lack the counters, which only moves can raise."""
    # Kings reach the limit here; in random games only sometimes.
    for limit in (1, 2, 3):
        rules = load("frisian").replace(king_streak=limit, objective="normal")
        assert (
            play_with_streaks(rules, read_fen(rules, "W:WK1,K6,46:BK45,K50,5"), [1, 2, 3] * 4) >= 2
        )

    @examples(60)
    @given(st.data(), rule_sets(), st.lists(st.integers(0, 99), min_size=8, max_size=12))
    def agree(data: st.DataObject, drawn: Rules, choices: list[int]) -> None:
        limit = data.draw(st.sampled_from((1, 2, 3)))
        rules = drawn.replace(king_streak=limit, objective="normal")
        play_with_streaks(rules, data.draw(endings(rules)), choices)

    agree()


def streaks(position: reference.Position) -> list[tuple[int, tuple[int, ...]]]:
    return [(square, ()) for square, _ in position.streaks]


@pytest.mark.parametrize("name", sorted({*names()} - published_counts().keys()))
def test_perft_agrees_for_rule_sets_without_published_counts(name: str) -> None:
    rules = load(name)
    board, depth = Board(rules), 1
    while depth < 12 and board.perft(depth + 1) <= 10 * examples(100).max_examples:
        depth += 1
    assert board.perft(depth) == reference.perft(rules, reference.start(rules), depth)


def test_the_profile_prove_multiplies_examples() -> None:
    daily, prove = (settings.get_profile(name).max_examples for name in ("damka", "prove"))
    assert (daily, prove) == (100, 5000)
    assert examples(30).max_examples == 30 * settings().max_examples // 100


def test_a_disagreement_is_detected_and_minimized(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("dama64")
    correct = reference.legal_moves

    def without_captures(rules: Rules, position: reference.Position) -> list[reference.Move]:
        return [move for move in correct(rules, position) if not move.captures]

    def disagrees(position: reference.Position) -> bool:
        try:
            assert_agreement(rules, position)
        except AssertionError as error:
            return str(error).startswith("the legal moves: the kernel has")
        return False

    monkeypatch.setattr(reference, "legal_moves", without_captures)
    # A fixed seed: how small the result is depends on the first disagreement.
    smallest = find(positions(rules), disagrees, random=Random(1))
    assert sum(piece != "." for piece in smallest.pieces) <= 4
