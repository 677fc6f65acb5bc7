"""Missing prerequisites are reported with the command that installs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tools import prerequisites


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide all programs, including the compiler and apt-get."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("DAMKA_CHROMIUM", raising=False)


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize(
    ("group", "thing", "packages"),
    [
        ("build", "a C++20 compiler (g++)", "g++"),
        (
            "chromium",
            "Chromium, for the tests of the page",
            "chromium-headless-shell fonts-dejavu-core",
        ),
        ("node", "npm, to build and check JavaScript", "nodejs npm"),
    ],
)
def test_missing_packages_are_named_with_their_install_command(
    group: str, thing: str, packages: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prerequisites.main([group]) == 1
    output = capsys.readouterr().err
    assert f"Missing: {thing}\n" in output
    assert "sudo apt-get install " in output
    assert set(packages.split()) <= set(output.split())


@pytest.mark.usefixtures("bare")
def test_a_browser_named_in_the_environment_must_exist(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DAMKA_CHROMIUM", str(tmp_path / "chrome"))
    assert prerequisites.main(["chromium"]) == 1
    assert f"Missing: DAMKA_CHROMIUM={tmp_path / 'chrome'}" in capsys.readouterr().err
    (tmp_path / "chrome").touch()
    assert prerequisites.main(["chromium"]) == 0


@pytest.mark.parametrize("arguments", [[], ["compiler"], ["build", "compiler"]])
def test_invalid_arguments_print_the_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert prerequisites.main(arguments) == 2
    assert "Usage: prerequisites.py GROUP" in capsys.readouterr().err


def test_packages_are_installed_for_root_with_progress(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    apt = tmp_path / "apt-get"
    apt.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/commands\n[ $1 = update ] || /bin/ln -s $0 npm\n'
    )
    apt.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.chdir(tmp_path)
    assert prerequisites.main(["node"]) == 0
    assert (tmp_path / "commands").read_text() == (
        "update\ninstall -y --no-install-recommends nodejs npm\n"
    )
    assert "installing nodejs npm: 0:0" in capfd.readouterr().out
