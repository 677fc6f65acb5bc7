"""HTTP routes and pages of events. GET changes nothing; POST only comes from our own pages."""

from typing import Final

from fastapi import APIRouter

from damka.server.events.http import arbiter, entry, making, pages, papers

__all__ = ["router"]

router: Final = APIRouter()
for each in (making, pages, papers, entry, arbiter):
    router.include_router(each.router)
