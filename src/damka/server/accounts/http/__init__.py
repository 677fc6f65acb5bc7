"""HTTP routes and pages of accounts. GET changes nothing; POST only comes from our own pages."""

from typing import Final

from fastapi import APIRouter

from damka.server.accounts.http import (
    entrance,
    keeping,
    passkey_api,
    person,
    preferences,
    profile,
    reports,
    safety,
    tokens,
)

__all__ = ["router"]

router: Final = APIRouter()
for each in (
    entrance,
    passkey_api,
    safety,
    preferences,
    keeping,
    profile,
    person,
    reports,
    tokens,
):
    router.include_router(each.router)
