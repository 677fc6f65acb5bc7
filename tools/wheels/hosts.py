"""Where a wheel can be installed and run: this system, a Debian in a folder, another processor.

A wheel is installed with pip's `--target` into a folder of its own, together with what it depends
on. So no interpreter needs pip, and none is changed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from tools.wheels.interpreters import interpreter
from tools.wheels.shell import HOME, ROOT, WheelError, output, run

__all__ = ["Debian", "Here", "Host"]

_SUITE: Final = "trixie"
_LIBRARY: Final = "library.txt"
_TESTS: Final = "wheels-test.txt"
_FREE_THREADED_TESTS: Final = "wheels-test-free-threaded.txt"


class Host(Protocol):
    """Where a wheel can be tried."""

    @property
    def name(self) -> str:
        """What the table calls it."""

    def install(self, wheel: Path) -> None:
        """Install a wheel and what the page and the tests need. Raises WheelError."""

    def python(self, *arguments: str | Path, seconds: float = 900) -> str:
        """Return what Python prints. Paths are those of this checkout. Raises WheelError."""


@dataclass
class Here:
    """An interpreter on this system."""

    version: str
    _stands_in: bool = False

    @property
    def name(self) -> str:
        """What the table calls it."""
        how = ", with a stand-in for msgspec" if self._stands_in else ""
        return f"CPython {self.version} here{how}"

    @property
    def _site(self) -> Path:
        return HOME / "sites" / self.version

    def install(self, wheel: Path) -> None:
        """Install a wheel and its libraries; where Python is free-threaded, those there are."""
        python = interpreter(self.version)
        shutil.rmtree(self._site, ignore_errors=True)
        pip: list[str | Path] = [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
            *("install", "--quiet", "--no-warn-script-location", "--no-deps"),
            *("--target", self._site, "--upgrade"),
        ]
        hashed = [*pip, "--require-hashes", "--only-binary=:all:"]
        locks = [_LIBRARY, _TESTS]
        if self.version.endswith("t"):
            locks = [_FREE_THREADED_TESTS]
            text = (ROOT / "requirements" / _LIBRARY).read_text("utf-8")
            for entry in re.split(r"\n(?=\w)", text):
                if "==" in entry:
                    self._install_if_there_is(entry, hashed)
        for lock in locks:
            path = ROOT / "requirements" / lock
            run(f"{self.name}: installing {lock}", *hashed, "-r", path)
        output(*pip, "--no-index", wheel)
        self._stands_in = not (self._site / "msgspec").exists()
        if self._stands_in:
            shutil.copy(Path(__file__).with_name("stand_in") / "msgspec.py", self._site)

    def _install_if_there_is(self, entry: str, hashed: list[str | Path]) -> None:
        """Install what the library needs, if there is a wheel of it for free-threaded Pythons."""
        own = HOME / "entry.txt"
        own.write_text(entry, "utf-8")
        with contextlib.suppress(WheelError):
            output(*hashed, "-r", own)

    def python(self, *arguments: str | Path, seconds: float = 900) -> str:
        """Return what Python prints."""
        environment = {"PYTHONPATH": f"{self._site}:{HOME / 'checkout'}", "PYTHON_GIL": "0"}
        if not self.version.endswith("t"):
            del environment["PYTHON_GIL"]
        return output(interpreter(self.version), *arguments, env=environment, seconds=seconds)


@dataclass
class Debian:
    """Debian's own Python in a folder, for this processor or, by QEMU, for another."""

    processor: str
    """Debian's name of it: amd64, arm64."""
    platform: str
    """The wheel's platform tag."""
    version: str = "3.13"

    @property
    def name(self) -> str:
        """What the table calls it."""
        return f"CPython {self.version} of Debian 13, {self.processor}{self._how}"

    @property
    def _how(self) -> str:
        return "" if self._emulator is None else " by QEMU"

    @property
    def _emulator(self) -> str | None:
        return {"arm64": "qemu-aarch64-static"}.get(self.processor)

    @property
    def _root(self) -> Path:
        return HOME / f"{_SUITE}-{self.processor}"

    def install(self, wheel: Path) -> None:
        """Install a wheel; set Debian up before, where that has not been done."""
        self._set_up()
        site = self._root / "site"
        shutil.rmtree(site, ignore_errors=True)
        processor = self.platform.partition("_2_28_")[2]
        pip: list[str | Path] = [
            *(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"),
            *("--target", site, "--only-binary=:all:", "--no-deps"),
            *("--python-version", self.version, "--implementation=cp"),
            *(f"--platform=manylinux_2_{minor}_{processor}" for minor in (28, 17)),
            f"--platform=manylinux2014_{processor}",
            *(f"--abi=cp{self.version.replace('.', '')}", "--abi=abi3", "--abi=none"),
        ]
        for lock in (_LIBRARY, _TESTS):
            run(
                f"{self.name}: installing {lock}",
                *(*pip, "--upgrade", "--require-hashes", "-r", ROOT / "requirements" / lock),
            )
        output(*pip, "--no-index", wheel)

    def python(self, *arguments: str | Path, seconds: float = 900) -> str:
        """Return what Python prints."""
        if self._emulator is not None:
            python = self._root / "usr" / "bin" / f"python{self.version}"
            path = f"PYTHONPATH={self._root / 'site'}:{HOME / 'checkout'}"
            command = (self._emulator, "-L", self._root, "-E", path, python)
            return output(*command, *arguments, seconds=seconds)
        checkout = self._root / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        shutil.copytree(HOME / "checkout", checkout)
        inside = [str(each).replace(str(HOME / "checkout"), "/checkout") for each in arguments]
        return output(
            *("chroot", self._root, "/usr/bin/env", "HOME=/tmp"),
            *("PYTHONPATH=/site:/checkout", "PYTHONDONTWRITEBYTECODE=1", "python3", *inside),
            seconds=seconds,
        )

    def _set_up(self) -> None:
        if self._root.exists():
            return
        for program in ("debootstrap", self._emulator):
            if program is not None and shutil.which(program) is None:
                raise WheelError(f"needs {program}")
        if os.geteuid() != 0:
            raise WheelError("needs root, for debootstrap")
        partial = self._root.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        # Another processor's packages are unpacked, which is enough to run Python, and not set up,
        # which needs a kernel that runs its programs.
        foreign = [] if self._emulator is None else ["--foreign"]
        run(
            f"setting up {_SUITE} for {self.processor}",
            *("debootstrap", f"--arch={self.processor}", "--variant=minbase", *foreign),
            *("--include=python3", _SUITE, partial),
        )
        for package in partial.glob("var/cache/apt/archives/*.deb") if foreign else ():
            output("dpkg", "-x", package, partial)
        partial.rename(self._root)
