"""Backups of a PostgreSQL database with pg_dump."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from damka.server.store import postgresql
from damka.server.store.store import StoreError

__all__ = ["backup"]


def backup(url: str, to: Path) -> None:
    """Write a database to a file in pg_dump's custom format, all or nothing.

    Raises StoreError when it cannot be read, or pg_dump is not installed.
    """
    program = shutil.which("pg_dump")
    if program is None:
        raise StoreError("pg_dump is not installed (Debian package postgresql-client)")
    parsed = postgresql.parse(url).set(drivername="postgresql")
    environment = dict(os.environ)
    if parsed.password is not None:
        # In an argument it would be visible in the process list.
        environment["PGPASSWORD"] = str(parsed.password)
        parsed = parsed._replace(password=None)
    part = to.with_name(f"{to.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        address = parsed.render_as_string(hide_password=False)
        command = [program, "--format=custom", f"--file={part}", f"--dbname={address}"]
        completed = subprocess.run(  # noqa: S603
            command, env=environment, check=False, capture_output=True, text=True
        )
        if completed.returncode != 0:
            reason = (completed.stderr.strip() or "pg_dump failed").splitlines()[-1]
            raise StoreError(f"cannot copy the database: {reason}")
        part.replace(to)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
