"""What a server is started with: where games are kept, who may call, and every limit."""

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

__all__ = ["VERSION", "Limits", "Settings", "default_database_url", "default_hosts"]

VERSION: Final = version("damka")
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
LOOPBACK_ADDRESSES: Final = ("127.0.0.1", "::1")


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Limits(OfferLimits):
    """Bounds on everything that comes from outside. Rates are per second, durations in seconds."""

    body_bytes: int = 256 * 1024
    """An HTTP body; a larger one is answered with 413 and not read to its end."""
    pdn_bytes: int = 2 * 1024 * 1024
    """The same for a file of games in Portable Draughts Notation that a page loads."""
    frame_bytes: int = 4 * 1024
    """A WebSocket message; a larger one closes the connection (1009)."""
    header_seconds: float = 10.0
    """How long the headers of a request may take from its first byte, or from the connection."""
    body_seconds: float = 20.0
    """How long the body may take after them; then the connection is closed."""
    sockets_per_address: int = 320
    """TCP connections of one address; behind a proxy the proxy counts them. A whole club may have
    one address."""
    control_burst: int = 20
    control_rate: float = 2.0
    """WebSocket control frames and fragments of one connection; more and it is closed (1008)."""
    message_burst: int = 20
    message_rate: float = 10.0
    """A connection may send `message_burst` messages at once and `message_rate` a second after."""
    excess_messages: int = 100
    """After this many messages over the rate the connection is closed (1008)."""
    connections: int = 2000
    connections_per_address: int = 160
    """A club of forty behind one address plays, each with a page or two."""
    connections_per_game: int = 1500
    connect_burst: int = 300
    connect_rate: float = 20.0
    """Live connections that one address may open: reconnecting must not evade `message_rate`."""
    outbox_frames: int = 32
    """Frames waiting for a slow reader; one more and it is dropped (1013). It may reconnect."""
    silent_seconds: float = 3.5
    """How long a player with a clock, who gets a ping every 1.5 seconds, may leave one unanswered;
    then the connection is closed."""
    send_seconds: float = 10.0
    """How long one frame may take to leave."""
    post_burst: int = 400
    post_rate: float = 10.0
    """POST requests of one address: each may write a row."""
    page_burst: int = 200
    page_rate: float = 10.0
    """Game pages that one address may ask for: that of a long game is large."""
    guess_burst: int = 30
    guess_rate: float = 0.05
    """Codes of no invitation that one address may try."""
    short_codes: int = 20
    """Wrong codes of the short kind, issued by earlier versions, that are looked up in a day, from
    all addresses."""
    event_guess_burst: int = 20
    event_guess_rate: float = 0.05
    """Codes of no seat that one address may try at an event, and codes of no operator."""
    event_join_burst: int = 60
    event_join_rate: float = 0.1
    """Players that one address may bring to events."""
    connections_per_event: int = 300
    """Live connections of those who watch an event."""
    challenge_burst: int = 30
    challenge_rate: float = 0.2
    """Challenges of one address, and how often it may look for an opponent."""
    open_seeks: int = 500
    """Challenges that are open at once, and those who wait for an opponent, of all addresses."""
    login_burst: int = 60
    login_rate: float = 0.2
    """Attempts of one address to log in."""
    name_burst: int = 10
    name_rate: float = 0.02
    """Attempts to log in under one name, wherever they come from; passkeys are not counted."""
    account_burst: int = 60
    account_rate: float = 0.005
    """Accounts that one address may make."""
    token_burst: int = 240
    token_rate: float = 8.0
    """Requests with one token."""
    analysis_burst: int = 60
    analysis_rate: float = 0.5
    """Analyses by the engine that one account may ask for by requests."""
    streams_per_account: int = 32
    """Answers that go on, such as the states of a game, that one account may have open."""
    box_burst: int = 120
    box_rate: float = 5.0
    """Requests of one address for a house box, whose pictures are drawn for each."""
    chat_characters: int = 140
    """The length of a text."""
    chat_burst: int = 5
    chat_rate: float = 0.2
    """Messages of one player or member; of guests who watch, those of one address together."""
    chat_room_burst: int = 20
    chat_room_rate: float = 2.0
    """Messages to the players of one game, and to its spectators: each goes to all of them."""
    chat_per_room: int = 500
    """Messages that are kept of one game, of its players and of its spectators each."""
    invitations_per_holder: int = 20
    """Open seats of one player."""
    invite_burst: int = 100
    invite_rate: float = 0.05
    """Games with an open seat that one address may begin."""
    invitation_seconds: float = 7 * 24 * 3600.0
    """How long an open seat waits for somebody."""
    addresses: int = 4096
    """Addresses whose rates are remembered; the least recent is forgotten first."""
    events_per_game: int = 5000
    """Entries in one game's log, so that a game cannot grow without end."""
    searches_per_address: int = 2
    """Long searches of one address or member under way at once; one worker is left to others."""
    waiting_searches: int = 64
    """Hints and analyses that are asked for and not answered; more are refused."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Settings:
    """One server's settings."""

    database_url: str
    """Any SQLAlchemy URL: `sqlite:////path/games.sqlite3`, `postgresql+psycopg://…`."""
    broker_url: str | None = None
    """Valkey or Redis, through which several processes that use one PostgreSQL database talk:
    `redis://127.0.0.1:6379`. Without one a process is alone."""
    peer_host: str = "127.0.0.1"
    """The address at which the other processes reach this one, over a network of yours alone."""
    hosts: tuple[str, ...] = LOOPBACK
    """Host names (without port) under which the server answers; "*" for any. On loopback only the
    loopback names count, so that a foreign name pointed here (DNS rebinding) gets nothing."""
    origins: tuple[str, ...] = ()
    """Origins besides the server's own that may change things, e.g. "https://dama.example"."""
    proxies: tuple[str, ...] = LOOPBACK_ADDRESSES
    """Reverse proxies, whose X-Forwarded-For and -Proto headers are believed: addresses, networks.
    `damka serve` believes none that is not named."""
    engine_workers: int = field(default_factory=lambda: max(1, min(4, (os.cpu_count() or 2) - 1)))
    """Processes that search, besides one that only plays the quick levels; none before it is
    needed."""
    engine_hash_mb: int = 32
    """Transposition table of each of them, in MiB."""
    engine_memory_mb: int = 512
    """What each of them may allocate besides, in MiB; a search that needs more fails."""
    ray: str | None = None
    """The Ray cluster that searches instead of them, such as "10.0.0.1:6379"."""
    tablebases: Path | None = None
    """The folder of endgame tables that the computer asks, for all rules."""
    hint_level: int = 7
    """The level that is asked for hints: it sees everything and answers in about a second."""
    engines: tuple[ConfiguredEngine, ...] = ()
    """Other programs that the page offers as opponents, where they play the rules."""
    engine_seconds: float = 1.0
    """How long they think about a move."""
    wave_seconds: float = 4.0
    """How often those who look for an opponent are paired."""
    boxes: tuple[Rules, ...] = ()
    """House boxes that the choose page offers besides the rule sets shipped."""
    limits: Limits = field(default_factory=Limits)

    def answers(self, host: str) -> bool:
        """Tell whether the server answers under this host name."""
        return "*" in self.hosts or host.lower() in self.hosts


def default_database_url() -> str:
    """Return the URL of the file in the user's data folder, which is made when missing."""
    folder = Path(platformdirs.user_data_dir("damka"))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'games.sqlite3'}"


def default_hosts(host: str) -> tuple[str, ...]:
    """Return the host names a server bound to `host` answers to.

    Bound to loopback it answers to the loopback names alone; bound to the network it cannot know
    its own names and answers to any.
    """
    return LOOPBACK if host in {"127.0.0.1", "localhost", "::1"} else ("*",)
