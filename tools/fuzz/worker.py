"""Fuzz one target in this process: `python -m tools.fuzz.worker TARGET` and libFuzzer's options."""

from __future__ import annotations

import gc
import sys
from types import FunctionType


def main() -> None:
    """Run until libFuzzer ends the process."""
    # Not a library that the tests need, so it is not listed with theirs.
    import atheris  # noqa: PLC0415

    from tools.fuzz.seeds import seeds  # noqa: PLC0415
    from tools.fuzz.targets import TARGETS  # noqa: PLC0415

    target = TARGETS[sys.argv[1]]
    # Modules are also loaded when they are first used.
    for seed in seeds(sys.argv[1]):
        target(seed)
    # What atheris does to modules while they are imported has no effect on an editable install.
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and (each.__module__ or "").startswith(
            ("damka", "tools")
        ):
            atheris.instrument_func(each)
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
