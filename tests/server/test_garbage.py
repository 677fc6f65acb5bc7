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

few_examples = settings(
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
near_messages = st.builds(
    lambda kind, rest: {"t": kind, **rest},
    kinds,
    st.dictionaries(fields, json_values | st.integers(-1, 200), max_size=4),
)
frames = st.one_of(
    st.text(max_size=200),
    json_values.map(json.dumps),
    near_messages.map(json.dumps),
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


@few_examples
@given(frames)
def test_any_frame_is_a_message_or_rejected(frame: str) -> None:
    message = messages.read(frame)
    assert message is None or isinstance(message, messages.ClientMessage)


@few_examples
@given(frame=frames | st.binary(max_size=200))
def test_no_frame_closes_the_connection(live: Live, frame: str | bytes) -> None:
    live.connection.send(frame)
    # The next message is answered after all others.
    live.send("ping")
    live.receive("pong")


@few_examples
@given(body=bodies)
def test_any_request_body_creates_a_game_or_returns_4xx(player: Browser, body: bytes) -> None:
    response = player.http.post("/api/games", content=body)
    assert response.status_code in {201, 400, 404, 422}
    if response.status_code != 201:
        assert {"error", "message"} <= response.json().keys()


@few_examples
@given(body=st.binary(max_size=300) | json_values.map(lambda value: json.dumps(value).encode()))
def test_random_files_are_refused(player: Browser, body: bytes) -> None:
    response = player.http.post("/api/games/load", content=body)
    assert (response.status_code, response.json()["error"]) == (422, "bad_file")


def corrupted_files() -> st.SearchStrategy[bytes]:
    """Return a valid game file with one part replaced."""
    game = Game("dama64")
    game.play("22-18")
    valid = game.to_json().encode()
    return st.builds(
        lambda at, length, patch: valid[:at] + patch + valid[at + length :],
        st.integers(0, len(valid)),
        st.integers(0, 30),
        st.binary(max_size=30),
    )


@few_examples
@given(body=corrupted_files())
def test_a_corrupted_file_is_loaded_or_refused(player: Browser, body: bytes) -> None:
    response = player.http.post("/api/games/load", content=body)
    assert response.status_code in {201, 422}
    if response.status_code == 201:
        live = player.live(response.json()["id"])
        live.state()
        live.close()


@few_examples
@given(path=st.text(max_size=40), body=st.binary(max_size=50))
def test_no_address_causes_a_server_error(player: Browser, path: str, body: bytes) -> None:
    try:
        url = player.http.build_request("GET", "/" + path).url
    except Exception:
        return
    for method in ("GET", "POST"):
        response = player.http.request(method, url, content=body)
        assert response.status_code in {200, 303, 307, 400, 403, 404, 405, 422}


@few_examples
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
