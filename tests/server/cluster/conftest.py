"""One PostgreSQL and one broker for all tests of several processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.cluster.databases import Broker, PostgreSql


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSql]:
    running = PostgreSql()
    yield running
    running.close()


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker]:
    running = Broker()
    yield running
    running.close()


@pytest.fixture
def url(postgresql: PostgreSql) -> str:
    """A new, empty database."""
    return postgresql.new_database()
