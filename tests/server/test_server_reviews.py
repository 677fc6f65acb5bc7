"""Reviews whose searches a page does: the requests on a server."""

from __future__ import annotations

from damka import Engine
from damka.live import reviews
from damka.live.evaluations import evaluation_json
from damka.study.review import Reviewer
from tests.live.test_reviews import played
from tests.server.support import Server


def test_a_page_reviews_a_game_with_its_own_searches(server: Server) -> None:
    game = played("dama64")
    body = {"game": reviews.game_moves(game, "dama64"), "nodes": 2_000, "evaluations": []}
    reviewer = Reviewer(game, 2_000)
    with Engine(hash_mb=1) as engine, server.browser() as client:
        while (answer := client.post("/api/review/steps?lang=sk", json=body).json())["next"]:
            for wanted in answer["next"]:
                board = reviewer.timeline.board(wanted["ply"], wanted["huff"])
                analysis = engine.search(board, nodes=wanted["nodes"], multi_pv=wanted["lines"])
                evaluation = evaluation_json(board, analysis)
                body["evaluations"].append({"request": wanted, "evaluation": evaluation})  # type: ignore[attr-defined]
        assert answer["complete"]
        assert len(answer["graph"]) == game.ply_count + 1
        retried = {"game": body["game"], "ply": 0, "move": body["game"]["moves"][0]}  # type: ignore[index]
        wanted = client.post("/api/review/judge", json=retried).json()["next"]
        assert (wanted["ply"], wanted["moves"]) == (0, None)
        # Evaluations of a long game are larger than other bodies.
        body["reader"] = "W" * 300_000
        assert client.post("/api/review/steps", json=body).status_code == 422
        assert client.post("/api/review/judge", json=body).status_code == 413
        body["game"]["moves"] = ["1-2"]  # type: ignore[index]
        del body["reader"]
        refused = client.post("/api/review/steps", json=body)
        assert (refused.status_code, refused.json()["where"]) == (422, "game.moves[0]")
