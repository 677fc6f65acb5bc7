"""What the tests of the package share: where it is built, and scripts that Node.js runs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "dist" / "damka-js"
HERE: Final = Path(__file__).parent


def built() -> Path:
    """Return the package, which `make test` builds."""
    assert (PACKAGE / "package.json").exists(), "dist/damka-js is not built: run `make js`"
    return PACKAGE


def asked(function: str, *arguments: Any, flags: tuple[str, ...] = (), wasm: str = "") -> Any:
    """Call a function of `in_node.mjs` with plain values; return its answer."""
    done = subprocess.run(
        ["node", *flags, str(HERE / "in_node.mjs"), str(built()), wasm],
        input=json.dumps([function, *arguments]),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
