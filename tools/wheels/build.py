"""Building one wheel, for this system or another, with the compiler zig.

scikit-build-core builds it, run by an interpreter of the wheel's own binary interface, so that it
finds the right version by itself. It is told what is different where the wheel is for: the
platform's tag, the ending of extension modules and, but for Linux, Python's configuration.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from tools.wheels.interpreters import interpreter
from tools.wheels.shell import HOME, ROOT, WheelError, jobs, output, run
from tools.wheels.targets import Abi, Platform

__all__ = ["build_sdist", "build_wheel"]

BUILD = """
import json, sys
from scikit_build_core.build import build_wheel
build_wheel(sys.argv[1], json.loads(sys.argv[2]))
"""

# zig has its own name for the micro-architecture. Its linker for macOS takes no list of the symbols
# that only the interpreter has, and crashes on bundles; Python loads a shared library as well.
# CMake takes every Linux for this one (see _differences), so it asks for an x86-64 on other
# processors too.
COMPILER = """#!/bin/sh
for argument do
  shift
  case $argument in
    -march=x86-64-v2) argument={march} ;;
    -bundle) argument=-shared ;;
    -Wl,@*darwin-ld-cpython.sym) argument=-Wl,-undefined,dynamic_lookup ;;
  esac
  set -- "$@" "$argument"
done
exec {zig} c++ -target {target} "$@"
"""


def build_sdist(dist: Path) -> Path:
    """Build the sdist; return it."""
    command = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", dist, ROOT)
    run("building the sdist", *command)
    return max(dist.glob("damka-*.tar.gz"), key=lambda path: path.stat().st_mtime)


def build_wheel(platform: Platform, abi: Abi, dist: Path) -> Path:
    """Build a wheel; return it. Raises WheelError where that is not possible here."""
    python = interpreter(abi.python)
    (platlib,) = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    folder = HOME / "kernels" / f"{abi.tags}-{platform.tag}"
    out = HOME / "out" / folder.name
    shutil.rmtree(out, ignore_errors=True)
    settings = {
        "build-dir": str(folder),
        "build.tool-args": f"-j{jobs()}",
        "install.strip": "false",  # The linker has done so, for any processor.
        "cmake.define.CMAKE_CXX_COMPILER": str(_program(platform, "c++")),
        **_differences(platform, abi, python),
    }
    # CMake remembers what it was told when a folder was new.
    told = folder / "settings.json"
    if not told.exists() or json.loads(told.read_text("utf-8")) != settings:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        told.write_text(json.dumps(settings), "utf-8")
    version = re.sub(r"\D", "", abi.python)
    suffix = f"cpython-{version}{'t' if abi.python.endswith('t') else ''}-{platform.suffix}"
    # scikit-build-core takes no tag that names a C library; it is given to the wheel afterwards.
    machine = f"linux_{platform.processor}" if platform.is_linux else platform.tag
    run(
        f"building {abi.tags}-{platform.tag}",
        *(python, "-c", BUILD, out, json.dumps(settings)),
        cwd=ROOT,
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            # The interpreter may have no libraries of its own. These are plain Python.
            "PYTHONPATH": platlib,
            "SETUPTOOLS_EXT_SUFFIX": f".{suffix}",
            "ZIG_GLOBAL_CACHE_DIR": str(HOME / "zig"),
            "_PYTHON_HOST_PLATFORM": machine,
        },
    )
    (wheel,) = out.glob("*.whl")
    if machine != platform.tag:
        output(
            sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", platform.tag, wheel
        )
        (wheel,) = out.glob("*.whl")
    if not wheel.name.endswith(f"-{abi.tags}-{platform.tag}.whl"):
        raise WheelError(f"it became {wheel.name}")
    return Path(shutil.move(wheel, dist / wheel.name))


def _differences(platform: Platform, abi: Abi, python: Path) -> dict[str, str]:
    """Return what CMake is told of the system that the wheel is for."""
    told = {"Python_INCLUDE_DIR": str(_headers(platform, python))}
    if not platform.is_linux:
        # Not for another Linux: a CMake that compiles for another system takes no free-threaded
        # Python that it is shown.
        told["CMAKE_SYSTEM_NAME"] = platform.system
        told["CMAKE_SYSTEM_PROCESSOR"] = platform.processor
        # This system's own make archives that the other system's linker cannot read.
        told["CMAKE_AR"] = str(_program(platform, "ar"))
        told["CMAKE_RANLIB"] = str(_program(platform, "ranlib"))
    if platform.system == "Windows":
        library = _windows_library()
        # CMake also asks for the library of one version, though nothing is linked with it.
        of_version = shutil.copy(library, library.with_name("python313.lib"))
        told |= {
            "CMAKE_RC_COMPILER": str(_program(platform, "rc")),
            "Python_LIBRARY": str(of_version),
            "Python_SABI_LIBRARY": str(library),
        }
    if platform.system == "Darwin":
        told |= {"CMAKE_INSTALL_NAME_TOOL": "/bin/true", "CMAKE_OSX_SYSROOT": ""}
    return {f"cmake.define.{name}": value for name, value in told.items()}


def _program(platform: Platform, tool: str) -> Path:
    """Return a script that runs one of zig's tools for a platform."""
    zig = _zig()
    path = HOME / "bin" / f"{platform.zig}-{tool.replace('+', 'x')}"
    path.parent.mkdir(parents=True, exist_ok=True)
    if tool == "c++":
        march = "-march=x86_64_v2" if platform.zig.startswith("x86_64") else "-DNDEBUG"
        path.write_text(COMPILER.format(zig=zig, target=platform.zig, march=march), "utf-8")
    else:
        path.write_text(f'#!/bin/sh\nexec {zig} {tool} "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def _zig() -> Path:
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise WheelError("no zig: run `make wheels`")
    return Path(found.origin).parent / "zig"


def _headers(platform: Platform, python: Path) -> Path:
    """Return a folder with Python's headers as they are on a platform.

    Linux's systems of 64 bits differ in nothing that an extension module sees, and macOS in what
    it does not use. Windows has a configuration of its own in Python's source.
    """
    found = output(python, "-c", "import sysconfig; print(sysconfig.get_path('include'))").strip()
    folder = HOME / "headers" / f"{Path(found).name}-{platform.system}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(found, folder)
    config = folder / "pyconfig.h"
    # Debian keeps one for each machine in another folder.
    for other in Path("/usr/include").glob(f"*-linux-gnu/{Path(found).name}/pyconfig.h"):
        if other.parent.parent.name in config.read_text("utf-8"):
            shutil.copy(other, config)
            break
    if platform.system == "Windows":
        (source,) = (HOME / "python" / "source").glob("Python-3.13.*")
        shutil.copy(source / "PC" / "pyconfig.h.in", config)
    return folder


def _windows_library() -> Path:
    """Return an import library of what the stable ABI has, as Python's source lists it."""
    library = HOME / "windows" / "python3.lib"
    if library.exists():
        return library
    (source,) = (HOME / "python" / "source").glob("Python-3.13.*")
    text = (source / "PC" / "python3dll.c").read_text("utf-8")
    functions = re.findall(r"^EXPORT_FUNC\((\w+)\)", text, re.MULTILINE)
    data = re.findall(r"^EXPORT_DATA\((\w+)\)", text, re.MULTILINE)
    if not functions or not data:
        raise WheelError("no list of the stable ABI in Python's source")
    library.parent.mkdir(parents=True, exist_ok=True)
    definition = library.with_suffix(".def")
    lines = ["LIBRARY python3.dll", "EXPORTS", *functions, *(f"{name} DATA" for name in data)]
    definition.write_text("\n".join(lines) + "\n", "utf-8")
    output(
        *(_zig(), "dlltool", "-m", "i386:x86-64", "-D", "python3.dll"),
        *("-d", definition, "-l", library),
    )
    return library
