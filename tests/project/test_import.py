"""Side effects of `import damka` on the process."""

from __future__ import annotations

import json
import subprocess
import sys

INSPECT = """
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

# Loaded on first use for a faster start
LATER = {"damka.draw", "damka.game", "damka.pdn", "damka.refusal", "msgspec", "tempfile", "numpy"}


def test_importing_damka_loads_no_web_libraries_and_configures_no_logging() -> None:
    completed = subprocess.run(
        [sys.executable, "-c", INSPECT], capture_output=True, text=True, check=True
    )
    state = json.loads(completed.stdout)
    assert "damka" in state["modules"]
    assert not (WEB | LATER) & set(state["modules"])
    assert (state["handlers"], state["level"], state["damka"]) == (0, 30, 0)
    assert completed.stderr == ""


def test_packages_are_loaded_on_first_use() -> None:
    code = (
        "import damka; damka.engine.Engine; damka.draw.svg; damka.box.format_table; damka.no_such"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert completed.stderr.rstrip().endswith(
        "AttributeError: module 'damka' has no attribute 'no_such'"
    )


def test_a_package_without_its_extra_is_not_an_attribute() -> None:
    code = """
import sys
sys.modules["scipy"] = None
import damka
assert not hasattr(damka, "training")
assert hasattr(damka, "tablebase") and not hasattr(damka, "no_such")
for statement in ("damka.training", "from damka import training", "import damka.training"):
    try:
        exec(statement)
    except (AttributeError, damka.errors.TrainingError) as error:
        print(type(error).__name__, error)
"""
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    needs = (
        "training needs pip install 'damka[train]' (import of scipy halted; None in sys.modules)"
    )
    assert completed.stdout.splitlines() == [
        f"{kind} {needs}" for kind in ("AttributeError", "TrainingError", "TrainingError")
    ]


def test_training_names_its_extra() -> None:
    code = "import sys; sys.modules['scipy'] = None; import damka.training"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert "TrainingError: training needs pip install 'damka[train]'" in completed.stderr
