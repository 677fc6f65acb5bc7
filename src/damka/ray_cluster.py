"""Joining a Ray cluster, for what works on one: training, and a server's searches."""

from __future__ import annotations

import socket
from typing import Final

from damka.errors import ClusterError

__all__ = ["connect"]


def __dir__() -> list[str]:
    return __all__


_PATIENCE: Final = 10.0  # seconds for a cluster to answer


def connect(address: str) -> None:
    """Join the Ray cluster at `address` with this process, unless it belongs to one already.

    Raises ClusterError without Ray, and when nobody answers there.
    """
    try:
        import ray  # noqa: PLC0415
    except ImportError as error:
        raise ClusterError("--ray needs Ray: pip install 'damka[ray]'") from error
    if ray.is_initialized():
        return
    _reach(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}") from error


def _reach(address: str) -> None:
    """Raise ClusterError when nobody listens at `address`: Ray would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # A word such as "auto", which Ray knows.
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}") from error
