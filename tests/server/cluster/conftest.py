"""One PostgreSQL server, one broker and two processes for all cluster tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.cluster.fleet import Fleet
from tests.services import Broker, PostgreSql


@pytest.fixture(scope="package")
def postgresql() -> Iterator[PostgreSql]:
    with PostgreSql() as running:
        yield running


@pytest.fixture(scope="package")
def broker() -> Iterator[Broker]:
    with Broker() as running:
        yield running


@pytest.fixture(scope="package")
def fleet(postgresql: PostgreSql, broker: Broker) -> Iterator[Fleet]:
    fleet = Fleet(postgresql, broker)
    yield fleet
    fleet.end()


@pytest.fixture
def url(postgresql: PostgreSql) -> str:
    """Create an empty database."""
    return postgresql.new_database()
