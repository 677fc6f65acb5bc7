"""What `import damka` does to the process that imports it."""

from __future__ import annotations

import json
import subprocess
import sys

LOOK = """
import json, sys
import damka
import logging

json.dump({
    "modules": sorted(sys.modules),
    "handlers": len(logging.getLogger().handlers),
    "level": logging.getLogger().level,
    "damka": len(logging.getLogger("damka").handlers),
}, sys.stdout)
"""
WEB = {
    *("alembic", "fastapi", "jinja2", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    *("asyncio", "http", "rich", "ssl", "typer"),
}

# Loaded when they are first used, so that a program begins sooner.
LATER = {"damka.draw", "damka.game", "damka.pdn", "damka.refusal", "msgspec", "tempfile", "numpy"}


def test_importing_the_library_pulls_in_no_web_stack_and_configures_no_logging() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    seen = json.loads(done.stdout)
    assert "damka" in seen["modules"]
    assert not (WEB | LATER) & set(seen["modules"])
    assert (seen["handlers"], seen["level"], seen["damka"]) == (0, 30, 0)
    assert done.stderr == ""
