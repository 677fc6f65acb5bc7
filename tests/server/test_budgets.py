"""Budgets of nodes, without a server."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from damka.server.analysis.budgets import Budgets, Payer, UsedUpProblem
from damka.server.settings import Limits
from damka.server.store.analysis_models import BudgetRow

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CAPACITY = 1000


def test_a_charge_is_counted_once_while_it_is_written() -> None:
    """Between the commit and its end, a charge is neither counted twice nor forgotten."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    BudgetRow.metadata.create_all(engine)

    async def test() -> None:
        committed, ended = asyncio.Event(), asyncio.Event()

        async def read(call: Callable[[Connection], Any]) -> Any:
            with engine.begin() as connection:
                return call(connection)

        async def write(call: Callable[[Connection], Any]) -> Any:
            with engine.begin() as connection:
                result = call(connection)
            committed.set()
            await ended.wait()
            return result

        budgets = Budgets(read, write, lambda: NOW)
        limits = dataclasses.replace(Limits(), analysis_address_nodes=CAPACITY)
        payer = Payer("192.0.2.1", None, limits)
        (await budgets.reserve(payer, 400)).settle(400)
        await committed.wait()
        second = asyncio.create_task(budgets.reserve(payer, 400))
        for _ in range(5):
            await asyncio.sleep(0)
        ended.set()
        (await second).settle(400)
        await budgets.close()
        with pytest.raises(UsedUpProblem):
            await budgets.reserve(payer, 400)

    asyncio.run(test())
