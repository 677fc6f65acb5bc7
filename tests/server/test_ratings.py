"""Rated games: requirements, rating changes, and no double counting."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from damka import pdn
from damka.rating import Game, Rating, aged, updated
from damka.server.accounts import history, members
from damka.server.store.account_models import AccountRow, RatingHistoryRow, RatingRow
from tests.server.accounts.support import ROOMY, form, store_of
from tests.server.lobby.support import Guests, accept, challenge, name_of, seek
from tests.server.online import BLITZ, create_invitation, play
from tests.server.support import Browser, Live, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = dataclasses.replace(ROOMY, challenge_burst=100_000)
    with serving(tmp_path_factory.mktemp("rated"), limits=limits, wave_seconds=0.1) as server:
        yield server


@pytest.fixture
def guests(server: Server) -> Iterator[Guests]:
    with ExitStack() as stack:
        yield Guests(server, stack)


def account_of(server: Server, browser: Browser) -> str:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name_of(browser))
    assert account is not None
    return account.id


def rating_of(server: Server, browser: Browser, rules: str = "dama64") -> Rating | None:
    account = account_of(server, browser)
    with store_of(server).transaction() as connection:
        ratings = history.ratings(connection, account)
    return next((Rating(*each.strength) for each in ratings if each.rules == rules), None)


def rate_at(server: Server, browser: Browser, rating: Rating, days: float) -> None:
    """Set a member's Dama64 rating, with the last game some days ago."""
    row = {
        "account_id": account_of(server, browser),
        "rules": "dama64",
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "games": 12,
        "last": datetime.now(UTC) - timedelta(days=days),
    }
    with store_of(server).transaction() as connection:
        connection.execute(insert(RatingRow), row)


def start_rated_game(first: Browser, second: Browser, **options: Any) -> tuple[Live, Live]:
    """Start a rated game between two members; return their connections, White's first."""
    challenge_id = challenge(first, rated=True, **options)
    response = accept(second, challenge_id)
    assert response.status_code == 200, response.text
    lives = [each.live(response.json()["id"]) for each in (first, second)]
    for each in lives:
        each.state()
    lives.sort(key=lambda live: live.current["you"] != ["W"])
    return lives[0], lives[1]


def resign(live: Live, other: Live) -> None:
    """Resign, and wait until both players have received the result."""
    live.send("resign")
    for each in (live, other):
        each.state(lambda state: state["result"])


def ratings_shown(live: Live) -> dict[str, tuple[str, str, int | None]]:
    return {
        side: (each["name"], each["rating"], each["diff"])
        for side, each in live.current["players"].items()
    }


def test_a_game_changes_both_ratings_by_glicko(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    strong, weak = Rating(1712.4, 64.2, 0.0581), Rating(1508.8, 131.0, 0.0611)
    rate_at(server, first, strong, 10)
    rate_at(server, second, weak, 3)
    white, black = start_rated_game(first, second)
    live_by_name = {name_of(first): white, name_of(second): black}
    if white.current["players"]["W"]["name"] != name_of(first):
        live_by_name = {name_of(first): black, name_of(second): white}
    assert white.current["rated"]
    assert {each[:2] for each in ratings_shown(white).values()} == {
        (name_of(first), "1712"),
        (name_of(second), "1509?"),
    }
    play(white, black, "22-18 11-15")
    resign(live_by_name[name_of(first)], live_by_name[name_of(second)])
    expected = {
        name_of(first): updated(strong, [Game(aged(weak, 3), 0)], 10),
        name_of(second): updated(weak, [Game(aged(strong, 10), 1)], 3),
    }
    for browser, old in ((first, strong), (second, weak)):
        actual, wanted = rating_of(server, browser), expected[name_of(browser)]
        assert actual is not None
        assert actual.rating == pytest.approx(wanted.rating, abs=0.01)
        assert actual.deviation == pytest.approx(wanted.deviation, abs=0.01)
        assert actual.volatility == pytest.approx(wanted.volatility, abs=1e-6)
        [diff] = [each[2] for each in ratings_shown(black).values() if each[0] == name_of(browser)]
        assert diff == round(wanted.rating) - round(old.rating)
    # API clients receive the same ratings.
    data = first.http.get(f"/api/games/{white.current['id']}").json()
    data = data.get("game", data)
    assert data["rated"]
    for side, name in (("W", "white"), ("B", "black")):
        player, displayed = data[name], white.current["players"][side]
        assert displayed["rating"] == f"{player['rating']}{'?' * player['provisional']}"
        assert player["rating_diff"] == displayed["diff"]
    # The ratings are the same after a reload, and on the profile.
    page = first.http.get(f"/@/{name_of(first)}").text
    assert str(round(expected[name_of(first)].rating)) in page
    reconnected = first.live(white.current["id"])
    reconnected.state()
    assert ratings_shown(reconnected) == ratings_shown(black)


def test_every_rated_game_adds_a_point_to_the_chart(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    for _ in range(2):
        white, black = start_rated_game(first, second)
        play(white, black, "22-18 11-15")
        resign(white, black)
    page = second.http.get(f"/@/{name_of(first)}").text
    assert "<svg" in page.split('class="ratings"')[-1]
    assert len(rated_games(server, first)) == 2
    export = first.http.post("/account/export").content
    assert export[:2] == b"PK"


def rated_games(server: Server, browser: Browser) -> list[Any]:
    account = account_of(server, browser)
    with store_of(server).transaction() as connection:
        query = select(RatingHistoryRow.game_id).where(RatingHistoryRow.account_id == account)
        return list(connection.execute(query).scalars())


def test_a_rated_game_is_analysed_only_once_it_is_over(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    game = white.current["id"]
    for path in (f"/api/games/{game}/tree", f"/analyse?game={game}"):
        refused = first.http.get(path)
        assert (refused.status_code, refused.json()["error"]) == (409, "rated_running")
    resign(white, black)
    for path in (f"/api/games/{game}/tree", f"/analyse?game={game}"):
        assert first.http.get(path).status_code == 200


def test_aborted_and_casual_games_are_not_rated(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    white.send("abort")
    black.state(lambda state: state["result"])
    white, black = start_rated_game(first, second)
    play(white, black, "22-18")
    black.send("resign")
    white.state(lambda state: state["result"])
    casual = accept(second, challenge(first, colour="first")).json()["id"]
    lives = first.live(casual), second.live(casual)
    for each in lives:
        each.state()
    play(*lives, "22-18 11-15")
    resign(*lives)
    assert lives[0].current["players"]["W"]["rating"] is None
    assert rating_of(server, first) is None
    assert rated_games(server, second) == []


def test_simultaneous_resignations_are_rated_once(server: Server, guests: Guests) -> None:
    """Both players resign at the same moment; only one of the results counts."""
    first, second = guests.members(2)
    for _ in range(3):
        white, black = start_rated_game(first, second)
        play(white, black, "22-18 11-15")
        white.send("resign")
        black.send("resign")
        for each in (white, black):
            each.state(lambda state: state["result"])
    assert len(rated_games(server, first)) == len(set(rated_games(server, first))) == 3
    with store_of(server).transaction() as connection:
        [rating] = history.ratings(connection, account_of(server, second))
    assert rating.games == 3


def test_result_and_ratings_are_stored_together(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failure while ratings are written also rolls back the result."""
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    play(white, black, "22-18 11-15")

    def fail(*_: object) -> None:
        raise RuntimeError("failure")

    with monkeypatch.context() as patch:
        patch.setattr(history, "record", fail)
        white.send("resign")
        assert white.closed_with() in {1006, 1011, 1000}
    assert rating_of(server, first) is None
    reconnected = first.live(white.current["id"])
    state = reconnected.state()
    assert state["result"] is None, "the result was not stored"
    reconnected.send("resign")
    reconnected.state(lambda state: state["result"])
    assert len(rated_games(server, first)) == len(rated_games(server, second)) == 1


def test_rated_games_have_no_takebacks_or_hints(guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    play(white, black, "22-18 11-15")
    assert not white.current["can"]["undo"]
    assert white.request("undo")["code"] == "no_takeback"
    assert black.request("hint")["code"] == "no_help"
    resign(white, black)


def test_a_saved_game_includes_the_ratings(guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    play(white, black, "22-18 11-15")
    resign(white, black)
    text = first.http.get(f"/api/games/{white.current['id']}/pdn").text
    [game] = pdn.read(text)
    assert (game.headers["WhiteRating"], game.headers["BlackRating"]) == ("1500", "1500")


def test_guests_and_the_computer_cannot_play_rated_games(guests: Guests) -> None:
    [guest], [first, second] = guests(1), guests.members(2)
    request = {"rules": "dama64", "opponent": "invite", "rated": True, "clock": BLITZ}
    response = guest.post("/api/games", request)
    assert (response.status_code, response.json()["error"]) == (403, "rated_members")
    game = create_invitation(first, rated=True, clock=BLITZ)
    live = first.live(game)
    assert live.state()["players"]["W"]["rating"] == "1500?"
    response = guest.post(f"/api/games/{game}/join", {"name": "Guest name"})
    assert (response.status_code, response.json()["error"]) == (403, "rated_members")
    response = first.post(f"/api/games/{game}/computer", {"level": 1})
    assert (response.status_code, response.json()["error"]) == (409, "rated")
    assert second.post(f"/api/games/{game}/join", {"name": "Another name"}).is_success
    state = live.state(lambda state: state["invitation"] is None)
    assert state["players"]["B"]["name"] == name_of(second), "under the member's own name"
    challenge_id = challenge(first, rated=True)
    assert accept(guest, challenge_id).json()["error"] == "rated_members"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"clock": None}, "rated_clock"),
        ({"opponent": "computer"}, "rated_clock"),
        ({"rules": "dama100", "obligation": "forced", "clock": BLITZ}, "rated_rules"),
        ({"rated": "yes"}, "bad_field"),
    ],
)
def test_invalid_rated_games_are_refused(
    guests: Guests, options: dict[str, Any], error: str
) -> None:
    [member] = guests.members(1)
    response = member.post(
        "/api/games", {"rules": "dama64", "opponent": "invite", "rated": True, **options}
    )
    assert (response.status_code, response.json()["error"]) == (422, error)


def test_the_rematch_is_rated_from_the_new_ratings(guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    play(white, black, "22-18 11-15")
    resign(white, black)
    game = white.current["id"]
    assert first.post(f"/api/games/{game}/rematch", {}).status_code == 202
    response = second.post(f"/api/games/{game}/rematch", {})
    assert response.status_code == 201
    rematch = first.live(response.json()["id"])
    state = rematch.state()
    assert state["rated"]
    before = {
        name: int(old.strip("?")) + (diff or 0) for name, old, diff in ratings_shown(white).values()
    }
    after = {name: int(new.strip("?")) for name, new, _ in ratings_shown(rematch).values()}
    assert after == before


def test_the_pool_pairs_members_for_rated_games(guests: Guests) -> None:
    first, second = guests.members(2)
    for each in (first, second):
        seek(each, rated=True, rules="russian")
    live = first.live(guests.watch(first).game())
    assert live.state()["rated"]
    assert {each[0] for each in ratings_shown(live).values()} == {name_of(first), name_of(second)}


def test_repeated_wins_against_a_bot_are_rated_once(server: Server, guests: Guests) -> None:
    member, bot = guests.members(2)
    with store_of(server).transaction() as connection:
        connection.execute(
            update(AccountRow)
            .where(AccountRow.id == account_id_in(connection, bot))
            .values(bot=True)
        )
    moves = ["22-18 11-15", "22-18 11-15", "22-18 12-16", "22-18 11-15"]
    changes = []
    for each in moves:
        while True:
            white, black = start_rated_game(member, bot)
            if white.current["players"]["W"]["name"] == name_of(member):
                break
            white.send("abort")
            black.state(lambda state: state["result"])
        play(white, black, each)
        before = len(rated_games(server, member))
        resign(black, white)
        changes.append(len(rated_games(server, member)) - before)
    # The fourth game repeats the second.
    assert changes == [1, 0, 1, 0]


def account_id_in(connection: Any, browser: Browser) -> str:
    account = members.find(connection, name_of(browser))
    assert account is not None
    return account.id


def test_closing_an_account_resigns_its_running_games(server: Server, guests: Guests) -> None:
    first, second = guests.members(2)
    white, black = start_rated_game(first, second)
    play(white, black, "22-18 11-15")
    without_moves, _ = start_rated_game(first, second)
    waiting = create_invitation(first, clock=BLITZ)
    challenge_id = challenge(first)
    one_screen = first.new_game()
    assert first.post(f"/api/games/{one_screen}/invite", {"side": "B"}).is_success
    response = form(first, "/account/close", name=name_of(first))
    assert response.status_code == 303, response.text
    opponent_live = second.live(white.current["id"])
    result = opponent_live.state(lambda state: state["result"])["result"]
    assert result["reason"] == "resignation"
    assert result["winner"] in opponent_live.current["you"]
    assert rating_of(server, second) is not None, "the game was rated"
    assert second.live(without_moves.current["id"]).state()["result"]["reason"] == "aborted"
    assert second.live(waiting).state()["result"]["reason"] == "aborted"
    assert accept(second, challenge_id).status_code == 409
    assert second.live(one_screen).state()["invitation"] is None
    assert second.post(f"/api/games/{one_screen}/join", {}).status_code == 409
