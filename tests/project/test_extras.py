"""Modules without their dependencies name the missing extra."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]

IMPORTED = {
    "server": ("fastapi", "prometheus_client", "rjsmin", "segno", "sqlalchemy", "uvicorn"),
    "rl": ("gymnasium", "numpy", "pettingzoo"),
}
"""The modules of an extra that its package imports immediately."""


def without(missing: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code as if these modules were not installed."""
    blocked = f"import sys\nfor name in {missing!r}:\n    sys.modules[name] = None\n"
    line = [sys.executable, "-c", blocked + code]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("extra", "missing"), [(extra, name) for extra, names in IMPORTED.items() for name in names]
)
def test_importing_a_package_names_the_missing_extra(extra: str, missing: str) -> None:
    part = f"damka.{extra}"
    code = f"""
try:
    import {part}
except ImportError as error:
    print(type(error).__name__, error.extra, error.name)
    print(error)
"""
    completed = without([missing], code)
    assert completed.returncode == 0, completed.stderr
    kind, text = completed.stdout.splitlines()
    assert kind == f"MissingExtraError {extra} {missing}"
    assert text.startswith(f"{part} needs: pip install 'damka[{extra}]' (")
    packages = {each.partition(">")[0].replace("-", "_") for each in EXTRAS[extra]}
    assert missing in packages


def test_importing_a_submodule_names_the_missing_extra() -> None:
    completed = without(["fastapi"], "import damka.server.app")
    assert "MissingExtraError: damka.server needs: pip install 'damka[server]'" in completed.stderr
    for missing, code in (
        ("markupsafe", "import damka.pages"),
        ("jinja2", "from damka.pages import Templates; Templates(str)"),
    ):
        completed = without([missing], code)
        assert (
            "MissingExtraError: damka.pages needs: pip install 'damka[server]'" in completed.stderr
        )
    completed = without(["pettingzoo"], "from damka.rl import env")
    assert "MissingExtraError: damka.rl needs: pip install 'damka[rl]'" in completed.stderr


@pytest.mark.parametrize("part", ["rl", "training"])
def test_a_package_without_its_extra_is_not_an_attribute(part: str) -> None:
    completed = without(["numpy"], f"import damka\nprint(hasattr(damka, '{part}'))\ndamka.{part}")
    assert completed.stdout == "False\n"
    assert re.search(r"AttributeError: .*pip install 'damka\[(rl|train)\]'", completed.stderr)


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
@pytest.mark.parametrize("missing", [["PIL"], ["resvg_py"], ["PIL", "resvg_py"]])
def test_damka_draw_names_the_missing_extra(
    ending: str, missing: list[str], tmp_path: Path
) -> None:
    picture = tmp_path / f"a.{ending}"
    arguments = ["draw", "start", "-o", str(picture)]
    code = f"from damka.cli import main\nsys.argv[1:] = {arguments!r}\nmain()"
    completed = without(missing, code)
    assert (completed.returncode, completed.stdout) == (2, "")
    (line,) = completed.stderr.splitlines()
    assert line.startswith("damka: pictures in pixels need: pip install 'damka[pictures]' (")
    assert not picture.exists()


@pytest.mark.parametrize("call", ["gif(iter(()))", "webp(iter(()))", "png('<svg/>')"])
def test_raster_images_name_the_missing_extra(call: str) -> None:
    completed = without(["PIL"], f"from damka.draw import raster\nraster.{call}")
    assert (
        "PictureError: pictures in pixels need: pip install 'damka[pictures]'" in completed.stderr
    )


@pytest.mark.native
@pytest.mark.parametrize(
    "use",
    [
        "damka.Boards('american', 2)",
        "damka.Board('american').tensor()",
        "damka.Board('american').legal_mask()",
    ],
)
def test_arrays_need_numpy(use: str) -> None:
    completed = without(["numpy"], f"import damka\n{use}")
    assert re.search(r"ImportError: .*pip install numpy$", completed.stderr.rstrip())


@pytest.mark.parametrize(
    ("code", "extra", "missing"),
    [
        ("import damka.training", "train", ["scipy"]),
        ("from damka.ray_cluster import connect; connect('auto')", "ray", ["ray"]),
        ("from damka.cli import main; sys.argv[1:] = ['serve']; main()", "server", ["fastapi"]),
        (
            "from damka.cli import main; sys.argv[1:] = ['train', 'dama64']; main()",
            "train",
            ["numpy"],
        ),
        (
            "from damka.cli import main; sys.argv[1:] = ['admin', 'list']; main()",
            "server",
            ["sqlalchemy"],
        ),
    ],
)
def test_commands_and_packages_name_the_missing_extra(
    code: str, extra: str, missing: list[str]
) -> None:
    completed = without(missing, code)
    assert completed.returncode
    last = completed.stderr.rstrip().splitlines()[-1]
    assert re.search(rf"pip install ['\"]damka\[{extra}\]['\"]", last), completed.stderr


NAMES = {
    "argon2-cffi": "argon2",
    "pillow": "PIL",
    "psycopg[binary]": "psycopg",
}
"""Modules whose names differ from their packages'."""


def modules(extra: str) -> set[str]:
    names = {re.split(r"[><;]", each)[0].strip() for each in EXTRAS[extra]}
    return {NAMES.get(name, name.replace("-", "_")) for name in names}


LEARN = sorted(ROOT.joinpath("docs", "learn").glob("[!R]*.md"))


@pytest.mark.parametrize("path", LEARN, ids=lambda path: path.stem)
def test_a_page_runs_with_only_the_extras_that_it_names(path: Path, tmp_path: Path) -> None:
    mentions = re.findall(r'`pip install "(?:damka|\.)\[(.+?)\]"`', path.read_text("utf-8"))
    named = set[str]().union(*(modules(extra) for each in mentions for extra in each.split(",")))
    others = set[str]().union(*map(modules, EXTRAS)) - named
    assert {"fastapi", "gymnasium", "networkx", "ray", "redis"} <= others
    code = f"""
import doctest, os
os.chdir({str(tmp_path)!r})
options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
print(*doctest.testfile({str(path)!r}, module_relative=False, optionflags=options))
"""
    completed = without(sorted(others), code)
    failed, tried = map(int, completed.stdout.splitlines()[-1].split())
    assert failed == 0, completed.stdout
    assert tried > 6
