"""Parsing of the operator's options: limits, host names, origins and addresses."""

from __future__ import annotations

import dataclasses
import ipaddress
import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from urllib.parse import urlsplit

from damka.server.settings import Limits

__all__ = ["host_of", "limits_of", "listener_of", "origin_of", "proxy_of"]

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]|\*")


def limits_of(texts: Iterable[str]) -> Limits:
    """Return the limits with the changes in `texts`, each of the form "name=number".

    Raises ValueError for an unknown name and for an invalid number.

    >>> limits_of(["connections=50", "post_rate=0.5"]).post_rate
    0.5
    """
    defaults = {field.name: field.default for field in dataclasses.fields(Limits)}
    changes: dict[str, int | float] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in defaults:
            near = get_close_matches(name[:100], defaults, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f'unknown limit {name[:60]!r}.{hint} See "Server options and limits" in the docs.'
            )
        kind: type[int] | type[float] = int if isinstance(defaults[name], int) else float
        try:
            changes[name] = kind(value) if equals else 0
        except ValueError:
            changes[name] = 0
        if not (changes[name] > 0 and math.isfinite(changes[name])):
            expected = "a whole number" if kind is int else "a number"
            raise ValueError(f"{name}: expected {expected} above 0, not {value[:60]!r}")
    return dataclasses.replace(Limits(), **changes)  # type: ignore[arg-type]


def host_of(text: str) -> str:
    """Normalize a host name: without port, in lower case; "*" means any.

    Raises ValueError for any other text.

    >>> host_of("Dama.example")
    'dama.example'
    """
    name = text.strip().lower()
    if _HOST.fullmatch(name) is None:
        raise ValueError(f"expected a host name without port, such as dama.example, not {text!r}")
    return name


def origin_of(text: str) -> str:
    """Normalize an origin as browsers do: scheme, host, and the port unless it is the default.

    Raises ValueError for any other text.

    >>> origin_of("https://Dama.example:443/")
    'https://dama.example'
    """
    error = ValueError(f"expected an origin such as https://dama.example, not {text!r}")
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        raise error from None
    default_port = {"http": 80, "https": 443}.get(parts.scheme)
    rest = (parts.path.strip("/"), parts.query, parts.fragment, parts.username or "")
    if default_port is None or not parts.hostname or any(rest):
        raise error
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if port in (None, default_port) else f":{port}")


def proxy_of(text: str) -> str:
    """Normalize the address or network of a reverse proxy. Raises ValueError for any other text.

    >>> proxy_of("10.0.0.0/8")
    '10.0.0.0/8'
    """
    try:
        network = ipaddress.ip_network(text.strip())
    except ValueError:
        expected = "an IP address or a network, such as 10.0.0.5 or 10.0.0.0/8"
        raise ValueError(f"expected {expected}, not {text!r}") from None
    is_single = network.num_addresses == 1
    return str(network.network_address) if is_single else str(network)


def listener_of(text: str) -> tuple[str, int]:
    """Parse an address and port, such as "9100", "10.0.0.5:9100" or "[::1]:9100".

    The default address is loopback. Raises ValueError for any other text.

    >>> listener_of("9100")
    ('127.0.0.1', 9100)
    """
    host, colon, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if colon else "127.0.0.1"
    try:
        ipaddress.ip_address(host)
        number = int(port)
    except ValueError:
        number = -1
    if not 0 <= number <= 65535:
        raise ValueError(f"expected a port or ADDRESS:PORT, such as 127.0.0.1:9100, not {text!r}")
    return host, number
