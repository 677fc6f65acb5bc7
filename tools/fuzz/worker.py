"""Fuzz one target in this process: `python -m tools.fuzz.worker TARGET` and libFuzzer's options."""

from __future__ import annotations

import gc
import sys
from types import FunctionType

import atheris

from tools.fuzz.targets import TARGETS


def main() -> None:
    """Run until libFuzzer ends the process."""
    target = TARGETS[sys.argv[1]]
    # Some modules are loaded on first use.
    for seed in target.seeds:
        target.read(seed)
    # atheris's import hooks have no effect on an editable install.
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and (each.__module__ or "").startswith(target.packages):
            atheris.instrument_func(each)
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target.read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
