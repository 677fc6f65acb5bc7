"""The kernel and the executable specification must agree on every position, under any rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tools.prove import __main__ as prove
from tools.prove.compare import Disagreement, compare, effect, fen, smallest
from tools.prove.compare import fen as write_fen
from tools.prove.jobs import ANY as ANY_RULES
from tools.prove.jobs import Job, do, jobs

from damka import Board, reference
from damka.rules import Rules, load, names
from tests.strategies import endings, positions, rule_sets, situations
from tests.support import read_fen

EACH = 30
"""Positions of each rule set that is shipped; `make prove` has thousands."""

ANY = 800
"""Positions of rule sets drawn at random."""

thoroughly = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)


def assert_agreement(rules: Rules, position: reference.Position) -> list[reference.Move]:
    """Compare everything that both can say about a position; return its legal moves."""
    return compare(Board(rules, write_fen(position)), position)


class Teeth:
    """What the positions of a test had in them: with nothing to bite on it would prove nothing."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def look(self, position: reference.Position, moves: list[reference.Move]) -> None:
        captures = [move for move in moves if move.captures]
        by_kings = [move for move in captures if position.at(move.start).isupper()]
        ends = Counter((move.start, move.captures) for move in by_kings)
        features = {
            "position": True,
            "capture": bool(captures),
            "choice of captures": len(captures) > 1,
            "two taken": any(len(move.captures) > 1 for move in captures),
            "three taken": any(len(move.captures) > 2 for move in captures),
            "king's capture": bool(by_kings),
            "several landings": any(count > 1 for count in ends.values()),
            "several routes": any(len(move.routes) > 1 for move in captures),
            "crowned in a capture": any(move.crowns for move in captures),
            "crowned by the second": any(
                move.crowns and len(move.captures) > 1 for move in captures
            ),
            "back to its square": any(move.start == move.end for move in captures),
        }
        self.seen.update(feature for feature, there in features.items() if there)

    def share(self, feature: str) -> float:
        return self.seen[feature] / self.seen["position"]


@pytest.mark.parametrize("name", names())
def test_they_agree_on_the_shipped_rule_sets(name: str) -> None:
    rules = load(name)
    teeth = Teeth()

    @settings(thoroughly, max_examples=EACH)
    @given(positions(rules))
    def agree(position: reference.Position) -> None:
        teeth.look(position, assert_agreement(rules, position))

    agree()
    assert teeth.seen["position"] >= EACH
    assert teeth.share("capture") > 0.1


# What is drawn too rarely to be relied on: a ring that ends where it began and can be run both
# ways, with and without a reason to prefer one; a man crowned at the second capture, passing the
# last row, or stopping there.
FREE = load("russian").replace(name="free")
RARE = [
    (FREE, "W:WK22:B9,10,17,K18"),
    (FREE.replace(precedence=["king_early"], king_landing="adjacent"), "W:WK22:B9,10,17,K18"),
    (FREE, "W:W18:B14,6,K7,12"),
    (FREE.replace(promotion="pass"), "W:W18:B14,6,K7,12"),
    (FREE.replace(promotion="stop"), "W:W18:B14,6,K7,12"),
]

# Thousands of routes, where the kernel remembers what it has walked.
LARGE = load("international").replace(name="large", removal="immediate")
CROWDED = [
    (LARGE, "W:WK28:B11,12,K13,K14,21,K22,24,31,K32,34,K41,42,43,44"),
    (
        LARGE.replace(precedence=["kings", "king_early"]),
        "W:WK5:B7,K8,9,10,17,18,20,K27,29,30,37,38,K39,40",
    ),
]


def test_they_agree_on_rare_positions() -> None:
    teeth = Teeth()
    for rules, text in RARE:
        position = read_fen(rules, text)
        teeth.look(position, assert_agreement(rules, position))
    rare = {"back to its square", "several routes", "crowned in a capture", "crowned by the second"}
    assert rare <= teeth.seen.keys()


@pytest.mark.parametrize(("rules", "fen"), CROWDED, ids=["count", "king_early"])
def test_they_agree_on_thousands_of_routes(rules: Rules, fen: str) -> None:
    assert len(assert_agreement(rules, read_fen(rules, fen))) > 40


def test_they_agree_on_any_combination_of_parameters() -> None:
    teeth = Teeth()

    @settings(thoroughly, max_examples=ANY)
    @given(situations())
    def agree(situation: tuple[Rules, reference.Position]) -> None:
        teeth.look(situation[1], assert_agreement(*situation))

    agree()
    assert teeth.seen["position"] >= ANY
    # About half of what is usual.
    wanted = {
        "capture": 0.3,
        "choice of captures": 0.1,
        "two taken": 0.15,
        "three taken": 0.07,
        "king's capture": 0.2,
        "several landings": 0.05,
    }
    assert {feature for feature, least in wanted.items() if teeth.share(feature) < least} == set()


def restless(rules: Rules, position: reference.Position, choices: list[int]) -> int:
    """Play on, mostly with the king that moved last; return how often one had to rest."""
    rested = 0
    board = Board(rules, write_fen(position))
    for choice in choices:
        moves = compare(board, position)
        rested += any(count == rules.king_streak for _, count in position.streaks)
        if not moves:
            break
        # The king that moved last moves again, most of the time.
        again = [m for m in moves if choice % 4 and (m.start, m.captures) in streaks(position)]
        chosen = (again or moves)[choice % len(again or moves)]
        position = reference.apply(rules, position, chosen)
        board.push(next(move for move in board.legal_moves if effect(move) == effect(chosen)))
    return rested


def test_they_agree_on_king_streaks() -> None:
    """What is counted is no part of a FEN: only moves lead to it."""
    # Here kings rest for sure; how often they do in what is drawn is left to chance.
    for limit in (1, 2, 3):
        rules = load("frisian").replace(king_streak=limit, objective="normal")
        assert restless(rules, read_fen(rules, "W:WK1,K6,46:BK45,K50,5"), [1, 2, 3] * 4) >= 2

    @settings(thoroughly, max_examples=60)
    @given(st.data(), rule_sets(), st.lists(st.integers(0, 99), min_size=8, max_size=12))
    def agree(data: st.DataObject, drawn: Rules, choices: list[int]) -> None:
        limit = data.draw(st.sampled_from((1, 2, 3)))
        rules = drawn.replace(king_streak=limit, objective="normal")
        restless(rules, data.draw(endings(rules)), choices)

    agree()


def streaks(position: reference.Position) -> list[tuple[int, tuple[int, ...]]]:
    return [(square, ()) for square, _ in position.streaks]


# What `make prove` does with many more.


@pytest.mark.parametrize("name", ["frisian", "turkish", ANY_RULES])
def test_a_sample_of_make_prove(name: str) -> None:
    done = do(Job(name, "positions", 0, 40))
    assert done.failure == ""
    assert done.seen["positions"] >= 40
    assert done.seen["captures"] > 8


def test_the_proof_checks_every_published_count_and_others() -> None:
    work = jobs(["turkish", "armenian", ANY_RULES], 600)
    kinds = Counter((job.rules, job.kind) for job in work)
    assert kinds["turkish", "published"] == 5
    assert kinds["armenian", "agreed"] == 1
    assert kinds[ANY_RULES, "positions"] == 3
    assert (
        sum(job.size for job in work if job.rules == "turkish" and job.kind == "positions") == 600
    )
    assert do(Job("turkish", "published", 3)).failure == ""
    assert do(Job("armenian", "agreed", 2)).failure == ""


def test_the_proof_is_resumed_and_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove, "CACHE", tmp_path)
    arguments = ["--positions", "3", "--rules", "mini-american", ANY_RULES]
    monkeypatch.setattr("tools.prove.jobs.LEAVES", 100)
    assert prove.main(arguments) == 0
    told = capsys.readouterr().out
    assert "mini-american" in told
    assert "NO" not in told
    # What is done is not done again.
    monkeypatch.setattr(prove, "do", None)
    assert prove.main(arguments) == 0
    assert capsys.readouterr().out == told


def test_a_disagreement_is_found_and_minimised(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load("dama64")
    position = read_fen(rules, "W:W22,30,31,K5:B18,9,2,3")
    honest = reference.legal_moves

    def forgetful(rules: Rules, position: reference.Position) -> list[reference.Move]:
        return [move for move in honest(rules, position) if not move.captures]

    assert_agreement(rules, position)
    monkeypatch.setattr(reference, "legal_moves", forgetful)
    with pytest.raises(Disagreement, match="the legal moves"):
        assert_agreement(rules, position)
    least = smallest(rules, position)
    assert len([piece for piece in least.pieces if piece != "."]) == 2
    assert fen(least) == write_fen(least)
    done = do(Job("dama64", "positions", 0, 40))
    assert "the legal moves: the kernel has" in done.failure
