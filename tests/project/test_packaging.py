"""Wheel, sdist and lock files."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from tools.wheels import readme, smoke

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PERFT = ROOT / "tests" / "data" / "perft.json"

# A busy machine takes minutes to compile the kernel if its build folder is outdated.
compiles = pytest.mark.timeout(1500)


def run(*command: str | Path, **options: object) -> str:
    completed = subprocess.run(
        [str(part) for part in command],
        check=False,
        capture_output=True,
        text=True,
        timeout=1200,
        **options,  # type: ignore[call-overload]
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return str(completed.stdout)


def build(kind: str, folder: Path) -> Path:
    """Build the sdist or the wheel of this checkout, with the objects of its build folder."""
    tools = str(Path(sys.executable).parent)
    run(
        *(sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", folder, ROOT),
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
    )
    (built,) = folder.glob("damka-*")
    return built


def sources(*folders: str) -> set[str]:
    """Return the files of some folders, except those that git ignores."""
    listed = run(
        *("git", "ls-files", "--cached", "--others", "--exclude-standard", *folders), cwd=ROOT
    )
    return {name for name in listed.splitlines() if (ROOT / name).exists()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment; return that environment."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=True)
    pip = (home / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-warn-script-location")
    run(*pip, "--require-hashes", "--only-binary=:all:", "-r", ROOT / "requirements" / "run.txt")
    run(*pip, "--no-deps", "--no-index", wheel)
    return home


def bare(home: Path, tmp_path: Path) -> dict[str, str]:
    """Return environment variables with only the virtual environment's programs on PATH."""
    return {
        "PATH": str(home / "bin"),
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "PYTHONWARNINGS": "error",
    }


@pytest.mark.release
@compiles
class TestInstalledWheel:
    def test_perft_works_without_compiler_or_node(self, installed: Path, tmp_path: Path) -> None:
        environment = bare(installed, tmp_path)
        assert not {"g++", "cc", "node", "make"} & {
            program.name for program in (installed / "bin").iterdir()
        }
        output = run(
            installed / "bin" / "damka", "perft", "dama64", "5", env=environment, cwd=tmp_path
        )
        assert output.startswith("7,361 leaves")

    def test_rules_and_texts_are_included(self, installed: Path, tmp_path: Path) -> None:
        environment = bare(installed, tmp_path)
        output = run(
            *(installed / "bin" / "damka", "rules", "dama100", "--lang", "it"),
            env=environment,
            cwd=tmp_path,
        )
        assert "Scatola italiana" in output
        assert "1. " in output

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


@compiles
def test_the_wheel_has_every_file_of_the_package_and_works(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path)  # noqa: S202  our own archive
    files = [path for path in tmp_path.glob("damka/**/*") if path.is_file()]
    names = {f"src/{path.relative_to(tmp_path)}" for path in files}
    (metadata,) = tmp_path.glob("*.dist-info/METADATA")
    assert not relative(metadata.read_text("utf-8").partition("\n\n")[2])
    # The glossaries are for translators only.
    packaged = {name for name in sources("src/damka") if not name.endswith("/GLOSSARY.md")}
    (kernel,) = names - packaged
    assert re.fullmatch(r"src/damka/_core\.[\w.-]*so", kernel)
    assert packaged <= names
    # Without `site`, Python does not use the editable install.
    libraries = sysconfig.get_path("purelib")
    output = run(
        *(sys.executable, "-S", ROOT / "tools" / "wheels" / "smoke.py", PERFT, "30000"),
        env={"PYTHONPATH": f"{tmp_path}:{libraries}", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path,
    )
    assert "games in 4 threads" in output


def test_the_smoke_test_detects_a_wrong_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damka.Board.perft", lambda *_: 1)
    with pytest.raises(AssertionError, match="dama64"):
        smoke.main(str(PERFT), "30000")


@compiles
def test_the_sdist_has_only_the_wheels_sources(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    kernel = {name for name in sources("core", "src") if not name.startswith("core/tests/")}
    beside = {
        "CHANGELOG.md",
        "CMakeLists.txt",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
        "tools/wheels/readme.md",
    }
    assert names == kernel | beside


def relative(text: str) -> list[str]:
    """Return the relative targets of links and pictures."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [each for each in targets if not each.startswith(("https://", "#"))]


def test_the_package_indexs_readme_has_no_relative_links() -> None:
    """If this fails, run `python -m tools.wheels.readme`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / project["readme"]).read_text("utf-8")
    whole = (ROOT / "README.md").read_text("utf-8")
    assert text == readme.rewritten(whole)
    assert relative(whole)
    assert not relative(text)
    assert "<!--" not in text
    assert "![" not in text
    assert "```sh\nmake play" in text


def test_a_releases_readme_links_to_its_repository(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "tools" / "wheels").mkdir(parents=True)
    address = "https://forge.example/people/damka"
    for _ in range(2):
        readme.main(address, tmp_path)
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["urls"]["Repository"] == address
    assert {"Documentation", "Changelog", "Issues"} <= set(project["urls"])
    text = (tmp_path / project["readme"]).read_text("utf-8")
    assert not relative(text)
    picture = "raw/HEAD/docs/screenshots/refusal-light-desktop.png"
    assert f"({address}/{picture})" in text
    for kind, target in re.findall(rf"\({address}/(blob|raw)/HEAD/([^)#]+)[)#]", text):
        assert (ROOT / target).is_file(), (kind, target)
    for url in project["urls"].values():
        target = url.removeprefix(f"{address}/blob/HEAD/")
        assert target == url or (ROOT / target).is_file()
    with pytest.raises(SystemExit, match="is not the address of a repository"):
        readme.main("forge.example", tmp_path)


def test_the_release_workflow_writes_the_readme_before_building() -> None:
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
    written = 'python tools/wheels/readme.py "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"'
    for build_step in ("python -m cibuildwheel", "python -m build --sdist"):
        assert written in text.partition(build_step)[0].rpartition("jobs:")[2]
    assert text.count(written) == 2


def test_cmake_compiles_every_source() -> None:
    """Otherwise a new source file would be missing in wheels."""
    listed = re.findall(r"^  (core/\S+\.cpp)$", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    existing = {str(path.relative_to(ROOT)) for path in (ROOT / "core").glob("*/*.cpp")}
    assert set(listed) == {path for path in existing if not path.startswith("core/tests/")}


def test_every_promised_wheel_is_built() -> None:
    """The table of docs/internals/wheels.md agrees with the workflow and cibuildwheel's builds."""
    page = (ROOT / "docs" / "internals" / "wheels.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:Linux|Windows|macOS).*) \| (.*) \|$", page, re.MULTILINE)
    assert {row[1] for row in rows} == {"3.11, 3.12+, 3.14t"}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert settings["cibuildwheel"]["build"] == ["cp311-*", "cp312-*", "cp314t-*"]
    assert settings["scikit-build"]["wheel"]["py-api"] == "cp312"
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
    (machines,) = re.findall(r"machine: \[(.*)\]", workflow)
    for machine in (
        "ubuntu-24.04",
        "ubuntu-24.04-arm",
        "windows-2022",
        "macos-15-intel",
        "macos-15",
    ):
        assert machine in machines.split(", ")


def test_the_workflow_pins_its_actions() -> None:
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8")
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in actions)
    for lock in re.findall(r"-r (\S+)", text):
        assert ROOT / lock in LOCKS


def test_versions_are_consistent() -> None:
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


@pytest.mark.parametrize("folder", [".", "site", "tests/javascript/bundlers"])
def test_a_node_lock_names_no_host(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages
    for each in packages.values():
        assert "integrity" in each
        assert "resolved" not in each
