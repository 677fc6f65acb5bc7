"""API clients with tokens: games by requests and event streams."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.programs import Player, open_stream, token_ids
from tests.server.support import Browser, Json, Server

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}
SHORT = "22-18 9-13 18x9x13"  # the second move loses a man


@pytest.fixture(scope="module")
def players(server: Server) -> Iterator[tuple[Player, Player]]:
    first, second = Player(server), Player(server)
    yield first, second
    first.browser.__exit__(None, None, None)
    second.browser.__exit__(None, None, None)


def open_game(player: Player, **options: object) -> str:
    return player.program.game(opponent="invite", **options)


def start_game(first: Player, second: Player, **options: object) -> str:
    game = open_game(first, **options)
    assert second.program.post(f"/api/games/{game}/join").status_code == 200
    return game


def test_streams_report_a_whole_game(
    players: tuple[Player, Player],
) -> None:
    ana, petra = players
    with open_stream(petra.program, "/api/stream/events") as events:
        game = open_game(ana, clock=BLITZ)
        assert ana.program.post(f"/api/games/{game}/offer/{petra.name}").status_code == 202
        challenge = events.next("challenge")
        assert (challenge["id"], challenge["challenger"]) == (game, ana.name)
        assert (challenge["side"], challenge["clock"]["seconds"]) == ("B", 300)
        petra.program.post(f"/api/games/{game}/join")
        assert events.next("game_start")["game"]["id"] == game
        with open_stream(petra.program, f"/api/games/{game}/stream") as states:
            first = states.next("game")
            assert first["game"]["you"] == ["B"]
            assert first["state"]["legal"]
            ana.act(game, "move", move="23-19", ply=0)
            message = states.next("state")
            assert (message["ply"], message["moves"], message["turn"]) == (1, ["23-19"], "B")
            assert 299_000 <= message["clock"]["white"] <= 303_000
            petra.act(game, "move", move=message["legal"][0])
            response = ana.act(game, "resign")
            assert response["result"]["reason"] == "resignation"
            last = states.next("state")
            while last["result"] is None:
                last = states.next("state")
            assert (last["result"]["winner"], last["result"]["reason"]) == ("B", "resignation")
            assert states.ended(), "the stream ends with the game"
        game_over = events.next("game_over")["game"]
        assert (game_over["id"], game_over["result"]["winner"]) == (game, "B")
        assert game_over["result"]["sentence"]


def test_a_challenge_can_be_declined(players: tuple[Player, Player]) -> None:
    first, second = players
    with open_stream(first.program, "/api/stream/events") as events:
        game = open_game(first)
        assert second.program.post(f"/api/games/{game}/decline").status_code == 200
        assert events.next("challenge_declined")["name"] == second.name
    assert first.refused(game, "decline") == (409, "own_invitation")
    assert first.program.post(f"/api/games/{game}/cancel").status_code == 200


def test_a_new_event_stream_begins_with_the_running_games(
    players: tuple[Player, Player],
) -> None:
    first, second = players
    game = start_game(first, second)
    with open_stream(first.program, "/api/stream/events") as events:
        message = events.next("game_start")["game"]
        while message["id"] != game:
            message = events.next("game_start")["game"]
    games = first.program.get("/api/account/games").json()
    assert game in [each["id"] for each in games]
    first.act(game, "abort")


def test_draws_are_offered_declined_and_accepted(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)
    assert first.refused(game, "draw", accept=True) == (409, "no_offer")
    first.act(game, "move", move="23-19")
    second.act(
        game, "move", move=first.program.get(f"/api/games/{game}").json()["state"]["legal"][0]
    )
    first.act(game, "draw")
    second.act(game, "draw", accept=False)
    second.act(game, "draw")
    assert first.act(game, "draw", accept=True)["result"] == {
        "winner": None,
        "reason": "agreement",
        "sentence": first.program.get(f"/api/games/{game}").json()["state"]["result"]["sentence"],
    }


def test_offers_can_be_withdrawn(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)
    first.act(game, "move", move="23-19")
    second.act(
        game, "move", move=first.program.get(f"/api/games/{game}").json()["state"]["legal"][0]
    )
    for action in ("draw", "undo"):
        first.act(game, action)
        assert first.refused(game, action, accept=True) == (409, "no_offer")
        first.act(game, action, accept=False)
        assert second.refused(game, action, accept=True) == (409, "no_offer")
        assert first.refused(game, action) == (409, "too_soon")


def test_messages_of_the_live_protocol_can_be_posted(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second, clock=BLITZ)
    assert first.act(game, "act", t="move", ply=0, move="23-19")["ply"] == 1
    legal = second.program.get(f"/api/games/{game}").json()["state"]["legal"]
    refused = {
        "move": (second.refused(game, "act", t="move", ply=1, move="1-2"), (409, "bad_move")),
        "past": (second.refused(game, "act", t="move", ply=0, move=legal[0]), (409, "stale")),
        "turn": (
            first.refused(game, "act", t="move", ply=1, move=legal[0]),
            (409, "not_your_turn"),
        ),
        "claim": (first.refused(game, "act", t="claim", draw=False), (409, "not_away")),
        "answer": (second.refused(game, "act", t="draw_answer", ok=True), (409, "no_offer")),
        "field": (second.refused(game, "act", t="move", move=legal[0]), (422, "bad_field")),
    }
    assert all(actual == expected for actual, expected in refused.values()), refused
    for kind in ("hint", "why", "watchers", "flag", "ping", "nonsense"):
        assert first.refused(game, "act", t=kind, on=True) == (422, "bad_field"), kind
    second.act(game, "act", t="move", ply=1, move=legal[0])
    for kind in ("undo", "draw"):
        first.act(game, "act", t=kind)
        second.act(game, "act", t=f"{kind}_answer", ok=False)
    assert first.act(game, "act", t="give_time")["result"] is None
    assert second.act(game, "act", t="resign")["result"]["winner"] == "W"
    first.act(game, "act", t="rematch")
    assert second.act(game, "act", t="rematch_answer", ok=False)["result"]["winner"] == "W"


def test_an_empty_body_can_be_omitted(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)

    def post(action: str) -> tuple[int, str]:
        response = first.program.http.post(f"/api/games/{game}/{action}")
        return response.status_code, response.json().get("error", "")

    assert [post(action) for action in ("move", "huff", "act")] == [(400, "bad_json")] * 3
    assert [post(action) for action in ("claim", "time")] == [(409, "not_away"), (409, "no_clock")]
    assert post("abort") == (200, "")


def test_a_bot_can_huff(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second, rules="dama100")
    state = first.program.get(f"/api/games/{game}").json()["state"]
    by_side = {"W": first, "B": second}
    for _ in range(60):
        quiet = [move for move in state["legal"] if "-" in move]
        by_side[state["turn"]].act(game, "move", move=(quiet or state["legal"])[0])
        state = first.program.get(f"/api/games/{game}").json()["state"]
        if state["huffable"]:
            break
    mover, square = by_side[state["turn"]], state["huffable"][0]
    assert mover.refused(game, "huff", square=51) == (409, "bad_move")
    mover.act(game, "huff", square=square)
    after = first.program.get(f"/api/games/{game}").json()["state"]
    assert (after["turn"], after["huffable"]) == (state["turn"], []), "the same player then moves"
    mover.act(game, "resign")


def test_an_illegal_move_is_explained(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)
    response = first.program.http.post(
        f"/api/games/{game}/move", json={"move": "1-2"}, headers={"accept-language": "it"}
    )
    body = response.json()
    assert (response.status_code, body["where"]) == (422, "move")
    assert body["message"].endswith(".")
    assert first.refused(game, "move", move="nonsense")[0] == 422
    assert second.refused(game, "move", move="9-13") == (409, "not_your_turn")
    assert first.refused(game, "move", move="23-19", ply=7) == (409, "stale")
    first.act(game, "abort")
    assert first.refused(game, "move", move="23-19") == (409, "game_over")


def test_a_move_resent_after_a_takeback_is_refused(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)
    before = first.act(game, "move", move="23-19", ply=0, version=1)
    second.act(
        game, "move", move=first.program.get(f"/api/games/{game}").json()["state"]["legal"][0]
    )
    first.act(game, "undo")
    second.act(game, "undo", accept=True)
    assert first.program.get(f"/api/games/{game}").json()["state"]["ply"] == 0
    refused = first.refused(game, "move", move="23-19", ply=0, version=before["version"])
    assert refused == (409, "stale")
    first.act(game, "abort")


def test_a_stream_reports_a_takeback(players: tuple[Player, Player]) -> None:
    first, second = players
    game = start_game(first, second)
    first.act(game, "move", move="23-19")
    with open_stream(second.program, f"/api/games/{game}/stream") as states:
        assert states.next("game")["state"]["ply"] == 1
        first.act(game, "undo")
        assert states.next("state")["undo_offer"] == "W"
        second.act(game, "undo", accept=True)
        assert states.next("state")["ply"] == 0
    first.act(game, "abort")


def test_players_cannot_act_for_others(players: tuple[Player, Player], server: Server) -> None:
    first, second = players
    game = start_game(first, second)
    third = Player(server)
    bodies: dict[str, Json] = {
        **{action: {} for action in ("resign", "draw", "undo", "abort", "claim", "time")},
        "move": {"move": "23-19"},
        "act": {"t": "resign"},
    }
    for action, body in bodies.items():
        assert third.refused(game, action, **body) == (403, "not_yours"), action
        assert second.refused(game, action, **body, side="W")[0] in {403, 409, 422}, action
    assert third.program.post(f"/api/games/{game}/join").status_code == 409
    state = first.program.get(f"/api/games/{game}").json()["state"]
    assert (state["ply"], state["result"]) == (0, None)
    first.act(game, "abort")
    third.browser.__exit__(None, None, None)


def test_only_one_of_several_clients_gets_a_seat(
    players: tuple[Player, Player], server: Server
) -> None:
    first, _ = players
    game = open_game(first)
    with server.browser() as guest:
        others = [Player(server) for _ in range(3)]

        def take(number: int) -> int:
            if number == 0:
                return guest.post(f"/api/games/{game}/join", {}).status_code
            return others[number - 1].program.post(f"/api/games/{game}/join").status_code

        with ThreadPoolExecutor(4) as pool:
            statuses = sorted(pool.map(take, range(4)))
    assert statuses == [200, 409, 409, 409]
    for second in others:
        second.browser.__exit__(None, None, None)


def test_only_one_of_simultaneous_endings_counts(
    players: tuple[Player, Player],
) -> None:
    first, second = players
    for _ in range(3):
        game = start_game(first, second, clock=BLITZ)
        first.act(game, "move", move="23-19")
        legal = second.program.get(f"/api/games/{game}").json()["state"]["legal"]
        second.act(game, "move", move=legal[0])
        legal = first.program.get(f"/api/games/{game}").json()["state"]["legal"]
        actions: list[tuple[Player, str, Json]] = [
            (first, "resign", {}),
            (second, "resign", {}),
            (first, "move", {"move": legal[0], "ply": 2}),
            (second, "claim", {}),
            (first, "draw", {}),
        ]
        with first.program.live(game) as live, ThreadPoolExecutor(5) as pool:
            for _ in range(3):
                live.send("flag")
            requests = [
                pool.submit(player.program.post, f"/api/games/{game}/{action}", body)
                for player, action, body in actions
            ]
            responses = [each.result() for each in requests]
        results = [a.json()["result"] for a in responses[:2] if a.status_code == 200]
        assert len(results) == 1, "only one resignation counts"
        state = first.program.get(f"/api/games/{game}").json()["state"]
        assert state["result"]["winner"] == results[0]["winner"]
        assert first.program.get(f"/api/games/{game}/file").status_code == 200


def test_a_client_can_read_its_account(players: tuple[Player, Player]) -> None:
    player, _ = players
    body = player.program.get("/api/account").json()
    assert (body["name"], body["bot"]) == (player.name, False)
    assert body["scopes"] == ["read", "challenge", "play", "analysis", "bot"]


def test_a_client_can_convert_its_account_to_a_bot(server: Server) -> None:
    player = Player(server, "read", "bot", "challenge")
    assert player.program.post("/api/account/bot").json() == {"bot": True}
    assert player.program.get("/api/account").json()["bot"]
    game = open_game(player)
    data = player.program.get(f"/api/games/{game}").json()["game"]
    assert data["white"]["name"] == f"BOT {player.name}"
    pdn = player.program.get(f"/api/games/{game}/pdn").text
    assert '[WhiteType "program"]' in pdn
    assert '[BlackType "human"]' in pdn
    player.browser.__exit__(None, None, None)


def test_a_stream_ends_when_its_token_is_revoked(server: Server) -> None:
    player = Player(server)
    with open_stream(player.program, "/api/stream/events") as events:
        (entry,) = token_ids(player.browser)
        player.browser.http.post("/account/tokens/revoke", data={"token": entry})
        assert events.ended()
    player.browser.__exit__(None, None, None)


def test_the_number_of_streams_per_account_is_limited(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(server, "read")
    streams = server.app.state.damka.streams
    monkeypatch.setattr(streams, "_per_account", 1)
    with open_stream(player.program, "/api/stream/events"):
        response = player.program.get("/api/stream/events")
        assert (response.status_code, response.json()["error"]) == (429, "too_many_streams")
    player.browser.__exit__(None, None, None)


@pytest.mark.parametrize("name", ["Unknown", "", "%00", "a" * 300])
def test_unknown_names_are_indistinguishable(players: tuple[Player, Player], name: str) -> None:
    player, _ = players
    game = open_game(player)
    response = player.program.post(f"/api/games/{game}/offer/{name}")
    assert response.status_code in {404, 405, 307}
    player.program.post(f"/api/games/{game}/cancel")


@pytest.mark.parametrize("game", ["A" * 22, "x", "..%2f..", "A" * 21 + "%0a"])
@pytest.mark.parametrize("action", ["", "/stream", "/pdn", "/file"])
def test_unknown_games_are_indistinguishable(
    players: tuple[Player, Player], game: str, action: str
) -> None:
    response = players[0].program.get(f"/api/games/{game}{action}")
    assert (response.status_code, response.json()["error"]) in {
        (404, "unknown_game"),
        (404, "not_found"),
    }


def test_an_invitation_is_found_by_its_code(
    players: tuple[Player, Player], stranger: Browser
) -> None:
    first, second = players
    game = open_game(first)
    with first.program.live(game) as live:
        code = live.state()["invitation"]["code"]
    data = second.program.get(f"/api/invitations/{code}").json()
    assert (data["id"], data["side"]) == (game, "B")
    assert second.program.get("/api/invitations/BBBB").status_code in {404, 429}
    first.program.post(f"/api/games/{game}/cancel")


def test_a_bots_challenge_stays_open_during_its_stream(
    players: tuple[Player, Player], server: Server
) -> None:
    _, other = players
    bot = Player(server)
    assert bot.program.post("/api/account/bot").status_code == 200
    with open_stream(bot.program, "/api/stream/events") as events:
        challenge_id = bot.program.post("/api/lobby", {"rules": "dama64"}).json()["id"]
        challenges = {each["id"]: each for each in other.program.get("/api/lobby").json()}
        assert challenges[challenge_id]["name"] == f"BOT {bot.name}"
        game = other.program.post(f"/api/lobby/{challenge_id}/accept").json()["id"]
        message = events.next("game_start")["game"]
        assert message["id"] == game
        assert f"BOT {bot.name}" in {message["white"]["name"], message["black"]["name"]}
        other.act(game, "abort")
        assert events.next("game_over")["game"]["result"]["reason"] == "aborted"
    bot.browser.__exit__(None, None, None)
