"""Unit tests of resolve.js, which selects moves by clicks, with all legal moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from damka import Board
from tests.browser.support import Window, open_window
from tests.server.support import Server
from tests.support import published_positions

RESOLVE = """async ([address, moves, lists]) => {
  const { resolve } = await import(address);
  return lists.map((clicks) => {
    const { move, route, moves: left, ends, branches, walked } = resolve(moves, clicks);
    return { move: move?.hub ?? null, route, left: left.map((m) => m.hub), ends, branches, walked };
  });
}"""

Answer = dict[str, Any]


class Resolver:
    """The page's resolver for the legal moves of a position."""

    def __init__(self, window: Window, board: Board) -> None:
        self._page = window.page
        self.moves: list[dict[str, Any]] = [
            {
                "hub": move.hub(),
                "from": move.start,
                "to": move.end,
                "captures": list(move.captures),
                "routes": [list(route) for route in board.routes(move)],
            }
            for move in board.legal_moves
        ]

    def __call__(self, *clicks: int) -> Answer:
        [answer] = self.all([list(clicks)])
        return answer

    def all(self, click_lists: list[list[int]]) -> list[Answer]:
        answers: list[Answer] = self._page.evaluate(
            RESOLVE, ["/static/resolve.js", self.moves, click_lists]
        )
        return answers


@pytest.fixture(scope="module")
def window(browser: Browser, server: Server) -> Iterator[Window]:
    with open_window(browser, server.url) as window:
        yield window.open("/")


def test_one_click_selects_without_moving(window: Window) -> None:
    resolve = Resolver(window, Board("dama64", "W:W22:B1"))
    answer = resolve(22)
    assert answer["move"] is None
    assert sorted(answer["ends"]) == [17, 18]
    assert answer["walked"] == [22]


def test_a_square_without_a_movable_piece_matches_no_move(window: Window) -> None:
    resolve = Resolver(window, Board("dama64", "W:W22:B1"))
    assert resolve(1)["left"] == resolve(22, 9)["left"] == resolve(9)["left"] == []


def test_a_multi_capture_is_selected_by_its_end_any_landing_or_all(window: Window) -> None:
    resolve = Resolver(window, Board("international", "W:W32:B28,19,9"))
    for clicks in ([32, 3], [32, 23], [32, 14], [32, 23, 14, 3]):
        assert resolve(*clicks)["route"] == [32, 23, 14, 3], clicks


# The king on 2 has four routes to 4, one of them in either direction.
FOUR_WAYS = "B:W6,7,8,14,15,16,22,23,24:BK2"


def test_routes_to_the_same_square_need_a_click_on_a_landing(window: Window) -> None:
    resolve = Resolver(window, Board("american", FOUR_WAYS))
    routes = [move for move in resolve.moves if move["to"] == 4]
    assert len(routes) == 4
    answer = resolve(2, 4)
    assert answer["move"] is None
    assert answer["ends"] == [4]
    assert set(answer["branches"]) == {9, 11}
    assert answer["walked"] == [2]


def test_the_end_may_be_clicked_before_the_landings(window: Window) -> None:
    resolve = Resolver(window, Board("american", FOUR_WAYS))
    expected = resolve(2, 9, 27, 4)["move"]
    assert expected is not None
    assert resolve(2, 4, 9, 27)["move"] == expected


def test_the_order_of_clicks_matters(window: Window) -> None:
    resolve = Resolver(window, Board("american", FOUR_WAYS))
    assert resolve(2, 9, 20)["left"] != resolve(2, 20, 9)["left"]


def test_the_path_clicked_so_far_is_returned(window: Window) -> None:
    resolve = Resolver(window, Board("american", FOUR_WAYS))
    answer = resolve(2, 9)
    assert answer["move"] is None
    assert answer["walked"] == [2, 9]


def test_two_routes_of_a_king_on_ten_by_ten(window: Window) -> None:
    resolve = Resolver(window, Board("international", "W:WK4:B13,32,37,20"))
    answers: dict[tuple[int, ...], Answer] = {
        tuple(move["captures"]): resolve(4, move["routes"][0][1]) for move in resolve.moves
    }
    assert len(answers) > 1
    for captures, answer in answers.items():
        assert answer["move"] is not None
        assert tuple(int(n) for n in answer["move"].split("x")[2:]) == captures


def test_a_circular_capture_ends_at_its_start(window: Window) -> None:
    resolve = Resolver(window, Board("international", "W:W43:B38,39,28,29"))
    [move] = resolve.moves
    assert move["from"] == move["to"] == 43
    assert resolve(43)["move"] is None
    assert resolve(43, 43)["move"] == move["hub"]


POSITIONS = [
    (rules, fen)
    for rules in ("dama64", "american", "dama100", "international", "italian", "russian")
    for fen, _ in published_positions(rules)
]


def test_every_legal_move_can_be_clicked(window: Window) -> None:
    """All landings of a route select its move; the end suffices if no other move ends there."""
    clicked = 0
    for rules, fen in POSITIONS:
        resolve = Resolver(window, Board(rules, fen))
        full = [(route, move) for move in resolve.moves for route in move["routes"]]
        ends = [[move["from"], move["to"]] for move in resolve.moves]
        answers = resolve.all([list(route) for route, _ in full] + ends)
        for (route, move), answer in zip(full, answers, strict=False):
            assert answer["move"] == move["hub"], (rules, fen, route)
            assert answer["route"] == route
        for move, answer in zip(resolve.moves, answers[len(full) :], strict=True):
            same_ends = [
                m for m in resolve.moves if (m["from"], m["to"]) == (move["from"], move["to"])
            ]
            passing = [
                m
                for m in resolve.moves
                if any(move["to"] in r[1:] for r in m["routes"] if r[0] == move["from"])
            ]
            if len(passing) == 1:
                assert answer["move"] == move["hub"], (rules, fen, move)
            elif answer["move"] is None:
                assert {m["hub"] for m in same_ends} <= set(answer["left"])
        clicked += len(full)
    assert clicked > 1000


def test_ambiguous_ends_can_be_resolved_by_the_branches(window: Window) -> None:
    """If the end is ambiguous, clicks on the branch squares select each of the moves."""
    ambiguous = 0
    boards = [Board(rules, fen) for rules, fen in POSITIONS]
    for board in [*boards, Board("american", FOUR_WAYS), Board("dama64", FOUR_WAYS)]:
        resolve = Resolver(window, board)
        by_end = resolve.all([[move["from"], move["to"]] for move in resolve.moves])
        for move, first in zip(resolve.moves, by_end, strict=True):
            route = move["routes"][0]
            clicks, answer = [route[0], route[-1]], first
            while answer["move"] is None:
                ambiguous += 1
                # Click on the branch squares in the order of the route, then on the end again.
                last = 0
                for square in clicks[2:]:
                    last = route.index(square, last + 1)
                branches = [at for at in route[last + 1 : -1] if at in answer["branches"]]
                clicks.append(branches[0] if branches else route[-1])
                assert len(clicks) <= len(route) + 2, (board.fen, clicks, answer)
                answer = resolve(*clicks)
            if len(clicks) > 2:
                assert answer["move"] == move["hub"], (board.fen, clicks)
    assert ambiguous > 0


TYPED_SQUARES = (
    "async ([address, text, names, cells]) =>"
    " (await import(address)).typedSquares(text, names, cells)"
)
CELLS = [[i // 4, 2 * (i % 4) + (i // 4 + 1) % 2] for i in range(32)]


def typed(page: Page, text: str, names: list[str]) -> list[int] | None:
    squares: list[int] | None = page.evaluate(
        TYPED_SQUARES, ["/static/resolve.js", text, names, CELLS]
    )
    return squares


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("22-18", [22, 18]),
        (" 22 x 15 x 8 ", [22, 15, 8]),
        ("2218", None),
        ("02-07", [2, 7]),
        ("22", None),
        ("22-99", None),
        ("c3d4", [22, 18]),
        ("C3:E5", [22, 15]),
        ("e4-d5", None),
        ("", None),
    ],
)
def test_a_typed_move_is_parsed_as_squares(
    window: Window, text: str, squares: list[int] | None
) -> None:
    names = [str(square) for square in range(1, 33)]
    assert typed(window.page, text, names) == squares


def test_a_typed_move_uses_the_labels_of_the_board(window: Window) -> None:
    letters = [f"{'hgfedcba'[column]}{row + 1}" for row, column in CELLS]
    assert letters[:5] == ["g1", "e1", "c1", "a1", "h2"]
    assert typed(window.page, "G1:E1", letters) == [1, 2]
    assert typed(window.page, "1-2", letters) == [1, 2], "numbers are unambiguous there"
    numbers = [str(33 - square) for square in range(1, 33)]
    assert typed(window.page, "11-15", numbers) == [22, 18]
