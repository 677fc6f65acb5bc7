"""Network addresses of this machine, to show where other devices can reach it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.server.settings import DEFAULT_PORT, listens_everywhere

if TYPE_CHECKING:
    from fastapi import Request

    from damka.server.settings import Settings

__all__ = ["Reach", "network_addresses", "origin_of", "reach_of", "routed_addresses"]

_TARGETS: Final = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")
"""One address in each private network, and one outside; no packet is sent to them."""


def network_addresses() -> list[str]:
    """Return the IPv4 addresses under which other devices may reach this machine."""
    addresses = routed_addresses()
    with suppress(OSError):
        addresses += _not_loopback(socket.gethostbyname_ex(socket.gethostname())[2])
    return list(dict.fromkeys(addresses))


def routed_addresses() -> list[str]:
    """Return the source addresses of the routes to other networks, without a slow name lookup."""
    addresses = []
    for target in _TARGETS:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            # The system selects the source address of the route to the target.
            probe.connect((target, 9))
            addresses.append(str(probe.getsockname()[0]))
    return _not_loopback(list(dict.fromkeys(addresses)))


def _not_loopback(addresses: list[str]) -> list[str]:
    return [each for each in addresses if not each.startswith(("127.", "0."))]


@dataclass(frozen=True, slots=True)
class Reach:
    """How other devices reach the server, for links in a page.

    `origin` is the origin of such a link, such as "http://192.168.1.20:8077"; None if no other
    device can reach the server. `here` is the origin of the page itself, and `is_local` whether
    only this machine knows it. Without an origin, `commands` start a server that other devices can
    reach. There are none if the server listens to the network already: then there is no
    network, or, with `has_network`, the server answers at none of its addresses there.
    """

    origin: str | None
    here: str
    is_local: bool = True
    commands: tuple[str, ...] = ()
    has_network: bool = False


def origin_of(request: Request) -> str:
    """Return the server's base URL as seen by a request."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


async def reach_of(request: Request, settings: Settings) -> Reach:
    """Return how other devices reach the server that answers a request."""
    host = request.headers.get("host", "")
    here = origin_of(request)
    if not _is_loopback(host):
        return Reach(here, here, is_local=False)
    port = request.scope["server"][1]
    if listens_everywhere(settings.listens_on):
        addresses = await asyncio.to_thread(routed_addresses)
        for address in addresses:
            if settings.answers(address):
                return Reach(f"http://{address}:{port}", here)
        return Reach(None, here, has_network=bool(addresses))
    usual = port == DEFAULT_PORT
    return Reach(
        None,
        here,
        commands=(
            f"damka serve --host 0.0.0.0{'' if usual else f' --port {port}'}",
            f"make play HOST=0.0.0.0{'' if usual else f' PORT={port}'}",
        ),
    )


def _is_loopback(host: str) -> bool:
    """Return whether a Host header has a name under which only this machine reaches itself."""
    name = host.lower().rpartition("]")[0] + "]" if "]" in host else host.lower().partition(":")[0]
    return name.startswith("127.") or name.endswith(".localhost") or name in {"localhost", "[::1]"}
