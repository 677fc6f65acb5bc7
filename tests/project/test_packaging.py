"""The wheel works where there is neither a compiler nor Node; the lock files are what they say."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import urllib.request
import venv
from pathlib import Path

import pytest
from tools.wheels.targets import covers, wanted

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def run(*command: str | Path, **options: object) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        capture_output=True,
        text=True,
        timeout=1200,
        **options,  # type: ignore[call-overload]
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it into an empty environment; return that environment.

    What the compiler has made for this checkout already is taken from its build folder.
    """
    folder = tmp_path_factory.mktemp("wheel")
    tools = str(Path(sys.executable).parent)
    run(
        *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder),
        ROOT,
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    (wheel,) = folder.glob("damka-*.whl")
    home = folder / "venv"
    venv.create(home, with_pip=True)
    pip = (home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-warn-script-location")
    run(*pip, "--require-hashes", "--only-binary=:all:", "-r", ROOT / "requirements" / "run.txt")
    run(*pip, "--no-deps", "--no-index", wheel)
    return home


def bare(home: Path, tmp_path: Path) -> dict[str, str]:
    """Return an environment in which the virtual environment's programs are the only ones."""
    return {
        "PATH": str(home / "bin"),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "PYTHONWARNINGS": "error",
    }


@pytest.mark.slow
@pytest.mark.timeout(1500)  # a busy machine takes minutes to compile the kernel
class TestWheel:
    def test_counts_without_compiler_or_node(self, installed: Path, tmp_path: Path) -> None:
        environment = bare(installed, tmp_path)
        assert not {"g++", "cc", "node", "make"} & {
            program.name for program in (installed / "bin").iterdir()
        }
        told = run(
            installed / "bin" / "damka", "perft", "dama64", "5", env=environment, cwd=tmp_path
        )
        assert told.startswith("7,361 leaves")

    def test_brings_rules_texts_and_pages_along(self, installed: Path, tmp_path: Path) -> None:
        environment = bare(installed, tmp_path)
        told = run(
            *(installed / "bin" / "damka", "rules", "dama100", "--lang", "it"),
            env=environment,
            cwd=tmp_path,
        )
        assert "Scatola italiana" in told
        assert "1. " in told

    def test_serves_the_page(self, installed: Path, tmp_path: Path) -> None:
        server = subprocess.Popen(
            [str(installed / "bin" / "damka"), "serve", "--port", "0", "--no-browser"],
            env={**bare(installed, tmp_path), "PYTHONUNBUFFERED": "1"},
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = None
            for line in server.stdout:
                if match := re.search(r"http://[\w.\[\]:]+", line):
                    address = match[0].rstrip("/")
                    break
            assert address is not None
            with urllib.request.urlopen(f"{address}/healthz", timeout=10) as answer:  # noqa: S310
                assert answer.status == 200
            with urllib.request.urlopen(f"{address}/", timeout=10) as answer:  # noqa: S310
                assert b"dama64" in answer.read()
        finally:
            server.terminate()
            server.wait(20)
            if server.stdout is not None:
                server.stdout.close()


def test_the_sdist_has_what_the_wheel_is_built_from_and_no_more(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, ROOT)
    (sdist,) = tmp_path.glob("damka-*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    tracked = set(run("git", "ls-files", "core", "src", cwd=ROOT).splitlines())
    kernel = {name for name in tracked if not name.startswith("core/tests/")}
    beside = {
        "CHANGELOG.md",
        "CMakeLists.txt",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
    }
    assert kernel <= names
    # What is new in the checkout and not yet tracked may be there.
    assert all(name.startswith(("core/", "src/")) for name in names - beside)
    assert beside <= names
    assert not [name for name in names if name.startswith("core/tests") or name.endswith(".so")]


def test_cmake_compiles_every_source() -> None:
    """A new file of the kernel is in the wheel of every system, not only where make finds it."""
    listed = re.findall(r"^  (core/\S+\.cpp)$", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    there = {str(path.relative_to(ROOT)) for path in (ROOT / "core").glob("*/*.cpp")}
    assert set(listed) == {path for path in there if not path.startswith("core/tests/")}


def test_every_promised_wheel_is_built() -> None:
    tags = {f"{abi.tags}-{platform.tag}" for platform, abi in wanted([])}
    for system in ("manylinux_2_28_x86_64", "manylinux_2_28_aarch64", "musllinux_1_2_x86_64"):
        for python in ("cp311-cp311", "cp312-abi3", "cp313-cp313t", "cp314-cp314t"):
            assert f"{python}-{system}" in tags
    for system in ("win_amd64", "macosx_11_0_x86_64", "macosx_11_0_arm64"):
        assert f"cp312-abi3-{system}" in tags
    assert len(wanted(["abi3", "x86_64", "linux"])) == 2


@pytest.mark.parametrize(
    ("found", "tag", "fine"),
    [
        ("manylinux_2_17_x86_64", "manylinux_2_28_x86_64", True),
        ("manylinux_2_28_x86_64", "manylinux_2_28_x86_64", True),
        ("manylinux_2_31_x86_64", "manylinux_2_28_x86_64", False),
        ("manylinux_2_28_aarch64", "manylinux_2_28_x86_64", False),
        ("musllinux_1_2_x86_64", "manylinux_2_28_x86_64", False),
        ("linux_x86_64", "manylinux_2_28_x86_64", False),
    ],
)
def test_a_wheel_that_needs_a_newer_system_is_wrong(found: str, tag: str, fine: bool) -> None:
    assert covers(found, tag) is fine


def test_the_workflow_pins_what_it_runs() -> None:
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in actions)
    for lock in re.findall(r"-r (\S+)", text):
        assert ROOT / lock in LOCKS


def test_the_version_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert importlib.metadata.version("damka") == project["version"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_file_has_hashes_and_no_host(lock: Path) -> None:
    text = lock.read_text("utf-8")
    pinned = re.findall(r"^[a-z0-9][\w.\[\]-]*==", text, re.MULTILINE)
    assert pinned
    assert text.count("--hash=sha256:") >= len(pinned)
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_the_node_lock_names_no_host() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages
    for each in packages.values():
        assert "integrity" in each
        assert "resolved" not in each
