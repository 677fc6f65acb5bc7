"""Checking a wheel: by auditwheel and abi3audit, and by running it where that can be done."""

from __future__ import annotations

import io
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Final

from elftools.elf.elffile import ELFFile

from tools.wheels.hosts import Debian, Here, Host
from tools.wheels.shell import HOME, ROOT, WheelError, output
from tools.wheels.targets import Abi, Platform, covers

__all__ = ["check"]

_BOARD_TESTS: Final = ("test_perft.py", "test_positions.py", "test_result.py", "test_threads.py")
_COUNTS: Final = "3000000"
_COUNTS_BY_QEMU: Final = "100000"


def check(wheel: Path, platform: Platform, abi: Abi) -> str:
    """Return how a wheel was checked, in words. Raises WheelError for a wheel that is wrong."""
    words = [*_audited(wheel, platform, abi)]
    hosts = _hosts(platform, abi)
    if not hosts:
        return "; ".join(["only compiled", *words])
    for host in hosts:
        try:
            host.install(wheel)
        except WheelError as failed:
            words.append(f"skipped on {host.name}: {failed}")
        else:
            words.append(f"{_tried(host)} on {host.name}")
    ran = any(word.startswith(("tested", "tried")) for word in words)
    return "; ".join(words if ran else ["only compiled", *words])


def _hosts(platform: Platform, abi: Abi) -> list[Host]:
    debian = {"manylinux_2_28_x86_64": "amd64", "manylinux_2_28_aarch64": "arm64"}
    hosts: list[Host] = []
    if platform.tag == "manylinux_2_28_x86_64":
        hosts.append(Here(abi.python))
    if platform.tag in debian and abi.is_stable:
        hosts.append(Debian(debian[platform.tag], platform.tag))
    return hosts


def _audited(wheel: Path, platform: Platform, abi: Abi) -> list[str]:
    """Look for symbols that are newer than the wheel's tags promise."""
    words = []
    if "musl" in platform.tag:
        # musl's symbols have no versions, and auditwheel takes this system's C library for musl's.
        needed = _libraries(wheel)
        if needed != {"libc.so"}:
            raise WheelError(f"{wheel.name} needs {sorted(needed)}, not libc.so alone")
        words.append("needs libc.so alone")
    elif platform.is_linux:
        told = re.sub(r"\s+", " ", output(sys.executable, "-m", "auditwheel", "show", wheel))
        found = re.search(r'platform tag: "([^"]+)"', told)
        if found is None or not covers(found[1], platform.tag):
            raise WheelError(f"{wheel.name}: auditwheel says {told[:200]}")
        words.append(f"auditwheel: {found[1]}")
    if abi.is_stable:
        output(sys.executable, "-m", "abi3audit", "--strict", wheel)
        words.append("abi3audit: fine")
    return words


def _libraries(wheel: Path) -> set[str]:
    """Return the shared libraries that a wheel's extension needs."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".so"))
        extension = ELFFile(io.BytesIO(packed.read(name)))
        dynamic = extension.get_section_by_name(".dynamic")
        return {tag.needed for tag in dynamic.iter_tags() if tag.entry.d_tag == "DT_NEEDED"}


def _tried(host: Host) -> str:
    """Run the wheel that is installed there; return in a word what was done."""
    _copy_tests()
    checkout = HOME / "checkout"
    smoke = checkout / "tools" / "wheels" / "smoke.py"
    counts = checkout / "tests" / "data" / "perft.json"
    if "QEMU" in host.name:
        host.python(smoke, counts, _COUNTS_BY_QEMU, seconds=1800)
        return "tried (counts, search, games in threads, the program)"
    host.python(smoke, counts, _COUNTS)
    files = [checkout / "tests" / "board" / name for name in _BOARD_TESTS]
    told = host.python(
        "-m", "pytest", "-q", "-c", checkout / "pyproject.toml", *files, seconds=1800
    )
    passed = re.search(r"(\d+) passed", told)
    if passed is None:
        raise WheelError(f"{host.name}: {told[-200:]}")
    return f"tested ({passed[1]} tests of the board)"


def _copy_tests() -> None:
    """Copy the tests without the package, so that they find the one that is installed."""
    checkout = HOME / "checkout"
    shutil.rmtree(checkout, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__", "browser", "screenshots")
    for folder in ("tests", "tools"):
        shutil.copytree(ROOT / folder, checkout / folder, ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", checkout)
