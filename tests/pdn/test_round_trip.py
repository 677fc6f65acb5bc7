"""Written games are read back as the same tree."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damka
from damka import pdn
from damka.errors import MoveError, PdnError

NAMES = ("international", "russian", "american", "turkish", "frisian", "spantsiretti", "thai")
COMMENTS = (
    st.text(max_size=30)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: not any("\ud800" <= sign <= "\udfff" for sign in text))
)


def assert_same_tree(first: pdn.Node, second: pdn.Node) -> None:
    def plain(comment: str) -> str:
        return comment.replace("{", "(").replace("}", ")").strip()

    pairs: list[tuple[pdn.Node, pdn.Node]] = [(first, second)]
    while pairs:
        one, two = pairs.pop()
        assert one.move == two.move
        assert plain(one.comment) == two.comment
        assert plain(one.starting_comment) == two.starting_comment
        assert one.nags == two.nags
        assert one.board() == two.board()
        assert len(one.variations) == len(two.variations)
        pairs += zip(one.variations, two.variations, strict=True)


@st.composite
def games(draw: st.DrawFn) -> pdn.PdnGame:
    rules = damka.rules.load(draw(st.sampled_from(NAMES)))
    tags = draw(
        st.dictionaries(
            st.sampled_from(["White", "Black", "Event", "Site", "Round"]), COMMENTS, max_size=3
        )
    )
    tags["Result"] = draw(st.sampled_from(["1-0", "0-2", "*", "1/2-1/2", "4-6", "adjourned"]))
    game = pdn.PdnGame(rules, headers=tags)
    game.comment = draw(COMMENTS)
    lines: list[tuple[pdn.Node, damka.Board]] = [(game, game.start())]
    for _ in range(draw(st.integers(0, 40))):
        # Mostly extend the last line; sometimes start another one.
        at = draw(st.sampled_from([-1, -1, -1, -1, *range(len(lines))]))
        node, board = lines[at]
        existing = {other.move for other in node.variations}
        legal = [move for move in board.legal_moves if move not in existing]
        if not legal:
            continue
        node = node.append(draw(st.sampled_from(legal)))
        if draw(st.integers(0, 4)) == 0:
            node.comment = draw(COMMENTS)
            node.nags = draw(st.sets(st.integers(0, 255), max_size=2))
        if node.parent and len(node.parent.variations) > 1 and draw(st.booleans()):
            node.starting_comment = draw(COMMENTS)
        lines.append((node, node.enter(board.copy())))
    return game


@settings(max_examples=120, deadline=None)
@given(games())
def test_trees_round_trip(game: pdn.PdnGame) -> None:
    text = pdn.format(game)
    assert all(len(line) <= 80 for line in text.splitlines() if "{" not in line and '"' not in line)
    [again] = pdn.read(text)
    assert_same_tree(game, again)
    assert again.rules == game.rules
    assert again.result == game.result
    for name, value in game.headers.items():
        if value.strip():
            assert again.headers[name] == value.strip()
    assert pdn.format(again) == text


def test_several_games_round_trip() -> None:
    text = '[White "a"]\n\n1. 32-28 *\n[White "b"]\n\n1. 33-28 *\n'
    file = io.StringIO()
    assert pdn.write(pdn.read(text, "international"), file) == 2
    assert [game.headers["White"] for game in pdn.read(file.getvalue())] == ["a", "b"]


def test_a_position_is_written_in_the_games_notation() -> None:
    [game] = pdn.read('[GameType "25"][FEN "W:W22:B1"] 1. c3-d4 *')
    assert '[FEN "W:Wc3:Bb8"]' in pdn.format(game)


def test_set_up_positions_round_trip() -> None:
    text = '1. 32-28 /FEN "B:W32:B19"/ 19-23 (19-24) 32-28 *'
    [game] = pdn.read(text, "international")
    [again] = pdn.read(pdn.format(game))
    assert_same_tree(game, again)


def test_every_capture_of_a_crowded_position_round_trips() -> None:
    for fen in ("W:WK20:B7,8,12,15,23,24", "W:WK17:B8,12,14,15,16,27"):
        board = damka.Board("russian", fen)
        assert len(board.legal_moves) > 1
        for move in board.legal_moves:
            game = pdn.PdnGame(board.rules, fen)
            game.append(move)
            for text in (pdn.format(game), pdn.format(game, listed=True)):
                [again] = pdn.read(text)
                assert [node.move for node in again.mainline()] == [move]
    assert "<" in text


def test_invalid_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = damka.rules.load("international")
    with pytest.raises(PdnError, match="not a tag name"):
        pdn.format(pdn.PdnGame(rules, headers={"two words": "x"}))
    game = pdn.PdnGame(rules)
    with pytest.raises(MoveError):
        game.add_variation("32-26")
    node: pdn.Node
    node = game = pdn.PdnGame(rules, "W:W46,47,48,49,50:B1,2,3,4,5")
    for _ in range(3):
        first, second, *_ = node.board().legal_moves
        node.append(first)
        node = node.append(second)
    monkeypatch.setattr("damka.pdn.writer.MAX_NESTING", 2)
    with pytest.raises(PdnError, match="more than 2 deep"):
        pdn.format(game)
