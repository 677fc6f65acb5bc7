"""The executable specification, and its draws compared with the game's."""

from __future__ import annotations

import doctest

from hypothesis import given
from hypothesis import strategies as st

from damka import Game, reference
from damka.rules import Rules, load
from tests.strategies import examples, positions
from tests.support import hub, write_fen

LIMITS = st.sampled_from((0, 2, 3))


def test_the_doctest_of_the_reference_passes() -> None:
    assert doctest.testmod(reference).failed == 0


@st.composite
def short_games(draw: st.DrawFn) -> Rules:
    """Rule sets with early draws."""
    return load(draw(st.sampled_from(("dama64", "american", "brazilian")))).replace(
        repetition=draw(LIMITS),
        repetition_of=draw(st.sampled_from(("position", "pieces"))),
        same_move=draw(LIMITS),
        same_move_in=draw(st.sampled_from(("position", "game"))),
        no_progress_moves=draw(st.sampled_from((0, 2, 4))),
        move_limit=draw(st.sampled_from((0, 0, 5, 9))),
        moves_by=draw(st.sampled_from(("each", "both"))),
    )


def is_way_back(move: reference.Move, moves: list[reference.Move]) -> bool:
    """Return whether a move reverses the last one of the same side."""
    return len(moves) > 1 and (move.start, move.end) == (moves[-2].end, moves[-2].start)


def test_games_end_like_damkas() -> None:
    ends: set[str] = set()

    @examples(150)
    @given(st.data())
    def agree(data: st.DataObject) -> None:
        rules = data.draw(short_games())
        first = position = data.draw(positions(rules))
        game = Game(rules, write_fen(first))
        moves: list[reference.Move] = []
        choices = data.draw(st.lists(st.integers(0, 5), min_size=12, max_size=24))
        for choice in choices:
            legal = reference.legal_moves(rules, position)
            if not legal or reference.draws(rules, first, moves):
                break
            # Mostly back and forth, so that positions repeat.
            back = [move for move in legal if choice < 4 and is_way_back(move, moves)]
            moves.append((back or legal)[choice % len(back or legal)])
            position = reference.apply(rules, position, moves[-1])
            game.play(next(move for move in game.legal_moves if move.hub() == hub(moves[-1])))

        drawn = reference.draws(rules, first, moves)
        if reference.winner(rules, position):
            assert not drawn
            assert game.result is not None
            assert game.result.winner == reference.OTHER[position.turn]
            has_pieces = any(p in reference.PIECES[position.turn] for p in position.pieces)
            assert game.result.reason == ("no_moves" if has_pieces else "no_pieces")
        elif drawn:
            assert game.result is not None
            assert game.result.winner is None
            assert game.result.reason in drawn
        else:
            assert game.result is None
        ends.add(game.result.reason if game.result else "none")

    agree()
    assert ends & {"no_pieces", "no_moves"}
    assert ends & {"no_progress", "repetition", "same_move"}
