"""A part without its packages names the missing extra."""

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
"""The modules of an extra that its package imports at once."""


def without(missing: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code where these modules are not installed."""
    blocked = f"import sys\nfor name in {missing!r}:\n    sys.modules[name] = None\n"
    line = [sys.executable, "-c", blocked + code]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("extra", "missing"), [(extra, name) for extra, names in IMPORTED.items() for name in names]
)
def test_a_package_names_its_extra(extra: str, missing: str) -> None:
    part = f"damka.{extra}"
    code = f"""
try:
    import {part}
except ImportError as error:
    print(type(error).__name__, error.extra, error.name)
    print(error)
"""
    done = without([missing], code)
    assert done.returncode == 0, done.stderr
    kind, text = done.stdout.splitlines()
    assert kind == f"MissingExtraError {extra} {missing}"
    assert text.startswith(f"{part} needs: pip install 'damka[{extra}]' (")
    packages = {each.partition(">")[0].replace("-", "_") for each in EXTRAS[extra]}
    assert missing in packages


def test_a_module_within_a_package_names_its_extra_too() -> None:
    done = without(["fastapi"], "import damka.server.app")
    assert "MissingExtraError: damka.server needs: pip install 'damka[server]'" in done.stderr
    for missing, code in (
        ("markupsafe", "import damka.pages"),
        ("jinja2", "from damka.pages import Templates; Templates(str)"),
    ):
        done = without([missing], code)
        assert "MissingExtraError: damka.pages needs: pip install 'damka[server]'" in done.stderr
    done = without(["pettingzoo"], "from damka.rl import env")
    assert "MissingExtraError: damka.rl needs: pip install 'damka[rl]'" in done.stderr


@pytest.mark.parametrize("part", ["rl", "training"])
def test_a_package_without_its_extra_is_no_attribute(part: str) -> None:
    done = without(["numpy"], f"import damka\nprint(hasattr(damka, '{part}'))\ndamka.{part}")
    assert done.stdout == "False\n"
    assert re.search(r"AttributeError: .*pip install 'damka\[(rl|train)\]'", done.stderr)


@pytest.mark.parametrize("ending", ["gif", "webp", "png"])
@pytest.mark.parametrize("missing", [["PIL"], ["resvg_py"], ["PIL", "resvg_py"]])
def test_damka_draw_names_the_extra(ending: str, missing: list[str], tmp_path: Path) -> None:
    picture = tmp_path / f"a.{ending}"
    arguments = ["draw", "start", "-o", str(picture)]
    code = f"from damka.cli import main\nsys.argv[1:] = {arguments!r}\nmain()"
    done = without(missing, code)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("damka: pictures in pixels need: pip install 'damka[pictures]' (")
    assert not picture.exists()


@pytest.mark.parametrize("call", ["gif(iter(()))", "webp(iter(()))", "png('<svg/>')"])
def test_pictures_name_their_extra(call: str) -> None:
    done = without(["PIL"], f"from damka.draw import raster\nraster.{call}")
    assert "PictureError: pictures in pixels need: pip install 'damka[pictures]'" in done.stderr


@pytest.mark.native
@pytest.mark.parametrize(
    "use",
    [
        "damka.Boards('american', 2)",
        "damka.Board('american').tensor()",
        "damka.Board('american').legal_mask()",
    ],
)
def test_arrays_name_numpy(use: str) -> None:
    done = without(["numpy"], f"import damka\n{use}")
    assert re.search(r"ImportError: .*pip install numpy$", done.stderr.rstrip())


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
def test_commands_and_the_rest_name_their_extra(code: str, extra: str, missing: list[str]) -> None:
    done = without(missing, code)
    assert done.returncode
    last = done.stderr.rstrip().splitlines()[-1]
    assert re.search(rf"pip install ['\"]damka\[{extra}\]['\"]", last), done.stderr


NAMES = {
    "argon2-cffi": "argon2",
    "pillow": "PIL",
    "psycopg[binary]": "psycopg",
}
"""Modules whose names are not those of their packages."""


def modules(extra: str) -> set[str]:
    names = {re.split(r"[><;]", each)[0].strip() for each in EXTRAS[extra]}
    return {NAMES.get(name, name.replace("-", "_")) for name in names}


LEARN = sorted(ROOT.joinpath("docs", "learn").glob("[!R]*.md"))


@pytest.mark.parametrize("path", LEARN, ids=lambda path: path.stem)
def test_a_page_runs_with_the_extras_that_it_names(path: Path, tmp_path: Path) -> None:
    found = re.findall(r'run after `pip install "damka\[(.+)\]"`', path.read_text("utf-8"))
    named = set[str]().union(*(modules(extra) for each in found for extra in each.split(",")))
    others = set[str]().union(*map(modules, EXTRAS)) - named
    assert {"fastapi", "gymnasium", "networkx", "ray", "redis"} <= others
    code = f"""
import doctest, os
os.chdir({str(tmp_path)!r})
options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
print(*doctest.testfile({str(path)!r}, module_relative=False, optionflags=options))
"""
    done = without(sorted(others), code)
    failed, tried = map(int, done.stdout.splitlines()[-1].split())
    assert failed == 0, done.stdout
    assert tried > 6
