"""Programs with tokens: complete games by requests and streams, with result and reason."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.programs import Player, open_stream, token_ids
from tests.server.support import Browser, Json, Server

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}
SHORT = "22-18 9-13 18x9x13"  # the second move loses a man at once


@pytest.fixture(scope="module")
def players(server: Server) -> Iterator[tuple[Player, Player]]:
    one, two = Player(server), Player(server)
    yield one, two
    one.browser.__exit__(None, None, None)
    two.browser.__exit__(None, None, None)


def open_game(player: Player, **options: object) -> str:
    return player.program.game(opponent="invite", **options)


def between(one: Player, two: Player, **options: object) -> str:
    game = open_game(one, **options)
    assert two.program.post(f"/api/games/{game}/join").status_code == 200
    return game


def test_both_players_receive_the_events_of_a_game_played_by_requests(
    players: tuple[Player, Player],
) -> None:
    one, two = players
    with open_stream(two.program, "/api/stream/events") as events:
        game = open_game(one, clock=BLITZ)
        assert one.program.post(f"/api/games/{game}/offer/{two.name}").status_code == 202
        challenge = events.next("challenge")
        assert (challenge["id"], challenge["challenger"]) == (game, one.name)
        assert (challenge["side"], challenge["clock"]["seconds"]) == ("B", 300)
        two.program.post(f"/api/games/{game}/join")
        assert events.next("game_start")["game"]["id"] == game
        with open_stream(two.program, f"/api/games/{game}/stream") as states:
            first = states.next("game")
            assert first["game"]["you"] == ["B"]
            assert first["state"]["legal"]
            one.act(game, "move", move="23-19", ply=0)
            message = states.next("state")
            assert (message["ply"], message["moves"], message["turn"]) == (1, ["23-19"], "B")
            assert 299_000 <= message["clock"]["white"] <= 303_000
            two.act(game, "move", move=message["legal"][0])
            answer = one.act(game, "resign")
            assert answer["result"]["reason"] == "resignation"
            last = states.next("state")
            while last["result"] is None:
                last = states.next("state")
            assert (last["result"]["winner"], last["result"]["reason"]) == ("B", "resignation")
            assert states.ended(), "the stream ends with the game"
        over = events.next("game_over")["game"]
        assert (over["id"], over["result"]["winner"]) == (game, "B")
        assert over["result"]["sentence"]


def test_a_challenge_can_be_declined(players: tuple[Player, Player]) -> None:
    one, two = players
    with open_stream(one.program, "/api/stream/events") as events:
        game = open_game(one)
        assert two.program.post(f"/api/games/{game}/decline").status_code == 200
        assert events.next("challenge_declined")["name"] == two.name
    assert one.refused(game, "decline") == (409, "own_invitation")
    assert one.program.post(f"/api/games/{game}/cancel").status_code == 200


def test_a_new_event_stream_begins_with_the_running_games(
    players: tuple[Player, Player],
) -> None:
    one, two = players
    game = between(one, two)
    with open_stream(one.program, "/api/stream/events") as events:
        message = events.next("game_start")["game"]
        while message["id"] != game:
            message = events.next("game_start")["game"]
    listed = one.program.get("/api/account/games").json()
    assert game in [each["id"] for each in listed]
    one.act(game, "abort")


def test_draws_are_offered_and_answered(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)
    assert one.refused(game, "draw", accept=True) == (409, "no_offer")
    one.act(game, "move", move="23-19")
    two.act(game, "move", move=one.program.get(f"/api/games/{game}").json()["state"]["legal"][0])
    one.act(game, "draw")
    two.act(game, "draw", accept=False)
    two.act(game, "draw")
    assert one.act(game, "draw", accept=True)["result"] == {
        "winner": None,
        "reason": "agreement",
        "sentence": one.program.get(f"/api/games/{game}").json()["state"]["result"]["sentence"],
    }


def test_offers_are_withdrawn(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)
    one.act(game, "move", move="23-19")
    two.act(game, "move", move=one.program.get(f"/api/games/{game}").json()["state"]["legal"][0])
    for what in ("draw", "undo"):
        one.act(game, what)
        assert one.refused(game, what, accept=True) == (409, "no_offer")
        one.act(game, what, accept=False)
        assert two.refused(game, what, accept=True) == (409, "no_offer")
        assert one.refused(game, what) == (409, "too_soon")


def test_messages_of_the_live_protocol_are_obeyed(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two, clock=BLITZ)
    assert one.act(game, "act", t="move", ply=0, move="23-19")["ply"] == 1
    legal = two.program.get(f"/api/games/{game}").json()["state"]["legal"]
    refused = {
        "move": (two.refused(game, "act", t="move", ply=1, move="1-2"), (409, "bad_move")),
        "past": (two.refused(game, "act", t="move", ply=0, move=legal[0]), (409, "stale")),
        "turn": (one.refused(game, "act", t="move", ply=1, move=legal[0]), (409, "not_your_turn")),
        "claim": (one.refused(game, "act", t="claim", draw=False), (409, "not_away")),
        "answer": (two.refused(game, "act", t="draw_answer", ok=True), (409, "no_offer")),
        "field": (two.refused(game, "act", t="move", move=legal[0]), (422, "bad_field")),
    }
    assert all(was == expected for was, expected in refused.values()), refused
    for kind in ("hint", "why", "watchers", "flag", "ping", "nonsense"):
        assert one.refused(game, "act", t=kind, on=True) == (422, "bad_field"), kind
    two.act(game, "act", t="move", ply=1, move=legal[0])
    for kind in ("undo", "draw"):
        one.act(game, "act", t=kind)
        two.act(game, "act", t=f"{kind}_answer", ok=False)
    assert one.act(game, "act", t="give_time")["result"] is None
    assert two.act(game, "act", t="resign")["result"]["winner"] == "W"
    one.act(game, "act", t="rematch")
    assert two.act(game, "act", t="rematch_answer", ok=False)["result"]["winner"] == "W"


def test_empty_bodies_may_be_omitted(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)

    def post(what: str) -> tuple[int, str]:
        answer = one.program.http.post(f"/api/games/{game}/{what}")
        return answer.status_code, answer.json().get("error", "")

    assert [post(what) for what in ("move", "huff", "act")] == [(400, "bad_json")] * 3
    assert [post(what) for what in ("claim", "time")] == [(409, "not_away"), (409, "no_clock")]
    assert post("abort") == (200, "")


def test_a_bot_can_huff(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two, rules="dama100")
    state = one.program.get(f"/api/games/{game}").json()["state"]
    by_side = {"W": one, "B": two}
    for _ in range(60):
        quiet = [move for move in state["legal"] if "-" in move]
        by_side[state["turn"]].act(game, "move", move=(quiet or state["legal"])[0])
        state = one.program.get(f"/api/games/{game}").json()["state"]
        if state["huffable"]:
            break
    mover, square = by_side[state["turn"]], state["huffable"][0]
    assert mover.refused(game, "huff", square=51) == (409, "bad_move")
    mover.act(game, "huff", square=square)
    now = one.program.get(f"/api/games/{game}").json()["state"]
    assert (now["turn"], now["huffable"]) == (state["turn"], []), "the move follows"
    mover.act(game, "resign")


def test_an_illegal_move_is_explained(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)
    answer = one.program.http.post(
        f"/api/games/{game}/move", json={"move": "1-2"}, headers={"accept-language": "it"}
    )
    body = answer.json()
    assert (answer.status_code, body["where"]) == (422, "move")
    assert body["message"].endswith(".")
    assert one.refused(game, "move", move="nonsense")[0] == 422
    assert two.refused(game, "move", move="9-13") == (409, "not_your_turn")
    assert one.refused(game, "move", move="23-19", ply=7) == (409, "stale")
    one.act(game, "abort")
    assert one.refused(game, "move", move="23-19") == (409, "game_over")


def test_a_move_replayed_after_a_taking_back_is_refused(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)
    before = one.act(game, "move", move="23-19", ply=0, version=1)
    two.act(game, "move", move=one.program.get(f"/api/games/{game}").json()["state"]["legal"][0])
    one.act(game, "undo")
    two.act(game, "undo", accept=True)
    assert one.program.get(f"/api/games/{game}").json()["state"]["ply"] == 0
    replayed = one.refused(game, "move", move="23-19", ply=0, version=before["version"])
    assert replayed == (409, "stale")
    one.act(game, "abort")


def test_a_stream_says_that_a_move_was_taken_back(players: tuple[Player, Player]) -> None:
    one, two = players
    game = between(one, two)
    one.act(game, "move", move="23-19")
    with open_stream(two.program, f"/api/games/{game}/stream") as states:
        assert states.next("game")["state"]["ply"] == 1
        one.act(game, "undo")
        assert states.next("state")["undo_offer"] == "W"
        two.act(game, "undo", accept=True)
        assert states.next("state")["ply"] == 0
    one.act(game, "abort")


def test_players_cannot_act_for_others(players: tuple[Player, Player], server: Server) -> None:
    one, two = players
    game = between(one, two)
    third = Player(server)
    bodies: dict[str, Json] = {
        **{what: {} for what in ("resign", "draw", "undo", "abort", "claim", "time")},
        "move": {"move": "23-19"},
        "act": {"t": "resign"},
    }
    for what, body in bodies.items():
        assert third.refused(game, what, **body) == (403, "not_yours"), what
        assert two.refused(game, what, **body, side="W")[0] in {403, 409, 422}, what
    assert third.program.post(f"/api/games/{game}/join").status_code == 409
    state = one.program.get(f"/api/games/{game}").json()["state"]
    assert (state["ply"], state["result"]) == (0, None)
    one.act(game, "abort")
    third.browser.__exit__(None, None, None)


def test_a_seat_is_taken_by_one_of_many_tokens(
    players: tuple[Player, Player], server: Server
) -> None:
    one, _ = players
    game = open_game(one)
    with server.browser() as guest:
        others = [Player(server) for _ in range(3)]

        def take(at: int) -> int:
            if at == 0:
                return guest.post(f"/api/games/{game}/join", {}).status_code
            return others[at - 1].program.post(f"/api/games/{game}/join").status_code

        with ThreadPoolExecutor(4) as pool:
            statuses = sorted(pool.map(take, range(4)))
    assert statuses == [200, 409, 409, 409]
    for other in others:
        other.browser.__exit__(None, None, None)


def test_only_one_of_simultaneous_endings_counts(
    players: tuple[Player, Player],
) -> None:
    one, two = players
    for _ in range(3):
        game = between(one, two, clock=BLITZ)
        one.act(game, "move", move="23-19")
        legal = two.program.get(f"/api/games/{game}").json()["state"]["legal"]
        two.act(game, "move", move=legal[0])
        legal = one.program.get(f"/api/games/{game}").json()["state"]["legal"]
        asked: list[tuple[Player, str, Json]] = [
            (one, "resign", {}),
            (two, "resign", {}),
            (one, "move", {"move": legal[0], "ply": 2}),
            (two, "claim", {}),
            (one, "draw", {}),
        ]
        with one.program.live(game) as live, ThreadPoolExecutor(5) as pool:
            for _ in range(3):
                live.send("flag")
            sent = [
                pool.submit(player.program.post, f"/api/games/{game}/{what}", body)
                for player, what, body in asked
            ]
            answers = [each.result() for each in sent]
        ends = [a.json()["result"] for a in answers[:2] if a.status_code == 200]
        assert len(ends) == 1, "one of two resignations came first"
        state = one.program.get(f"/api/games/{game}").json()["state"]
        assert state["result"]["winner"] == ends[0]["winner"]
        assert one.program.get(f"/api/games/{game}/file").status_code == 200


def test_a_token_can_look_up_its_account(players: tuple[Player, Player]) -> None:
    one, _ = players
    body = one.program.get("/api/account").json()
    assert (body["name"], body["bot"]) == (one.name, False)
    assert body["scopes"] == ["read", "challenge", "play", "analysis", "bot"]


def test_a_program_makes_its_account_a_bot(server: Server) -> None:
    player = Player(server, "read", "bot", "challenge")
    assert player.program.post("/api/account/bot").json() == {"bot": True}
    assert player.program.get("/api/account").json()["bot"]
    game = open_game(player)
    data = player.program.get(f"/api/games/{game}").json()["game"]
    assert data["white"]["name"] == f"BOT {player.name}"
    written = player.program.get(f"/api/games/{game}/pdn").text
    assert '[WhiteType "program"]' in written
    assert '[BlackType "human"]' in written
    player.browser.__exit__(None, None, None)


def test_a_stream_ends_when_its_token_is_revoked(server: Server) -> None:
    player = Player(server)
    with open_stream(player.program, "/api/stream/events") as events:
        (entry,) = token_ids(player.browser)
        player.browser.http.post("/account/tokens/revoke", data={"token": entry})
        assert events.ended()
    player.browser.__exit__(None, None, None)


def test_an_account_has_only_so_many_streams(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(server, "read")
    streams = server.app.state.damka.streams
    monkeypatch.setattr(streams, "_per_account", 1)
    with open_stream(player.program, "/api/stream/events"):
        answer = player.program.get("/api/stream/events")
        assert (answer.status_code, answer.json()["error"]) == (429, "too_many_streams")
    player.browser.__exit__(None, None, None)


@pytest.mark.parametrize("name", ["Nobody", "", "%00", "a" * 300])
def test_missing_names_are_indistinguishable(players: tuple[Player, Player], name: str) -> None:
    one, _ = players
    game = open_game(one)
    answer = one.program.post(f"/api/games/{game}/offer/{name}")
    assert answer.status_code in {404, 405, 307}
    one.program.post(f"/api/games/{game}/cancel")


@pytest.mark.parametrize("game", ["A" * 22, "x", "..%2f..", "A" * 21 + "%0a"])
@pytest.mark.parametrize("what", ["", "/stream", "/pdn", "/file"])
def test_missing_games_are_indistinguishable(
    players: tuple[Player, Player], game: str, what: str
) -> None:
    answer = players[0].program.get(f"/api/games/{game}{what}")
    assert (answer.status_code, answer.json()["error"]) in {
        (404, "unknown_game"),
        (404, "not_found"),
    }


def test_an_invitation_is_found_by_its_code(
    players: tuple[Player, Player], stranger: Browser
) -> None:
    one, two = players
    game = open_game(one)
    with one.program.live(game) as live:
        code = live.state()["invitation"]["code"]
    data = two.program.get(f"/api/invitations/{code}").json()
    assert (data["id"], data["side"]) == (game, "B")
    assert two.program.get("/api/invitations/BBBB").status_code in {404, 429}
    one.program.post(f"/api/games/{game}/cancel")


def test_a_challenge_of_a_bot_stays_open_while_it_listens(
    players: tuple[Player, Player], server: Server
) -> None:
    _, other = players
    bot = Player(server)
    assert bot.program.post("/api/account/bot").status_code == 200
    with open_stream(bot.program, "/api/stream/events") as events:
        made = bot.program.post("/api/lobby", {"rules": "dama64"}).json()["id"]
        shown = {each["id"]: each for each in other.program.get("/api/lobby").json()}
        assert shown[made]["name"] == f"BOT {bot.name}"
        game = other.program.post(f"/api/lobby/{made}/accept").json()["id"]
        message = events.next("game_start")["game"]
        assert message["id"] == game
        assert f"BOT {bot.name}" in {message["white"]["name"], message["black"]["name"]}
        other.act(game, "abort")
        assert events.next("game_over")["game"]["result"]["reason"] == "aborted"
    bot.browser.__exit__(None, None, None)
