"""State updates for the viewers of an open game: full states, then changes.

Viewers with the same view (sides and language) share a `ViewUpdates`: the fields of the latest
state, each with the number of the state in which it last changed. A viewer that has any earlier
state receives the changes since then, encoded once for all viewers with the same state. A slow
viewer misses intermediate states, but no changes.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from damka.live import messages
from damka.live.seating import Sides
from damka.live.state import OnlineInfo, history, moves, state

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from damka.live.live_game import LiveGame
    from damka.live.sentences import Paused
    from damka.server.engine_pool import Requester

__all__ = ["Publisher", "View", "ViewUpdates", "Viewer", "ViewerState"]

View = tuple[Sides, str]
"""Parameters on which a state message depends: the viewer's sides and language."""

_MAX_TAKEBACKS: Final = 64
"""Number of takebacks that a viewer may miss before it is sent the full state."""


@dataclass(frozen=True, slots=True)
class ViewerState:
    """State of a viewer: the numbers of the states that its fields and its history come from.

    `fields` is 0 for a viewer without any fields, such as after a reconnection.
    """

    updates: ViewUpdates
    fields: int
    history: int
    plies: int
    """Length of its history."""


class Viewer(Protocol):
    """Receiver of the game's states."""

    @property
    def view(self) -> View:
        """Sides and language of the viewer."""

    @property
    def requester(self) -> Requester:
        """Requester of the viewer's searches, by account and address."""

    @property
    def name(self) -> str | None:
        """Name in the list of spectators; None for an anonymous spectator."""

    @property
    def lag(self) -> int:
        """Round-trip time in milliseconds, as measured by the server."""

    @property
    def client_version(self) -> tuple[int, int] | None:
        """Version and ply count of the state that the viewer had before it connected, if known."""

    def reconnect(self) -> None:
        """Make the viewer reconnect: the game continues in another process."""

    def send(self, frame: str) -> None:
        """Send a message other than a state; must not block."""

    def show(self, updates: ViewUpdates, plies: int | None = None) -> None:
        """Send the next state of the series; called under the session's lock, must not block.

        For a viewer that has just joined, `plies` is the length of the history that it already has.
        """


class ViewUpdates:
    """Successive states of one view."""

    def __init__(self) -> None:
        self.number = 0
        """Number of the latest state, from 1."""
        self.version = 0
        self.plies = 0
        self.stamp: object = None
        """Inputs of the latest state's fields, except clocks and presence."""
        self._fields: Final[dict[str, bytes]] = {}
        self._changed: Final[dict[str, int]] = {}
        self._takebacks: Final[deque[tuple[int, int]]] = deque()
        """Numbers of states with takebacks, and the length of history that each left unchanged."""
        self._dropped_takeback = 0
        """Number of the latest state dropped from that list."""
        self._entries: list[bytes] = []
        self._frames: Final[dict[tuple[int, int] | None, str]] = {}

    def update(self, live: LiveGame, fields: Mapping[str, bytes], entries: list[bytes]) -> None:
        """Add the next state of the game: its possibly changed fields, and its history."""
        self.number += 1
        unchanged = live.unchanged_plies(self.version, self.plies)
        if unchanged is None or unchanged < self.plies:
            self._takebacks.append((self.number, unchanged or 0))
            if len(self._takebacks) > _MAX_TAKEBACKS:
                self._dropped_takeback, _ = self._takebacks.popleft()
        self.version, self.plies, self._entries = live.seq, len(entries), entries
        self._frames.clear()
        for name, value in fields.items():
            if self._fields.get(name) != value:
                self._fields[name] = value
                self._changed[name] = self.number

    def full_state(self) -> str:
        """Return the frame of the latest state in full."""
        frame = self._frames.get(None)
        if frame is None:
            frame = self._frames[None] = messages.full_frame(self._fields, self._entries)
        return frame

    def changes_since(self, viewer_state: ViewerState) -> str:
        """Return the frame of the changes since `viewer_state`."""
        unchanged = self._unchanged_plies(viewer_state)
        if unchanged is None:
            return self.full_state()
        key = (viewer_state.fields, unchanged)
        frame = self._frames.get(key)
        if frame is None:
            parts = [
                b'"%s":%s' % (name.encode(), raw)
                for name, raw in self._fields.items()
                if self._changed[name] > viewer_state.fields
            ]
            text = b'{"t":"delta","keep":%d,"add":[%s],"changes":{%s}}' % (
                unchanged,
                b",".join(self._entries[unchanged:]),
                b",".join(parts),
            )
            frame = self._frames[key] = text.decode()
        return frame

    def viewer_state(self) -> ViewerState:
        """Return the state of a viewer that has received the latest frame."""
        return ViewerState(self, self.number, self.number, self.plies)

    def _unchanged_plies(self, viewer_state: ViewerState) -> int | None:
        """Return the length of a viewer's history that is still valid; None when unknown."""
        if viewer_state.history < self._dropped_takeback:
            return None
        lengths = (plies for number, plies in self._takebacks if number > viewer_state.history)
        return min(viewer_state.plies, *lengths, self.plies)


class Publisher:
    """Viewers of a game, and the updates of their views."""

    def __init__(self) -> None:
        self.viewers: Final[set[Viewer]] = set()
        self._updates: Final[dict[View, ViewUpdates]] = {}
        self._entries: list[bytes] = []
        """History of the game, each entry as JSON."""
        self._version = 0
        """Version of the game that the history belongs to."""

    def leave(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.viewers.discard(viewer)
        views = {each.view for each in self.viewers}
        for view in self._updates.keys() - views:
            del self._updates[view]
        if not views:
            self._entries, self._version = [], 0

    async def show(
        self,
        live: LiveGame,
        online_info: OnlineInfo,
        viewers: Collection[Viewer],
        in_rule_thread: Callable[[Callable[[], Any]], Awaitable[Any]],
        *,
        thinking: bool,
        paused: Paused | None,
        joined: bool = False,
    ) -> None:
        """Show the game to `viewers`; `joined` means that they have just connected.

        Each view is rendered once; if only clocks and presence have changed, only those fields are
        updated. `in_rule_thread` runs slow calls.
        """
        stamp = (live, live.seq, live.next_id, thinking, paused, online_info.claimable)
        views = {viewer.view: self._updates.get(viewer.view) for viewer in viewers}
        outdated = [
            view for view, updates in views.items() if updates is None or updates.stamp != stamp
        ]

        def render() -> dict[View, dict[str, bytes]]:
            self._read(live)
            fields_by_view: dict[View, dict[str, bytes]] = {}
            shared = moves(live)
            for you, language in outdated:
                view_state = state(
                    live,
                    you,
                    language,
                    shared=shared,
                    thinking=thinking,
                    paused=paused,
                    online_info=online_info,
                    past=(),
                )
                fields_by_view[you, language] = messages.fields(view_state)
            return fields_by_view

        fields = await in_rule_thread(render) if outdated else {}
        others = {
            "clock": messages.encoded(online_info.clock),
            "presence": messages.encoded(online_info.presence),
            "watching": messages.encoded(online_info.watching),
        }
        for view in views:
            updates = self._updates.setdefault(view, ViewUpdates())
            updates.update(live, fields.get(view, others), self._entries)
            updates.stamp = stamp
        for viewer in viewers:
            client_version = viewer.client_version if joined else None
            viewer.show(
                self._updates[viewer.view],
                None if client_version is None else live.unchanged_plies(*client_version),
            )

    def history_json(self, live: LiveGame) -> list[bytes]:
        """Return the history, each entry as JSON, from the cache while there are viewers."""
        if not self.viewers:
            return [messages.encoded(entry) for entry in history(live)]
        self._read(live)
        return self._entries

    def _read(self, live: LiveGame) -> None:
        """Update the cached history."""
        unchanged = live.unchanged_plies(self._version, len(self._entries)) or 0
        if not unchanged == len(self._entries) == live.ply:
            fresh = map(messages.encoded, history(live, unchanged))
            # A new list, because views may still refer to the previous one.
            self._entries = [*self._entries[:unchanged], *fresh]
        self._version = live.seq
