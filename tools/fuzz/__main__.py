"""Fuzz what reads input from outside: one target after the other, each for some seconds.

The inputs that reach new lines are kept in build/fuzz/TARGET/corpus, where the next run begins; an
input that shows a fault is kept beside it. To see it again:

    python -m tools.fuzz TARGET --repeat build/fuzz/TARGET/crash-…

A fault is an error that is not documented, a broken round trip, more than 10 seconds for one input,
or more than 2 GiB of memory.
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

from tools.fuzz.seeds import WORDS, seeds
from tools.fuzz.targets import TARGETS

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "build" / "fuzz"
KERNEL: Final = "kernel"
SECONDS_AN_INPUT: Final = 10
MEMORY_MIB: Final = 2048
MAX_BYTES: Final = 4096
FLAGS: Final = ("-std=c++20", "-O1", "-g1", "-fno-sanitize-recover=undefined", f"-I{ROOT / 'core'}")
SOURCES: Final = (
    "pdn/*.cpp",
    "movegen/movegen_table.cpp",
    "movegen/capture*.cpp",
    "movegen/routes.cpp",
)

_DONE: Final = re.compile(
    r"Done (\d+) (?:runs )?in (\d+) second|stat::number_of_executed_units: (\d+)"
)


def main() -> int:
    """Return 0 if nothing was wrong."""
    asked = _asked()
    if asked.repeat is not None:
        for name in asked.targets:
            TARGETS[name](asked.repeat.read_bytes())
        return 0
    names = asked.targets or [KERNEL, *TARGETS]
    wrong = []
    total = 0
    for name in names:
        count, fault = _fuzz(name, asked.seconds, asked.compiler)
        total += count
        if fault:
            wrong.append(name)
        print(f"{name:10} {count:>12,} inputs{'  FAULT: ' + fault if fault else ''}", flush=True)
    print(f"{'all':10} {total:>12,} inputs, faults in {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def _asked() -> argparse.Namespace:
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
        help=f"{', '.join((KERNEL, *TARGETS))}; without, all of them",
    )
    parser.add_argument("--seconds", type=int, default=60, help="for each target; 60")
    parser.add_argument("--repeat", type=Path, help="feed this file once, without a fuzzer")
    parser.add_argument("--compiler", default="clang++", help="for the target kernel; clang++")
    return parser.parse_args()


def _fuzz(name: str, seconds: int, compiler: str) -> tuple[int, str]:
    """Return how many inputs a target was fed with, and what is wrong: "" for nothing."""
    here = FOLDER / name
    corpus = here / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = here / "words"
    words.write_text("".join(f'"{word}"\n' for word in WORDS))
    if name == KERNEL:
        command = [str(_kernel(compiler))]
    else:
        if importlib.util.find_spec("atheris") is None:
            return 0, "atheris is not installed: pip install atheris"
        command = [sys.executable, "-m", "tools.fuzz.worker", name]
    done = subprocess.run(
        [
            *command,
            f"-max_total_time={seconds}",
            f"-timeout={SECONDS_AN_INPUT}",
            f"-rss_limit_mb={MEMORY_MIB}",
            f"-max_len={MAX_BYTES}",
            f"-dict={words}",
            f"-artifact_prefix={here}/",
            "-print_final_stats=1",
            str(corpus),
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    log = done.stdout.decode("utf-8", "replace")
    (here / "log").write_text(log)
    counts = [int(found[1] or found[3]) for found in _DONE.finditer(log)]
    kept = re.search(r"Test unit written to (\S+)", log)
    if done.returncode == 0 and kept is None:
        return max(counts, default=0), ""
    where = kept[1] if kept else f"see {here / 'log'}"
    return max(counts, default=0), f"status {done.returncode}, {where}"


def _kernel(compiler: str) -> Path:
    """Compile the fuzzer of the kernel's reader, and return it. Raises SystemExit without clang."""
    if shutil.which(compiler) is None:
        raise SystemExit(f"no {compiler}: the target kernel needs clang with libFuzzer")
    made = FOLDER / KERNEL / "fuzzer"
    sources = [path for each in SOURCES for path in (ROOT / "core").glob(each)]
    sources.append(Path(__file__).with_name("kernel.cpp"))
    newest = max(path.stat().st_mtime for path in (ROOT / "core").rglob("*.?pp"))
    newest = max(newest, sources[-1].stat().st_mtime)
    if made.exists() and made.stat().st_mtime > newest:
        return made
    made.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            compiler,
            *FLAGS,
            "-fsanitize=fuzzer,address,undefined",
            *map(str, sources),
            "-o",
            str(made),
        ],
        check=True,
    )
    return made


if __name__ == "__main__":
    sys.exit(main())
