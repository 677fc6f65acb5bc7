"""How bytes reach another program: a process started from here, or a connection over TCP."""

from damka.engine.transport.link import Link, Stream
from damka.engine.transport.process import Process
from damka.engine.transport.tcp import Connection, address

__all__ = ["Connection", "Link", "Process", "Stream", "address"]
