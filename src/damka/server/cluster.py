"""What the processes that serve together say to each other; most servers are one process.

A topic is a short text such as "lobby" or "event:ID". A message is told to whoever subscribes to
its topic in any of the processes, at most once and in no promised order: it says that something has
changed, and what is true is read from the store.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, Protocol

from damka.server.fault_log import log_fault

__all__ = ["Cluster", "Receiver", "SingleProcess"]

log: Final = logging.getLogger(__name__)

Receiver = Callable[[bytes], None]
"""Takes a message in the event loop's thread; it must not block."""


class Cluster(Protocol):
    """The processes that serve together, as one of them sees them."""

    async def publish(self, topic: str, message: bytes) -> None:
        """Tell all who subscribe to the topic, in this process too."""

    def subscribe(self, topic: str, receive: Receiver) -> Callable[[], None]:
        """Let `receive` have the topic's messages; return what ends that."""

    async def leads(self, task: str) -> bool:
        """Tell whether it is this process that does a task which only one may do.

        Asked each time before the task is done: another process may have taken it over.
        """


class SingleProcess:
    """A server that is one process."""

    def __init__(self) -> None:
        self._receivers: Final[dict[str, set[Receiver]]] = {}

    async def publish(self, topic: str, message: bytes) -> None:
        """Tell all who subscribe to the topic."""
        for receive in tuple(self._receivers.get(topic, ())):
            try:
                receive(message)
            except Exception as error:
                # The others are told all the same.
                log_fault(log, error, "a receiver of the topic %r failed", topic)

    def subscribe(self, topic: str, receive: Receiver) -> Callable[[], None]:
        """Let `receive` have the topic's messages; return what ends that."""
        self._receivers.setdefault(topic, set()).add(receive)

        def end() -> None:
            receivers = self._receivers.get(topic, set())
            receivers.discard(receive)
            if not receivers:
                self._receivers.pop(topic, None)

        return end

    async def leads(self, task: str) -> bool:
        """Tell that it does every task: there is no other process."""
        return True
