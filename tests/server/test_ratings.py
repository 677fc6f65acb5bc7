"""Rated games: permission, rating changes, and no double counting."""

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
from tests.server.online import BLITZ, invited, play
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
        found = history.ratings(connection, account)
    return next((Rating(*each.strength) for each in found if each.rules == rules), None)


def rate_at(server: Server, browser: Browser, rating: Rating, days: float) -> None:
    """Give a member a rating at Dama64, with the last game some days ago."""
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


def begin(one: Browser, two: Browser, **options: Any) -> tuple[Live, Live]:
    """Let two members start a rated game; return their connections, White's first."""
    made = challenge(one, rated=True, **options)
    answer = accept(two, made)
    assert answer.status_code == 200, answer.text
    lives = [each.live(answer.json()["id"]) for each in (one, two)]
    for each in lives:
        each.state()
    lives.sort(key=lambda live: live.now["you"] != ["W"])
    return lives[0], lives[1]


def end(live: Live, other: Live) -> None:
    """Let a player resign; both receive the result."""
    live.send("resign")
    for each in (live, other):
        each.state(lambda state: state["result"])


def names(live: Live) -> dict[str, tuple[str, str, int | None]]:
    return {
        side: (each["name"], each["rating"], each["diff"])
        for side, each in live.now["players"].items()
    }


def test_a_game_changes_both_ratings_as_the_library_says(server: Server, guests: Guests) -> None:
    one, two = guests.members(2)
    strong, weak = Rating(1712.4, 64.2, 0.0581), Rating(1508.8, 131.0, 0.0611)
    rate_at(server, one, strong, 10)
    rate_at(server, two, weak, 3)
    white, black = begin(one, two)
    mine = {name_of(one): white, name_of(two): black}
    if white.now["players"]["W"]["name"] != name_of(one):
        mine = {name_of(one): black, name_of(two): white}
    assert white.now["rated"]
    assert {each[:2] for each in names(white).values()} == {
        (name_of(one), "1712"),
        (name_of(two), "1509?"),
    }
    play(white, black, "22-18 11-15")
    end(mine[name_of(one)], mine[name_of(two)])
    expected = {
        name_of(one): updated(strong, [Game(aged(weak, 3), 0)], 10),
        name_of(two): updated(weak, [Game(aged(strong, 10), 1)], 3),
    }
    for browser, old in ((one, strong), (two, weak)):
        got, want = rating_of(server, browser), expected[name_of(browser)]
        assert got is not None
        assert got.rating == pytest.approx(want.rating, abs=0.01)
        assert got.deviation == pytest.approx(want.deviation, abs=0.01)
        assert got.volatility == pytest.approx(want.volatility, abs=1e-6)
        [diff] = [each[2] for each in names(black).values() if each[0] == name_of(browser)]
        assert diff == round(want.rating) - round(old.rating)
    # Programs receive the same.
    data = one.http.get(f"/api/games/{white.now['id']}").json()
    data = data.get("game", data)
    assert data["rated"]
    for side, name in (("W", "white"), ("B", "black")):
        player, shown = data[name], white.now["players"][side]
        assert shown["rating"] == f"{player['rating']}{'?' * player['provisional']}"
        assert player["rating_diff"] == shown["diff"]
    # It is the same after a reload, and the profile's chart has a point.
    page = one.http.get(f"/@/{name_of(one)}").text
    assert str(round(expected[name_of(one)].rating)) in page
    begin_again = one.live(white.now["id"])
    begin_again.state()
    assert names(begin_again) == names(black)


def test_the_chart_fills(server: Server, guests: Guests) -> None:
    one, two = guests.members(2)
    for _ in range(2):
        white, black = begin(one, two)
        play(white, black, "22-18 11-15")
        end(white, black)
    page = two.http.get(f"/@/{name_of(one)}").text
    assert "<svg" in page.split('class="ratings"')[-1]
    assert len(points(server, one)) == 2
    export = one.http.post("/account/export").content
    assert export[:2] == b"PK"


def points(server: Server, browser: Browser) -> list[Any]:
    account = account_of(server, browser)
    with store_of(server).transaction() as connection:
        query = select(RatingHistoryRow.game_id).where(RatingHistoryRow.account_id == account)
        return list(connection.execute(query).scalars())


def test_what_is_not_rated(server: Server, guests: Guests) -> None:
    one, two = guests.members(2)
    white, black = begin(one, two)
    white.send("abort")
    black.state(lambda state: state["result"])
    white, black = begin(one, two)
    play(white, black, "22-18")
    black.send("resign")
    white.state(lambda state: state["result"])
    casual = accept(two, challenge(one, colour="first")).json()["id"]
    lives = one.live(casual), two.live(casual)
    for each in lives:
        each.state()
    play(*lives, "22-18 11-15")
    end(*lives)
    assert lives[0].now["players"]["W"]["rating"] is None
    assert rating_of(server, one) is None
    assert points(server, two) == []


def test_an_end_that_is_written_again_is_not_rated_again(server: Server, guests: Guests) -> None:
    """Both resign at the same moment: one of the two results counts."""
    one, two = guests.members(2)
    for _ in range(3):
        white, black = begin(one, two)
        play(white, black, "22-18 11-15")
        white.send("resign")
        black.send("resign")
        for each in (white, black):
            each.state(lambda state: state["result"])
    assert len(points(server, one)) == len(set(points(server, one))) == 3
    with store_of(server).transaction() as connection:
        [rating] = history.ratings(connection, account_of(server, two))
    assert rating.games == 3


def test_a_crash_between_loses_and_doubles_nothing(
    server: Server, guests: Guests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rating is in the result's transaction: both are written, or neither."""
    one, two = guests.members(2)
    white, black = begin(one, two)
    play(white, black, "22-18 11-15")

    def fail(*_: object) -> None:
        raise RuntimeError("the power fails here")

    with monkeypatch.context() as patch:
        patch.setattr(history, "record", fail)
        white.send("resign")
        assert white.closed_with() in {1006, 1011, 1000}
    assert rating_of(server, one) is None
    again = one.live(white.now["id"])
    state = again.state()
    assert state["result"] is None, "it was not written"
    again.send("resign")
    again.state(lambda state: state["result"])
    assert len(points(server, one)) == len(points(server, two)) == 1


def test_nothing_is_taken_back(guests: Guests) -> None:
    one, two = guests.members(2)
    white, black = begin(one, two)
    play(white, black, "22-18 11-15")
    assert not white.now["can"]["undo"]
    assert white.ask("undo")["code"] == "no_takeback"
    assert black.ask("hint")["code"] == "no_help"
    end(white, black)


def test_a_saved_game_includes_the_ratings(guests: Guests) -> None:
    one, two = guests.members(2)
    white, black = begin(one, two)
    play(white, black, "22-18 11-15")
    end(white, black)
    text = one.http.get(f"/api/games/{white.now['id']}/pdn").text
    [game] = pdn.read(text)
    assert (game.headers["WhiteRating"], game.headers["BlackRating"]) == ("1500", "1500")


def test_guests_and_the_computer_play_no_rated_games(guests: Guests) -> None:
    [guest], [one, two] = guests(1), guests.members(2)
    asked = {"rules": "dama64", "opponent": "invite", "rated": True, "clock": BLITZ}
    answer = guest.post("/api/games", asked)
    assert (answer.status_code, answer.json()["error"]) == (403, "rated_members")
    game = invited(one, rated=True, clock=BLITZ)
    live = one.live(game)
    assert live.state()["players"]["W"]["rating"] == "1500?"
    answer = guest.post(f"/api/games/{game}/join", {"name": "Nobody"})
    assert (answer.status_code, answer.json()["error"]) == (403, "rated_members")
    answer = one.post(f"/api/games/{game}/computer", {"level": 1})
    assert (answer.status_code, answer.json()["error"]) == (409, "rated")
    assert two.post(f"/api/games/{game}/join", {"name": "Somebody else"}).is_success
    state = live.state(lambda state: state["invitation"] is None)
    assert state["players"]["B"]["name"] == name_of(two), "under the member's own name"
    made = challenge(one, rated=True)
    assert accept(guest, made).json()["error"] == "rated_members"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"clock": None}, "rated_clock"),
        ({"opponent": "computer"}, "rated_clock"),
        ({"rules": "dama100", "obligation": "forced", "clock": BLITZ}, "rated_rules"),
        ({"rated": "yes"}, "bad_field"),
    ],
)
def test_what_cannot_be_rated(guests: Guests, options: dict[str, Any], error: str) -> None:
    [one] = guests.members(1)
    answer = one.post(
        "/api/games", {"rules": "dama64", "opponent": "invite", "rated": True, **options}
    )
    assert (answer.status_code, answer.json()["error"]) == (422, error)


def test_the_rematch_is_rated_from_the_new_ratings(guests: Guests) -> None:
    one, two = guests.members(2)
    white, black = begin(one, two)
    play(white, black, "22-18 11-15")
    end(white, black)
    game = white.now["id"]
    assert one.post(f"/api/games/{game}/rematch", {}).status_code == 202
    answer = two.post(f"/api/games/{game}/rematch", {})
    assert answer.status_code == 201
    again = one.live(answer.json()["id"])
    state = again.state()
    assert state["rated"]
    before = {name: int(old.strip("?")) + (diff or 0) for name, old, diff in names(white).values()}
    after = {name: int(new.strip("?")) for name, new, _ in names(again).values()}
    assert after == before


def test_a_pool_pairs_members_for_a_rated_game(guests: Guests) -> None:
    one, two = guests.members(2)
    for each in (one, two):
        seek(each, rated=True, rules="russian")
    live = one.live(guests.watch(one).game())
    assert live.state()["rated"]
    assert {each[0] for each in names(live).values()} == {name_of(one), name_of(two)}


def test_repeating_a_win_against_a_program_does_not_count(server: Server, guests: Guests) -> None:
    one, program = guests.members(2)
    with store_of(server).transaction() as connection:
        connection.execute(
            update(AccountRow)
            .where(AccountRow.id == account_of_in(connection, program))
            .values(bot=True)
        )
    moves = ["22-18 11-15", "22-18 11-15", "22-18 12-16", "22-18 11-15"]
    counted = []
    for each in moves:
        while True:
            white, black = begin(one, program)
            if white.now["players"]["W"]["name"] == name_of(one):
                break
            white.send("abort")
            black.state(lambda state: state["result"])
        play(white, black, each)
        before = len(points(server, one))
        end(black, white)
        counted.append(len(points(server, one)) - before)
    # The fourth is like the second, two games earlier.
    assert counted == [1, 0, 1, 0]


def account_of_in(connection: Any, browser: Browser) -> str:
    account = members.find(connection, name_of(browser))
    assert account is not None
    return account.id


def test_closing_an_account_resigns_its_running_games(server: Server, guests: Guests) -> None:
    one, two = guests.members(2)
    white, black = begin(one, two)
    play(white, black, "22-18 11-15")
    unbegun, _ = begin(one, two)
    waiting = invited(one, clock=BLITZ)
    made = challenge(one)
    screen = one.new_game()
    assert one.post(f"/api/games/{screen}/invite", {"side": "B"}).is_success
    answer = form(one, "/account/close", name=name_of(one))
    assert answer.status_code == 303, answer.text
    theirs = two.live(white.now["id"])
    result = theirs.state(lambda state: state["result"])["result"]
    assert result["reason"] == "resignation"
    assert result["winner"] in theirs.now["you"]
    assert rating_of(server, two) is not None, "it was rated"
    assert two.live(unbegun.now["id"]).state()["result"]["reason"] == "aborted"
    assert two.live(waiting).state()["result"]["reason"] == "aborted"
    assert accept(two, made).status_code == 409
    assert two.live(screen).state()["invitation"] is None
    assert two.post(f"/api/games/{screen}/join", {}).status_code == 409
