"""One server for all lobby tests, with short pairing intervals."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.accounts.support import ROOMY
from tests.server.lobby.support import Guests
from tests.server.support import Server, serving


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    limits = dataclasses.replace(ROOMY, challenge_burst=100_000)
    folder = tmp_path_factory.mktemp("lobby")
    with serving(folder, limits=limits, wave_seconds=0.1) as server:
        yield server


@pytest.fixture
def guests(server: Server) -> Iterator[Guests]:
    """A factory of browsers for one test."""
    with ExitStack() as stack:
        yield Guests(server, stack)
