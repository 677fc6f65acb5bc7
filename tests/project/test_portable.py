"""Damka can be imported on macOS and Windows, without Linux or POSIX modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOAD_ALL = """
import importlib, os, pkgutil, signal, socket, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

# Imported first, because the libraries need these modules on every system.
import asyncio, multiprocessing, tempfile, subprocess, concurrent.futures.process
import uvicorn, sqlalchemy, alembic.config, fastapi, rich.console, segno, typer, msgspec, numpy

hidden, removed = {modules!r}, {names!r}
for name in hidden:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for module, name in removed:
    delattr(sys.modules[module], name)
sys.platform = {platform!r}
import damka
skipped = ("damka.server.migrations", "damka.rl", "damka.__main__")
for module in pkgutil.walk_packages(damka.__path__, "damka."):
    if not module.name.startswith(skipped):
        importlib.import_module(module.name)
        count = globals().get("count", 0) + 1
print(count)
"""

POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
LINUX_NAMES = [("os", "sched_getaffinity"), ("os", "sched_setaffinity")]
POSIX_NAMES = [
    *LINUX_NAMES,
    *(("os", name) for name in ("fork", "getuid", "geteuid", "killpg", "pread", "waitid")),
    *(("signal", name) for name in ("SIGKILL", "pthread_kill", "pthread_sigmask")),
]


@pytest.mark.parametrize(
    ("platform", "modules", "names"),
    [("darwin", set(), LINUX_NAMES), ("win32", POSIX_MODULES, POSIX_NAMES)],
)
def test_every_module_loads(platform: str, modules: set[str], names: list[tuple[str, str]]) -> None:
    """Other systems are simulated by hiding modules and names."""
    program = (
        LOAD_ALL.replace("{modules!r}", repr(modules))
        .replace("{names!r}", repr(names))
        .replace("{platform!r}", repr(platform))
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert completed.returncode == 0, completed.stderr
    assert int(completed.stdout) > 100
