"""Routes for programs. They also accept a browser's cookie."""

from typing import Final

from fastapi import APIRouter

from damka.server.programs.http import account, export, lobby, play, streams

__all__ = ["router"]

router: Final = APIRouter()
for each in (account, export, lobby, play, streams):
    router.include_router(each.router)
