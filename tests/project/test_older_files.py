"""Files written by an older version still open."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from damka import Board, Game, Rules, _core, tablebase
from damka.box import base_of, decode, encode
from damka.engine import weights
from damka.match import store
from damka.rules import LOOKS, from_dict, load, names
from damka.training import Options, Run, TrainingSettings
from tests.training.tiny_run import FakeView

OLD = Path(__file__).parents[1] / "data" / "07100e5"
BEFORE_LITERAL_DRAWS = Path(__file__).parents[1] / "data" / "b68d508"
NEW_PARAMETERS = {
    "repetition_of": "position",
    "same_move_in": "position",
    "move_limit": 0,
    "moves_by": "each",
}
"""Parameters later than b68d508, with their defaults."""


@pytest.mark.parametrize(
    ("name", "moves", "winner", "reason", "fen"),
    [
        (
            *("american-3move-resigned", 30, "W", "resignation"),
            "B:W5,17,22,27,28,30,31:B1,7,9,11,16,20",
        ),
        (
            *("dama100-agreed", 61, None, "agreement"),
            "B:W27,38,44,45:B1,2,4,5,K8,9,10,11,12,15,16,17,20,41",
        ),
        (
            *("dama64-huff-pending", 4, None, None),
            "W:W17,19,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12",
        ),
    ],
)
def test_saved_games_are_loaded(name: str, moves: int, winner: str, reason: str, fen: str) -> None:
    game = Game.load(OLD / "games" / f"{name}.json")
    assert (len(game.moves), game.board.fen) == (moves, fen)
    assert game.result == (None if reason is None else (winner, reason))
    assert game.players == {"W": "Ana", "B": "Damka, level 2"}


def test_saved_games_have_their_openings_huffs_and_offers() -> None:
    ballot = Game.load(OLD / "games" / "american-3move-resigned.json")
    assert (ballot.ballot, ballot.returned) == (7, True)
    agreed = Game.load(OLD / "games" / "dama100-agreed.json")
    assert sum(ply.huff is not None for ply in agreed.history) == 5
    kinds = [event.kind for event in agreed.events if event.kind not in ("move", "huff")]
    assert kinds == ["draw_offer", "draw_decline", "draw_offer", "draw_accept"]
    assert Game.load(OLD / "games" / "dama64-huff-pending.json").pending_huff == 20


def test_a_game_by_house_rules_is_loaded() -> None:
    game = Game.load(OLD / "games" / "russian-house.json")
    assert len(game.moves) == 20
    box = game.rules
    assert (box.name, box.king_landing, box.title) == ("kitchen", "adjacent", {"en": "Kitchen"})
    (draw,) = box.material_draws
    assert (draw.moves, draw.main_road, draw.strong.kings) == (5, True, (2, 2))


def test_links_to_house_rules_are_read() -> None:
    links = json.loads((OLD / "links.json").read_text("utf-8"))
    frisian = decode(links["frisian-first"])
    assert (frisian.first, frisian.game_type) == ("B", 0)
    assert frisian.replace(first="W", name="frisian") == load("frisian")
    assert decode(links["kitchen"]) == Game.load(OLD / "games" / "russian-house.json").rules


def run_rules() -> Rules:
    return from_dict(json.loads((OLD / "run" / "settings.json").read_text())["rules"])


def run_settings(generations: int) -> TrainingSettings:
    return TrainingSettings(
        games=40,
        generations=generations,
        nodes=40,
        pairs=20,
        trials=4,
        trial_seconds=0.0005,
        start="general",
        seed=5,
        fit=Options(epochs=2, steps=20),
    )


def test_a_training_run_continues(tmp_path: Path) -> None:
    shutil.copytree(OLD / "run", tmp_path / "run")
    view = FakeView()
    best = Run(run_rules(), tmp_path / "run", run_settings(2), view).run()
    assert best is not None
    assert best.read_bytes() == (OLD / "run" / "best.weights").read_bytes()
    assert not any("self-play" in stage for stage in view.stages)
    Run(run_rules(), tmp_path / "run", run_settings(3), view).run()
    assert "generation 3: self-play" in view.stages


def test_a_training_run_continues_after_the_rules_gain_a_parameter(tmp_path: Path) -> None:
    shutil.copytree(OLD / "run", tmp_path / "run")
    path = tmp_path / "run" / "settings.json"
    settings = json.loads(path.read_text())
    assert settings["rules"].pop("king_streak") == 0
    path.write_text(json.dumps(settings))
    assert Run(run_rules(), tmp_path / "run", run_settings(2), FakeView()).run() is not None


def test_weights_are_read() -> None:
    board = Board(run_rules())
    native = weights.read(OLD / "run" / "best.weights").native(board.rules)
    assert native is not None


def test_endgame_tables_are_read() -> None:
    with tablebase.Tablebases(run_rules(), OLD / "tables") as tables:
        assert len(tables) == 9
        assert tables.tables["KMvM"].halves["KMvM"].longest_win == 35
        board = Board(run_rules(), "W:WK18:BK1")
        assert tables.probe_wdl(board) in (-1, 0, 1)


def test_games_of_a_match_are_read() -> None:
    path = OLD / "match.pdn"
    match = re.search(r'\[Match "(.*)"\]', path.read_text())
    assert match is not None
    games = store.read(path, match[1])
    assert [game.points for game in games] == [0, 0, 0, 0]


def older(rules: Rules) -> dict[str, Any]:
    """Return the parameters as b68d508 had them."""
    values = rules.to_dict()
    for key, default in NEW_PARAMETERS.items():
        assert values.pop(key) == default
    return values


def digest(values: object) -> str:
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_the_parameters_of_literal_draws_change_no_rule_set() -> None:
    recorded = json.loads((BEFORE_LITERAL_DRAWS / "rule_sets.json").read_text("utf-8"))
    found = {
        name: {
            "tables": f"{_core.table_fingerprint(load(name)):016x}",
            "play": digest(json.loads(json.dumps(dict(weights.play_of(load(name)))))),
            "rules": digest({k: v for k, v in older(load(name)).items() if k not in LOOKS}),
        }
        for name in names()
        if name in recorded
    }
    assert found == recorded


def test_links_of_b68d508_have_the_same_rules_and_texts() -> None:
    for each in json.loads((BEFORE_LITERAL_DRAWS / "links.json").read_text("utf-8")):
        rules = decode(each["link"])
        assert older(rules) == each["rules"]
        assert rules == from_dict(each["rules"])
        assert f"{_core.table_fingerprint(rules):016x}" == each["tables"]
        assert encode(rules, base_of(each["link"])) == each["link"]


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("kitchen-repetition", 62),
        ("sheet-same_move", 130),
        ("dama64-no_progress", 92),
        ("brazilian-material", 61),
    ],
)
def test_saved_games_of_b68d508_end_as_they_did(name: str, moves: int) -> None:
    game = Game.load(BEFORE_LITERAL_DRAWS / f"{name}.json")
    assert older(game.rules)
    assert len(game.history) == moves
    assert game.result == (None, name.rpartition("-")[2])


def test_pickles_of_b68d508_are_read() -> None:
    data = (BEFORE_LITERAL_DRAWS / "rules.pickle").read_bytes()
    read = pickle.loads(data)  # noqa: S301  our own bytes
    expected = load("dama100").replace(name="sheet", obligation="forced", repetition=4)
    assert (read, older(read)) == (expected, older(expected))
    assert read.kernel == expected.kernel
    assert pickle.loads(pickle.dumps(read)) == read  # noqa: S301  our own bytes
