"""What viewers of an open game are shown: whole states, and then what has changed.

Viewers with the same view (the sides they play, their language) share a `Series`: the fields of the
latest state, each with the number of the state in which it changed last. So a viewer that has seen
any earlier state gets what it missed, which is encoded once for all who missed the same. A viewer
that is slow to read misses the states in between, not the changes.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from damka.live import messages
from damka.live.seating import Sides
from damka.live.state import Table, history, moves, state

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from damka.live.live_game import LiveGame
    from damka.live.sentences import Paused
    from damka.server.engine_pool import Payer

__all__ = ["Publisher", "Seen", "Series", "View", "Viewer"]

View = tuple[Sides, str]
"""What a viewer's state message depends on: the sides they play and their language."""

_REMEMBERED: Final = 64
"""How many takings back a viewer may miss before it is sent the whole game."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a viewer has: the fields as of one state, and the beginning of the history of another.

    `fields` is 0 where it has none of the fields, as when it was connected before.
    """

    series: Series
    fields: int
    history: int
    plies: int
    """How much of the history it had then."""


class Viewer(Protocol):
    """A receiver of the game's states."""

    @property
    def view(self) -> View:
        """The sides the viewer plays and the language it reads."""

    @property
    def payer(self) -> Payer:
        """Who the viewer is and where, for its share of the engines."""

    @property
    def name(self) -> str | None:
        """The name under which others see who watches; None for a guest."""

    @property
    def lag(self) -> int:
        """The round trip to the viewer in milliseconds, as the server has measured it."""

    @property
    def had(self) -> tuple[int, int] | None:
        """The version and the plies of the state it had before it connected, if it says so."""

    def send_away(self) -> None:
        """Let it connect again: the game goes on in another process."""

    def tell(self, frame: str) -> None:
        """Send a message that is no state; must not block."""

    def show(self, series: Series, plies: int | None = None) -> None:
        """Send what the series has next; called under the session's lock, must not block.

        To one that has just joined, `plies` tells how much of the history it has already.
        """


class Series:
    """The states that one view is shown, one after the other."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the latest state, from 1."""
        self.version = 0
        self.plies = 0
        self.stamp: object = None
        """What the fields of the latest state depend on, apart from the table."""
        self._fields: Final[dict[str, bytes]] = {}
        self._changed: Final[dict[str, int]] = {}
        self._kept: Final[deque[tuple[int, int]]] = deque()
        """The states in which moves were taken back, and how much of the history was left then."""
        self._forgotten = 0
        """The latest such state that is not remembered any more."""
        self._entries: list[bytes] = []
        self._frames: Final[dict[tuple[int, int] | None, str]] = {}

    def update(self, live: LiveGame, fields: Mapping[str, bytes], entries: list[bytes]) -> None:
        """Take the next state of the game: its fields that may have changed, and its history."""
        self.number += 1
        kept = live.kept(self.version, self.plies)
        if kept is None or kept < self.plies:
            self._kept.append((self.number, kept or 0))
            if len(self._kept) > _REMEMBERED:
                self._forgotten, _ = self._kept.popleft()
        self.version, self.plies, self._entries = live.seq, len(entries), entries
        self._frames.clear()
        for name, value in fields.items():
            if self._fields.get(name) != value:
                self._fields[name] = value
                self._changed[name] = self.number

    def whole(self) -> str:
        """Return the frame of the latest state."""
        frame = self._frames.get(None)
        if frame is None:
            frame = self._frames[None] = messages.whole(self._fields, self._entries)
        return frame

    def since(self, seen: Seen) -> str:
        """Return the frame of what a viewer misses that has `seen` this series."""
        keep = self._keep(seen)
        if keep is None:
            return self.whole()
        key = (seen.fields, keep)
        frame = self._frames.get(key)
        if frame is None:
            parts = [
                b'"%s":%s' % (name.encode(), raw)
                for name, raw in self._fields.items()
                if self._changed[name] > seen.fields
            ]
            text = b'{"t":"delta","keep":%d,"add":[%s],"changes":{%s}}' % (
                keep,
                b",".join(self._entries[keep:]),
                b",".join(parts),
            )
            frame = self._frames[key] = text.decode()
        return frame

    def seen(self) -> Seen:
        """Return what a viewer has that has been sent the latest state."""
        return Seen(self, self.number, self.number, self.plies)

    def _keep(self, seen: Seen) -> int | None:
        """Return how much of the history a viewer may keep; None where that is forgotten."""
        if seen.history < self._forgotten:
            return None
        kept = (plies for number, plies in self._kept if number > seen.history)
        return min(seen.plies, *kept, self.plies)


class Publisher:
    """Who views a game, and the series that they are shown."""

    def __init__(self) -> None:
        self.viewers: Final[set[Viewer]] = set()
        self._series: Final[dict[View, Series]] = {}
        self._entries: list[bytes] = []
        """The history, each entry as JSON."""
        self._version = 0
        """The version of which that is the history."""

    def leave(self, viewer: Viewer) -> None:
        """Show a viewer nothing more."""
        self.viewers.discard(viewer)
        views = {each.view for each in self.viewers}
        for view in self._series.keys() - views:
            del self._series[view]
        if not views:
            self._entries, self._version = [], 0

    async def show(
        self,
        live: LiveGame,
        table: Table,
        viewers: Collection[Viewer],
        in_rules: Callable[[Callable[[], Any]], Awaitable[Any]],
        *,
        thinking: bool,
        paused: Paused | None,
        joined: bool = False,
    ) -> None:
        """Show the game to `viewers`, who have just `joined` or have seen it before.

        What looks the same to several is made once, and where nothing has happened but that clocks
        run and people come and go, that alone. `in_rules` runs what may take long.
        """
        stamp = (live, live.seq, live.next_id, thinking, paused, table.claimable)
        views = {viewer.view: self._series.get(viewer.view) for viewer in viewers}
        new = [view for view, series in views.items() if series is None or series.stamp != stamp]

        def look() -> dict[View, dict[str, bytes]]:
            self._read(live)
            told: dict[View, dict[str, bytes]] = {}
            shared = moves(live)
            for you, language in new:
                shown = state(
                    live,
                    you,
                    language,
                    shared=shared,
                    thinking=thinking,
                    paused=paused,
                    table=table,
                    past=(),
                )
                told[you, language] = messages.fields(shown)
            return told

        fields = await in_rules(look) if new else {}
        others = {
            "clock": messages.encoded(table.clock),
            "presence": messages.encoded(table.presence),
            "watching": messages.encoded(table.watching),
        }
        for view in views:
            series = self._series.setdefault(view, Series())
            series.update(live, fields.get(view, others), self._entries)
            series.stamp = stamp
        for viewer in viewers:
            had = viewer.had if joined else None
            viewer.show(self._series[viewer.view], None if had is None else live.kept(*had))

    def past(self, live: LiveGame) -> list[bytes]:
        """Return the history, each entry as JSON; made already where somebody watches."""
        if not self.viewers:
            return [messages.encoded(entry) for entry in history(live)]
        self._read(live)
        return self._entries

    def _read(self, live: LiveGame) -> None:
        """Read what is new in the history."""
        kept = live.kept(self._version, len(self._entries)) or 0
        if not kept == len(self._entries) == live.ply:
            fresh = map(messages.encoded, history(live, kept))
            # A list of its own: the series still tells of the one before.
            self._entries = [*self._entries[:kept], *fresh]
        self._version = live.seq
