"""Requests generated from the API description: no server errors, and valid responses.

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

from damka.live.files import MEDIA_TYPE as PDN
from damka.server.openapi.document import openapi
from tests.server.events import support as event_support
from tests.server.online import code_of, create_invitation
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


@schemathesis.serializer(PDN)
def _serialize_pdn(_: Any, value: Any) -> bytes:
    return str(value).encode("utf-8", "replace")


SCHEMA: Final[Any] = schemathesis.openapi.from_dict(openapi())
OPERATIONS: Final = {
    each.label: each for each in (result.ok() for result in SCHEMA.get_all_operations()) if each
}


class ApiTarget:
    """A server with objects for the requests."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self.url: Final = server.url
        player = Player(server)
        stack.enter_context(player.browser)
        other = stack.enter_context(server.browser())
        self.session: Final = stack.enter_context(requests.Session())
        waiting = other.live(create_invitation(other))
        waiting.state()
        event = event_support.create_event(other, server)
        code = code_of(waiting)
        waiting.close()
        pdn = '[GameType "21,B,8,8,N1,0"]\n\n1. 11-15 *'
        new = {"title": "Shots", "chapters": [{"pdn": pdn}, {"pdn": pdn}]}
        study = player.browser.post("/api/studies", new).json()
        self.known: Final[dict[str, list[str]]] = {
            "game_id": [player.program.game(), waiting.current["id"]],
            "event_id": [event.rpartition("/")[2]],
            "code": [code],
            "name": [player.name],
            "study_id": [study["id"]],
            "chapter_id": [each["id"] for each in study["chapters"]],
        }
        token = player.program.headers["authorization"]
        self.headers: Final[list[dict[str, str]]] = [{}, {"authorization": token}]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiTarget]:
    folder: Path = tmp_path_factory.mktemp("schemathesis")
    with serving(folder, limits=LIMITS) as server, ExitStack() as stack:
        yield ApiTarget(server, stack)
        server.app.state.damka.stop_streams()


def is_stream(operation: Any) -> bool:
    """Return whether the response of an operation is a stream."""
    responses = operation.definition.raw["responses"]
    return any(
        "x-ndjson" in kind for each in responses.values() for kind in each.get("content", ())
    )


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_responses_conform_to_the_description(target: ApiTarget, label: str) -> None:
    operation = OPERATIONS[label]
    streams = is_stream(operation)

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
        for name, known in target.known.items():
            if name in (case.path_parameters or {}) and data.draw(st.booleans(), label="known"):
                case.path_parameters[name] = data.draw(st.sampled_from(known), label=name)
        headers = data.draw(st.sampled_from(target.headers), label="headers")
        if streams:
            _read_beginning(case, target, headers)
        else:
            case.call_and_validate(
                base_url=target.url,
                headers=headers,
                session=target.session,
                checks=CHECKS,
                timeout=20,
            )

    run()


def _read_beginning(case: Any, target: ApiTarget, headers: dict[str, str]) -> None:
    """Send a request for a stream, and read only its beginning."""
    arguments = case.as_transport_kwargs(base_url=target.url, headers=headers)
    with target.session.request(**arguments, stream=True, timeout=20) as response:
        documented = case.operation.definition.raw["responses"]
        assert response.status_code < 500
        assert str(response.status_code) in documented
