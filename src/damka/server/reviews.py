"""Requests of a review whose searches the page does on its device."""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from damka.live import requests, reviews
from damka.server.api import app_state_of, guard_post, language_of
from damka.server.compression import json_response

__all__ = ["router"]

router: Final = APIRouter()


@router.post("/api/review/steps")
async def review_steps(request: Request) -> Response:
    """Return the review by the evaluations so far, and the next searches."""
    guard_post(request)
    steps = requests.read(await request.body(), reviews.StepsRequest)
    language = language_of(request)
    # Not in the threads of the games: many evaluations take a second.
    async with app_state_of(request).page_slots:
        answer = await asyncio.to_thread(reviews.steps, steps, language)
    return await json_response(request, answer)


@router.post("/api/review/judge")
async def judge_move(request: Request) -> Response:
    """Return the verdict on a retried move, or the next search for it."""
    guard_post(request)
    retried = requests.read(await request.body(), reviews.JudgeRequest)
    async with app_state_of(request).page_slots:
        answer = await asyncio.to_thread(reviews.judge, retried)
    return await json_response(request, answer)
