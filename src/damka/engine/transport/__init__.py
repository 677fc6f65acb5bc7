"""Byte streams to another program: a child process or a TCP connection."""

from damka.engine.transport.link import Link, Stream
from damka.engine.transport.process import Process
from damka.engine.transport.tcp import Connection, address

__all__ = ["Connection", "Link", "Process", "Stream", "address"]
