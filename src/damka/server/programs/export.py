"""Export of many games as one stream, with one game in memory at a time."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from damka.errors import DamkaError
from damka.live import saving
from damka.live.live_game import LiveGame
from damka.live.pdn_files import MEDIA_TYPE as PDN
from damka.server.events.game_tags import tags_for
from damka.server.fault_log import log_fault
from damka.server.programs import views
from damka.server.programs.json_lines import JSON_LINES
from damka.server.programs.messages import Format, GameRecord

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["MEDIA_TYPES", "export_games"]

log: Final = logging.getLogger(__name__)

MEDIA_TYPES: Final[dict[Format, str]] = {
    "pdn": f"{PDN}; charset=utf-8",
    "jsonl": JSON_LINES,
}


async def export_games(
    app_state: AppState,
    ids: AsyncIterator[str],
    format_: Format,
    language: str,
    site: str,
    *,
    unfinished: bool = False,
) -> AsyncGenerator[bytes, None]:
    """Yield the finished games as PDN, or as JSON lines with their game files.

    With `unfinished`, the running games as well.

    Games that cannot be written, because they are too long or have too many captures to list, are
    skipped. `site` is the URL of the server.
    """
    sessions = app_state.sessions
    async for game_id in ids:
        try:
            live = await sessions.load(game_id)
            if live is None or (live.result is None and not unfinished):
                continue
            tags = await tags_for(app_state.events, game_id, site)
            yield await sessions.rule_threads.run(partial(_record, live, format_, language, tags))
        except DamkaError as error:
            log_fault(log, error, "game %s: cannot export it", game_id, expected=True)


def _record(
    live: LiveGame, format_: Format, language: str, tags: Callable[[LiveGame], dict[str, str]]
) -> bytes:
    if format_ == "pdn":
        return f"{saving.save(live, 'pdn', tags(live)).text.strip()}\n\n".encode()
    # A game file has several lines; JSON lines need a single one.
    file = json.loads(saving.save(live, "json").text)
    started_at = None if live.started_at is None else live.started_at.isoformat()
    record = GameRecord(views.summary(live, None, language), started_at, file)
    return msgspec.json.encode(record) + b"\n"
