"""Random games of random rule sets, checked step by step against the reference rules."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from tools.prove.compare import fen as write_fen

from damka import Game, reference
from damka.game import Counter, Result, Situation
from tests.strategies import material_draws, positions, rule_sets
from tests.support import read_fen

if TYPE_CHECKING:
    from damka.rules import MaterialDraw, Rules

PLIES = 40


OBLIGATIONS = ("huff", "huff", "huff", "forced", "free")
OBJECTIVES = ("normal", "normal", "normal", "losing", "breakthrough")


@st.composite
def starts(draw: st.DrawFn) -> tuple[Rules, str]:
    """A rule set with draws that come soon, and a start position."""
    rules = draw(rule_sets()).replace(
        obligation=draw(st.sampled_from(OBLIGATIONS)),
        objective=draw(st.sampled_from(OBJECTIVES)),
        repetition=draw(st.sampled_from((0, 2, 3))),
        same_move=draw(st.sampled_from((0, 2, 3))),
        no_progress_moves=draw(st.sampled_from((0, 2, 5))),
        material_draws=draw(st.one_of(st.just([]), st.lists(material_draws(), max_size=3))),
    )
    if draw(st.booleans()):
        return rules, rules.start_fen
    return rules, write_fen(draw(positions(rules)))


def step(game: Game, lots: random.Random) -> None:
    """Take a random action of a player."""
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


class Walk:
    """A game replayed by the reference rules."""

    def __init__(self, rules: Rules, first: reference.Position, game: Game) -> None:
        self.rules = rules
        self.game = game
        self.situations = [situation(first)]
        """Those in which a turn began, and the one on the board."""
        self.made: list[tuple[Situation, reference.Move]] = []
        """Every move with the situation in which it was made."""
        self.states = [(first, True)]
        """Every position, those after a huff too, and whether all counts begin anew there."""
        self.quiet = 0
        """Plies without progress."""
        position = first
        for ply in game.history:
            if ply.huff is not None:
                position = self._huff(position, ply.huff)
            move = reference.Move(
                ply.move.start, ply.move.end, ply.move.captures, ply.move.crowns, ()
            )
            self.made.append((situation(position, ply.waived), move))
            by_king = position.at(move.start).isupper()
            self.quiet = self.quiet + 1 if by_king and not move.captures else 0
            position = reference.apply(rules, position, move)
            self.states.append((position, bool(move.captures)))
            self.situations.append(situation(position, ply.offences))
        if game.pending_huff is not None:
            position = self._huff(position, game.pending_huff)
        self.position = position

    def _huff(self, position: reference.Position, square: int) -> reference.Position:
        self.quiet = 0
        after = reference.huff(position, square)
        self.states.append((after, True))
        return after

    def count(self, draw: MaterialDraw) -> int | None:
        """How many plies a condition has been fulfilled without a capture."""
        if not reference.fulfils(self.rules, draw, self.position):
            return None
        count = 0
        for (before, _), (after, anew) in reversed(list(pairwise(self.states))):
            kings = [sum(p.isupper() for p in each.pieces) for each in (before, after)]
            crowned = draw.unchanged and kings[1] > kings[0]
            if anew or crowned or not reference.fulfils(self.rules, draw, before):
                break
            count += 1
        return count


def situation(position: reference.Position, offences: tuple[int, ...] = ()) -> Situation:
    return Situation(position.pieces, position.turn, offences, position.streaks)


def expected_counters(walk: Walk) -> tuple[Counter, ...]:
    rules = walk.rules
    now = situation(walk.position, walk.game.key().offences)
    made = [move for where, move in walk.made if where == now]
    counted = [(walk.count(draw), 2 * draw.moves) for draw in rules.material_draws if draw.moves]
    running = [(count, limit) for count, limit in counted if count is not None]
    n, limit = min(running, key=lambda pair: (pair[1] - pair[0], -pair[0]), default=(0, 0))
    counters = (
        Counter("no_progress", walk.quiet, 2 * rules.no_progress_moves),
        Counter("material", n, limit),
        Counter("repetition", walk.situations.count(now), rules.repetition),
        Counter("same_move", max(map(made.count, made), default=0), rules.same_move),
    )
    return tuple(counter for counter in counters if counter.limit)


def expected_result(walk: Walk) -> Result | None:
    """The result by the rules of the position on the board."""
    return expected_win(walk) or expected_draw(walk)


def expected_win(walk: Walk) -> Result | None:
    game, rules, position = walk.game, walk.rules, walk.position
    offences = game.key().offences
    other = reference.OTHER[position.turn]
    losing = rules.objective == "losing"

    def has_piece(on: reference.Position, side: str) -> bool:
        return side in on.pieces.upper()

    if game.pending_huff is not None and not has_piece(position, other):
        return Result(other if losing else position.turn, "no_pieces")
    winner = reference.winner(rules, position)
    if winner is None:
        return None
    if rules.objective == "breakthrough" and {"W", "B"} & {*position.pieces}:
        return Result(winner, "breakthrough")
    if not has_piece(position, position.turn):
        return Result(winner, "no_pieces")
    huffed = [reference.huff(position, square) for square in offences]
    if not losing and any(
        not has_piece(after, other) or reference.legal_moves(rules, after) for after in huffed
    ):
        return None
    return Result(winner, "no_moves")


def expected_draw(walk: Walk) -> Result | None:
    game, rules = walk.game, walk.rules
    if game.history and game.pending_huff is None:
        if 0 < rules.repetition <= walk.situations.count(walk.situations[-1]):
            return Result(None, "repetition")
        if 0 < rules.same_move <= walk.made.count(walk.made[-1]):
            return Result(None, "same_move")
        if 0 < 2 * rules.no_progress_moves <= walk.quiet:
            return Result(None, "no_progress")
    quiet = not reference.captures(rules, walk.position) and not game.key().offences
    for draw in rules.material_draws:
        count = walk.count(draw)
        if count is not None and (count >= 2 * draw.moves if draw.moves else quiet):
            return Result(None, "material")
    return None


@settings(max_examples=150, deadline=None)
@given(starts(), st.integers(0, 2**32))
def test_every_step_of_a_random_game_agrees_with_the_rules(
    start: tuple[Rules, str], seed: int
) -> None:
    rules, fen = start
    lots = random.Random(seed)
    game = Game(rules, fen)
    for _ in range(PLIES):
        walk = Walk(rules, read_fen(rules, fen), game)
        position = walk.position
        assert game.key() == situation(position, game.key().offences)
        assert game.counters == expected_counters(walk)
        assert game.material_counts == tuple(map(walk.count, rules.material_draws))
        assert game.result == expected_result(walk)
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
