"""Random games of random rule sets, checked step by step against the rules written down plainly."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Game, reference
from damka.game import Counter, Result
from tests.strategies import positions, rule_sets
from tests.support import write_fen

if TYPE_CHECKING:
    from damka.game import Ply, Situation
    from damka.rules import Rules

PLIES = 40


@st.composite
def starts(draw: st.DrawFn) -> tuple[Rules, str]:
    """A rule set with draws that come soon, and a start position."""
    rules = draw(rule_sets()).replace(
        obligation=draw(st.sampled_from(("huff", "huff", "forced"))),
        repetition=draw(st.sampled_from((0, 2, 3))),
        same_move=draw(st.sampled_from((0, 2, 3))),
        no_progress_moves=draw(st.sampled_from((0, 2, 5))),
    )
    if draw(st.booleans()):
        return rules, rules.start_fen
    return rules, write_fen(draw(positions(rules)))


def step(game: Game, lots: random.Random) -> None:
    """Do something that a player could do."""
    playable = game.legal_moves + game.offence_moves
    deeds = ["play"] * 8 * bool(playable) + ["huff"] * 4 * bool(game.offences)
    other = reference.OTHER[game.turn]
    deeds += ["offer"] if game.draw_offer is None else ["decline"]
    deed = lots.choice(deeds)
    if deed == "play":
        game.play(lots.choice(playable))
    elif deed == "huff":
        game.huff(lots.choice(game.offences))
    elif deed == "offer":
        game.offer_draw(lots.choice((game.turn, other)))
    elif game.draw_offer is not None:
        game.decline_draw(reference.OTHER[game.draw_offer])


def at_move(ply: Ply) -> Situation:
    """The situation in which the move of a ply was made."""
    pieces = ply.before
    if ply.huff is not None:
        pieces = f"{pieces[: ply.huff - 1]}.{pieces[ply.huff :]}"
    return pieces, ply.side, ply.waived


def recount(game: Game, start: Situation) -> tuple[Counter, ...]:
    """Count everything again from the history."""
    rules = game.rules
    stood = [start]
    quiet = 0
    for ply in game.history:
        stood.append((ply.pieces, reference.OTHER[ply.side], ply.offences))
        if ply.huff is not None:
            quiet = 0
        by_king = ply.before[ply.move.start - 1].isupper()
        quiet = quiet + 1 if by_king and not ply.move.captures else 0
    if game.pending_huff is not None:
        quiet = 0
    now = game.key()
    made = [ply.move for ply in game.history if at_move(ply) == now]
    counters = (
        Counter("no_progress", quiet, 2 * rules.no_progress_moves),
        Counter("repetition", stood.count(now), rules.repetition),
        Counter("same_move", max(map(made.count, made), default=0), rules.same_move),
    )
    return tuple(counter for counter in counters if counter.limit)


def expected_result(game: Game, start: Situation) -> Result | None:
    """What the rules say of the position on the board."""
    pieces, turn, offences = game.key()
    position = reference.Position(pieces, turn)
    other = reference.OTHER[turn]

    def has_piece(on: str, side: str) -> bool:
        return side in on.upper()

    if not has_piece(pieces, turn):
        return Result(other, "no_pieces")
    if not has_piece(pieces, other):
        return Result(turn, "no_pieces") if game.pending_huff else None
    huffed = [position.with_changes({square: "."}) for square in offences]
    if reference.winner(game.rules, position) and all(
        has_piece(after.pieces, other) and reference.winner(game.rules, after) for after in huffed
    ):
        return Result(other, "no_moves")
    if game.pending_huff is not None or not game.history:
        return None
    for counter in recount(game, start):
        if counter.kind == "repetition" and counter.n >= counter.limit:
            return Result(None, "repetition")
    last = game.history[-1]
    same = [ply for ply in game.history if (at_move(ply), ply.move) == (at_move(last), last.move)]
    if 0 < game.rules.same_move <= len(same):
        return Result(None, "same_move")
    for counter in recount(game, start):
        if counter.kind == "no_progress" and counter.n >= counter.limit:
            return Result(None, "no_progress")
    return None


@settings(max_examples=150, deadline=None)
@given(starts(), st.integers(0, 2**32))
def test_every_step_of_a_random_game_agrees_with_the_rules(
    start: tuple[Rules, str], seed: int
) -> None:
    rules, fen = start
    lots = random.Random(seed)
    game = Game(rules, fen)
    first = game.key()
    for _ in range(PLIES):
        assert game.counters == recount(game, first)
        assert game.result == expected_result(game, first)
        position = reference.Position(game.board.pieces, game.turn)
        if game.result is not None:
            assert (game.legal_moves, game.offence_moves, game.offences) == ([], [], ())
            break
        legal = reference.legal_moves(rules, position)
        assert len(game.legal_moves) == len(legal)
        due = {move.start for move in legal if move.captures} and rules.obligation == "huff"
        assert {m.hub() for m in game.offence_moves} == (
            {f"{m.start}-{m.end}" for m in reference.quiet_moves(rules, position)} if due else set()
        )
        step(game, lots)


@settings(max_examples=100, deadline=None)
@given(starts(), st.integers(0, 2**32))
def test_undo_leads_back_through_every_situation(start: tuple[Rules, str], seed: int) -> None:
    lots = random.Random(seed)
    game = Game(*start)
    before: list[Game] = []
    for _ in range(PLIES):
        if game.result is not None:
            break
        told = len(game.events)
        copy = game.copy()
        step(game, lots)
        if game.events[told:] and game.events[-1].kind in ("move", "huff"):
            # A move after a huff is taken back with it.
            together = game.events[-1].kind == "move" and game.history[-1].huff is not None
            if not together:
                before.append(copy)
    while before:
        game.undo()
        expected = before.pop()
        assert game == expected
        assert game.key() == expected.key()
        assert game.counters == expected.counters
        assert game.legal_moves == expected.legal_moves
        assert game.draw_offer == expected.draw_offer
        assert game.result is None
    assert game.history == ()


@settings(max_examples=100, deadline=None)
@given(starts(), st.integers(0, 2**32), st.sampled_from(("", "resign", "agree")))
def test_a_saved_game_is_loaded_whole(start: tuple[Rules, str], seed: int, end: str) -> None:
    lots = random.Random(seed)
    game = Game(*start, players={"B": "Žofia Дамгалиева"})
    for _ in range(lots.randrange(PLIES)):
        if game.result is None:
            step(game, lots)
    if game.result is None and end == "resign":
        game.resign(lots.choice("WB"))  # type: ignore[arg-type]
    elif game.result is None and end == "agree" and game.draw_offer is not None:
        game.accept_draw(reference.OTHER[game.draw_offer])
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.key() == game.key()
    assert loaded.history == game.history
    assert loaded.counters == game.counters
    assert loaded.result == game.result
    assert loaded.draw_offer == game.draw_offer
    assert loaded.pending_huff == game.pending_huff
    assert loaded.to_json() == game.to_json()


@settings(max_examples=60, deadline=None)
@given(starts(), st.integers(0, 2**32))
def test_the_texts_of_a_game_play_it_again(start: tuple[Rules, str], seed: int) -> None:
    lots = random.Random(seed)
    game = Game(*start)
    for _ in range(PLIES):
        if game.result is None:
            step(game, lots)
    again = Game(*start)
    for ply in game.history:
        again.play(str(ply))
    assert again.history == game.history
    for earlier, later in pairwise(game.history):
        assert earlier.pieces == later.before
