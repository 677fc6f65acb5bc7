"""The games of this browser, and the open game of the window.

Every change, including a move of the computer, is first stored as a log entry of the game, and then
sent to the page.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec

from damka import locales
from damka.engine import levels
from damka.errors import DamkaError, MoveError, PositionTooComplexError
from damka.live import actions, messages, setup
from damka.live.events import Event
from damka.live.live_game import LiveGame
from damka.live.problems import Problem, Refused
from damka.live.replay import require_showable
from damka.live.search_request import decide_steps
from damka.live.sentences import Paused
from damka.live.state import refusal, rules_url, state
from damka_site.search import Searcher, SearchFailedError, StoppedError, run_search
from damka_site.store import (
    NewerVersionError,
    StorageError,
    Store,
    StoredElsewhereError,
    StoredResult,
    record_of,
    restore,
)

__all__ = ["HOLDER", "Game", "Games"]

HOLDER: Final = "here"
"""The holder of all seats: the user of this browser."""

HINT_LEVEL: Final = 7
MAX_EVENTS: Final = 5000
SAVE_DELAY_SECONDS: Final = 0.3
"""Delay before a displayed state is stored."""

Send = Callable[[str], object]

_DAMAGED: Final = (
    msgspec.MsgspecError,
    DamkaError,
    ArithmeticError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Errors raised by a damaged record or log."""


class Games:
    """The games in the store. `searcher` finds the computer's moves."""

    def __init__(self, store: Store, searcher: Searcher) -> None:
        self.store: Final = store
        self.searcher: Final = searcher

    async def create(self, game_setup: setup.GameSetup) -> str:
        """Store a new game; return its id. Raises Problem when storage is full."""
        try:
            game_id = await self.store.create(
                game_setup.id, record_of(game_setup), game_setup.previous
            )
        except NewerVersionError as error:
            raise Problem(422, "newer_game") from error
        except StorageError as error:
            raise Problem(507, "full") from error
        return game_id

    async def load(self, game_id: str) -> LiveGame:
        """Return a game.

        Raises Problem for an unknown game, and for one that is damaged or of a newer version.
        """
        try:
            record_and_log = await self.store.load(game_id)
            if record_and_log is None:
                raise Problem(404, "unknown_game")
            return LiveGame(restore(*record_and_log))
        except Problem:
            raise
        except NewerVersionError as error:
            raise Problem(422, "newer_game") from error
        except StorageError as error:
            raise Problem(503, "no_games", detail=str(error)[:300]) from error
        except _DAMAGED as error:
            raise Problem(422, "bad_game", detail=str(error)[:300]) from error

    async def shown(self, game_id: str, language: str) -> str:
        """Return a page's initial state as JSON, and store it. Raises Problem as `load`."""
        return await Game(await self.load(game_id), self, language, _discard).save_shown()

    async def open(self, game_id: str, language: str, send: Send) -> Game:
        """Open a game for a page, which receives every change. Raises Problem as `load`."""
        game = Game(await self.load(game_id), self, language, send)
        game.publish()
        game.wake()
        return game


def _discard(_: str) -> None:
    pass


class Game:
    """An open game of a window."""

    def __init__(self, live: LiveGame, games: Games, language: str, send: Send) -> None:
        self.live = live
        self._games: Final = games
        self._language: Final = language
        self._send: Final = send
        self._you: Final = live.sides_of(HOLDER)
        self._lock: Final = asyncio.Lock()
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._opponent: asyncio.Task[None] | None = None
        self._hinting: asyncio.Task[None] | None = None
        self._saving: asyncio.Task[None] | None = None
        self._paused = False
        self._halt_code = ""

    async def receive(self, frame: str) -> None:
        """Handle a message of the page."""
        message = messages.read(frame)
        try:
            match message:
                case None:
                    self._refuse("bad_message")
                case messages.Ping():
                    self._send_message(messages.Pong())
                case messages.Why() | messages.WhyAllowed():
                    self._send_message(actions.answer(self.live, message, self._language))
                case messages.Hint():
                    self._hint()
                case messages.Flag() | messages.Claim():
                    self._refuse("no_clock")
                case messages.Watchers():
                    self._refuse("bad_message")
                case _:
                    await self._act(lambda live: actions.event(live, self._you, message))
        except (Refused, StorageError) as error:
            self._refuse(error.code)
            if error.code == "stale":
                self.publish()
        except Problem:
            # The stored game has become unreadable.
            self._refuse("not_kept")
        except PositionTooComplexError:
            self._refuse("too_complex")
        except MoveError as error:
            self._send_message(refusal(self.live, error.refusal, (), self._language))

    def publish(self) -> None:
        """Send the game's state to the page, and store it later."""
        self._send(messages.encode(self._state()))
        if self._saving is None:
            self._saving = self._spawn(self._save_later())

    async def _save_later(self) -> None:
        await asyncio.sleep(SAVE_DELAY_SECONDS)
        await self._games.store.load_rest()
        self._saving = None
        await self.save_shown()

    async def save_shown(self) -> str:
        """Store the state to show while the site starts; return it as JSON."""
        from damka.pages import contexts, rulesets  # noqa: PLC0415  not needed to start a game

        live, language = self.live, self._language
        card = contexts.running_game(live, HOLDER, language)
        shown = {
            "id": live.id,
            "state": self._state(),
            "page": {"lang": language, "rules": rulesets.data(live.rules, language)},
            "title": live.rules.title_in(language),
            "rules_url": rules_url(live),
            "two_people": live.computer is None,
            "broad": live.rules.width > live.rules.height,
            "card": {**card, "svg": str(card["svg"]), "over": live.result is not None},
        }
        text = msgspec.json.encode(shown).decode()
        await self._games.store.save_shown(live.id, text)
        return text

    def wake(self) -> None:
        """Start the computer's search if it is to move."""
        if self._opponent is None and not self._paused and self.live.computer_has_to_act:
            self._opponent = self._spawn(self._play_opponent())

    async def wait_idle(self) -> None:
        """Wait until the computer is idle."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _state(self) -> messages.State:
        thinking = self._opponent is not None and self.live.computer_to_move
        paused: Paused | None = "too_complex" if self._paused else None
        current = state(self.live, self._you, self._language, thinking=thinking, paused=paused)
        if not self._halt_code or not self.live.computer_to_move:
            return current
        sentence = locales.translate(self._language, f"server.error.{self._halt_code}")
        return msgspec.structs.replace(current, status=messages.Status(sentence, "", None))

    def _send_message(self, message: messages.ServerMessage) -> None:
        self._send(messages.encode(message))

    def _refuse(self, code: str) -> None:
        sentence = locales.translate(self._language, f"server.error.{code}")
        self._send_message(messages.ErrorMessage(code, sentence))

    async def _act(self, action: Callable[[LiveGame], Event]) -> None:
        async with self._lock:
            await self._commit(action(self.live))
            self._paused, self._halt_code = False, ""
            self._games.searcher.stop()
            self.wake()
            self.publish()

    async def _commit(self, event: Event) -> None:
        live = self.live
        if live.seq >= MAX_EVENTS:
            raise Refused("too_long")
        seq = live.seq
        try:
            live.apply(event)
            require_showable(live.game)
            text = msgspec.json.encode(event).decode()
            result = None
            if live.result is not None:
                result = msgspec.json.encode(StoredResult(*live.result)).decode()
            await self._games.store.append(live.id, seq, text, result)
        except BaseException:
            # Restore the stored state, the last one that the page received.
            self.live = await self._games.load(live.id)
            self.publish()
            raise

    async def _play_opponent(self) -> None:
        try:
            while await self._act_once():
                pass
        except PositionTooComplexError:
            self._paused = True
        except SearchFailedError:
            self._halt("search_failed")
        except StoredElsewhereError:
            self._refuse("stale")
        except StorageError as error:
            self._halt(error.code)
        except Problem:
            self._halt("not_kept")
        finally:
            self._opponent = None
            self.publish()

    def _halt(self, code: str) -> None:
        """Report why the computer cannot move; it retries after the next change."""
        self._halt_code = code
        self._refuse(code)

    async def _act_once(self) -> bool:
        """Make one decision for the computer; return False if there is none."""
        async with self._lock:
            request, seq = self.live.search_request(), self.live.seq
            if request is None:
                self._opponent = None
                return False
        rng = random.Random(secrets.randbits(64))
        try:
            events = await run_search(self._games.searcher, decide_steps(request, rng))
        except StoppedError:
            return True  # The game has changed: search again.
        async with self._lock:
            for event in events if self.live.seq == seq else ():
                if self.live.result is None:
                    await self._commit(event)
                    self.publish()
        return True

    def _hint(self) -> None:
        if self._hinting is not None and not self._hinting.done():
            raise Refused("busy")
        game, seq = self.live.hint_game(self._you), self.live.seq

        async def search_hint() -> None:
            rng = random.Random(secrets.randbits(64))
            try:
                decision = await run_search(
                    self._games.searcher, levels.decision_steps(game, HINT_LEVEL, rng)
                )
            except StoppedError:
                return
            except (PositionTooComplexError, SearchFailedError) as error:
                failed = isinstance(error, SearchFailedError)
                self._refuse("search_failed" if failed else "too_complex")
                return
            if self.live.seq == seq:
                self._send_message(actions.hint(self.live, decision))

        self._hinting = self._spawn(search_hint())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
