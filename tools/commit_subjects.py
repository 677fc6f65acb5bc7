#!/usr/bin/env python3
"""Warn about commit messages that do not follow CONTRIBUTING.

Usage: commit_subjects.py [REPOSITORY]

Commits up to b68d508 are not checked. In a shallow clone only the available commits are checked;
without git or a repository, nothing is. The exit status is always 0. It runs on the system's
Python, so it uses only the standard library.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

BASE = "b68d508"
"""The last commit before the rules for commit messages."""

LIMIT = 50
"""Characters of a subject."""

SHOWN = 20
"""Warnings to print."""

NOT_IMPERATIVE = re.compile(
    r"(?!Bring|String|Need|Seed|Feed|Speed|Shed|Embed)\w+(ed|ing)|\w*[^su]s"
)
"""First words such as Added, Adding and Adds, but not Bring, Pass or Focus."""


class Commit(NamedTuple):
    """A commit: abbreviated hash, subject and the line after it."""

    name: str
    subject: str
    second: str


def faults(commit: Commit) -> list[str]:
    """Return the problems of a commit message.

    >>> faults(Commit("1a2b3c4", "Build page texts in one place", ""))
    []
    >>> faults(Commit("1a2b3c4", "Added a test.", "because"))
    ['is not imperative', 'ends with a full stop', 'has no blank line after the subject']
    """
    first = re.match(r"\w+", commit.subject)
    checks = {
        f"has {len(commit.subject)} characters, more than {LIMIT}": len(commit.subject) > LIMIT,
        "does not begin with a capital": not commit.subject[:1].isupper(),
        "is not imperative": first is not None and NOT_IMPERATIVE.fullmatch(first[0]) is not None,
        "ends with a full stop": commit.subject.endswith("."),
        "has no blank line after the subject": bool(commit.second),
    }
    return [text for text, wrong in checks.items() if wrong]


def commits(repository: Path) -> list[Commit]:
    """Return the commits after the base, newest first; none without git or a repository."""
    known = _git(repository, "cat-file", "-e", f"{BASE}^{{commit}}") is not None
    chosen = f"{BASE}..HEAD" if known else "HEAD"
    log = _git(repository, "log", "--no-merges", "--format=%h%n%B%x00", chosen) or ""
    result = []
    for entry in log.split("\0"):
        name, _, message = entry.lstrip("\n").partition("\n")
        subject, _, rest = message.partition("\n")
        if name:
            result.append(Commit(name, subject, rest.partition("\n")[0]))
    return result


def _git(repository: Path, *arguments: str) -> str | None:
    """Return the output of a git command, or None if it failed or git is missing."""
    try:
        completed = subprocess.run(  # noqa: S603
            ["git", "-C", str(repository), *arguments],  # noqa: S607
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return completed.stdout.decode(errors="replace")


def main() -> None:
    """Print a warning for each commit with problems."""
    repository = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    # A folder inside another repository, such as an unpacked sdist, has no history of its own.
    if not (repository / ".git").exists():
        return
    lines = [
        f"warning: commit {each.name} {', '.join(problems)}: {each.subject}"
        for each in commits(repository)
        if (problems := faults(each))
    ]
    print(*lines[:SHOWN], sep="\n", end="\n" if lines else "")
    if len(lines) > SHOWN:
        print(f"warning: {len(lines) - SHOWN} more commits; see CONTRIBUTING.md")


if __name__ == "__main__":
    main()
