"""Fuzz the parsers of outside input, one target after the other.

Inputs that reach new code are stored in build/fuzz/TARGET/corpus, the seed corpus of the next run;
an input that causes a fault is stored beside it. To reproduce the fault:

    python -m tools.fuzz TARGET --repeat build/fuzz/TARGET/crash-…

A fault is an undocumented error, a broken round trip, more than 10 seconds for one input, or more
than 2 GiB of memory.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.fuzz.targets import TARGETS, WORDS

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "fuzz"
KERNEL: Final = "kernel"
LIMITS: Final = ("-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1")
FLAGS: Final = ("-std=c++20", "-O1", "-g1", "-fno-sanitize-recover=undefined", f"-I{ROOT / 'core'}")
SOURCES: Final = (
    "core/pdn/*.cpp",
    "core/movegen/movegen_table.cpp",
    "core/movegen/capture*.cpp",
    "core/movegen/routes.cpp",
    "tools/fuzz/kernel.cpp",
)

_DONE: Final = re.compile(r"Done (\d+) (?:runs )?in \d+ second|number_of_executed_units: (\d+)")


def main() -> int:
    """Return the exit status: 0 without faults."""
    options = _options()
    names = options.targets or [KERNEL, *TARGETS]
    if options.repeat is not None:
        for name in names:
            TARGETS[name].read(options.repeat.read_bytes())
        return 0
    limit = f"-runs={options.runs}" if options.runs else f"-max_total_time={options.seconds}"
    total, faulty = 0, []
    for name in names:
        command = _worker(name, options.compiler)
        count, fault = _fuzz(name, [*command, limit])
        total += count
        if fault:
            faulty.append(name)
        print(f"{name:10} {count:>12,} inputs{'  FAULT: ' + fault if fault else ''}", flush=True)
    print(f"{'all':10} {total:>12,} inputs, faults in {', '.join(faulty) or 'none'}")
    return 1 if faulty else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tools.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "targets",
        nargs="*",
        choices=[[], KERNEL, *TARGETS],
        metavar="TARGET",
        help=f"{', '.join((KERNEL, *TARGETS))} (default: all)",
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--seconds", type=int, default=60, help="seconds for each target (60)")
    limit.add_argument("--runs", type=int, metavar="N", help="inputs for each target")
    limit.add_argument("--repeat", type=Path, help="read this file once, without a fuzzer")
    parser.add_argument(
        "--compiler", default="clang++", help="compiler of the target kernel (clang++)"
    )
    return parser.parse_args()


def _worker(name: str, compiler: str) -> list[str]:
    """Return the command that fuzzes a target. Raises SystemExit if its fuzzer is missing."""
    if name != KERNEL:
        if importlib.util.find_spec("atheris") is None:
            raise SystemExit("no atheris: make setup installs it, on x86-64 Linux")
        return [sys.executable, "-m", "tools.fuzz.worker", name]
    if shutil.which(compiler) is None:
        raise SystemExit(f"no {compiler}: the target kernel needs clang with libFuzzer")
    program = FOLDER / KERNEL / "fuzzer"
    program.parent.mkdir(parents=True, exist_ok=True)
    sources = [str(path) for pattern in SOURCES for path in ROOT.glob(pattern)]
    sanitizers = "-fsanitize=fuzzer,address,undefined"
    subprocess.run([compiler, *FLAGS, sanitizers, *sources, "-o", str(program)], check=True)
    return [str(program)]


def _fuzz(name: str, command: list[str]) -> tuple[int, str]:
    """Run a fuzzer; return the number of inputs, and the fault or ""."""
    folder = FOLDER / name
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(TARGETS["pdn" if name == KERNEL else name].seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = folder / "words"
    words.write_text("".join(f'"{word}"\n' for word in WORDS))
    completed = subprocess.run(
        [*command, *LIMITS, f"-dict={words}", f"-artifact_prefix={folder}/", str(corpus)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    log = completed.stdout.decode("utf-8", "replace")
    (folder / "log").write_text(log)
    count = max((int(match[1] or match[2]) for match in _DONE.finditer(log)), default=0)
    artifact = re.search(r"Test unit written to (\S+)", log)
    if completed.returncode == 0 and artifact is None:
        return count, ""
    where = artifact[1] if artifact else f"see {folder / 'log'}"
    return count, f"status {completed.returncode}, {where}"


if __name__ == "__main__":
    sys.exit(main())
