"""Connection to a Ray cluster, for training and for a server's searches."""

from __future__ import annotations

import socket
from typing import Final

from damka.errors import ClusterError

__all__ = ["connect"]


def __dir__() -> list[str]:
    return __all__


_CONNECT_TIMEOUT: Final = 10.0  # seconds


def connect(address: str) -> None:
    """Connect this process to the Ray cluster at `address`, unless it is connected already.

    Raises ClusterError without Ray, or if the cluster does not answer.
    """
    try:
        import ray  # noqa: PLC0415
    except ImportError as error:
        raise ClusterError("--ray needs Ray: pip install 'damka[ray]'") from error
    if ray.is_initialized():
        return
    _check_reachable(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="error")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}") from error


def _check_reachable(address: str) -> None:
    """Raise ClusterError if `address` refuses connections: Ray would retry for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon:
        return  # a word such as "auto", which Ray interprets
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_TIMEOUT).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}") from error
