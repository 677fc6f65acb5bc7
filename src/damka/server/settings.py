"""Settings of a server: database, access and limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final

import platformdirs

from damka.live.live_game import OfferLimits
from damka.rules import Rules
from damka.server.external_engines import ConfiguredEngine

__all__ = [
    "DEFAULT_PORT",
    "VERSION",
    "Limits",
    "Settings",
    "default_database_url",
    "default_hosts",
    "listens_everywhere",
]

VERSION: Final = version("damka")
DEFAULT_PORT: Final = 8077
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
LOOPBACK_ADDRESSES: Final = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Limits(OfferLimits):
    """Bounds on all external input. Rates are per second, durations in seconds."""

    body_bytes: int = 256 * 1024
    """Size of an HTTP body; a larger one is rejected with 413 before it is read completely."""
    pdn_bytes: int = 2 * 1024 * 1024
    """Size of a PDN file loaded by a page."""
    frame_bytes: int = 4 * 1024
    """Size of a WebSocket message; a larger one closes the connection (1009)."""
    header_seconds: float = 10.0
    """Time limit for a request's headers, from its first byte or the opening of the connection."""
    body_seconds: float = 20.0
    """Time limit for the body after the headers; then the connection is closed."""
    sockets_per_address: int = 320
    """TCP connections from one address, which may be shared by a whole club.

    Behind a proxy, the proxy must limit them.
    """
    control_burst: int = 20
    control_rate: float = 2.0
    """WebSocket control frames and fragments of one connection; more close it (1008)."""
    message_burst: int = 20
    message_rate: float = 10.0
    """Messages of one connection, with bursts of `message_burst`."""
    excess_messages: int = 100
    """Messages over the rate after which the connection is closed (1008)."""
    connections: int = 2000
    connections_per_address: int = 160
    """Enough for a club of forty behind one address, each with a page or more."""
    connections_per_game: int = 1500
    connect_burst: int = 300
    connect_rate: float = 20.0
    """New live connections of one address: reconnecting must not evade `message_rate`."""
    outbox_frames: int = 32
    """Frames queued for a slow reader; one more closes the connection (1013).

    The page may reconnect.
    """
    silent_seconds: float = 3.5
    """Silence after which the connection of a player in a timed game is closed.

    The server sends such a player a ping every 1.5 seconds.
    """
    send_seconds: float = 10.0
    """Time limit for sending one frame."""
    post_burst: int = 400
    post_rate: float = 10.0
    """POST requests from one address: each may write a row."""
    page_burst: int = 200
    page_rate: float = 10.0
    """Game pages requested from one address: the page of a long game is large."""
    guess_burst: int = 30
    guess_rate: float = 0.05
    """Invalid invitation codes from one address."""
    short_codes: int = 20
    """Invalid short codes, a format of earlier versions, per day from all addresses."""
    event_guess_burst: int = 20
    event_guess_rate: float = 0.05
    """Invalid seat codes of events, and invalid operator codes, from one address."""
    event_join_burst: int = 60
    event_join_rate: float = 0.1
    """Players added to events from one address."""
    connections_per_event: int = 300
    """Live connections of an event's spectators."""
    study_burst: int = 240
    study_rate: float = 1.0
    """Changes of studies by one account."""
    studies_per_account: int = 200
    study_bytes: int = 16 * 1024 * 1024
    """Size of the chapters of one account."""
    challenge_burst: int = 30
    challenge_rate: float = 0.2
    """Challenges and searches for an opponent from one address."""
    open_seeks: int = 500
    """Open challenges and waiting players, from all addresses."""
    login_burst: int = 60
    login_rate: float = 0.2
    """Login attempts from one address."""
    name_burst: int = 10
    name_rate: float = 0.02
    """Login attempts for one name from all addresses, except with passkeys."""
    account_burst: int = 60
    account_rate: float = 0.005
    """Accounts created from one address."""
    token_burst: int = 240
    token_rate: float = 8.0
    """Requests with one token."""
    analysis_burst: int = 120
    analysis_rate: float = 1.0
    """Analyses and reviews requested by one account, or by one address for guests."""
    analysis_nodes: int = 5_000_000
    """Positions searched by one analysis; 0 switches analysis on the server off."""
    analysis_address_nodes: int = 2_000_000_000
    """Positions searched for the analyses and reviews of one address in a day."""
    analysis_account_nodes: int = 1_000_000_000
    """Positions searched for those of one account in a day."""
    analysis_workers: int = 1
    """Worker processes for analyses and reviews, besides those of the games."""
    analyses_stored: int = 20_000
    """Stored analyses; the least recently used is deleted first."""
    review_nodes: int = 200_000
    """Positions searched where a reviewed game turns; 0 switches reviews on the server off."""
    reviews_stored: int = 5_000
    """Stored reviews; the least recently used is deleted first."""
    reviews_at_once: int = 16
    """Reviews in progress."""
    streams_per_account: int = 32
    """Open streaming responses of one account, such as the states of a game."""
    box_burst: int = 120
    box_rate: float = 5.0
    course_burst: int = 8
    course_rate: float = 0.1
    """House-rules requests from one address, each of which renders pictures."""
    chat_characters: int = 140
    """Length of a chat message."""
    chat_burst: int = 5
    chat_rate: float = 0.2
    """Chat messages of one player or member; spectating guests share the rate of their address."""
    chat_room_burst: int = 20
    chat_room_rate: float = 2.0
    """Chat messages in one room: the players of a game, or its spectators."""
    chat_per_room: int = 500
    """Stored messages of one room."""
    invitations_per_holder: int = 20
    """Open seats of one player."""
    invite_burst: int = 100
    invite_rate: float = 0.05
    """New games with an open seat from one address."""
    invitation_seconds: float = 7 * 24 * 3600.0
    """Lifetime of an open seat."""
    addresses: int = 4096
    """Addresses whose rates are stored; the least recently used is dropped first."""
    events_per_game: int = 5000
    """Entries in one game's log, so that a game cannot grow without bound."""
    searches_per_address: int = 2
    """Concurrent long searches of one address or member; one worker is reserved for others."""
    waiting_searches: int = 64
    """Queued hints, and as many queued analyses; more are rejected."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Settings:
    """Settings of one server."""

    database_url: str
    """Any SQLAlchemy URL: `sqlite:////path/games.sqlite3`, `postgresql+psycopg://…`."""
    broker_url: str | None = None
    """Valkey or Redis, which connects several processes with one PostgreSQL database.

    For example `redis://127.0.0.1:6379`. Without a broker only one process may run.
    """
    peer_host: str = "127.0.0.1"
    """Address at which other processes reach this one, in a private network."""
    listens_on: str = "127.0.0.1"
    """Address on which the server listens: pages say whether other devices can reach it."""
    hosts: tuple[str, ...] = LOOPBACK
    """Host names (without port) that the server accepts; "*" for any.

    On loopback only the loopback names are accepted, which prevents DNS rebinding.
    """
    origins: tuple[str, ...] = ()
    """Origins besides the server's own that may send changes, e.g. "https://dama.example"."""
    proxies: tuple[str, ...] = LOOPBACK_ADDRESSES
    """Trusted reverse proxies (X-Forwarded-For and -Proto headers), as addresses or networks.

    `damka serve` trusts only those given as options.
    """
    engine_workers: int = field(default_factory=lambda: max(1, min(4, (os.cpu_count() or 2) - 1)))
    """Search processes, besides one that only plays the fast levels; started on demand."""
    engine_hash_mb: int = 32
    """Size of each process's transposition table, in MiB."""
    engine_memory_mb: int = 512
    """Other memory that each process may allocate, in MiB; a search that needs more fails."""
    ray: str | None = None
    """Ray cluster that replaces these processes, such as "10.0.0.1:6379"."""
    tablebases: Path | None = None
    """Folder of the endgame tables that the computer probes, for all rules."""
    kernel: Path | None = None
    """Folder of the JavaScript package (`make js`): with it pages analyse on the visitor's device.

    None selects the one that was built in the checkout, if there is one.
    """
    hint_level: int = 7
    """Level for hints: it makes no deliberate mistakes and answers in about a second."""
    engines: tuple[ConfiguredEngine, ...] = ()
    """External engines that the page offers as opponents, for the rules that they support."""
    engine_seconds: float = 1.0
    """Search time of an external engine per move."""
    wave_seconds: float = 4.0
    """Interval at which waiting players are paired."""
    boxes: tuple[Rules, ...] = ()
    """House rules that the start page offers besides the shipped rule sets."""
    limits: Limits = field(default_factory=Limits)

    def answers(self, host: str) -> bool:
        """Return whether the server accepts this host name."""
        return "*" in self.hosts or host.lower() in self.hosts


def default_database_url() -> str:
    """Return the URL of a file in the user's data folder, which is created if missing."""
    folder = Path(platformdirs.user_data_dir("damka"))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'games.sqlite3'}"


def default_hosts(host: str) -> tuple[str, ...]:
    """Return the host names that a server bound to `host` accepts.

    Bound to loopback it only accepts the loopback names; bound to the network it does not know its
    own names and accepts any.
    """
    return LOOPBACK if host in {"127.0.0.1", "localhost", "::1"} else ("*",)


def listens_everywhere(host: str) -> bool:
    """Return whether a server bound to `host` listens on all interfaces of the machine."""
    return host in {"0.0.0.0", "::", ""}  # noqa: S104
