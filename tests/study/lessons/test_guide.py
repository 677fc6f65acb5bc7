"""The guided first game: explanations are true, and the rules of every stage occur."""

from __future__ import annotations

import random

import pytest

from damka import Game, locales
from damka.study.lessons import Guide, Notice
from tests.support import RULE_SETS

PLIES = 200


def play(guide: Guide, game: Game, rng: random.Random) -> list[tuple[Notice, str]]:
    """Play a learner who looks one move ahead; return what was noticed, with the position."""
    noticed = []
    while game.result is None and len(game.history) < PLIES:
        if game.turn == "B":
            game.apply(guide.reply(game))
            continue
        for notice in guide.notice(game):
            noticed.append((notice, game.board.fen))
            check(notice, game)
        game.play(max(game.legal_moves, key=lambda move: (gain(game, move), rng.random())))
    return noticed


def gain(game: Game, move: object) -> int:
    board = game.board.copy()
    played = board.push(move)  # type: ignore[arg-type]
    return len(played.captures) - max((len(m.captures) for m in board.legal_moves), default=0)


def check(notice: Notice, game: Game) -> None:
    moves = {square: [] for square in notice.squares}  # type: ignore[var-annotated]
    for move in game.legal_moves:
        if move.start in moves:
            moves[move.start].append(move)
    for language in locales.LANGUAGES:
        assert notice.sentence(language).endswith(notice.level.rule(language))
    if notice.stage == "special":
        assert set(notice.squares) == set(game.offences)
    elif notice.stage == "kings":
        assert all(any(m.crowns for m in found) for found in moves.values())
    elif notice.stage == "chains":
        assert all(any(len(m.captures) > 1 for m in found) for found in moves.values())
    elif notice.stage in ("capture", "must", "choice"):
        assert all(any(m.is_capture for m in found) for found in moves.values())


@pytest.mark.parametrize("name", ["dama64", "american", "dama100"])
def test_the_rules_of_every_stage_occur_in_four_of_five_games(name: str) -> None:
    complete = 0
    for seed in range(50):
        guide = Guide(RULE_SETS[name], seed=seed)
        noticed = play(guide, guide.new_game(), random.Random(seed))
        stages = [notice.stage for notice, _ in noticed]
        assert len(stages) == len(set(stages))
        assert guide.seen == {*stages}
        complete += set(stages) == set(guide.stages)
    assert complete >= 40


def test_a_notice_says_what_is_new_and_why() -> None:
    guide = Guide(RULE_SETS["dama64"], small=False)
    game = Game("dama64", "W:W22,27:B18,5")
    stages = {notice.stage: notice for notice in guide.notice(game)}
    assert set(stages) == {"capture", "must"}
    assert stages["must"].sentence("en") == (
        "Now you must capture with your piece on 22. If you can capture, you must."
    )
    assert guide.notice(game) == []


def test_the_opponent_misses_a_capture_so_that_the_learner_can_huff() -> None:
    guide = Guide(RULE_SETS["dama100"], small=False)
    game = Game("dama100", "B:W28,47,48:B22,5,6")
    game.apply(guide.reply(game))
    assert game.offences
    (notice,) = [each for each in guide.notice(game) if each.stage == "special"]
    assert notice.squares == game.offences
