"""`make check` warns about commit messages that do not follow CONTRIBUTING."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools import commit_subjects
from tools.commit_subjects import LIMIT, Commit, commits, faults

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tools" / "commit_subjects.py"


def git(folder: Path, *arguments: str) -> None:
    settings = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{who}_{key}": "a@b.example"
            for who in ("AUTHOR", "COMMITTER")
            for key in ("NAME", "EMAIL")
        },
    }
    subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, env={**os.environ, **settings}
    )


def printed(repository: Path, **settings: str) -> str:
    completed = subprocess.run(
        [sys.executable, str(SCRIPT), str(repository)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **settings},
    )
    assert not completed.stderr
    return completed.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    for message in ("Add a board", "Fixes the board.", "Pass the board on"):
        git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return folder


@pytest.mark.parametrize(
    "subject",
    ["Add a board", "Bring tests up to date", "Pass on the board", "Focus the board", "x" * LIMIT],
)
def test_a_valid_subject_has_no_faults(subject: str) -> None:
    assert not faults(Commit("1a2b3c4", subject.capitalize(), ""))


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("Added a board", "is not imperative"),
        ("Adding a board", "is not imperative"),
        ("Adds a board", "is not imperative"),
        ("add a board", "does not begin with a capital"),
        ("Add a board.", "ends with a full stop"),
        ("A" * (LIMIT + 1), f"has {LIMIT + 1} characters, more than {LIMIT}"),
    ],
)
def test_faults_of_a_subject(subject: str, fault: str) -> None:
    assert faults(Commit("1a2b3c4", subject, "")) == [fault]


def test_the_doctest_passes() -> None:
    assert doctest.testmod(commit_subjects).failed == 0


def test_warns_about_the_commits_of_a_repository(repository: Path) -> None:
    assert [each.subject for each in commits(repository)][-1] == "Add a board"
    [line] = printed(repository).splitlines()
    assert line.startswith("warning: commit ")
    assert line.endswith("is not imperative, ends with a full stop: Fixes the board.")


def test_a_shallow_clone_is_checked(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    assert len(commits(tmp_path / "shallow")) == 1
    assert not printed(tmp_path / "shallow")


def test_is_silent_without_a_repository_or_git(repository: Path, tmp_path: Path) -> None:
    assert not printed(tmp_path)
    assert not printed(repository, PATH=str(tmp_path))


def test_is_silent_in_an_empty_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    assert not printed(tmp_path)


def test_contributing_has_the_rule_and_make_check_the_warning() -> None:
    assert f"at most {LIMIT} characters" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "tools/commit_subjects.py" in (ROOT / "Makefile").read_text("utf-8")
