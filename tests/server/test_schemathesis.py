"""Requests generated from the API description: no server errors, and conforming answers.

Each operation gets twenty valid and invalid requests from a fixed seed; half of the ids are of
existing games, events and members. For longer runs: `DAMKA_SCHEMATHESIS_EXAMPLES=2000 pytest
tests/server/test_schemathesis.py --hypothesis-seed=1`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import checks

from damka.server.openapi.document import openapi
from tests.server.events import support as of_events
from tests.server.online import code_of, invited
from tests.server.programs import Player
from tests.server.support import LIMITS, Server, serving

EXAMPLES: Final = int(os.environ.get("DAMKA_SCHEMATHESIS_EXAMPLES", "20"))
SEED: Final = int(os.environ.get("DAMKA_SCHEMATHESIS_SEED", "33"))
CHECKS: Final = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
SCHEMA: Final[Any] = schemathesis.openapi.from_dict(openapi())
OPERATIONS: Final = {
    each.label: each for each in (found.ok() for found in SCHEMA.get_all_operations()) if each
}


class Place:
    """A server with objects for the requests."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.url: Final = server.url
        player = Player(server)
        stack.enter_context(player.browser)
        other = stack.enter_context(server.browser())
        self.session: Final = stack.enter_context(requests.Session())
        waiting = other.live(invited(other))
        waiting.state()
        event = of_events.make(other, server)
        code = code_of(waiting)
        waiting.close()
        self.known: Final[dict[str, list[str]]] = {
            "game_id": [player.program.game(), waiting.now["id"]],
            "event_id": [event.rpartition("/")[2]],
            "code": [code],
            "name": [player.name],
        }
        token = player.program.headers["authorization"]
        self.headers: Final[list[dict[str, str]]] = [{}, {"authorization": token}]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder: Path = tmp_path_factory.mktemp("schemathesis")
    with serving(folder, limits=LIMITS) as server, ExitStack() as stack:
        yield Place(server, stack)
        server.app.state.damka.stop_streams()


def streams(operation: Any) -> bool:
    """Return whether an operation's answer is a stream."""
    answers = operation.definition.raw["responses"]
    return any("x-ndjson" in kind for each in answers.values() for kind in each.get("content", ()))


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_no_answer_breaks_the_description(place: Place, label: str) -> None:
    operation = OPERATIONS[label]
    goes_on = streams(operation)

    @seed(SEED)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), data=st.data())
    def run(case: Any, data: st.DataObject) -> None:
        for name, known in place.known.items():
            if name in (case.path_parameters or {}) and data.draw(st.booleans(), label="known"):
                case.path_parameters[name] = data.draw(st.sampled_from(known), label=name)
        headers = data.draw(st.sampled_from(place.headers), label="headers")
        if goes_on:
            _begin(case, place, headers)
        else:
            case.call_and_validate(
                base_url=place.url,
                headers=headers,
                session=place.session,
                checks=CHECKS,
                timeout=20,
            )

    run()


def _begin(case: Any, place: Place, headers: dict[str, str]) -> None:
    """Send a request for a stream, and read only its beginning."""
    sent = case.as_transport_kwargs(base_url=place.url, headers=headers)
    with place.session.request(**sent, stream=True, timeout=20) as answer:
        documented = case.operation.definition.raw["responses"]
        assert answer.status_code < 500
        assert str(answer.status_code) in documented
