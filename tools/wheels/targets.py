"""For which systems and which Pythons there are wheels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["ABIS", "PLATFORMS", "Abi", "Platform", "covers", "wanted"]


@dataclass(frozen=True)
class Platform:
    """A system that wheels are built for."""

    tag: str
    """The wheel's platform tag."""
    zig: str
    """The target's name for zig, which pins the C library's version."""
    system: str
    """CMake's name of the system."""
    processor: str
    suffix: str
    """What extension modules of one version end in there, without the version."""

    @property
    def is_linux(self) -> bool:
        """Whether wheels for it can be looked into by auditwheel, and perhaps run here."""
        return self.system == "Linux"


@dataclass(frozen=True)
class Abi:
    """A binary interface of CPython that wheels are built for."""

    tags: str
    """The wheel's Python and ABI tags."""
    python: str
    """The interpreter that builds it: as its version says, with t if it is free-threaded."""
    everywhere: bool
    """Whether it is built here for systems other than Linux too."""

    @property
    def is_stable(self) -> bool:
        """Whether newer versions of CPython load it too."""
        return self.tags.endswith("-abi3")


PLATFORMS: Final = (
    Platform("manylinux_2_28_x86_64", "x86_64-linux-gnu.2.28", "Linux", "x86_64",
             "x86_64-linux-gnu.so"),
    Platform("manylinux_2_28_aarch64", "aarch64-linux-gnu.2.28", "Linux", "aarch64",
             "aarch64-linux-gnu.so"),
    Platform("musllinux_1_2_x86_64", "x86_64-linux-musl", "Linux", "x86_64",
             "x86_64-linux-musl.so"),
    Platform("musllinux_1_2_aarch64", "aarch64-linux-musl", "Linux", "aarch64",
             "aarch64-linux-musl.so"),
    Platform("win_amd64", "x86_64-windows-gnu", "Windows", "AMD64", "win_amd64.pyd"),
    Platform("macosx_11_0_x86_64", "x86_64-macos.11.0", "Darwin", "x86_64", "darwin.so"),
    Platform("macosx_11_0_arm64", "aarch64-macos.11.0", "Darwin", "arm64", "darwin.so"),
)  # fmt: skip

ABIS: Final = (
    Abi("cp311-cp311", "3.11", everywhere=False),
    Abi("cp312-abi3", "3.13", everywhere=True),
    Abi("cp313-cp313t", "3.13t", everywhere=False),
    Abi("cp314-cp314t", "3.14t", everywhere=False),
)


def wanted(words: list[str]) -> list[tuple[Platform, Abi]]:
    """Return what is built here of everything; with words, whose tags contain all of them."""
    return [
        (platform, abi)
        for platform in PLATFORMS
        for abi in ABIS
        if (platform.is_linux or abi.everywhere)
        and all(word in f"{abi.tags}-{platform.tag}" for word in words)
    ]


def covers(found: str, tag: str) -> bool:
    """Whether a platform tag that auditwheel found is no newer than the wheel's own."""
    pattern = re.compile(r"(many|musl)linux_(\d+)_(\d+)_(\w+)")
    ours, theirs = pattern.fullmatch(tag), pattern.fullmatch(found)
    if ours is None or theirs is None:
        return False
    return (ours[1], ours[4]) == (theirs[1], theirs[4]) and (
        (int(theirs[2]), int(theirs[3])) <= (int(ours[2]), int(ours[3]))
    )
