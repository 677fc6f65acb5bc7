"""HTTP routes and pages of accounts. GET changes nothing; POST is accepted from our pages only."""

from typing import Final

from fastapi import APIRouter

from damka.server.accounts.http import (
    account_data,
    lesson_stars,
    login,
    login_security,
    passkey_api,
    person,
    preferences,
    profile,
    reports,
    tokens,
)

__all__ = ["router"]

router: Final = APIRouter()
for each in (
    login,
    passkey_api,
    login_security,
    preferences,
    lesson_stars,
    account_data,
    profile,
    person,
    reports,
    tokens,
):
    router.include_router(each.router)
