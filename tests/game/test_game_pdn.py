"""Games to Portable Draughts Notation and back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import damka
from damka.errors import PdnError


def test_a_game_round_trips() -> None:
    game = damka.Game("american", players={"W": "Ana", "B": "Bo"})
    for move in ("11-15", "23-19", "8-11", "22-17"):
        game.play(move)
    game.resign("W")
    text = game.pdn({"Event": "Cup"})
    assert text == (
        '[Event "Cup"]\n[White "Ana"]\n[Black "Bo"]\n[Result "0-1"]\n'
        '[Termination "resignation"]\n[GameType "21,B,8,8,N1,0"]\n\n'
        "1. 11-15 23-19 2. 8-11 22-17 0-1\n"
    )
    assert damka.Game.from_pdn(text) == game


@pytest.mark.parametrize("name", damka.rules.names())
def test_random_games_round_trip(name: str) -> None:
    rng = random.Random(name)
    game = damka.Game(name)
    for _ in range(80):
        if game.result is not None:
            break
        game.play(rng.choice(game.legal_moves))
    again = damka.Game.from_pdn(game.pdn())
    assert again.rules == game.rules
    assert [ply.move for ply in again.history] == [ply.move for ply in game.history]
    assert again.result == game.result
    assert again.pdn() == game.pdn()


def test_huffs_and_offences_round_trip() -> None:
    game = damka.Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    game.play("8-13")
    text = game.pdn()
    assert '1. 33-29 {[%huff 32]} /FEN "B:W29,47:B8,9,27"/ 1... 8-13 *' in text
    assert damka.Game.from_pdn(text) == game


def test_a_draw_by_agreement_round_trips() -> None:
    game = damka.Game("international")
    game.play("32-28")
    game.offer_draw("B")
    game.accept_draw("W")
    assert game.pdn().endswith("1. 32-28 1-1\n")
    assert damka.Game.from_pdn(game.pdn()).result == game.result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. 32-26",
        '1. 32-28 /FEN "B:W28:B19"/ 19-23 *',
        '[FEN "nonsense"] 1. 32-28',
        "1. 32-28 19-23 2. 28x19 {a {b} c}",
    ],
)
def test_an_invalid_game_is_refused(text: str) -> None:
    with pytest.raises(PdnError):
        damka.Game.from_pdn(text, "international")


def test_moves_after_the_end_are_refused() -> None:
    with pytest.raises(PdnError, match="The game is over"):
        damka.Game.from_pdn('[FEN "W:W6,46:B40"] 1. 6-1 40-45 2. 46-41 *', "breakthrough")


def test_a_pending_huff_round_trips() -> None:
    game = damka.Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    text = game.pdn()
    assert text.endswith("1. 33-29 {[%huff 32]} *\n")
    again = damka.Game.from_pdn(text)
    assert again == game
    assert again.pending_huff == 32


def test_a_huff_comment_without_an_offence_is_ignored() -> None:
    game = damka.Game.from_pdn("1. 32-28 {[%huff 20]} *", "dama100")
    assert game.pending_huff is None


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "mine", "king_landing": "any", "title": {"en": "Nonna's “box”"}},
        {"obligation": "huff"},
        {"name": "small", "width": 6, "height": 6, "rows": 2, "first": "B"},
        {"name": "odd", "notation": "A0", "capture_sign": ":", "precedence": ["count", "kings"]},
        {"name": "own", "colours": ("ruby", "sand")},
    ],
)
def test_house_rules_are_written_with_the_game(changes: dict[str, object]) -> None:
    rules = damka.rules.load("dama64").replace(**changes)
    game = damka.Game(rules)
    for _ in range(4):
        game.play(game.legal_moves[0])
    text = game.pdn()
    assert '[Rules "{' in text
    again = damka.Game.from_pdn(text)
    assert again == game
    assert again.rules.to_dict() == rules.to_dict() | {"sources": list(again.rules.sources)}
    # Given rules take precedence over the tag.
    assert damka.Game.from_pdn('[Rules "{}"] 1. 22-18 *', "dama64").rules.name == "dama64"


def test_a_shipped_rule_set_needs_tags_only_for_the_players_choices() -> None:
    assert "[Rules" not in damka.Game("dama100").pdn()
    chosen = damka.Game("dama100", obligation="forced")
    assert damka.Game.from_pdn(chosen.pdn()) == chosen


@pytest.mark.parametrize(
    ("tag", "what"),
    [
        ('{\\"base\\":\\"dama64\\",\\"rows\\":40}', "rows = 40"),
        ('{\\"base\\":\\"nothing\\"}', "base"),
        ("{", "rules as JSON"),
        ("{" + "x" * 20_000, "at most 16000 characters"),
    ],
)
def test_invalid_house_rules_are_refused(tag: str, what: str) -> None:
    with pytest.raises(PdnError, match=what) as caught:
        damka.Game.from_pdn(f'[White "a"]\n[Rules "{tag}"]\n\n1. 22-18 *')
    assert (caught.value.line, caught.value.column, caught.value.code) == (2, 2, "rules")


def test_a_rules_tag_of_another_program_is_preserved() -> None:
    game = next(damka.pdn.read('[Rules "Russian"][GameType "25"] 1. c3-d4 *'))
    assert game.rules.name == "russian"
    assert game.headers["Rules"] == "Russian"
    assert '[Rules "Russian"]' in str(game)


@pytest.mark.parametrize("returned", [False, True])
def test_an_opening_drawn_by_lot_round_trips(returned: bool) -> None:
    name = next(each for each in damka.rules.names() if damka.rules.load(each).openings)
    game = damka.Game(name, ballot=3, returned=returned)
    game.play(game.legal_moves[0])
    again = damka.Game.from_pdn(game.pdn())
    assert again == game
    assert (again.ballot, again.returned) == (3, returned)
    other = game.pdn().replace('[Ballot "4', '[Ballot "5')
    assert damka.Game.from_pdn(other).ballot is None


def test_errors_are_translated() -> None:
    with pytest.raises(PdnError) as caught:
        damka.Game.from_pdn("1. c3-e5 *", "russian")
    error = caught.value
    assert (error.code, error.text) == ("illegal", "c3-e5")
    assert error.refusal is not None
    assert "e5" in error.refusal.sentence("it", error.show)
    with pytest.raises(PdnError) as caught:
        damka.Game.from_pdn('[FEN "W:WK1:BK50"] ' + "1-7 50-44 7-1 44-50 " * 30, "international")
    assert (caught.value.code, caught.value.text) == ("move", "1-7")


def test_the_file_suffix_selects_the_format(tmp_path: Path) -> None:
    game = damka.Game("dama100", "W:W32,33,47:B27,8,9", players={"W": "Ана"})
    game.play("33-29")
    game.huff(32)
    for name in ("game.pdn", "game.PDN", "game.json"):
        game.save(tmp_path / name)
        assert damka.Game.load(tmp_path / name) == game
    assert (tmp_path / "game.pdn").read_text("utf-8") == game.pdn()
    with pytest.raises(PdnError, match="cannot be read"):
        damka.Game.load(tmp_path / "none.pdn")
