"""HTTP routes and pages of events. GET changes nothing; POST only comes from our own pages."""

from typing import Final

from fastapi import APIRouter

from damka.server.events.http import arbiter, creation, pages, players, printouts

__all__ = ["router"]

router: Final = APIRouter()
for each in (creation, pages, printouts, players, arbiter):
    router.include_router(each.router)
