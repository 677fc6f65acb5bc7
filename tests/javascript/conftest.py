"""The package on a plain file server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chromium import Host, browser
from tests.javascript.support import Node, built

__all__ = ["browser"]


@pytest.fixture(scope="package")
def host() -> Iterator[Host]:
    with Host(built()) as host:
        yield host


@pytest.fixture(scope="package")
def node() -> Iterator[Node]:
    with Node() as node:
        yield node
