"""The Pythons that wheels are built by and tested on, built from Debian's source packages.

They are built once and kept. Neither the download nor the build needs root. Debian has no
free-threaded Python of its own.
"""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Final

from tools.wheels.shell import HOME, WheelError, jobs, output, run

__all__ = ["interpreter"]

_KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
_SUITES: Final = ("trixie", "sid")


def interpreter(version: str) -> Path:
    """Return the interpreter of a version, as `3.13`; `3.13t` is the free-threaded one.

    Raises WheelError where there is none and none can be built.
    """
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return Path(sys.executable)
    if version == "3.11":
        raise WheelError("needs `make PYTHON=python3.11 wheels`")
    home = HOME / "python" / version
    found = home / "bin" / f"python{version}"
    if not found.exists():
        _build(_source(version.rstrip("t")), version, home)
    return found


def _build(source: Path, version: str, home: Path) -> None:
    folder = HOME / "python" / f"build-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    options = ["--disable-gil"] if version.endswith("t") else []
    run(
        f"configuring Python {version}",
        *(source / "configure", "-q", f"--prefix={home}", "--with-ensurepip=no"),
        *("--disable-test-modules", *options),
        cwd=folder,
    )
    run(f"building Python {version}", "make", "-s", f"-j{jobs()}", cwd=folder)
    run(f"installing Python {version}", "make", "-s", "install", cwd=folder)


def _source(version: str) -> Path:
    """Return the unpacked source of a version of Python."""
    folder = HOME / "python" / "source"
    for known in folder.glob(f"Python-{version}.*"):
        return known
    folder.mkdir(parents=True, exist_ok=True)
    archive = _download(f"python{version}")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return next(folder.glob(f"Python-{version}.*"))


def _download(package: str) -> Path:
    """Download the source of a Debian package, checked by apt; return the archive."""
    if shutil.which("apt-get") is None:
        raise WheelError(f"no source of {package}: no apt-get here")
    folder = HOME / "apt"
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    mirror = _mirror()
    (folder / "sources.list").write_text(
        "".join(f"deb-src [signed-by={_KEYRING}] {mirror} {suite} main\n" for suite in _SUITES)
    )
    own = [
        *("-o", f"Dir::Etc::SourceList={folder / 'sources.list'}"),
        *("-o", "Dir::Etc::SourceParts=/dev/null"),
        *("-o", f"Dir::State::Lists={folder / 'lists'}"),
        *("-o", f"Dir::Cache={folder / 'cache'}"),
    ]
    run("reading Debian's lists of sources", "apt-get", *own, "update")
    shown = output("apt-cache", *own, "showsrc", package)
    versions = re.findall(r"^Version: (\S+)", shown, re.MULTILINE)
    for version in reversed(versions):
        try:
            run(
                f"downloading {package} {version}",
                *("apt-get", *own, "source", "--tar-only", "--download-only"),
                f"{package}={version}",
                cwd=folder / "sources",
            )
        except WheelError:
            continue
        return next((folder / "sources").glob(f"{package}_*.orig.tar.*z"))
    raise WheelError(f"no source of {package} could be downloaded")


def _mirror() -> str:
    """Return where this system's Debian packages come from."""
    etc = Path("/etc/apt")
    for path in (etc / "sources.list", *sorted((etc / "sources.list.d").glob("*"))):
        if path.is_file() and (
            found := re.search(
                r"^[^#\n]*?(https?://\S+/debian)/?\s", path.read_text(), re.MULTILINE
            )
        ):
            return found[1]
    raise WheelError("no mirror of Debian in /etc/apt")
