"""Write `src/damka/study/lessons/shipped.txt`, the courses of the shipped rule sets.

They are only searched for once, here. Run this after a change of the exercises or of a rule set:

    .venv/bin/python -m tools.lessons

Tests compare the file with the search.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from damka.rules import load, names
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.generate import generate
from damka.study.lessons.shipped import FILE, line


def written() -> str:
    """Return the contents of the file."""
    first = {fingerprint(load(name)): name for name in reversed(names())}
    with ProcessPoolExecutor() as pool:
        return "".join(sorted(pool.map(course_of, first.values())))


def course_of(name: str) -> str:
    """Return the line of a rule set."""
    return line(generate(load(name)))


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
