"""Invalid input gets a 4xx status or an error frame, never a server error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damka.game import Game
from damka.live import events, messages
from tests.server.support import Browser, Live, Server

quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
kinds = st.sampled_from(
    ["move", "why", "huff", "undo", "undo_answer", "draw", "draw_answer", "hint", "ping", "state"]
)
fields = st.sampled_from(["ply", "move", "clicks", "square", "ok", "side", "version", "lang"])
almost = st.builds(
    lambda kind, rest: {"t": kind, **rest},
    kinds,
    st.dictionaries(fields, json_values | st.integers(-1, 200), max_size=4),
)
frames = st.one_of(
    st.text(max_size=200),
    json_values.map(json.dumps),
    almost.map(json.dumps),
)
bodies = st.one_of(
    st.binary(max_size=300),
    json_values.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(
        st.sampled_from(["rules", "opponent", "level", "colour", "obligation", "x"]),
        json_values | st.sampled_from(["dama64", "person", "first"]),
        max_size=6,
    ).map(lambda value: json.dumps(value).encode()),
)


@pytest.fixture(scope="module")
def player(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def live(player: Browser) -> Live:
    live = player.live(player.new_game())
    live.state()
    return live


@quick
@given(frames)
def test_any_frame_is_a_message_or_rejected(frame: str) -> None:
    message = messages.read(frame)
    assert message is None or isinstance(message, messages.ClientMessage)


@quick
@given(frame=frames | st.binary(max_size=200))
def test_any_frame_is_answered_and_the_connection_stays_open(
    live: Live, frame: str | bytes
) -> None:
    live.connection.send(frame)
    # The next message is also answered, after all others.
    live.send("ping")
    live.receive("pong")


@quick
@given(body=bodies)
def test_any_request_for_a_game_is_answered_with_a_game_or_4xx(
    player: Browser, body: bytes
) -> None:
    answer = player.http.post("/api/games", content=body)
    assert answer.status_code in {201, 400, 404, 422}
    if answer.status_code != 201:
        assert {"error", "message"} <= answer.json().keys()


@quick
@given(body=st.binary(max_size=300) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_file_is_answered_with_4xx(player: Browser, body: bytes) -> None:
    answer = player.http.post("/api/games/load", content=body)
    assert (answer.status_code, answer.json()["error"]) == (422, "bad_file")


def corrupted() -> st.SearchStrategy[bytes]:
    """Return a valid game file with one part replaced."""
    game = Game("dama64")
    game.play("22-18")
    good = game.to_json().encode()
    return st.builds(
        lambda at, length, patch: good[:at] + patch + good[at + length :],
        st.integers(0, len(good)),
        st.integers(0, 30),
        st.binary(max_size=30),
    )


@quick
@given(body=corrupted())
def test_a_corrupted_file_is_loaded_or_refused(player: Browser, body: bytes) -> None:
    answer = player.http.post("/api/games/load", content=body)
    assert answer.status_code in {201, 422}
    if answer.status_code == 201:
        live = player.live(answer.json()["id"])
        live.state()
        live.close()


@quick
@given(path=st.text(max_size=40), body=st.binary(max_size=50))
def test_any_address_is_answered(player: Browser, path: str, body: bytes) -> None:
    try:
        url = player.http.build_request("GET", "/" + path).url
    except Exception:
        return
    for method in ("GET", "POST"):
        answer = player.http.request(method, url, content=body)
        assert answer.status_code in {200, 303, 307, 400, 403, 404, 405, 422}


@quick
@given(
    kind=st.sampled_from(["move", "huff", "undo", "draw_offer", "resign", "nonsense"]),
    payload=st.dictionaries(st.sampled_from(["side", "hub", "steps", "square"]), json_values),
)
def test_a_log_entry_is_read_or_refused(kind: str, payload: dict[str, Any]) -> None:
    try:
        event = events.read(kind, payload)
    except msgspec.ValidationError:
        return
    assert events.payload_of(event) | payload == events.payload_of(event)
