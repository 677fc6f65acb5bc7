"""Evaluations and reviews as JSON, both ways."""

from __future__ import annotations

import json

import msgspec
import pytest

import damka
from damka import Engine, Game
from damka.live import requests, reviews
from damka.live.evaluations import Evaluation, evaluation_json, move_of, read_evaluation
from damka.live.problems import Problem
from damka.study.review import Reviewer

NODES = 2_000


def played(rules: str, plies: int = 16, nodes: int = 300, **options: object) -> Game:
    """Return a game of weak play with a bad move now and then."""
    game = Game(rules, **options)  # type: ignore[arg-type]
    with Engine(hash_mb=1) as engine:
        while game.result is None and game.ply_count < plies:
            moves = game.legal_moves
            if game.ply_count % 5 == 3:
                game.play(moves[-1])
            else:
                game.play(engine.search(game, nodes=nodes).move or moves[0])
    return game


def done(game: Game, engine: Engine, nodes: int = NODES) -> tuple[dict, list]:  # type: ignore[type-arg]
    """Review a game as a page does: by steps with JSON in both directions."""
    reviewer = Reviewer(game, nodes)
    sent = {"game": reviews.game_moves(game), "nodes": nodes, "evaluations": []}
    while True:
        request = requests.read(json.dumps(sent).encode(), reviews.StepsRequest)
        answer = json.loads(json.dumps(reviews.steps(request, "en")))
        if not answer["next"]:
            return answer, sent["evaluations"]  # type: ignore[return-value]
        for wanted in answer["next"]:
            board = reviewer.timeline.board(wanted["ply"], wanted["huff"])
            moves = wanted["moves"] and [move_of(board, key) for key in wanted["moves"]]
            analysis = engine.search(
                board, nodes=wanted["nodes"], multi_pv=wanted["lines"], moves=moves
            )
            sent["evaluations"].append(  # type: ignore[attr-defined]
                {"request": wanted, "evaluation": evaluation_json(board, analysis)}
            )


@pytest.mark.parametrize("rules", ["dama64", "international", "turkish"])
def test_steps_of_a_page_give_the_review_of_the_library(rules: str) -> None:
    game = played(rules, 40)
    with Engine(hash_mb=1) as engine:
        answer, sent = done(game, engine)
    assert answer["complete"]
    assert len(answer["graph"]) == game.ply_count + 1
    assert len(sent) >= game.ply_count // 2
    with Engine(hash_mb=1) as engine:
        review = damka.review(game, NODES, engine)
    assert [each["sentence"] for each in answer["moments"]] == [
        moment.sentence("en") for moment in review.moments
    ]
    assert answer["accuracy"] == review.accuracy
    assert answer["graph"] == [round(value, 4) for value in review.graph]


def test_a_huffing_game_is_sent_with_its_huffs() -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    for text in ("33-29", "(32) 8-13"):
        game.play(text)
    sent = reviews.game_moves(game, "dama100")
    assert sent["moves"] == ["33-29", "(32) 8-13"]
    read = reviews.game_of(msgspec.convert(sent, reviews.GameMoves))
    assert read.history == game.history


def test_an_evaluation_survives_both_ways() -> None:
    game = damka.Game("american", "W:WK32,19:B12")
    with Engine(hash_mb=1) as engine:
        analysis = engine.search(game, depth=5, multi_pv=2)
    values = json.loads(json.dumps(evaluation_json(game.board, analysis)))
    assert values["lines"][0]["mate"] == analysis.mate
    read = read_evaluation(game.board, msgspec.convert(values, Evaluation))
    assert read.lines == analysis.lines


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"ply": 17}, "evaluations[0].request.ply"),
        ({"huff": 3}, "evaluations[0].request.huff"),
        ({"nodes": 0}, "evaluations[0].request.nodes"),
        ({"lines": 6}, "evaluations[0].request.lines"),
    ],
)
def test_a_false_request_is_refused(change: dict[str, int], where: str) -> None:
    game = played("dama64", 8)
    evaluation = {"depth": 1, "nodes": 1, "ms": 1, "lines": [{"score": 0, "moves": ["22-18"]}]}
    each = {"request": {"ply": 0, "nodes": 5, "lines": 1} | change, "evaluation": evaluation}
    sent = {"game": reviews.game_moves(game, "dama64"), "evaluations": [each]}
    with pytest.raises(Problem) as refused:
        reviews.steps(requests.read(json.dumps(sent).encode(), reviews.StepsRequest), "en")
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("game", "where"),
    [
        ({"rules": "nosuch", "moves": []}, "rules"),
        ({"rules": "dama64", "moves": ["22-19"]}, "game.moves[0]"),
        ({"rules": "dama64", "moves": ["(9) 22-18"]}, "game.moves[0]"),
        ({"rules": "dama64", "moves": [], "fen": "W:W99:B1"}, "game.fen"),
        ({"rules": "dama64", "moves": ["22-18"] * 601}, "game.moves"),
    ],
)
def test_a_false_game_is_refused(game: dict[str, object], where: str) -> None:
    body = json.dumps({"game": game}).encode()
    with pytest.raises(Problem) as refused:
        reviews.steps(requests.read(body, reviews.StepsRequest), "en")
    assert refused.value.where == where


def test_a_line_with_an_illegal_first_move_is_refused() -> None:
    game = played("dama64", 4)
    evaluation = {"depth": 1, "nodes": 1, "ms": 1, "lines": [{"score": 0, "moves": ["1-2"]}]}
    each = {"request": {"ply": 0, "nodes": 5, "lines": 1}, "evaluation": evaluation}
    sent = {"game": reviews.game_moves(game, "dama64"), "evaluations": [each]}
    with pytest.raises(Problem) as refused:
        reviews.steps(requests.read(json.dumps(sent).encode(), reviews.StepsRequest), "en")
    assert refused.value.where == "evaluations[0].evaluation.lines[0].moves"


def test_a_retried_move_is_judged_by_steps() -> None:
    board = damka.Board("american", "W:W22,29:B18,9,1")
    sent: dict[str, object] = {
        "game": {"rules": "american", "moves": [], "fen": board.fen},
        "ply": 0,
        "move": "22x15x18",
        "nodes": 1000,
        "evaluations": [],
    }
    answer = reviews.judge(msgspec.convert(sent, reviews.JudgeRequest))
    assert answer["verdict"]["right"]
    assert answer["next"] is None


def test_a_game_is_reviewed_with_the_keys_of_the_analysis_board() -> None:
    moves = reviews.GameMoves("dama100", ("33-29", "(32)8-13"), "W:W32,33,46,47:B3,8,9,27")
    game = reviews.game_of(moves)
    assert game.history[-1].huff == 32
    # The best move needs no huff, although the game has one.
    reviewer = Reviewer(game, 20_000)
    with Engine(4) as engine:
        while (request := reviewer.next()) is not None:
            reviewer.receive(request, reviewer.search(engine, request))
    [offence, missed] = reviews.review_json(reviewer, reviewer.review(), "en")["moments"]
    assert (offence["kind"], offence["huff"]) == ("offence", None)
    assert (missed["huff"], missed["line"][0], missed["move"]) == (None, "27x38x32", "8-13")
